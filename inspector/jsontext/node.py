"""A JSON document as a tree of spans into its bytes.

Strategy: the document is checked whole, once; children are then found on demand. Nothing is
decoded or copied before somebody asks.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from inspector.jsontext import raw
from inspector.jsontext.pointer import escape, tokens
from inspector.jsontext.scan import Source, blank_end, check
from inspector.jsontext.strings import unquote

type NodeKind = Literal["object", "array", "string", "number", "true", "false", "null"]

_KINDS: dict[int, NodeKind] = {
    ord("{"): "object",
    ord("["): "array",
    ord('"'): "string",
    ord("t"): "true",
    ord("f"): "false",
    ord("n"): "null",
}
_KEY = re.compile(rb'("[^"\\]*+(?:\\.[^"\\]*+)*+")[ \t\n\r]*+:[ \t\n\r]*+', re.DOTALL)
_ITEM = re.compile(r"0|[1-9][0-9]{0,17}")
_NEXT = re.compile(rb"[ \t\n\r]*+,?+[ \t\n\r]*+")


def kind_of(first: int) -> NodeKind:
    """What sort of value begins with a byte."""
    return _KINDS.get(first, "number")


class Node:
    """A value at bytes `start` to `end` of a checked document."""

    __slots__ = ("_items", "_members", "end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end
        self._members: tuple[Member, ...] | None = None
        self._items: tuple[Node, ...] | None = None

    def __repr__(self) -> str:
        return f"Node({self.kind}, {self.start}, {self.end})"

    @property
    def kind(self) -> NodeKind:
        """What sort of value stands here."""
        return _KINDS.get(self.source.data[self.start], "number")

    @property
    def raw(self) -> bytes:
        """The bytes as they stand in the document."""
        return self.source.data[self.start : self.end]

    @property
    def text(self) -> str:
        """The raw bytes as text."""
        return self.raw.decode()

    @property
    def string(self) -> str:
        """The decoded string; a lone surrogate stays one."""
        if self.kind != "string":
            raise TypeError(f"a {self.kind} is no string")
        return unquote(self.text)

    @property
    def members(self) -> tuple["Member", ...]:
        """The members of an object in the order written, duplicates included; else none."""
        if self._members is None:
            self._members = tuple(self._find_members()) if self.kind == "object" else ()
        return self._members

    @property
    def items(self) -> tuple["Node", ...]:
        """The items of an array; else none."""
        if self._items is None:
            self._items = tuple(self._find_items()) if self.kind == "array" else ()
        return self._items

    def get(self, name: str) -> "Node | None":
        """The value of a member; of duplicates the last, as every parser does."""
        found = None
        for member in self.members:
            if member.name == name:
                found = member.value
        return found

    def string_of(self, name: str) -> str | None:
        """The decoded string of a member; none when it is missing or no string."""
        found = self.get(name)
        return found.string if found is not None and found.kind == "string" else None

    def find(self, path: str) -> "Node | None":
        """The value a JSON pointer names, seen from here."""
        found: Node | None = self
        for token in tokens(path):
            if found is None:
                return None
            found = _step(found, token)
        return found

    def walk(self, path: str = "") -> Iterator[tuple[str, "Node"]]:
        """This value and every value below it with its pointer, in the order written."""
        stack: list[tuple[str, Node]] = [(path, self)]
        while stack:
            here, node = stack.pop()
            yield here, node
            below = [(f"{here}/{escape(member.name)}", member.value) for member in node.members]
            below += [(f"{here}/{number}", item) for number, item in enumerate(node.items)]
            stack.extend(reversed(below))

    def _find_members(self) -> Iterator["Member"]:
        source, base = self.source, self.start
        found = raw.members(self.raw) if source.fast else ()
        for name, key, start, end in found:
            yield Member(name, base + key, base + start - 1, Node(source, base + start, base + end))
        if found:
            return
        data = source.data
        at = blank_end(data, base + 1)
        while at < self.end - 1:
            match = _KEY.match(data, at)
            assert match is not None
            value = Node(self.source, match.end(), self.source.value_end(match.end()))
            yield Member(unquote(match[1].decode()), at, match.end(1), value)
            at = _after(data, value.end)

    def _find_items(self) -> Iterator["Node"]:
        source, base = self.source, self.start
        found = raw.items(self.raw) if source.fast else ()
        for start, end in found:
            yield Node(source, base + start, base + end)
        if found:
            return
        data = source.data
        at = blank_end(data, base + 1)
        while at < self.end - 1:
            item = Node(self.source, at, self.source.value_end(at))
            yield item
            at = _after(data, item.end)


class Member(NamedTuple):
    """A member of an object: its decoded name, the span of its quoted key, its value."""

    name: str
    start: int
    end: int
    value: Node


def _step(node: Node, token: str) -> Node | None:
    if node.kind == "object":
        return node.get(token)
    if _ITEM.fullmatch(token):
        return node.items[int(token)] if int(token) < len(node.items) else None
    return None


def _after(data: bytes, at: int) -> int:
    match = _NEXT.match(data, at)
    return match.end() if match else at


def parse(body: bytes) -> Node:
    """The root of a JSON document; `ValueError` when it is not exactly one, in UTF-8."""
    check(body)
    return Node(Source(body), blank_end(body, 0), len(body.rstrip(b" \t\n\r")))
