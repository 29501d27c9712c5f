"""The blocks of an MCP server's answer, as the client passes each on."""

from base64 import b64decode
from collections.abc import Mapping

from inspector.clients.claude_code import system
from inspector.clients.claude_code.message import text_block
from inspector.clients.claude_code.phrase import computed, phrase
from inspector.clients.claude_code.plain import mapping
from inspector.jsontext import JSON
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, Value, text


def sent(
    profile: Profile, server: str, block: dict[str, JSON], origin: Origin, folder: Text
) -> list[Value] | None:
    """The blocks for one block; None for one this model does not know."""
    kind = block.get("type")
    said: Text | None = None
    if kind == "text":
        said = text(str(block.get("text", "")), origin)
    elif kind == "resource_link":
        said = link(profile, block, origin)
    if said is not None:
        return [text_block(said)]
    if kind == "image":
        return _image(profile, server, block, origin, folder)
    if kind == "audio":
        lead = phrase(profile, "mcp.audio", server=text(server, origin))
        return _saved(profile, server, block, lead, origin, folder)
    return _resource(profile, server, block, origin, folder) if kind == "resource" else None


def _resource(
    profile: Profile, server: str, block: dict[str, JSON], origin: Origin, folder: Text
) -> list[Value] | None:
    resource = mapping(block.get("resource"))
    inside = resource.get("text")
    holes = {"server": text(server, origin), "uri": text(str(resource.get("uri")), origin)}
    if isinstance(inside, str):
        said = phrase(profile, "mcp.resource", **holes, text=text(inside, origin))
        return [text_block(said)]
    if not isinstance(resource.get("blob"), str):
        return None
    lead = phrase(profile, "mcp.resource", **holes, text=EMPTY)
    saved: dict[str, JSON] = {**resource, "data": resource["blob"]}
    return _saved(profile, server, saved, lead, origin, folder)


def _saved(
    profile: Profile,
    server: str,
    block: Mapping[str, JSON],
    lead: Text,
    origin: Origin,
    folder: Text,
) -> list[Value] | None:
    """What the client cannot show is put into a file; None for pictures and documents."""
    kind = str(block.get("mimeType"))
    extension = profile.values["mcp.files"].get(kind.partition(";")[0].strip().lower())
    if extension is None:
        return None
    data = b64decode(str(block.get("data")))
    holes = {
        "folder": folder,
        "server": text(server, origin),
        "number": system.numbered(profile, "mcp_blob", origin.name),
        "extension": computed(extension, "extension"),
    }
    path = phrase(profile, "mcp.blob", **holes)
    said = {"mime": text(kind, origin), "size": computed(_measure(len(data)), "size"), "path": path}
    return [text_block(lead + phrase(profile, "mcp.binary", **said))]


def _measure(count: int) -> str:
    if count < 1024:
        return f"{count} bytes"
    return f"{count / 1024:.1f}".removesuffix(".0") + "KB"


def _image(
    profile: Profile, server: str, block: dict[str, JSON], origin: Origin, folder: Text
) -> list[Value] | None:
    """A picture, and where it was put; only the file's number and tail are random."""
    extension = profile.values["mcp.extensions"].get(block.get("mimeType"))
    if extension is None:
        return None
    source: dict[str, Value] = {
        "type": "base64",
        "media_type": text(str(block.get("mimeType")), origin),
        "data": text(str(block.get("data")), origin),
    }
    holes = {
        "folder": folder,
        "server": text(server, Origin(Kind.REPLY, origin.name)),
        "number": system.numbered(profile, "mcp_blob", origin.name),
        "extension": computed(extension, "extension"),
    }
    if profile.switches["mcp.image"] == "shown":
        first = ("data", "media_type", "type")
        return [{"type": "image", "source": {name: source[name] for name in first}}]
    saved = phrase(profile, "mcp.image", path=phrase(profile, "mcp.blob", **holes))
    return [{"type": "image", "source": source}, text_block(saved)]


def link(profile: Profile, block: dict[str, JSON], origin: Origin) -> Text:
    """What the client says of a link to a resource."""
    said = phrase(
        profile,
        "mcp.link",
        name=text(str(block.get("name")), origin),
        uri=text(str(block.get("uri")), origin),
    )
    described = block.get("description")
    if not isinstance(described, str) or not described:
        return said + EMPTY
    return said + phrase(profile, "mcp.link.described", text=text(described, origin))
