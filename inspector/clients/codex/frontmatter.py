"""The YAML head of a SKILL.md, read as leniently as the client reads it."""

import re
from dataclasses import dataclass

import yaml

from inspector.clients.codex.fill import BLANK, words
from inspector.text import EMPTY, Kind, Origin, Piece, Text, text

_LINE = re.compile(r"[^\n]*(?:\n|$)")
_KEY = re.compile(r"(name|description)[ \t]*:(.*)", re.DOTALL)
_WORD = re.compile(f"[^{re.escape(BLANK)}]+")


@dataclass(frozen=True, slots=True)
class Head:
    """What the client takes from a SKILL.md head; words joined by single spaces."""

    name: Text
    description: Text | None
    """None where the head has no description."""


def head(source: Text, path: str) -> Head | None:
    """The head of a skill file; None where the file has none."""
    block = _block(source)
    if block is None:
        return None
    values = _values(str(block))
    space = text(" ", Origin(Kind.COMPUTED, "skill.space"))
    found: dict[str, Text] = {}
    for key, value in values.items():
        found[key] = _located(block, key, value, space, path)
    return Head(found.get("name", EMPTY), found.get("description"))


def _block(source: Text) -> Text | None:
    """The text between the two lines of dashes."""
    string, start, end = str(source), None, 0
    for match in _LINE.finditer(string):
        if not match[0] and match.start() == len(string):
            break
        dashes = match[0].strip(BLANK) == "---"
        if start is None and not dashes:
            return None
        if start is None:
            start = match.end()
        elif dashes:
            end = match.start()
            return source[start:end] if end > start else None
    return None


def _values(block: str) -> dict[str, str]:
    """`name` and `description`; a head that is no YAML is read line by line.

    Witness: `description: has: colon` and `name: [x` are taken as they stand.
    """
    plain = block.replace("\r\n", "\n")
    try:
        loaded = yaml.load(plain, Loader=yaml.BaseLoader)  # noqa: S506 - plain strings only
    except yaml.YAMLError:
        loaded = None
    if isinstance(loaded, dict) and all(
        isinstance(loaded.get(key, ""), str) for key in ("name", "description")
    ):
        return {key: str(loaded[key]) for key in ("name", "description") if key in loaded}
    found: dict[str, str] = {}
    for line in plain.split("\n"):
        match = _KEY.match(line)
        if match:
            found.setdefault(match[1], match[2].strip(BLANK))
    return found


def _located(block: Text, key: str, value: str, space: Text, path: str) -> Text:
    """The value's words, each taken from its place in the file where it stands there."""
    string = str(block)
    at = re.search(rf"^{key}[ \t]*:", string, re.MULTILINE)
    offset = at.end() if at else 0
    first = string.find(value, offset) if value else -1
    if first >= 0 and "\n" not in value:
        return words(block[first : first + len(value)], space)
    out: list[Piece] = []
    for match in _WORD.finditer(value):
        if out:
            out.extend(space.pieces)
        start = string.find(match[0], offset)
        if start < 0:
            out.append(Piece(match[0], Origin(Kind.FILE, path)))
            continue
        offset = start + len(match[0])
        out.extend(block[start:offset].pieces)
    return Text(out)
