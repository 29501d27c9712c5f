"""What an MCP server answered, as the client passes it on."""

from dataclasses import dataclass

from inspector.clients.claude_code import mcpblocks, mcplong, shell
from inspector.clients.claude_code.javascript import units
from inspector.clients.claude_code.message import text_block
from inspector.clients.claude_code.phrase import lines, phrase
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.readlong import Counted, estimate
from inspector.jsontext import JSON, dumps, javascript_number, javascript_order, quote
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, Value, join, text
from inspector.turns import Called
from inspector.workspace import Environment

_BEYOND = 4
"""How many times too long an answer is that nobody needs to count."""
_IMAGE = 1600
"""The tokens an image is taken to have."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The content of a tool result."""

    content: Value
    error: bool = False


def answer(
    profile: Profile,
    called: Called,
    result: dict[str, JSON],
    environment: Environment,
    folder: Text,
    tokens: Counted | None = None,
) -> Answer | None:
    """The content for a JSON-RPC result; None where this model does not know what is sent.

    `folder` is where the client keeps what it cannot send, up to the file's name; `tokens` are
    those of an answer that was counted.
    """
    most = mcplong.most(profile, environment)
    blocks = _blocks(result)
    failed = _failed(profile, result, blocks, Origin(Kind.OUTCOME, called.id))
    if failed is not None:
        return Answer(failed, error=True)
    if result.get("structuredContent") is not None:
        return _beside(profile, called, result, folder)
    if all(_blank(block) for block in blocks):
        name = text(called.name, Origin(Kind.REPLY, called.id))
        return Answer(phrase(profile, "mcp.empty", tool=name))
    over = tokens is not None and tokens.tokens > most
    alone = blocks[0].get("text") if [*blocks[0]] in (["type", "text"], ["text", "type"]) else ""
    large = None
    if len(blocks) == 1 and isinstance(alone, str):
        large = mcplong.large(profile, alone, environment, over=over)
    if large is not None:
        return Answer(mcplong.shown(profile, called, large, folder, counted=True))
    if over:
        return None
    return _several(profile, called, blocks, folder)


def counted(
    profile: Profile,
    called: Called,
    result: dict[str, JSON],
    environment: Environment,
    folder: Text,
) -> Value | None:
    """What the client has counted of an answer before it passes it on; None for most."""
    origin = Origin(Kind.OUTCOME, called.id)
    blocks = _blocks(result)
    if _failed(profile, result, blocks, origin) is not None:
        return None
    content = _passed_on(profile, called, result, blocks, folder)
    if content is None:
        return None
    most, guess = mcplong.most(profile, environment), taken(content)
    parts = [] if isinstance(content, Text) else content
    images = sum(isinstance(part, dict) and "text" not in part for part in parts)
    known = guess - images * _IMAGE
    return content if most / 2 < guess and known <= most * _BEYOND else None


def taken(content: Value) -> int:
    """The tokens the client takes an answer to have."""
    if isinstance(content, Text):
        return estimate(str(content))
    parts = content if isinstance(content, list) else []
    return sum(
        estimate(str(part["text"])) if "text" in part else _IMAGE
        for part in parts
        if isinstance(part, dict)
    )


def _passed_on(
    profile: Profile,
    called: Called,
    result: dict[str, JSON],
    blocks: list[dict[str, JSON]],
    folder: Text,
) -> Text | list[Value] | None:
    """An answer before it is put into a file where it is too long."""
    origin, server = Origin(Kind.OUTCOME, called.id), called.name.split("__")[1]
    value = result.get("structuredContent")
    kept = [block for block in blocks if value is None or block.get("type") != "text"]
    parts = [mcpblocks.sent(profile, server, block, origin, folder) for block in kept]
    if any(part is None for part in parts):
        return None
    out = [block for part in parts for block in part or ()]
    if value is None:
        return out
    whole = text(dumps(value, number=javascript_number, order=javascript_order), origin)
    return [*out, text_block(whole)] if out else whole


def _failed(
    profile: Profile, result: dict[str, JSON], blocks: list[dict[str, JSON]], origin: Origin
) -> Text | None:
    """The words of an error; None where it is none."""
    failure = mapping(result.get("error"))
    if failure:
        return text(str(failure.get("message")), origin)
    if result.get("isError") is not True:
        return None
    said = [made for block in blocks if (made := _said(profile, block, origin)) is not None]
    if profile.switches["mcp.errors"] == "first":
        said = said[:1]
    return lines(said) if said else phrase(profile, "mcp.error")


def _beside(
    profile: Profile, called: Called, result: dict[str, JSON], folder: Text
) -> Answer | None:
    """Structured content, which takes the place of texts and stands behind other blocks."""
    whole = _structured(profile, result, called.id, folder)
    others = [block for block in _blocks(result) if block.get("type") != "text"]
    if not others:
        return Answer(whole)
    shown = _several(profile, called, others, folder)
    if shown is None or not isinstance(shown.content, list):
        return None
    return Answer([*shown.content, text_block(whole)])


def _said(profile: Profile, block: dict[str, JSON], origin: Origin) -> Text | None:
    """What a block adds to the words of an error."""
    if "text" in block:
        return text(str(block["text"]), origin)
    return mcpblocks.link(profile, block, origin) if block.get("type") == "resource_link" else None


def _structured(profile: Profile, result: dict[str, JSON], call: str, folder: Text) -> Text:
    """Structured content, which wins over the blocks beside it."""
    value = result["structuredContent"]
    written = dumps(value, number=javascript_number, order=javascript_order)
    said = text(written, Origin(Kind.OUTCOME, call))
    if units(written) <= profile.limits["mcp.result"]:
        return said
    return shell.kept(profile, said, folder, f"{call}.txt")


def _several(
    profile: Profile, called: Called, blocks: list[dict[str, JSON]], folder: Text
) -> Answer | None:
    origin = Origin(Kind.OUTCOME, called.id)
    server = called.name.split("__")[1]
    parts = [mcpblocks.sent(profile, server, block, origin, folder) for block in blocks]
    if any(part is None for part in parts):
        return None
    size = sum(units(str(block.get("text", ""))) for block in blocks)
    if size <= profile.limits["mcp.result"]:
        return Answer([value for part in parts for value in part or ()])
    if any(block.get("type") != "text" for block in blocks):
        return None
    return Answer(shell.kept(profile, _pretty(blocks, origin), folder, f"{called.id}.json"))


def _blank(block: dict[str, JSON]) -> bool:
    return block.get("type") == "text" and not str(block.get("text", "")).strip()


def _blocks(result: dict[str, JSON]) -> list[dict[str, JSON]]:
    found = result.get("content")
    entries = found if isinstance(found, list) else []
    return [entry for entry in entries if isinstance(entry, dict)]


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
