"""`inspector mcp`: what MCP servers offer, and what a client makes of it."""

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspector.cli.options import json_option, print_json, say
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.clients import Server
    from inspector.clients.mcpstable import Asked, Finding, Rule
    from inspector.workspace import Listing, World

type Command = Callable[..., Any]

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
FILE = "listings.yaml"
_KINDS = (("tools", "tools"), ("prompts", "prompts"), ("resources", "resources"))
_WORST = ("error", "warning")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a client would start, and the servers it would start there."""

    client: str
    world: "World"
    servers: "tuple[Server, ...]"
    env: Mapping[str, str]
    cwd: str
    seconds: float
    """How long each may take."""


@click.group(no_args_is_help=False)
def mcp() -> None:
    """What MCP servers offer, asked as the clients ask, and what a client makes of it."""


def _where(command: Command) -> Command:
    """The options that say which servers are meant; the command gets them as a `_Place`."""

    @wraps(command)
    def placed(
        *,
        client: str,
        workspace: Path,
        home: Path | None,
        mcp_config: tuple[str, ...],
        names: tuple[str, ...],
        seconds: float,
        **more: object,
    ) -> object:
        place = _place(client, workspace, home, mcp_config, names)
        return command(place=replace(place, seconds=seconds), **more)

    made: Command = placed
    for add in (
        click.option(
            "--seconds",
            type=click.FloatRange(min=0, min_open=True),
            default=10.0,
            show_default=True,
            help="How long each may take.",
        ),
        click.option("--server", "names", multiple=True, metavar="NAME", help="Only these."),
        click.option(
            "--mcp-config", multiple=True, metavar="FILE|JSON", help="As given to Claude Code."
        ),
        click.option("--home", type=_FOLDER, help="The user's home; default: your own."),
        click.option("--workspace", type=_FOLDER, default=".", help="The working directory."),
        click.option(
            "--client", type=click.Choice(["claude-code", "codex"]), default="claude-code"
        ),
    ):
        made = add(made)
    return made


@mcp.command()
@_where
@click.option(
    "--out", type=click.Path(path_type=Path), help=f"A file, or a folder for {FILE}; see `build`."
)
@json_option
def snapshot(place: _Place, out: Path | None, as_json: bool) -> None:
    """Ask the servers a client would start and keep their answers as they wrote them.

    Servers of every scope and of --mcp-config, all at once. One that fails, or stands behind a
    login, is named with its reason; the rest is kept. `inspector build --listings` takes the file.
    """
    from inspector import folder, mcp_client

    listings = _without_secrets(
        mcp_client.ask_all(place.servers, place.seconds, env=place.env, cwd=place.cwd), place.env
    )
    rows = [_row(listing) for listing in listings]
    file = out / FILE if out is not None and (out.is_dir() or not out.suffix) else out
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(folder.listings_yaml(listings))
    if as_json:
        kept = [] if file else [item.model_dump(exclude_defaults=True) for item in listings]
        print_json({"path": str(file) if file else None, "servers": rows, "listings": kept})
        return
    for row in rows:
        click.echo(_line(row))
    if not rows:
        say(f"{place.client} would start no MCP server in {place.cwd}")
    if file is not None:
        say(f"{file}: for `inspector build --listings`")


@mcp.command()
@_where
@click.option("--command", metavar="CMD", help="Check this server: a command line, in quotes.")
@click.option("--url", help="Check this server: streamable HTTP.")
@click.option("--sse", help="Check this server: the older HTTP with an event stream.")
@click.option("--client-version", help="Default: the newest whose form is known.")
@json_option
def check(
    place: _Place,
    command: str | None,
    url: str | None,
    sse: str | None,
    client_version: str | None,
    as_json: bool,
) -> int:
    """Tell a server's author what a client makes of it; each server is asked three times.

    Twice on one connection and once after a restart: are order and bytes stable? What is cut,
    renamed, cleaned, rewritten, refused, deferred, and how large is it? Rules: docs/mcp.md.

    Exit code: 1 with a finding of severity warning or error.
    """
    given = _given(command, url, sse, place)
    servers = given or place.servers
    if not servers:
        raise BadInput(f"{place.cwd}: no MCP server is configured there; name one with --command")
    table, state = _rules(place, servers, client_version)
    with ThreadPoolExecutor(len(servers)) as pool:
        every = list(pool.map(partial(_asked, place=place), servers))
    found = [_found(asked, table) for asked in every]
    if as_json:
        documents = [document for document, _ in found]
        print_json({"client": place.client, **state, "servers": documents})
    else:
        for name, value in state.items():
            say(f"as {place.client} with its {name.replace('_', ' ')} {value} (docs/mcp.md)")
        for document, lines in found:
            click.echo("\n".join([_line(document), *lines]))
    worst = {row["severity"] for document, _ in found for row in document["findings"]}
    return 1 if worst.intersection(_WORST) else 0


def _place(
    client: str,
    workspace: Path,
    home: Path | None,
    configs: Sequence[str],
    names: Sequence[str],
) -> _Place:
    from inspector import clients, profiles
    from inspector.snapshot import DiskTree, environment
    from inspector.workspace import World

    env = dict(os.environ)
    if home is not None:
        env["HOME"] = str(home.resolve())
        env.pop("CLAUDE_CONFIG_DIR", None)
        env.pop("CODEX_HOME", None)
    cwd = str(workspace.resolve())
    for config in configs:
        _readable(config, Path(cwd))
    argv = [word for config in configs for word in ("--mcp-config", config)]
    chosen = clients.client(client)
    version = profiles.names(client)[-1]
    facts = environment(argv, cwd, env, client, version, "tls", None, chosen.switches)
    tree = DiskTree()
    world = World(tree, facts)
    servers = chosen.servers(tree, facts)
    for fault in chosen.faults(world):
        if ": MCP server " in fault or ".json: no JSON" in fault:
            say(fault)
    unknown = set(names) - {server.name for server in servers}
    if unknown:
        known = ", ".join(server.name for server in servers) or "none"
        raise BadInput(f"--server {min(unknown)}: not configured; there are: {known}")
    kept = tuple(server for server in servers if not names or server.name in names)
    return _Place(client, world, kept, env, cwd, seconds=0)


def _readable(config: str, cwd: Path) -> None:
    """Refuse a --mcp-config that the client would refuse."""
    from inspector.jsontext import parse

    inline = config.lstrip().startswith("{")
    named = "--mcp-config" if inline else str(cwd / config)
    try:
        found = parse(config.encode() if inline else (cwd / config).read_bytes()).get("mcpServers")
    except OSError as error:
        raise BadInput(
            f"{named}: {(error.strerror or 'unreadable').lower()}; give a file"
        ) from None
    except ValueError:
        raise BadInput(f"{named}: no JSON; mend it") from None
    if found is None or found.kind != "object":
        raise BadInput(f"{named}: it has no object mcpServers; give one")


def _given(
    command: str | None, url: str | None, sse: str | None, place: _Place
) -> "tuple[Server, ...]":
    """The server of the command line."""
    from inspector.clients import Server

    if sum(value is not None for value in (command, url, sse)) > 1:
        raise BadInput("--command, --url, --sse: name one server; give one of them")
    if command is not None:
        words = tuple(shlex.split(command))
        if not words:
            raise BadInput("--command: it is empty; give the server's command line")
        return (Server("server", "", "stdio", words, cwd=place.cwd),)
    address, kind = (url, "http") if url is not None else (sse, "sse")
    if address is not None and not address.startswith(("http://", "https://")):
        raise BadInput(f"{address}: no address of a server; give one with http:// or https://")
    return (Server("server", "", kind, url=address),) if address is not None else ()


def _asked(server: "Server", *, place: _Place) -> "Asked":
    from inspector import mcp_client
    from inspector.clients.mcpstable import Asked

    first, *rest = mcp_client.ask_again(server, place.seconds, env=place.env, cwd=place.cwd)
    again = dict.fromkeys(["a second request"][: len(rest)], rest[0] if rest else first)
    if first.state == "ready":
        again["a restart"] = mcp_client.ask(server, place.seconds, env=place.env, cwd=place.cwd)
    return Asked(first, again)


def _rules(
    place: _Place, servers: "Sequence[Server]", version: str | None
) -> "tuple[Sequence[tuple[str, str, Rule]], Mapping[str, str]]":
    """The rules of a client in the state it would be in there, and that state."""
    from inspector import clients, profiles
    from inspector.clients import mcpstable
    from inspector.clients.claude_code import service
    from inspector.clients.claude_code.mcprules import Rules

    if place.client != "claude-code":
        return mcpstable.RULES, {}
    axes = clients.client(place.client).axes(place.world)
    profile = profiles.find(place.client, version or profiles.names(place.client)[-1])
    named = service.named(place.world, servers)
    rules = Rules(profiles.resolve(profile, axes), named)
    return rules.table(), {"flag_service": axes["flags"]}


def _found(
    asked: "Asked", table: "Sequence[tuple[str, str, Rule]]"
) -> tuple[dict[str, Any], list[str]]:
    found = (
        _finding(rule, severity, finding)
        for rule, severity, function in table
        for finding in function(asked)
    )
    rows = list({tuple(row.values()): row for row in found}.values())
    document = {**_row(asked.first), "findings": rows}
    lines = [
        f"  {row['severity']:<7} {row['rule']}  "
        + (f"{row['tool']}{row['path']}: " if row["tool"] else "")
        + row["message"]
        for row in rows
    ]
    return document, lines


def _finding(rule: str, severity: str, finding: "Finding") -> dict[str, Any]:
    where = {"tool": finding.tool, "path": finding.path}
    return {"rule": rule, "severity": severity, **where, "message": finding.message}


def _row(listing: "Listing") -> dict[str, Any]:
    from inspector.jsontext import parse

    counts: dict[str, int] = {}
    for name, member in _KINDS:
        text = getattr(listing, name)
        found = parse(text.encode("utf-8", "surrogatepass")).get(member) if text else None
        counts[name] = len(found.items) if found is not None else 0
    named = {"server": listing.server, "scope": listing.scope}
    return {**named, "state": listing.state, "reason": listing.reason, **counts}


def _line(row: Mapping[str, Any]) -> str:
    named = row["server"] + (f" ({row['scope']})" if row["scope"] else "")
    if row["state"] != "ready":
        return f"{named}: {row['state']}: {row['reason']}"
    return f"{named}: {row['tools']} tools, {row['prompts']} prompts, {row['resources']} resources"


def _without_secrets(
    listings: "tuple[Listing, ...]", env: Mapping[str, str]
) -> "tuple[Listing, ...]":
    from inspector import given, redact
    from inspector.workspace import Listing

    secret = given.secrets_of(env)
    return tuple(
        Listing.model_validate_json(redact.data(item.model_dump_json().encode(), secret)[0])
        for item in listings
    )
