"""How to start Codex so that its model traffic reaches a proxy."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from inspector.clients import Launch
from inspector.clients.codex.config import Config, read
from inspector.errors import BadInput
from inspector.workspace import Environment, Tree

_PROGRAM = re.compile(r"(^|/)codex(-[\w-]+)?(@[\w.]+)?(\.exe|\.js)?$")
_HOSTS = ("api.openai.com", "chatgpt.com")
_SIGNED = frozenset({"amazon-bedrock"})
"""Built-in providers whose requests are signed for their host."""

_ALONE = ("inspector", "capture")
"""An override of nothing. On a terminal the client has a server of its own in the background do the
work, which does not know our proxy, or else goes on with it when we are gone; with an override it
does the work itself (witness: ordinary_login). Older versions take it, too."""

_NOTES = {
    "tls": "The request is what the client sends to its own provider.",
    "base-url": "The address differs; a custom provider's requests lack OpenAI's own labels.",
}


def launch(
    argv: Sequence[str], environment: Environment, tree: Tree, route: str, proxy: str, ca: str
) -> Launch:
    """The command and variables for a route."""
    config = read(tree, environment)
    if config.string("model_provider") in _SIGNED:
        raise BadInput(
            f"model provider {config.string('model_provider')}: its signed requests are not"
            " captured yet; choose another with -c model_provider=NAME"
        )
    upstream = _upstream(config)
    if route == "tls":
        command = _inserted(argv, *_ALONE) if config.command.terminal else tuple(argv)
        return Launch(
            route, command, _variables(proxy, ca), upstream, _hosts(upstream), _NOTES[route]
        )
    if route == "base-url":
        key = _base_url_key(config)
        path = urlsplit(upstream).path if upstream else "/v1"
        url = proxy.rstrip("/") + path.rstrip("/")
        hosts = (urlsplit(proxy).hostname or "127.0.0.1",)
        return Launch(route, _inserted(argv, key, url), {}, upstream, hosts, _NOTES[route])
    raise BadInput(f"route {route!r}: codex has no such route; use tls or base-url")


def _variables(proxy: str, ca: str) -> Mapping[str, str | None]:
    return {
        "HTTPS_PROXY": proxy,
        "https_proxy": None,
        "ALL_PROXY": None,
        "NO_PROXY": None,
        "no_proxy": None,
        "CODEX_CA_CERTIFICATE": ca,
        "SSL_CERT_FILE": ca,
    }


def _upstream(config: Config) -> str | None:
    if config.provider == "builtin":
        return config.string("openai_base_url")
    return config.string("model_providers", config.string("model_provider") or "", "base_url")


def _hosts(upstream: str | None) -> tuple[str, ...]:
    host = urlsplit(upstream).hostname if upstream else None
    return (host,) if host else _HOSTS


def _base_url_key(config: Config) -> str:
    name = config.string("model_provider")
    if config.provider == "builtin" or name is None:
        return "openai_base_url"
    return f"model_providers.{name}.base_url"


def _inserted(argv: Sequence[str], key: str, value: str) -> tuple[str, ...]:
    """The command with an override: in place of the user's own, else straight after the program.

    Every subcommand takes `-c` there, `exec resume` too (witness: goldens of the base-url route).
    Beside overrides of the user's own it stands before the first: up to some version those of a
    subcommand take the place of all before it (witness: 0.116, policy).
    """
    override = f'{key}="{value}"'
    own = [n for n, word in enumerate(argv) if word.replace(" ", "").startswith(f"{key}=")]
    if own:
        return tuple(override if number in own else word for number, word in enumerate(argv))
    program = next((n for n, word in enumerate(argv) if _PROGRAM.search(word)), 0)
    rest = range(program + 1, len(argv))
    at = next((n for n in rest if argv[n] in {"-c", "--config"}), program + 1)
    return (*argv[:at], "-c", override, *argv[at:])
