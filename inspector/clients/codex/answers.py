"""An MCP server's answer as the client frames it: typed, written again, with its own words around.

Content blocks keep the members the client knows, in its order; a text keeps its words. Behind the
classic models blocks become parts; in a script the answer is a JavaScript value (witness:
mcp_results, mcp_results_classic).
"""

from collections.abc import Iterator, Mapping, Sequence

from inspector.clients.codex.calls import Call
from inspector.clients.codex.fill import computed, fill
from inspector.clients.codex.mcp import Namespace
from inspector.clients.codex.printed import escaped, warning
from inspector.clients.codex.shorten import Output, left_out, mark
from inspector.clients.codex.written import javascript_text, serde_text
from inspector.jsontext import (
    JSON,
    dumps,
    loads,
    serde_number,
)
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, Value, text
from inspector.turns import Answered, Printed

type _Block = dict[str, JSON]


def tool_of(full_name: str, spaces: Sequence[Namespace]) -> tuple[str, str] | None:
    """Server and tool as they call themselves, for a name the model uses."""
    for space in spaces:
        for tool in space.tools:
            if f"{space.name}__{tool.name}" == full_name:
                return space.server, tool.raw_name
    return None


def direct(answered: Answered, call: Call, spaces: Sequence[Namespace], profile: Profile) -> Output:
    """The output of a call of the tool itself."""
    origin = Origin(Kind.OUTCOME, call.id)
    seconds = {"seconds": text(answered.seconds or "", origin)}
    value = loads(answered.result)
    result = value if isinstance(value, dict) else {}
    structured = result.get("structuredContent")
    blocks = _blocks(result, profile)
    if profile.switches["mcp.output"] == "whole":
        tool = tool_of(call.full_name, spaces)
        return _whole(result, blocks, tool, origin, profile)
    if blocks is not None and structured is not None:
        said = {**seconds, "output": serde_text(structured, origin)}
        return fill(profile.literal("output.mcp.structured"), said)
    parts: list[Value] = [_words(fill(profile.literal("output.mcp"), seconds))]
    if blocks is None:
        return [*parts, _words(failure(result, tool_of(call.full_name, spaces), origin, profile))]
    parts += _parts(blocks, origin, profile)
    if answered.cut is not None:
        head, tail = (text(s or "", origin) for s in (answered.cut.text, answered.cut.rest))
        parts.append(_words(head + mark(answered.cut.tokens or 0, profile) + tail))
    if answered.omitted:
        parts.append(left_out(answered.omitted, profile))
    return parts


def _whole(
    result: Mapping[str, JSON],
    blocks: Sequence[_Block] | None,
    tool: tuple[str, str] | None,
    origin: Origin,
    profile: Profile,
) -> Output:
    """The output in older versions: all blocks as one JSON text; with an image among them parts.

    An answer without any content is none (witness: 0.116, mcp_results).
    """
    structured = result.get("structuredContent")
    if not blocks and structured is None:
        words = escaped(failure({**result, "content": None}, tool, origin, profile))
        start, end = computed("json", '[{"type":"text","text":"'), computed("json", '"}]')
        return start + words + end
    if structured is None and any(block["type"] == "image" for block in blocks or ()):
        return list(_parts(blocks or (), origin, profile))
    told: JSON = [*(blocks or ())] if structured is None else structured
    return serde_text(told, origin, doubles=True)


def value_text(
    answered: Answered, name: str, origin: Origin, spaces: Sequence[Namespace], profile: Profile
) -> Text:
    """What a script prints of an answer: the JavaScript value as JSON."""
    value = loads(answered.result)
    result = value if isinstance(value, dict) else {}
    blocks = _blocks(result, profile)
    if blocks is None:
        words = failure(result, tool_of(name, spaces), origin, profile)
        start = '{"content":[{"type":"text","text":"'
        end = '"}],"isError":true}'
        return computed("json", start) + escaped(words) + computed("json", end)
    members: _Block = {"content": [*blocks]}
    for key in ("structuredContent", "isError"):
        if result.get(key) is not None:
            members[key] = result[key]
    # The stand-in for a sound is the client's own sentence, wherever it stands in the value.
    name = "output.mcp.audio"
    return javascript_text(members, origin, {profile.literals[name]: Origin(Kind.LITERAL, name)})


