"""Secrets that an event stream cut in pieces: a reply's deltas are joined, searched, and cut again.

A model that prints a key prints it token by token, so no single event holds it whole.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from inspector import jsontext
from inspector.redact.find import Given, secrets, stand_in

_DATA = re.compile(rb"^data: ?(.*?)\r?$", re.MULTILINE)
_UNIT = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]",
    re.DOTALL,
)
_PLACES = ("/delta/text", "/delta/partial_json", "/delta/thinking", "/delta")
_NAMES = ("type", "index", "item_id", "output_index", "content_index", "summary_index")


@dataclass(frozen=True, slots=True)
class _Part:
    """One delta: where its text begins in the stream, and the text unit by unit."""

    start: int
    units: tuple[str, ...]


def joined_secrets(data: bytes, given: Given) -> tuple[bytes, int]:
    """A stream without the secrets that its deltas spell together, and how many there were."""
    changes: list[tuple[int, int, bytes]] = []
    count = 0
    for parts in _series(data).values():
        if len(parts) > 1:
            found = _replaced(parts, given)
            count += len({number for number, *_ in found})
            changes.extend((start, end, new) for _, start, end, new in found)
    out, done = list[bytes](), 0
    for start, end, new in sorted(changes):
        out += (data[done:start], new)
        done = end
    return b"".join((*out, data[done:])), count


def _series(data: bytes) -> dict[tuple[str, ...], list[_Part]]:
    """The deltas, by the text they belong to."""
    found: dict[tuple[str, ...], list[_Part]] = {}
    for match in _DATA.finditer(data):
        if b"delta" not in match[1]:
            continue
        try:
            event = jsontext.parse(match[1])
        except ValueError:
            continue
        for key, part in _parts(event, match.start(1)):
            found.setdefault(key, []).append(part)
    return found


def _parts(event: jsontext.Node, offset: int) -> Iterator[tuple[tuple[str, ...], _Part]]:
    members = {member.name: member.value.text for member in event.members}
    name = tuple(members.get(key, "") for key in _NAMES)
    for place in _PLACES:
        node = event.find(place)
        if node is not None and node.kind == "string":
            units = tuple(match[0] for match in _UNIT.finditer(node.text[1:-1]))
            yield (place, *name), _Part(offset + node.start + 1, units)


def _replaced(parts: list[_Part], given: Given) -> list[tuple[int, int, int, bytes]]:
    """Changes as (secret's number, start, end, bytes put there), one for each part it touches."""
    whole = "".join(_text(unit) for part in parts for unit in part.units)
    data = whole.encode("utf-8", "surrogatepass")
    out: list[tuple[int, int, int, bytes]] = []
    for number, secret in enumerate(secrets(data, given)):
        start = len(data[: secret.start].decode("utf-8", "surrogatepass"))
        end = start + len(data[secret.start : secret.end].decode("utf-8", "surrogatepass"))
        new = stand_in(secret.value)
        first = 0
        for upto, low, high in _touched(parts, start, end):
            last = len(new) if upto == end else upto - start
            out.append((number, low, high, new[first:last].encode()))
            first = last
    return out


def _touched(parts: list[_Part], start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Of each part that a run touches: where its share ends in characters, and its bytes."""
    at = 0
    for part in parts:
        low, high = max(start, at), min(end, at + len(part.units))
        if low < high:
            begin = part.start + _size(part.units[: low - at])
            yield high, begin, begin + _size(part.units[low - at : high - at])
        at += len(part.units)


def _text(unit: str) -> str:
    return unit if len(unit) == 1 else jsontext.unquote(f'"{unit}"')


def _size(units: tuple[str, ...]) -> int:
    return len("".join(units).encode("utf-8", "surrogatepass"))
