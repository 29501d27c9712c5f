"""The YAML head of a SKILL.md, read as leniently as the client reads it.

Witness: 70 odd heads given to 0.171.0. A head that is no YAML gets a second chance with every plain
value quoted that holds a colon and a blank, or starts with one of ``@ ` [ {``; a sequence as
description, a key given twice, an unknown anchor or an unclosed quote drop the skill.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from inspector.clients.codex.fill import BLANK, words
from inspector.errors import yaml_reason
from inspector.text import EMPTY, Kind, Origin, Piece, Text, text

_LINE = re.compile(r"[^\n]*(?:\n|$)")
_WORD = re.compile(f"[^{re.escape(BLANK)}]+")
_PAIR = re.compile(r"^([ \t]*[\w-]+:[ \t]+)(?![ \t'\"|>])(.*?)([ \t]+#.*)?$", re.MULTILINE)
_NEEDS_QUOTES = re.compile(r"[@`\[{]|.*:[ \t]", re.DOTALL)
_TAB = re.compile(r"^([ \t]*[\w-]+:)\t", re.MULTILINE)
_NULL = frozenset({"", "~", "null", "Null", "NULL"})


@dataclass(frozen=True, slots=True)
class Head:
    """What the client takes from a SKILL.md head; words joined by single spaces."""

    name: Text
    description: Text


def head(source: Text, path: str, *, strict: bool = False) -> Head | None:
    """The head of a skill file; None where the client refuses it; older versions are `strict`."""
    block = _block(source)
    values = _values(str(block), strict=strict) if block is not None else None
    if block is None or values is None or not values.get("description"):
        return None
    space = text(" ", Origin(Kind.COMPUTED, "skill.space"))
    found = {key: _located(block, key, value, space, path) for key, value in values.items()}
    return Head(found.get("name", EMPTY), found["description"]) if found["description"] else None


def refusal(source: Text, *, strict: bool = False) -> str:
    """Why the client refuses a head, in words; empty for one it takes."""
    block = _block(source)
    if block is None:
        return "no front matter between two lines of ---"
    values = _values(str(block), strict=strict)
    if values is None:
        return f"its front matter is no YAML the client can read ({_reason(str(block))})"
    return "" if values.get("description") else "no description"


def _block(source: Text) -> Text | None:
    """The text between the two lines of dashes."""
    string, start = str(source), None
    for match in _LINE.finditer(string):
        dashes = match[0].strip(BLANK) == "---"
        if start is None and not dashes:
            return None
        if start is None:
            start = match.end()
        elif dashes:
            return source[start : match.start()] if match.start() > start else None
    return None


def _values(block: str, *, strict: bool) -> dict[str, str] | None:
    """`name` and `description`; None where the head stays unreadable."""
    plain = _TAB.sub(r"\1 ", block.replace("\r\n", "\n"))
    for attempt in (plain,) if strict else (plain, _PAIR.sub(_quoted, plain)):
        try:
            return dict(_fields(attempt))
        except (yaml.YAMLError, ValueError):
            continue
    return None


def _reason(block: str) -> str:
    """What is wrong with a head, and in which line of its file."""
    try:
        dict(_fields(block.replace("\r\n", "\n")))
    except (yaml.YAMLError, ValueError) as error:
        return yaml_reason(error, before=1)
    return ""


def _quoted(match: re.Match[str]) -> str:
    value = match[2].rstrip(BLANK)
    if not _NEEDS_QUOTES.match(value):
        return match[0]
    return match[1] + "'" + value.replace("'", "''") + "'" + (match[3] or "")


def _composed(block: str) -> yaml.Node | None:
    try:
        return yaml.compose(block, Loader=yaml.BaseLoader)
    except RecursionError:
        raise ValueError("nested too deeply to be read") from None


def _fields(block: str) -> Iterator[tuple[str, str]]:
    node = _composed(block)
    if not isinstance(node, yaml.MappingNode):
        raise ValueError("not a mapping")  # noqa: TRY004 - the text is wrong, not a type
    seen: set[str] = set()
    for key, value in node.value:
        if key.value not in {"name", "description", "metadata"}:
            continue
        if key.value in seen:
            raise ValueError("a key given twice")
        seen.add(key.value)
        if isinstance(value, yaml.ScalarNode) and value.style is None and value.value in _NULL:
            continue
        if isinstance(value, yaml.ScalarNode) == (key.value == "metadata"):
            raise ValueError("a value of the wrong kind")
        if key.value != "metadata":
            yield key.value, value.value


def _located(block: Text, key: str, value: str, space: Text, path: str) -> Text:
    """The value's words, each taken from its place in the file where it stands there."""
    string = str(block)
    at = re.search(rf"^[ \t]*{key}[ \t]*:", string, re.MULTILINE)
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
