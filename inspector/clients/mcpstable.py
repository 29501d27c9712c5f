"""What a server says twice: whether its lists keep their order and bytes.

A client sends what it was told, so a list that changes without need breaks the prompt cache.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from inspector import jsontext
from inspector.jsontext import Node
from inspector.workspace import Listing

LISTS = {"tools": "tools", "prompts": "prompts", "resources": "resources"}


@dataclass(frozen=True, slots=True)
class Asked:
    """The lists of one server, each time it was asked."""

    first: Listing
    again: Mapping[str, Listing]
    """Later ones, by what happened in between: `a second request`, `a restart`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a server's author may want to know."""

    message: str
    tool: str | None = None
    path: str = ""
    """A JSON pointer into the tool as the server gave it."""


type Rule = Callable[[Asked], Iterator[Finding]]


def tools(listing: Listing) -> list[Node]:
    """The tools of a list as the server wrote them."""
    return _entries(listing, "tools")


def name_of(node: Node) -> str:
    """A tool's name; its JSON text where it has none."""
    return node.string_of("name") or node.string_of("uri") or node.text[:40]


def failed(asked: Asked) -> Iterator[Finding]:
    """A server that gave no lists, or not each time."""
    for when, listing in {"the first time": asked.first, **asked.again}.items():
        if listing.state == "failed":
            yield Finding(f"gave no lists ({when}): {listing.reason}")


def endless(asked: Asked) -> Iterator[Finding]:
    """Lists whose pages name one page twice, or do not end."""
    for method in asked.first.endless:
        yield Finding(f"{method}: its pages do not end (nextCursor names one again, or goes on)")


def order(asked: Asked) -> Iterator[Finding]:
    """The same entries in another order."""
    for when, kind, before, after in _pairs(asked):
        old, new = ([name_of(node) for node in nodes] for nodes in (before, after))
        if old != new and sorted(old) == sorted(new):
            moved = next(name for name, other in zip(old, new, strict=True) if name != other)
            yield Finding(f"{kind} come in another order after {when}, from {moved} on", moved)


def entries(asked: Asked) -> Iterator[Finding]:
    """Entries that come or go."""
    for when, kind, before, after in _pairs(asked):
        old, new = ([name_of(node) for node in nodes] for nodes in (before, after))
        for name in dict.fromkeys([*old, *new]):
            if old.count(name) != new.count(name):
                yield Finding(f"{kind}: {name} is there only once of two times ({when})", name)


def bytes_(asked: Asked) -> Iterator[Finding]:
    """Entries whose text differs."""
    for when, kind, before, after in _pairs(asked):
        new = dict(_numbered(after))
        for key, node in _numbered(before):
            other = new.get(key)
            if other is not None and other.text != node.text:
                path, old_text, new_text = _difference("", node, other)
                said = f"{kind}: {name_of(node)} reads otherwise after {when}"
                yield Finding(f"{said}: {old_text[:60]} → {new_text[:60]}", name_of(node), path)


def greeting(asked: Asked) -> Iterator[Finding]:
    """Instructions or capabilities that differ after a restart."""
    for when, listing in asked.again.items():
        if listing.state == asked.first.state == "ready":
            old, new = (_parsed(one.initialize or "{}") for one in (asked.first, listing))
            for member in ("instructions", "capabilities"):
                texts = [found.text if (found := node.get(member)) else "" for node in (old, new)]
                if texts[0] != texts[1]:
                    yield Finding(f"{member} read otherwise after {when}", path=f"/{member}")


RULES: Sequence[tuple[str, str, Rule]] = (
    ("MCP-FAILED", "error", failed),
    ("MCP-ENDLESS", "error", endless),
    ("MCP-UNSTABLE-ORDER", "warning", order),
    ("MCP-UNSTABLE-ENTRIES", "warning", entries),
    ("MCP-UNSTABLE-BYTES", "warning", bytes_),
    ("MCP-UNSTABLE-GREETING", "warning", greeting),
)
"""Rules for any client: id, severity, function."""


def _pairs(asked: Asked) -> Iterator[tuple[str, str, list[Node], list[Node]]]:
    for when, listing in asked.again.items():
        if listing.state == asked.first.state == "ready":
            for kind in LISTS:
                if f"{kind}/list" in (*asked.first.endless, *listing.endless):
                    continue  # where it stops is no order of the server's
                yield when, kind, _entries(asked.first, kind), _entries(listing, kind)


def _entries(listing: Listing, kind: str) -> list[Node]:
    text = getattr(listing, kind)
    found = _parsed(text).get(LISTS[kind]) if text else None
    return list(found.items) if found is not None and found.kind == "array" else []


def _numbered(nodes: list[Node]) -> Iterator[tuple[tuple[str, int], Node]]:
    """Entries by name, and by how many of that name come before: a server may give two of one."""
    seen = Counter[str]()
    for node in nodes:
        name = name_of(node)
        yield (name, seen[name]), node
        seen[name] += 1


def _parsed(text: str) -> Node:
    return jsontext.parse(text.encode("utf-8", "surrogatepass"))


def _difference(path: str, old: Node, new: Node) -> tuple[str, str, str]:
    """Where two values first differ, and what stands there."""
    if old.kind == new.kind == "object":
        ours, theirs = ([member.name for member in node.members] for node in (old, new))
        if ours != theirs:
            return path, ", ".join(ours), ", ".join(theirs)
        pairs = zip(old.members, new.members, strict=True)
        for mine, other in pairs:
            if mine.value.text != other.value.text:
                where = f"{path}/{jsontext.escape(mine.name)}"
                return _difference(where, mine.value, other.value)
    if old.kind == new.kind == "array" and len(old.items) == len(new.items):
        for index, (mine_item, other_item) in enumerate(zip(old.items, new.items, strict=True)):
            if mine_item.text != other_item.text:
                return _difference(f"{path}/{index}", mine_item, other_item)
    return path, old.text, new.text
