"""Known fields of a dialect's blocks: what is not known is kept, and reported."""

from collections.abc import Iterator, Mapping

from inspector.jsontext import Node, escape

type Fields = Mapping[str, frozenset[str] | None]
"""By block type its known members; none: any member is fine."""


def names(text: str) -> frozenset[str]:
    """A set of names from a line of words."""
    return frozenset(text.split())


def unknown_in(path: str, block: Node, fields: Fields, default: str = "") -> tuple[str, ...]:
    """Pointers of what a block holds beyond its type's known members."""
    if block.kind != "object":
        return (path,)
    kind = block.string_of("type") or default
    if kind not in fields:
        return (f"{path}/type" if block.get("type") else path,)
    known = fields[kind]
    return () if known is None else tuple(beyond(path, block, known))


def beyond(path: str, block: Node, known: frozenset[str]) -> Iterator[str]:
    """Pointers of members that are not in a set of names."""
    for member in block.members:
        if member.name not in known:
            yield f"{path}/{escape(member.name)}"
