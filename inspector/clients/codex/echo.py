"""The model's own items sent back, and the results of its calls.

The client parses an item and writes it again: known members in its own order, strings as they were.
"""

import re
from collections.abc import Mapping, Sequence

from inspector.clients.codex.items import Counter, Item, item_id, labelled
from inspector.clients.codex.mcp import Namespace
from inspector.clients.codex.search import results
from inspector.jsontext import dumps, loads, serde_number
from inspector.jsontext.values import JSON
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Piece, Raw, Text, Value, text
from inspector.turns import Called, OtherBlock, ReplyBlock, Returned, Said, Thought

_HOLE = re.compile(r"\\\{[a-z_]+\\\}")


def reply_item(block: ReplyBlock, counter: Counter, profile: Profile) -> Item:
    """A model's item as later requests carry it."""
    members = _members(block)
    name = str(members.get("type"))
    order = profile.lists.get(f"echo.{name}", tuple(members))
    item: Item = {}
    for key in order:
        if key in members:
            item[key] = _value(members[key], Origin(Kind.REPLY, str(members.get("id", name))))
        elif key in profile.lists["echo.null"] and name == "reasoning":
            item[key] = None
    kinds = ["reply"] if name == "message" else []
    return labelled(item, counter, profile, kinds, made=False)


def transcript_item(block: OtherBlock) -> Item:
    """An item of a history replayed as it was sent."""
    members = _members(block)
    origin = Origin(Kind.TRANSCRIPT, str(members.get("id", "item")))
    return {key: _value(value, origin) for key, value in members.items()}


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


def _value(value: JSON, origin: Origin) -> Value:
    if isinstance(value, str):
        return text(value, origin)
    if isinstance(value, bool) or value is None:
        return value
    return Raw(dumps(value, number=serde_number), origin)


def call_id(block: ReplyBlock) -> str | None:
    """The id that a result of this block would refer to."""
    if isinstance(block, Called):
        return block.id
    if isinstance(block, OtherBlock):
        found = _members(block).get("call_id")
        return found if isinstance(found, str) else None
    return None


def output_kind(block: ReplyBlock) -> str:
    """The type of the item that answers this block."""
    if isinstance(block, Called):
        return "custom_tool_call_output" if block.custom else "function_call_output"
    kind = str(_members(block).get("type"))
    return {"tool_search_call": "tool_search_output"}.get(kind, "function_call_output")


def output_item(
    returned: Returned,
    kind: str,
    counter: Counter,
    profile: Profile,
    spaces: Sequence[Namespace] = (),
) -> Item:
    """The item that carries a call's result; `spaces` are what a tool search can find."""
    origin = Origin(Kind.OUTCOME, returned.call)
    members: dict[str, Value] = {
        "type": kind,
        "id": item_id(kind, counter, profile),
        "call_id": text(returned.call, Origin(Kind.REPLY, returned.call)),
    }
    if returned.name is not None:
        members["name"] = text(returned.name, origin)
    if kind == "tool_search_output":
        members |= results(returned.raw or "{}", spaces, profile)
    else:
        members["output"] = _output(returned, origin, profile)
    return labelled(dict(members), counter, profile, made=True)


def _output(returned: Returned, origin: Origin, profile: Profile) -> Value:
    if returned.raw is None:
        return dressed(returned.text or "", origin, profile)
    parsed = loads(returned.raw)
    if isinstance(parsed, str):
        return dressed(parsed, origin, profile)
    if not isinstance(parsed, list):
        return Raw(dumps(parsed, number=serde_number), origin)
    return [_part(part, origin, profile) for part in parsed]


def _part(part: JSON, origin: Origin, profile: Profile) -> Value:
    if not isinstance(part, Mapping):
        return _value(part, origin)
    out: dict[str, Value] = {}
    for key, value in part.items():
        if key == "type" and isinstance(value, str):
            out[key] = value
        elif key == "text" and isinstance(value, str):
            out[key] = dressed(value, origin, profile)
        else:
            out[key] = _value(value, origin)
    return out


def dressed(string: str, origin: Origin, profile: Profile) -> Text:
    """A result with the client's own words around it named as the profile's."""
    for name in profile.lists["output.templates"]:
        found = _dressed(string, name, origin, profile)
        if found:
            return found
    return text(string, origin)


def _dressed(string: str, name: str, origin: Origin, profile: Profile) -> Text:
    template = profile.literals[name]
    fixed = _HOLE.split(re.escape(template))
    match = re.fullmatch("(.*?)".join(f"({part})" for part in fixed), string, re.DOTALL)
    if match is None:
        return EMPTY
    mine = Origin(Kind.LITERAL, name)
    pieces: list[Piece] = []
    for number in range(1, (match.lastindex or 0) + 1):
        fixed_part = number % 2 == 1
        start = match.start(number)
        pieces.append(
            Piece(match[number], mine if fixed_part else origin, 0 if fixed_part else start)
        )
    return Text(pieces)
