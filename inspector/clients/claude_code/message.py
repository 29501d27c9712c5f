"""Messages of a request while they are being built, and how the client joins and encodes them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

from inspector.clients.claude_code.javascript import trim
from inspector.clients.claude_code.phrase import paragraphs
from inspector.text import Growing, Kept, Kind, Memory, Origin, Text, Value, text

type Block = Mapping[str, Value]

_JOINT = Origin(Kind.STRUCTURE, "joint")


class Shared:
    """What the requests of one conversation share: it is written once."""

    def __init__(self) -> None:
        self.memory = Memory()
        self._messages: tuple[Message, ...] = ()
        self._items: tuple[Kept, ...] = ()
        self._kept: dict[str, tuple[tuple[object, ...], Kept]] = {}

    def items(self, messages: "tuple[Message, ...]") -> tuple[Kept, ...]:
        """The messages as they are sent without a mark."""
        known = len(self._messages)
        if self._messages != messages[:known]:
            known, self._items = 0, ()
        self._items += tuple(message.plain for message in messages[known:])
        self._messages = messages
        return self._items

    def kept(self, name: str, key: tuple[object, ...], make: Callable[[], Value]) -> Kept:
        """A value that changes only with its key."""
        before = self._kept.get(name)
        if before is None or before[0] != key:
            before = self._kept[name] = (key, Kept(make()))
        return before[1]


@dataclass(frozen=True)
class Message:
    """One entry of `messages[]`, without its cache mark."""

    role: str
    blocks: tuple[Block, ...]
    effort: str | None = None
    """Set on a system-role message that announces the effort."""
    bare: tuple[Block, ...] | None = None
    """What a resumed conversation keeps of the blocks, where that is not all of them."""
    other: "Callable[[], Sequence[Message]] | None" = field(default=None, compare=False)
    """Makes what stands in its place for models of the other generation; see `forms`."""
    model: str = ""
    """Id of the model that said it."""
    clears: bool = False
    """It counts until the user says something, and never carries the mark (`models_rounds`)."""

    @cached_property
    def plain(self) -> Kept:
        """The message as it is sent without a mark."""
        return Kept(wire(self, None))

    @cached_property
    def unthought(self) -> "Message":
        """The message without what its model thought."""
        return replace(self, blocks=tuple(block for block in self.blocks if not is_thought(block)))

    @cached_property
    def shared(self) -> Shared:
        """What is written of the conversation that begins with this message."""
        return Shared()


def text_block(content: Text) -> Block:
    """A text block."""
    return {"type": "text", "text": content}


def is_thought(block: Block) -> bool:
    """Whether a block is what a model thought, as far as it is signed."""
    signed = block.get("type") == "thinking" and bool(str(block.get("signature", "")))
    return signed or block.get("type") == "redacted_thinking"


def is_text(block: Block) -> bool:
    """Whether a block is a text block of our own making."""
    return block.get("type") == "text" and set(block) == {"type", "text"}


def _meets(block: Block) -> bool:
    """Whether a block is a text, marked by whoever sent it or not (`ordinary_prompt_blocks`)."""
    return block.get("type") == "text" and set(block) <= {"type", "text", "cache_control"}


def joined(groups: Sequence[Sequence[Block]]) -> tuple[Block, ...]:
    r"""User messages merged into one: results first, and a `\n` where two messages' texts meet."""
    results = [block for group in groups for block in group if block.get("type") == "tool_result"]
    out: list[Block] = []
    for group in groups:
        rest = [block for block in group if block.get("type") != "tool_result"]
        # A message that begins with a result meets no text (tool_search_words).
        if group and out and _meets(group[0]) and _meets(out[-1]):
            out[-1] = with_newline(out[-1])
        out.extend(rest)
    return (*results, *out)


def glued(groups: Sequence[Sequence[Block]], start: str) -> tuple[Block, ...]:
    """User messages merged one after the other, as for old models (model_classic, hooks_classic).

    What begins with `start` (a reminder) moves up to the result before it, and is glued into it:
    a paragraph of a plain string, a block of a list (mcp_results_classic). Results move to the
    front, so once another text stands behind them, each later reminder is a block of its own.
    """
    out: list[Block] = []
    for group in _moved_up(groups, start):
        content = out[-1].get("content") if out else None
        if not _told(group, start):
            out = list(joined([out, group]))
        elif isinstance(content, Text):
            parts = [content, *(block["text"] for block in group)]
            trimmed = [trim(part) for part in parts if isinstance(part, Text)]
            out[-1] = {**out[-1], "content": paragraphs([part for part in trimmed if part])}
        elif isinstance(content, list):
            whole = cast("list[Value]", content)
            out[-1] = {**out[-1], "content": _appended(whole, group)}
        else:
            out.extend(group)
    return tuple(out)


