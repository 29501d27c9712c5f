"""The results of the model's calls: the client's items, its own words around them named."""

import re
from collections.abc import Mapping, Sequence

from inspector.clients.codex.items import Counter, Item, item_id, labelled
from inspector.clients.codex.mcp import Namespace
from inspector.clients.codex.search import results
from inspector.jsontext import JSON, dumps, loads, serde_number
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Piece, Raw, Text, Value, text
from inspector.turns import Returned

_HOLE = re.compile(r"\\\{[a-z_]+\\\}")


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
    return labelled(dict(members), counter, profile, None, made=True)


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
        return plain(part, origin)
    out: dict[str, Value] = {}
    for key, value in part.items():
        if key == "type" and isinstance(value, str):
            out[key] = value
        elif key == "text" and isinstance(value, str):
            out[key] = dressed(value, origin, profile)
        else:
            out[key] = plain(value, origin)
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


def plain(value: JSON, origin: Origin) -> Value:
    """A JSON value of one origin."""
    if isinstance(value, str):
        return text(value, origin)
    if isinstance(value, bool) or value is None:
        return value
    return Raw(dumps(value, number=serde_number), origin)
