"""Replies of the OpenAI Responses API, whole or streamed.

Each finished output item is kept with its raw JSON: Codex echoes most of it in the next request.
"""

from inspector.jsontext import Node
from inspector.turns import Called, Failed, OtherBlock, Replied, ReplyBlock, Said, Thought
from inspector.wire.responses import answer, count, failed, sound, stream

_STATUS = {
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "invalid_prompt": 400,
    "context_length_exceeded": 400,
    "server_is_overloaded": 503,
    "slow_down": 503,
}
_ENDS = {"response.completed", "response.incomplete", "response.done"}


def reply(body: bytes, content_type: str = "", status: int = 200) -> Replied | Failed | None:
    """What the model answered; none when the response is no answer."""
    return answer(body, content_type, status, _streamed, _document)


def _document(node: Node, status: int) -> Replied | Failed | None:
    error = node.get("error")
    if status >= 400 or (error is not None and error.kind == "object"):
        return failed(status, _status(node))
    output = node.get("output")
    if output is None or output.kind != "array":
        return None
    return _replied(node, list(output.items), _stop(node))


def _status(node: Node) -> int:
    """The HTTP status an error in a body stands for; streams mostly say it only by its code.

    An error on a WebSocket names the status [codex 0.171.0, builtin_ws].
    """
    named = count(node, "status")
    if named is not None and 400 <= named <= 599:
        return named
    error = node.get("error")
    code = (error.string_of("code") if error is not None else None) or node.string_of("code")
    return _STATUS.get(code or "", 500)


def _streamed(body: bytes, status: int) -> Replied | Failed | None:
    events, _ = stream(body)
    response: Node | None = None
    items: list[Node] = []
    stop: str | None = "truncated"
    for event in events:
        kind = event.string_of("type") or ""
        held = event.get("response")
        response = held if held is not None and held.kind == "object" else response
        item = event.get("item")
        if kind == "response.output_item.done" and item is not None:
            items.append(item)
        elif kind in {"error", "response.failed"}:
            return failed(status, _status(event if held is None else held))
        elif kind in _ENDS:
            stop = _stop(response)
    if response is None and not items:
        return Failed(status=status) if status >= 400 else None
    output = response.get("output") if response is not None else None
    if not items and output is not None:
        items = list(output.items)
    return _replied(response, items, stop)


def _stop(response: Node | None) -> str | None:
    if response is None:
        return None
    details = response.get("incomplete_details")
    reason = details.string_of("reason") if details is not None else None
    return reason or response.string_of("status") or "completed"


def _replied(response: Node | None, items: list[Node], stop: str | None) -> Replied:
    return Replied(
        id=response.string_of("id") if response is not None else None,
        blocks=tuple(_block(item) for item in items),
        stop=stop,
        input_tokens=count(response, "usage", "input_tokens"),
        cache_read_tokens=count(response, "usage", "input_tokens_details", "cached_tokens"),
        cache_write_tokens=count(response, "usage", "input_tokens_details", "cache_write_tokens"),
        output_tokens=count(response, "usage", "output_tokens"),
    )


def _block(item: Node) -> ReplyBlock:
    return _made(item) or OtherBlock(raw=item.text)


def _made(item: Node) -> ReplyBlock | None:
    match item.string_of("type"):
        case "message":
            return _said(item)
        case "reasoning":
            return _thought(item)
        case "function_call":
            return _called(item, "arguments")
        case "custom_tool_call":
            return _called(item, "input")
        case _:
            return None


def _said(item: Node) -> Said | None:
    text = sound(_texts(item.get("content"), "text"))
    return None if text is None else Said(text=text, id=item.string_of("id"), raw=item.text)


def _thought(item: Node) -> Thought | None:
    text = sound(_texts(item.get("summary"), "text"))
    if text is None:
        return None
    sealed = item.string_of("encrypted_content") or ""
    return Thought(text=text, signature=sealed, id=item.string_of("id"), raw=item.text)


def _texts(content: Node | None, member: str) -> str:
    parts = content.items if content is not None else ()
    return "".join(part.string_of(member) or "" for part in parts)


def _called(item: Node, member: str) -> Called | None:
    ident, name = item.string_of("call_id"), item.string_of("name")
    text = sound(item.string_of(member) or "")
    if ident is None or name is None or text is None:
        return None
    return Called(
        id=ident,
        name=name,
        input=text,
        item_id=item.string_of("id"),
        namespace=item.string_of("namespace"),
        custom=member == "input",
        raw=item.text,
    )
