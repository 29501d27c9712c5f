"""Reminders that an older model gets inside the text of a tool's result, taken out of it again.

Where no message has the role `system`, the client glues what it tells the model to the end of the
last result (`classic_rounds`). Here they become blocks of their own, as they were before.
"""

from collections.abc import Iterator, Mapping, Sequence

from inspector.jsontext import JSON

_START, _END, _BETWEEN = "<system-reminder>\n", "\n</system-reminder>", "\n\n"


def apart(messages: Sequence[Mapping[str, JSON]]) -> list[Mapping[str, JSON]]:
    """The messages with each result's own text alone in it."""
    if any(message.get("role") == "system" for message in messages):
        return list(messages)
    return [_message(message) for message in messages]


def _message(message: Mapping[str, JSON]) -> Mapping[str, JSON]:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    return {**message, "content": [part for block in content for part in _block(block)]}


def _block(block: JSON) -> Iterator[JSON]:
    if not isinstance(block, dict) or block.get("type") != "tool_result":
        yield block
        return
    content = block.get("content")
    if isinstance(content, str):
        own, told = _text(content)
        yield {**block, "content": own} if told else block
    elif isinstance(content, list):
        own_blocks, told = _list(content)
        yield {**block, "content": own_blocks} if told else block
    else:
        yield block
        return
    for said in told:
        yield {"type": "text", "text": said}


def _text(content: str) -> tuple[str, list[str]]:
    told: list[str] = []
    while content.endswith(_END):
        start = content.rfind(_BETWEEN + _START)
        if start < 0:
            break
        told.insert(0, content[start + len(_BETWEEN) :])
        content = content[:start]
    return content, told


def _list(content: list[JSON]) -> tuple[list[JSON], list[str]]:
    told: list[str] = []
    own = list(content)
    while own:
        last = own[-1]
        said = last.get("text") if isinstance(last, dict) else None
        if not isinstance(said, str) or not said.startswith(_START):
            break
        told.insert(0, said)
        own.pop()
    return [*own[:-1], *(_unjoined(block) for block in own[-1:])] if told else own, told


def _unjoined(block: JSON) -> JSON:
    """A text without the line end that joins it to the text behind it."""
    if isinstance(block, dict) and isinstance(said := block.get("text"), str):
        return {**block, "text": said.removesuffix("\n")}
    return block
