"""Secrets that an event stream cut in pieces: a reply's deltas are joined, searched, and cut again.

A model that prints a key prints it token by token, so no single event holds it whole.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from inspector import jsontext
from inspector.redact.find import LONGEST_MATCH, Given, spans, stand_in, told

_DATA = re.compile(rb"^data: ?(.*?)\r?$", re.MULTILINE)
_UNIT = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]",
    re.DOTALL,
)
_PLACES = ("/delta/text", "/delta/partial_json", "/delta/thinking", "/delta")
_MEMBERS = ("text", "partial_json", "thinking", "")
_NAMES = ("type", "index", "item_id", "output_index", "content_index", "summary_index")
_WORD = re.compile(rb"[^\s\"']*\Z")
_LONGEST_WORD = 4096


@dataclass(frozen=True, slots=True)
class _Part:
    """One delta: where its text begins in the stream, and the text unit by unit."""

    start: int
    units: tuple[str, ...]


def joined_secrets(data: bytes, given: Given) -> tuple[bytes, int]:
    """A stream without the secrets that its deltas spell together, and how many there were."""
    changes: list[tuple[int, int, bytes]] = []
    count = 0
    if not any(_holds(texts, given) for texts in _texts(data).values()):
        return data, 0
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


def settled(received: bytes, given: Given) -> bytes:
    """The start of a stream under way that no later byte can turn into part of a secret."""
    texts = _texts(received)
    if not texts:
        return received[: _open(received, given)]
    end = _event_end(received, len(received))
    for parts in texts.values():
        whole = "".join(text for _, text in parts).encode("utf-8", "surrogatepass")
        held = len(whole) - _open(whole, given)
        for start, text in reversed(parts):
            if held <= 0:
                break
            end = min(end, _event_end(received, start))
            held -= len(text.encode("utf-8", "surrogatepass"))
    return received[:end]


def _event_end(received: bytes, before: int) -> int:
    at = received.rfind(b"\n\n", 0, before)
    return at + 2 if at >= 0 else 0


def _open(data: bytes, given: Given) -> int:
    """Where the last word begins, which may be half of a secret."""
    tail = data[-_LONGEST_WORD:]
    word = _WORD.search(tail)
    at = len(data) - len(tail) + (word.start() if word else len(tail))
    if given.expressions:
        at = min(at, max(0, len(data) - LONGEST_MATCH))
    for form in given.forms:
        size = min(len(form) - 1, len(data))
        cut = next((n for n in range(size, 0, -1) if data.endswith(form[:n])), 0)
        at = min(at, len(data) - cut)
    return at


def _holds(parts: list[tuple[int, str]], given: Given) -> bool:
    """Whether a text of several deltas holds a secret."""
    whole = "".join(text for _, text in parts)
    return len(parts) > 1 and bool(spans(whole.encode("utf-8", "surrogatepass"), given))


def _texts(data: bytes) -> dict[tuple[object, ...], list[tuple[int, str]]]:
    """The texts of deltas and where their events stand, by the text they belong to; fast."""
    found: dict[tuple[object, ...], list[tuple[int, str]]] = {}
    for match in _DATA.finditer(data):
        if b"delta" not in match[1]:
            continue
        try:
            event: Any = json.loads(match[1])
        except (ValueError, RecursionError):
            continue
        if not isinstance(event, dict):
            continue
        members = cast("dict[str, Any]", event)
        name = tuple(str(members.get(key, "")) for key in _NAMES)
        delta: Any = members.get("delta")
        inner = cast("dict[str, Any]", delta) if isinstance(delta, dict) else {"": delta}
        for place, text in inner.items():
            if place in _MEMBERS and isinstance(text, str):
                found.setdefault((place, *name), []).append((match.start(), text))
    return found


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
    for number, (low, high) in enumerate(spans(data, given)):
        start = len(data[:low].decode("utf-8", "surrogatepass"))
        end = start + len(data[low:high].decode("utf-8", "surrogatepass"))
        new = stand_in(told(data[low:high], given), given.key)
        first = 0
        for upto, begin, until in _touched(parts, start, end):
            last = len(new) if upto == end else upto - start
            out.append((number, begin, until, new[first:last].encode()))
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
