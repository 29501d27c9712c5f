"""A prompt as blocks: several texts of one message, each with what the sender marked it with.

Witness: `ordinary_prompt_blocks`. The last text is the prompt: it alone names files and commands.
"""

from collections.abc import Mapping, Sequence

from inspector.clients.claude_code.message import Block, text_block
from inspector.jsontext import JSON, dumps, javascript_number, javascript_order, loads
from inspector.text import Kind, Origin, Raw, text
from inspector.turns import Prompted, TextPart

_SERVED = "/mcp__"
_ORIGIN = Origin(Kind.PROMPT, "prompt")


def blocks(prompt: Prompted) -> list[Block]:
    """The text blocks of a prompt."""
    last = TextPart(text=prompt.text, cache_control=prompt.cache_control)
    return [*ahead(prompt), _block(last)]


def ahead(prompt: Prompted) -> list[Block]:
    """The blocks that stand before a prompt's last text."""
    return [_block(part) for part in prompt.ahead]


def _block(part: TextPart) -> Block:
    said = text(part.text, _ORIGIN)
    if part.cache_control is None:
        return text_block(said)
    spelled = dumps(loads(part.cache_control), number=javascript_number, order=javascript_order)
    return {**text_block(said), "cache_control": Raw(spelled, _ORIGIN)}


def commanded(prompt: Prompted, groups: Sequence[list[Block]]) -> list[list[Block]]:
    """The messages of a typed command: the texts before it stand before its body."""
    return [*groups[:-1], *([*ahead(prompt), *body] for body in groups[-1:])]


def command(prompt: str, found: Sequence[Mapping[str, JSON]]) -> Prompted:
    """A typed command from the blocks behind its own: the last one is its body.

    What a server makes of its prompt may be several texts, and nothing tells them from others.
    """
    before = () if prompt.startswith(_SERVED) else found[:-1]
    return Prompted(
        text=prompt,
        ahead=tuple(
            TextPart(text=str(block["text"]), cache_control=_mark(block))
            for block in before
            if block.get("type") == "text"
        ),
    )


def _mark(block: Mapping[str, JSON]) -> str | None:
    mark = block.get("cache_control")
    return None if mark is None else dumps(mark)


def unmarked(messages: Sequence[Mapping[str, JSON]]) -> list[Mapping[str, JSON]]:
    """The messages without the client's own mark: the last one, at the end of a message."""
    out = list(messages)
    for number in range(len(out) - 1, -1, -1):
        content = out[number].get("content")
        last = content[-1] if isinstance(content, list) and content else None
        if isinstance(content, list) and isinstance(last, dict) and "cache_control" in last:
            bare = {key: value for key, value in last.items() if key != "cache_control"}
            out[number] = {**out[number], "content": [*content[:-1], bare]}
            break
    return out


def prompts(found: Sequence[Mapping[str, JSON]]) -> list[Prompted]:
    r"""The prompts in text blocks that stand together.

    Where two messages meet the client puts a `\n`, within one it puts none.
    """
    # An empty text is dropped where others stand beside it.
    found = [block for block in found if block.get("text")] or found[:1]
    out: list[Prompted] = []
    parts: list[TextPart] = []
    for number, block in enumerate(found, start=1):
        said = str(block.get("text"))
        ends = said.endswith("\n") or number == len(found)
        said = said.removesuffix("\n") if number < len(found) else said
        part = TextPart(text=said, cache_control=_mark(block))
        if not ends:
            parts.append(part)
            continue
        given = part.cache_control
        out.append(Prompted(text=said, cache_control=given, ahead=tuple(parts)))
        parts = []
    return out
