"""What an MCP server answered, as the client passes it on."""

from dataclasses import dataclass

from inspector.clients.claude_code import shell, system
from inspector.clients.claude_code.javascript import units
from inspector.clients.claude_code.phrase import computed, lines, phrase
from inspector.clients.claude_code.plain import mapping
from inspector.jsontext import JSON, dumps, javascript_number, javascript_order, quote
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, Value, join, text


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
    failure = mapping(result.get("error"))
    if failure:
        return Answer(text(str(failure.get("message")), origin), error=True)
    blocks = _blocks(result)
    if result.get("isError") is True:
        said = [text(str(block.get("text", "")), origin) for block in blocks]
        return Answer(lines(said), error=True)
    if result.get("structuredContent") is not None:
        return Answer(_structured(profile, result, call, folder))
    if all(_blank(block) for block in blocks):
        return Answer(phrase(profile, "mcp.empty", tool=text(tool, Origin(Kind.REPLY, call))))
    return _several(profile, tool.split("__")[1], blocks, call, folder)


def _structured(profile: Profile, result: dict[str, JSON], call: str, folder: Text) -> Text:
    """Structured content, which wins over the blocks beside it."""
    value = result["structuredContent"]
    written = dumps(value, number=javascript_number, order=javascript_order)
    said = text(written, Origin(Kind.OUTCOME, call))
    if units(written) <= profile.limits["mcp.result"]:
        return said
    return shell.kept(profile, said, folder, f"{call}.txt")


def _several(
    profile: Profile, server: str, blocks: list[dict[str, JSON]], call: str, folder: Text
) -> Answer | None:
    origin = Origin(Kind.OUTCOME, call)
    parts = [_block(profile, server, block, origin, folder) for block in blocks]
    if any(part is None for part in parts):
        return None
    size = sum(units(str(block.get("text", ""))) for block in blocks)
    if size <= profile.limits["mcp.result"]:
        return Answer([value for part in parts for value in part or ()])
    if any(block.get("type") != "text" for block in blocks):
        return None
    return Answer(shell.kept(profile, _pretty(blocks, origin), folder, f"{call}.json"))


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


def _pretty(blocks: list[dict[str, JSON]], origin: Origin) -> Text:
    """Text blocks as the client writes them into a file: JSON, two blanks a level."""
    frame = Origin(Kind.STRUCTURE, "file")
    entries = [
        text('  {\n    "type": "text",\n    "text": ', frame)
        + text(quote(str(block.get("text", ""))), origin)
        + text("\n  }", frame)
        for block in blocks
    ]
    return text("[\n", frame) + join(text(",\n", frame), entries) + text("\n]", frame)


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