def cut_value(cut: Printed, limit: int, origin: Origin, profile: Profile) -> Text:
    """What a script prints of an answer of one text, its middle left out (witness: mcp_results)."""
    count = cut.tokens or 0
    head, tail = (text(s or "", origin) for s in (cut.text, cut.rest))
    output = head + mark(count - limit, profile) + tail
    value = fill(profile.literal("output.mcp.value"), {"output": output})
    return warning(text(str(count), origin), computed("lines", "1"), profile) + value


def failure(
    result: Mapping[str, JSON], tool: tuple[str, str] | None, origin: Origin, profile: Profile
) -> Text:
    """What the client says of a call that failed."""
    error = result.get("error")
    if tool is None:
        return text("⟦adopted⟧", Origin(Kind.ADOPTED, "the server's tool is not in its listing"))
    cause = profile.literal("output.mcp.unexpected")
    if isinstance(error, dict):
        said = {
            "code": text(dumps(error.get("code"), number=serde_number), origin),
            "message": text(str(error.get("message")), origin),
        }
        cause = fill(profile.literal("output.mcp.error"), said)
        if error.get("data") is not None:
            data = serde_text(error["data"], origin)
            cause += fill(profile.literal("output.mcp.data"), {"data": data})
    holes = {
        "server": text(tool[0], Origin(Kind.LISTING, tool[0])),
        "tool": text(tool[1], Origin(Kind.LISTING, f"{tool[0]}/{tool[1]}")),
        "cause": cause,
    }
    return fill(profile.literal("output.mcp.failed"), holes)


def _words(words: Text) -> Value:
    return {"type": "input_text", "text": words}


def _parts(blocks: Sequence[_Block], origin: Origin, profile: Profile) -> Iterator[Value]:
    audio = profile.literals["output.mcp.audio"]
    for block in blocks:
        if block["type"] == "image":
            address = text(f"data:{block.get('mimeType')};base64,{block.get('data')}", origin)
            shown: dict[str, Value] = {"type": "input_image", "image_url": address}
            detail = profile.literal("image.detail")
            yield {**shown, "detail": detail} if detail else shown
        elif block["type"] != "text":
            yield _words(serde_text(block, origin))
        elif block["text"] == audio:
            yield _words(profile.literal("output.mcp.audio"))
        elif block["text"]:
            yield _words(text(str(block["text"]), origin))


def _blocks(result: Mapping[str, JSON], profile: Profile) -> list[_Block] | None:
    """The content as the client has it; None for an error, or what it cannot read."""
    content = result.get("content")
    if "error" in result or not isinstance(content, list):
        return None
    made = [_block(block, profile) for block in content]
    kept = [block for block in made if block is not None]
    return kept if len(kept) == len(made) else None


def _block(block: JSON, profile: Profile) -> _Block | None:
    if not isinstance(block, dict):
        return None
    order = profile.lists.get(f"output.content.{block.get('type')}")
    if block.get("type") == "audio" and order is None:
        return {"type": "text", "text": profile.literals["output.mcp.audio"]}
    if order is None or block.get("type") in {"inner", "annotations"}:
        return None
    made = _kept(block, order)
    for key, known in (("resource", "inner"), ("annotations", "annotations")):
        inner = made.get(key)
        if isinstance(inner, dict):
            made[key] = _kept(inner, profile.lists[f"output.content.{known}"])
    return made if made["type"] != "text" or isinstance(made.get("text"), str) else None


def _kept(members: Mapping[str, JSON], order: Sequence[str]) -> _Block:
    return {key: members[key] for key in order if members.get(key) is not None}
