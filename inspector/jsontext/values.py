"""JSON values in Python with numbers kept as text, for builders that re-order or change them.

Objects are plain dicts: a duplicate key keeps its first place and takes its last value, which is
what JavaScript and serde_json (`preserve_order`) do as well.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn

from inspector.jsontext.scan import tokens
from inspector.jsontext.strings import quote, unquote


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written."""

    text: str


type JSON = None | bool | Number | str | list[JSON] | dict[str, JSON]

type _Container = list[JSON] | dict[str, JSON]
_WORDS: dict[bytes, bool | None] = {b"true": True, b"false": False, b"null": None}


def loads(text: str) -> JSON:
    """Read JSON text; `ValueError` when it is not valid."""
    try:
        value: JSON = json.loads(text, parse_int=Number, parse_float=Number, parse_constant=_refuse)
    except RecursionError:
        return _deep(text)
    return value


def read(raw: bytes | str) -> object:
    """Foreign JSON as plain Python; `ValueError` when it is not valid, or nested too deeply."""
    try:
        value: object = json.loads(raw)
    except RecursionError:
        # Not chained: the traceback of an overflow is long and says nothing.
        raise ValueError("nested too deeply to be read") from None
    return value


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"invalid JSON: {word} is no value")


def _deep(text: str) -> JSON:
    source = text.encode("utf-8", "surrogatepass")
    root: list[JSON] = []
    stack: list[_Container] = [root]
    keys: list[str | None] = [None]
    for kind, start, end in tokens(source):
        if kind in "]}":
            stack.pop()
            keys.pop()
        elif kind in "[{":
            made: _Container = {} if kind == "{" else []
            _add(stack[-1], keys, made)
            stack.append(made)
            keys.append(None)
        elif kind == "string" and isinstance(stack[-1], dict) and keys[-1] is None:
            keys[-1] = unquote(source[start:end].decode())
        elif kind not in ",:":
            _add(stack[-1], keys, _scalar(kind, source[start:end]))
    return root[0]


def _add(inside: _Container, keys: list[str | None], value: JSON) -> None:
    if isinstance(inside, list):
        inside.append(value)
        return
    key = keys[-1]
    assert key is not None
    inside[key] = value
    keys[-1] = None


def _scalar(kind: str, raw: bytes) -> JSON:
    if kind == "string":
        return unquote(raw.decode())
    return Number(raw.decode()) if kind == "number" else _WORDS[raw]


def dumps(
    value: JSON,
    *,
    number: Callable[[str], str] = str,
    order: Callable[[Iterable[str]], Iterable[str]] = iter,
) -> str:
    """Write compact JSON; `number` writes each number, `order` puts each object's keys in order."""
    out: list[str] = []
    stack: list[Iterator[tuple[str, JSON]]] = [iter([("", value)])]
    closers = [""]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
            out.append(closers.pop())
            continue
        lead, item = step
        out.append(lead)
        if isinstance(item, dict):
            out.append("{")
            closers.append("}")
            stack.append(_members(item, order))
        elif isinstance(item, list):
            out.append("[")
            closers.append("]")
            stack.append(_items(item))
        else:
            out.append(_written(item, number))
    return "".join(out)


def _members(
    item: dict[str, JSON], order: Callable[[Iterable[str]], Iterable[str]]
) -> Iterator[tuple[str, JSON]]:
    separator = ""
    for key in order(item):
        yield f"{separator}{quote(key)}:", item[key]
        separator = ","


def _items(items: list[JSON]) -> Iterator[tuple[str, JSON]]:
    separator = ""
    for item in items:
        yield separator, item
        separator = ","


def _written(item: None | bool | Number | str, number: Callable[[str], str]) -> str:
    match item:
        case None:
            return "null"
        case bool():
            return "true" if item else "false"
        case Number():
            return number(item.text)
        case _:
            return quote(item)
