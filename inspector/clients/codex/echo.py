"""The model's own items sent back.

The client parses an item and writes it again: known members in its own order, unknown ones and
nulls dropped, strings as they were. Items and content of a kind it does not know are dropped whole.
Witness (0.171): twenty odd items through both providers.
"""

from inspector.clients.codex.items import Counter, Item, item_id, labelled
from inspector.clients.codex.plain import plain
from inspector.jsontext import JSON, loads
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Value
from inspector.turns import Called, OtherBlock, ReplyBlock, Said, Thought


def reply_item(block: ReplyBlock, counter: Counter, profile: Profile) -> Item | None:
    """A model's item as later requests carry it; None where the client drops it."""
    members = _members(block)
    name = str(members.get("type"))
    order = profile.lists.get(f"echo.{name}")
    if order is None or not _known(members.get("content"), profile):
        return None
    origin = Origin(Kind.REPLY, str(members.get("id", name)))
    item: Item = {}
    for key in order:
        value = members.get(key)
        if value is None and key == "id":
            item[key] = item_id(name, counter, profile)
        elif value is None and f"{name}.{key}" in profile.lists["echo.null"]:
            item[key] = None
        elif value is not None and (value != [] or f"{name}.{key}" in profile.lists["echo.empty"]):
            item[key] = _value(value, origin, profile)
    content = members.get("content")
    kinds = ["reply"] * len(content) if name == "message" and isinstance(content, list) else None
    return labelled(item, counter, profile, kinds, made=False)


def names_itself(block: ReplyBlock) -> bool:
    """Whether the model gave the item an id; the client makes one where it did not."""
    return _members(block).get("id") is not None


def _known(content: JSON, profile: Profile) -> bool:
    """Whether every content part is of a kind the client knows."""
    parts = content if isinstance(content, list) else []
    return all(isinstance(p, dict) and f"echo.part.{p.get('type')}" in profile.lists for p in parts)


def _value(value: JSON, origin: Origin, profile: Profile) -> Value:
    if isinstance(value, list) and all(_typed(item, profile) for item in value):
        parts: list[Value] = [_value(item, origin, profile) for item in value]
        return parts
    if isinstance(value, dict) and _typed(value, profile):
        order = profile.lists[f"echo.part.{value.get('type')}"]
        kept = {key: value[key] for key in order if value.get(key) is not None}
        return {key: plain(item, origin) for key, item in kept.items()}
    return plain(value, origin)


def _typed(value: JSON, profile: Profile) -> bool:
    return isinstance(value, dict) and f"echo.part.{value.get('type')}" in profile.lists


def transcript_item(block: OtherBlock) -> Item:
    """An item of a history replayed as it was sent."""
    members = _members(block)
    origin = Origin(Kind.TRANSCRIPT, str(members.get("id", "item")))
    return {key: plain(value, origin) for key, value in members.items()}


def _members(block: ReplyBlock) -> dict[str, JSON]:
    if block.raw is not None:
        parsed = loads(block.raw)
        return parsed if isinstance(parsed, dict) else {}
    if isinstance(block, Said):
        part: JSON = {"type": "output_text", "text": block.text}
        return _kept(type="message", id=block.id, role="assistant", content=[part])
    if isinstance(block, Thought):
        return _kept(type="reasoning", id=block.id, summary=[], encrypted_content=block.signature)
    return _call(block)


def _call(block: Called) -> dict[str, JSON]:
    if block.custom:
        return _kept(
            type="custom_tool_call",
            id=block.item_id,
            call_id=block.id,
            name=block.name,
            input=block.input,
        )
    return _kept(
        type="function_call",
        id=block.item_id,
        name=block.name,
        namespace=block.namespace,
        arguments=block.input,
        call_id=block.id,
    )


def _kept(**members: JSON) -> dict[str, JSON]:
    return {key: value for key, value in members.items() if value is not None}
