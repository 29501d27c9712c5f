"""Client texts of a known version that still stand in captured requests: their words, by digest.

Strategy: a text begins at the start of a string or line, or behind `: `; a stretch of its length
from there either has its digest or not.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from inspector.jsontext import parse

_START = re.compile(r"\n+|: ")


def spotted(bodies: Iterable[bytes], known: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The words of known texts (`sha256`, `chars`) that stand in captured bodies, by digest."""
    sizes = {(text["sha256"], text["chars"]) for text in known}
    strings = dict.fromkeys(text for body in bodies for text in _texts(body))
    found: dict[str, str] = {}
    for text in strings:
        starts = sorted({0, *(one.end() for one in _START.finditer(text))})
        for digest, size in sizes - {(sha, chars) for sha, chars in sizes if sha in found}:
            words = _at(text, (digest, size), starts)
            if words is not None:
                found[digest] = words
    return found


def _at(text: str, known: tuple[str, int], starts: Iterable[int]) -> str | None:
    digest, size = known
    for start in starts:
        if start + size > len(text):
            return None
        piece = text[start : start + size]
        if hashlib.sha256(piece.encode("utf-8", "surrogatepass")).hexdigest() == digest:
            return piece
    return None


def _texts(body: bytes) -> Iterator[str]:
    """The strings of a body that may hold client texts, and its tools' raw schemas."""
    found: dict[str, Any] = json.loads(body)
    yield from _blocks(found.get("system"))
    for message in found.get("messages", ()):
        yield from _blocks(message["content"])
    for tool in found.get("tools", ()):
        yield tool.get("description", "")
    tools = parse(body).get("tools")
    for item in tools.items if tools is not None else ():
        schema = item.get("input_schema")
        if schema is not None:
            yield schema.text


def _blocks(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in cast("list[dict[str, object]]", content):
            text = block.get("text")
            yield text if isinstance(text, str) else ""
            yield from _blocks(block.get("content"))
