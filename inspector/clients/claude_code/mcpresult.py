"""What an MCP server answered, as the client passes it on."""

from dataclasses import dataclass

from inspector.clients.claude_code import system
from inspector.clients.claude_code.javascript import units
from inspector.clients.claude_code.phrase import computed, lines, phrase
from inspector.clients.claude_code.plain import mapping
from inspector.jsontext import JSON, dumps, javascript_number, javascript_order
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, Value, text


@dataclass(frozen=True, slots=True)
class Answer:
    """The content of a tool result."""

    content: Value
    error: bool = False


def answer(
    profile: Profile, tool: str, call: str, result: dict[str, JSON], folder: Text
) -> Answer | None:
    """The content for a JSON-RPC result; None where this model does not know what is sent.

    `folder` is where the client keeps what it cannot send, up to the file's name.
    """
    origin = Origin(Kind.OUTCOME, call)
    server = tool.split("__")[1]
    failure = mapping(result.get("error"))
    if failure:
        return Answer(text(str(failure.get("message")), origin), error=True)
    blocks = _blocks(result)
    if result.get("isError") is True:
        said = [text(str(block.get("text", "")), origin) for block in blocks]
        return Answer(lines(said), error=True)
    structured = result.get("structuredContent")
    if structured is not None:
        written = dumps(structured, number=javascript_number, order=javascript_order)
        return _within(profile, text(written, origin))
    if all(_blank(block) for block in blocks):
        return Answer(phrase(profile, "mcp.empty", tool=text(tool, Origin(Kind.REPLY, call))))
    made: list[Value] = []
    for block in blocks:
        parts = _block(profile, server, block, origin, folder)
        if parts is None:
            return None
        made.extend(parts)
    size = sum(units(str(block.get("text", ""))) for block in blocks)
    return Answer(made) if size <= profile.limits["mcp.result"] else None


def _within(profile: Profile, said: Text) -> Answer | None:
    """A longer answer is written to a file under a random name: a named gap."""
    return Answer(said) if units(str(said)) <= profile.limits["mcp.result"] else None


def _blank(block: dict[str, JSON]) -> bool:
    return block.get("type") == "text" and not str(block.get("text", "")).strip()


def _blocks(result: dict[str, JSON]) -> list[dict[str, JSON]]:
    found = result.get("content")
    entries = found if isinstance(found, list) else []
    return [entry for entry in entries if isinstance(entry, dict)]


def _block(
    profile: Profile, server: str, block: dict[str, JSON], origin: Origin, folder: Text
) -> list[Value] | None:
    kind = block.get("type")
    if kind == "text":
        return [_text(text(str(block.get("text", "")), origin))]
    if kind == "image":
        return _image(profile, server, block, origin, folder)
    if kind == "resource_link":
        return [_text(_link(profile, block, origin))]
    resource = mapping(block.get("resource"))
    if kind == "resource" and isinstance(resource.get("text"), str):
        holes = {
            "server": text(server, origin),
            "uri": text(str(resource.get("uri")), origin),
            "text": text(str(resource["text"]), origin),
        }
        return [_text(phrase(profile, "mcp.resource", **holes))]
    return None


def _text(content: Text) -> Value:
    return {"type": "text", "text": content}


def _image(
    profile: Profile, server: str, block: dict[str, JSON], origin: Origin, folder: Text
) -> list[Value] | None:
    """A picture, and where it was put; only the file's number and tail are random."""
    extension = profile.values["mcp.extensions"].get(block.get("mimeType"))
    if extension is None:
        return None
    source: Value = {
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
    saved = phrase(profile, "mcp.image", path=phrase(profile, "mcp.blob", **holes))
    return [{"type": "image", "source": source}, _text(saved)]


def _link(profile: Profile, block: dict[str, JSON], origin: Origin) -> Text:
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
