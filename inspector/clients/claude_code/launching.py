"""How to start the client so that its model traffic reaches a proxy."""

import json
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from inspector.clients import Launch
from inspector.clients.claude_code.options import options
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.settings import flagged, settings
from inspector.errors import BadInput
from inspector.workspace import Environment, Tree

HOST = "api.anthropic.com"
"""The client's default host."""

_NOTES = {
    "tls": "The request is what the client sends to its default host.",
    "base-url": (
        "With a custom base URL the client joins the system prompt into one block, sends fewer "
        "betas and no diagnostics."
    ),
    "raw-export": (
        "Bodies are the client's own export of what it sends to its host: `cch` is zeros there,"
        " thinking is left out, and of the headers only the betas are known."
    ),
}


_EXPORT = {
    "CLAUDE_CODE_ENABLE_TELEMETRY": "1",
    "OTEL_LOGS_EXPORTER": "none",
    "OTEL_METRICS_EXPORTER": "none",
    "OTEL_TRACES_EXPORTER": "none",
}
"""Switches the export on without sending telemetry anywhere: bodies are written all the same."""


def launch(
    argv: Sequence[str], environment: Environment, tree: Tree, route: str, proxy: str, ca: str
) -> Launch:
    """The command and variables for a route."""
    own = _own(tree, environment)
    configured = own.get("ANTHROPIC_BASE_URL") or None
    upstream = configured or environment.env.get("ANTHROPIC_BASE_URL")
    hosts: tuple[str, ...] = ()
    if route == "tls":
        host = urlsplit(upstream).hostname if upstream else None
        env = {
            "HTTPS_PROXY": proxy,
            "https_proxy": proxy,
            "NO_PROXY": None,
            "no_proxy": None,
            "NODE_EXTRA_CA_CERTS": ca,
            "SSL_CERT_FILE": ca,
        }
        if clashing := {name: value or "" for name, value in env.items() if name in own}:
            argv = _overriding(argv, environment, tree, clashing)
        hosts = (host or HOST,)
    elif route == "base-url":
        env = {"ANTHROPIC_BASE_URL": proxy.rstrip("/")}
        hosts = (urlsplit(proxy).hostname or "127.0.0.1",)
        if configured is not None:
            argv = _overriding(argv, environment, tree, env)
    elif route == "raw-export":
        env = {**_EXPORT, "OTEL_LOG_RAW_API_BODIES": f"file:{proxy}"}
        if not own.keys().isdisjoint(env):
            argv = _overriding(argv, environment, tree, env)
    else:
        raise BadInput(f"route {route!r}: claude-code has no such route; use tls or base-url")
    private = _private(argv, environment)
    return Launch(route, tuple(argv), env, upstream, hosts, _NOTES[route], own, private)


def _overriding(
    argv: Sequence[str], environment: Environment, tree: Tree, env: Mapping[str, str | None]
) -> list[str]:
    """The command with `--settings` that set these variables.

    Variables in settings files win over those of the process; only the flag wins over the files,
    and of several flags the last one counts [claude-code 2.1.332]. So what the user's own flag
    says joins ours.
    """
    given = flagged(tree, environment, options(environment.argv))
    merged = {**given, "env": {**mapping(given.get("env")), **env}}
    rest = list(argv[1:])
    while "--settings" in rest:
        at = rest.index("--settings")
        del rest[at : at + 2]
    rest = [word for word in rest if not word.startswith("--settings=")]
    return [argv[0], "--settings", json.dumps(merged), *rest]


def _private(argv: Sequence[str], environment: Environment) -> str:
    """Our own `--settings`, where it repeats a file that the user's flag names."""
    named = options(environment.argv).value("--settings")
    if named is None or named.lstrip().startswith("{") or argv[1:2] != ["--settings"]:
        return ""
    return argv[2] if argv[2].startswith("{") else ""


def _own(tree: Tree, environment: Environment) -> dict[str, str]:
    """The variables in the client's own settings."""
    found = mapping(settings(tree, environment).get("env"))
    return {name: value for name, value in found.items() if isinstance(value, str)}
