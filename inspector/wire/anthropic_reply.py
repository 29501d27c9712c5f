"""Replies of the Anthropic Messages API, whole or streamed.

A tool call's input is the model's own JSON text: the joined deltas of a stream, the raw text of
a document. Claude Code parses and writes it again (see `jsontext.javascript`).
"""

from dataclasses import dataclass, field

from inspector.jsontext import Node, paired, quote
from inspector.turns import Called, Failed, OtherBlock, Replied, ReplyBlock, Said, Thought
from inspector.wire.responses import answer, count, failed, sound, stream

_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_USAGE = (
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "output_tokens",
)


def reply(body: bytes, content_type: str = "", status: int = 200) -> Replied | Failed | None:
    """What the model answered; none when the response is no answer."""
    return answer(body, content_type, status, _streamed, _document)


def _document(node: Node, status: int) -> Replied | Failed | None:
    if node.string_of("type") == "error" or status >= 400:
        return failed(status, _status(node))
    if node.string_of("type") != "message":
        return None
    assembly = _Assembly()
    assembly.begin(node)
    content = node.get("content")
    for number, block in enumerate(content.items if content is not None else ()):
        assembly.blocks[number] = _Block(block)
    assembly.stop = node.string_of("stop_reason")
    assembly.judged = _is_judged(node)
    return assembly.replied()


def _is_judged(node: Node | None) -> bool:
    """Whether verdicts on the calls came with a reply, or word that they are to be had."""
    found = node.get("safeguard_results") if node is not None else None
    stated = [entry.get("status") for entry in found.items] if found is not None else []
    return any(one is not None and one.string_of("type") != "unsupported" for one in stated)


def _status(node: Node) -> int:
    error = node.get("error")
    return _STATUS.get((error.string_of("type") if error is not None else "") or "", 500)


def _streamed(body: bytes, status: int) -> Replied | Failed | None:
    events, _ = stream(body)
    assembly = _Assembly()
    for event in events:
        if event.string_of("type") == "error":
            return failed(status, _status(event))
        assembly.take(event)
    if not assembly.begun:
        return Failed(status=status) if status >= 400 else None
    if not assembly.ended and assembly.stop is None:
        assembly.stop = "truncated"
    return assembly.replied()


@dataclass(slots=True)
class _Block:
    """A content block as it grows: what it started as, and its joined deltas by kind."""

    start: Node
    ended: bool = False
    deltas: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    citations: list[str] = field(default_factory=list[str])
    """Raw JSON of each citation that came as a delta."""

    def text(self, delta: str, member: str) -> str:
        """The block's text: what it started with and all that came after."""
        return paired("".join([self.start.string_of(member) or "", *self.deltas.get(delta, ())]))

    def input(self) -> str:
        """A tool call's input as JSON text; without deltas it is what the block began as."""
        node = self.start.get("input")
        joined = paired("".join(self.deltas.get("partial_json", ())))
        return joined or (node.text if node is not None else "")

    def block(self) -> ReplyBlock:
        """The block as a turn keeps it; as raw JSON where a string cannot be kept."""
        made = self._made()
        return OtherBlock(raw=self.raw()) if made is None else made

    def _made(self) -> ReplyBlock | None:
        kind = self.start.string_of("type")
        name, ident = self.start.string_of("name"), self.start.string_of("id")
        if kind == "text":
            text = sound(self.text("text", "text"))
            return (
                None if text is None else Said(text=text, raw=self.raw() if self.cites() else None)
            )
        if kind == "thinking":
            text = sound(self.text("thinking", "thinking"))
            signature = self.text("signature", "signature")
            return None if text is None else Thought(text=text, signature=signature)
        if kind == "redacted_thinking":
            return Thought(redacted=self.start.string_of("data") or "")
        if kind == "tool_use" and name is not None and ident is not None:
            text = sound(self.input())
            return None if text is None else Called(id=ident, name=name, input=text)
        return None

    def cites(self) -> bool:
        """Whether the block is more than its text."""
        node = self.start.get("citations")
        return bool(self.citations) or (node is not None and bool(node.items))

    def raw(self) -> str:
        """The whole block as JSON, its deltas filled in."""
        members = {member.name: member.value.text for member in self.start.members}
        for name in members.keys() & self.deltas.keys():
            members[name] = quote(self.text(name, name))
        if "partial_json" in self.deltas:
            members["input"] = self.input()
        if self.citations:
            members["citations"] = f"[{','.join(self.citations)}]"
        return "{" + ",".join(f"{quote(name)}:{raw}" for name, raw in members.items()) + "}"


@dataclass(slots=True)
class _Assembly:
    begun: bool = False
    ended: bool = False
    id: str | None = None
    stop: str | None = None
    judged: bool = False
    usage: dict[str, int] = field(default_factory=dict[str, int])
    blocks: dict[int, _Block] = field(default_factory=dict[int, _Block])

    def take(self, event: Node) -> None:
        """One event of a stream."""
        match event.string_of("type"):
            case "message_start":
                message = event.get("message")
                if message is not None:
                    self.begin(message)
            case "content_block_start" | "content_block_stop":
                self._border(event)
            case "content_block_delta":
                self._delta(event)
            case "message_delta":
                delta = event.get("delta")
                self.judged = self.judged or _is_judged(delta)
                self.stop = (delta.string_of("stop_reason") if delta else None) or self.stop
                self._count(event)
            case "message_stop":
                self.ended = True
            case _:
                pass

    def begin(self, message: Node) -> None:
        """The message's id and its first usage."""
        self.begun = True
        self.id = message.string_of("id")
        self._count(message)

    def _border(self, event: Node) -> None:
        """A block begins, or ends."""
        number, block = count(event, "index") or 0, event.get("content_block")
        if block is not None:
            self.blocks[number] = _Block(block)
        elif number in self.blocks:
            self.blocks[number].ended = True

    def _count(self, node: Node) -> None:
        for name in _USAGE:
            number = count(node, "usage", name)
            if number is not None:
                self.usage[name] = number

    def _delta(self, event: Node) -> None:
        block = self.blocks.get(count(event, "index") or 0)
        delta = event.get("delta")
        if block is None or delta is None:
            return
        for member in delta.members:
            if member.name == "citation":
                block.citations.append(member.value.text)
            elif member.name != "type" and member.value.kind == "string":
                block.deltas.setdefault(member.name, []).append(member.value.string)

    def replied(self) -> Replied:
        """The whole reply."""
        grown = [block for _, block in sorted(self.blocks.items())]
        blocks = tuple(block.block() for block in grown)
        return Replied(
            id=self.id,
            blocks=blocks,
            stop=self.stop,
            unfinished=self.stop == "truncated" and bool(grown) and not grown[-1].ended,
            judged=self.judged,
            input_tokens=self.usage.get("input_tokens"),
            cache_read_tokens=self.usage.get("cache_read_input_tokens"),
            cache_write_tokens=self.usage.get("cache_creation_input_tokens"),
            output_tokens=self.usage.get("output_tokens"),
        )
