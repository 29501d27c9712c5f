"""Files of configuration and memory that are not what their place asks for."""

from collections.abc import Iterator
from json import JSONDecodeError

from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.left_out import Kind, LeftOut, Reason
from inspector.clients.claude_code.looking import entries, kept
from inspector.clients.claude_code.plain import is_mapping
from inspector.clients.claude_code.settings import Settings
from inspector.jsontext import read
from inspector.workspace import EntryKind, World

_MEMORY = ("CLAUDE.md", "CLAUDE.local.md")


def misread(world: World, chosen: Settings) -> Iterator[LeftOut]:
    """Settings and MCP servers that are no JSON object, and memory that is a folder."""
    environment = world.environment
    names = ["user"] if "user" in chosen.sources else []
    places = {"user": f"{environment.config_home}/settings.json"}
    for source, name in (("project", "settings.json"), ("local", "settings.local.json")):
        places[source] = f"{environment.cwd}/.claude/{name}"
        names += [source] if source in chosen.sources else []
    paths: dict[str, Kind] = {places[name]: "settings" for name in names}
    paths[f"{environment.cwd}/.mcp.json"] = "server"
    for path, kind in paths.items():
        data = kept(world.tree, path)
        fault = _fault(decode(data)) if data else None
        if fault is not None:
            yield LeftOut(kind, path.rpartition("/")[2], path, Reason.NO_JSON, fault)
    for folder in (environment.cwd, f"{environment.cwd}/.claude", environment.config_home):
        for entry in entries(world.tree, folder):
            if entry.name in _MEMORY and entry.kind is EntryKind.DIRECTORY:
                yield LeftOut("rule", entry.name, f"{folder}/{entry.name}", Reason.FOLDER)


def _fault(source: str) -> str | None:
    """Where a text is no JSON, in brackets; empty where it is another value, None for an object."""
    try:
        return None if is_mapping(read(source)) else ""
    except JSONDecodeError as error:
        return f" (line {error.lineno}: {error.msg[:1].lower()}{error.msg[1:]})"
    except ValueError:
        return ""
