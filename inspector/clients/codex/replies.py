"""A model's output items as reply blocks, from a stream, a JSON answer, or an input list."""

from collections.abc import Iterable, Iterator

from inspector.clients.codex.loose import Json, compact, parsed, table, tables
from inspector.turns import Called, OtherBlock, Replied, ReplyBlock, Said, Thought

TRANSCRIPT = "transcript"
"""Id of a reply that stands for a thread's whole history, as a resumed process sends it."""

COMPACTED = "compaction"
"""Id of a reply that stands for what the model made of a thread that was compacted."""

_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
_MODEL_TYPES = frozenset(
    {
        "reasoning",
        "tool_search_call",
        "web_search_call",
        "local_shell_call",
        "image_generation_call",
        "compaction",
        *_CALLS,
    }
)


def by_model(item: Json) -> bool:
    """Whether an input item is the model's own, echoed."""
    kind = item.get("type")
    return kind in _MODEL_TYPES or (kind == "message" and item.get("role") == "assistant")


def last_reply(history: Replied) -> Replied:
    """The reply that the process before had no time to send back: the last items by the model."""
    items = [parsed(block.raw or "{}") for block in history.blocks]
    end = len(items)
    while end and items[end - 1].get("role") in {"user", "developer"}:
        end -= 1
    start = end
    # What a compaction gave is known from the compaction.
    while start and by_model(items[start - 1]) and items[start - 1].get("type") != "compaction":
        start -= 1
    return Replied(blocks=blocks(items[start:end]))


def blocks(items: Iterable[Json]) -> tuple[ReplyBlock, ...]:
    """Output items as blocks, each with its raw JSON."""
    return tuple(_block(item) for item in items)


def _block(item: Json) -> ReplyBlock:
    kind, raw = item.get("type"), compact(_plain(item))
    item_id = item.get("id")
    if kind == "message":
        words = "".join(str(part.get("text", "")) for part in tables(item.get("content")))
        return Said(text=words, id=item_id, raw=raw)
    if kind == "reasoning":
        signature = str(item.get("encrypted_content") or "")
        return Thought(signature=signature, id=item_id, raw=raw)
    if kind in _CALLS:
        return Called(
            id=str(item.get("call_id")),
            name=str(item.get("name")),
            input=str(item.get(_CALLS[kind], "")),
            item_id=item_id,
            namespace=item.get("namespace"),
            custom=kind == "custom_tool_call",
            raw=raw,
        )
    return OtherBlock(raw=raw)


def _plain(item: Json) -> Json:
    """The item without the client's own labels."""
    return {k: v for k, v in item.items() if k != "internal_chat_message_metadata_passthrough"}


def streamed(response: bytes) -> tuple[ReplyBlock, ...]:
    """The blocks of a stored response, an event stream or one JSON document."""
    return blocks(_items(response.decode("utf-8", "replace")))


def _items(body: str) -> Iterator[Json]:
    if body.lstrip().startswith("{"):
        yield from tables(parsed(body).get("output"))
        return
    for line in body.splitlines():
        if not line.startswith("data:"):
            continue
        event = parsed(line[5:])
        if event.get("type") == "response.output_item.done":
            yield table(event.get("item"))