def followed(groups: Sequence[Sequence[Block]], parts: Sequence[Text]) -> tuple[Block, ...]:
    """User messages merged, and reminders behind them (2.1.88, mix_parallel).

    Only a result that stands last takes reminders in, and only one that is a plain string.
    """
    out = list(joined(groups))
    for part in parts:
        content = out[-1].get("content") if out else None
        if isinstance(content, Text):
            trimmed = [trim(said) for said in (content, part)]
            out[-1] = {**out[-1], "content": paragraphs([said for said in trimmed if said])}
        else:
            out.append(text_block(part))
    return tuple(out)


def _appended(content: list[Value], group: Sequence[Block]) -> list[Value]:
    r"""A list of blocks with reminders at its end; a `\n` where two texts meet."""
    *before, last = content or [None]
    if isinstance(last, Mapping) and is_text(last):
        last = with_newline(last)
    return [*before, *([last] if content else []), *group]


def _moved_up(groups: Sequence[Sequence[Block]], start: str) -> Iterator[Sequence[Block]]:
    """Reminders before the other texts that stand with them behind a result."""
    waiting: list[Sequence[Block]] = []
    for group in groups:
        result = any(block.get("type") == "tool_result" for block in group)
        if result:
            yield from waiting
            waiting = []
        if result or _told(group, start):
            yield group
        else:
            waiting.append(group)
    yield from waiting


def _told(group: Sequence[Block], start: str) -> bool:
    return all(is_text(block) and str(block["text"]).startswith(start) for block in group)


def with_newline(block: Block) -> Block:
    r"""A text block with `\n` at its end."""
    content = block["text"]
    assert isinstance(content, Text)
    return {**block, "text": content + text("\n", _JOINT)}


def wire(message: Message, mark: Value | None, after: Text | None = None) -> Value:
    """The message as the client sends it; `mark` goes onto its last block, `after` is said behind.

    A user or system message that is one text block without a mark is a plain string; an
    assistant message never is.
    """
    blocks = list(message.blocks)
    content: Value = blocks
    if mark is not None and blocks:
        blocks[-1] = {**blocks[-1], "cache_control": mark}
    if after is not None and mark is None and blocks and is_text(blocks[-1]):
        blocks[-1] = text_block(paragraphs([cast("Text", blocks[-1]["text"]), after]))
    elif after is not None:
        blocks.append(text_block(after))
    if mark is None and len(blocks) == 1 and is_text(blocks[0]) and message.role != "assistant":
        content = blocks[0]["text"]
    out: dict[str, Value] = {"role": message.role, "content": content}
    if message.effort is not None:
        out["output_config"] = {"effort": message.effort}
    if message.clears:
        out["clear_at"] = "next_user_message"
    return out


def marked(
    messages: Sequence[Message],
    mark: Value | None,
    roles: Sequence[str],
    after: Text | None = None,
) -> Value:
    """All messages; the one mark sits on the last block of the last that can carry it.

    `after` is what this request alone says, behind the last message's own words.
    """
    last = next(
        (n for n in range(len(messages) - 1, -1, -1) if _carries(messages[n], roles)), len(messages)
    )
    shared = messages[0].shared if messages else Shared()
    ends = len(messages) - 1 - last
    rest = [
        wire(message, mark if not n else None, after if n == ends else None)
        for n, message in enumerate(messages[last:])
    ]
    return Growing(shared.items(tuple(messages[:last])), tuple(rest), shared.memory)


def _carries(message: Message, roles: Sequence[str]) -> bool:
    return bool(message.blocks) and message.role in roles and not message.clears


def appended(messages: Sequence[Message], *more: Message) -> tuple[Message, ...]:
    """The conversation with more messages, none of them changed."""
    return (*messages, *more)


def with_blocks(message: Message, blocks: Sequence[Block]) -> Message:
    """The same message with other blocks."""
    return replace(message, blocks=tuple(blocks))
