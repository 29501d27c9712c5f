"""What a value means: canonical bytes, the cache mark removed, a bare string as its block."""

import re

from inspector.jsontext import Node, parse, quote, unquote
from inspector.segments.dialect import Dialect

# Text with no white space outside strings and no escape that could be written in another way.
_CANONICAL = re.compile(rb'(?:[^"\s]++|"[^"\\]*+(?:\\[^u/][^"\\]*+)*+")*+')
_LOOSE = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[ \t\n\r]++', re.DOTALL)


def canonical(raw: bytes) -> bytes:
    """The same JSON value without white space and with strings written in one way.

    Key order, duplicate keys and number text carry meaning and stay.
    """
    if _CANONICAL.fullmatch(raw):
        return raw
    return _LOOSE.sub(_tight, raw)


def _tight(match: re.Match[bytes]) -> bytes:
    token = match[0]
    if token[:1] != b'"':
        return b""
    return quote(unquote(token.decode())).encode()


def without_mark(node: Node, dialect: Dialect) -> bytes:
    """The canonical block less its cache mark, nested blocks' marks included."""
    nested = dialect.nested.get(node.string_of("type") or "")
    parts: list[bytes] = []
    for member in node.members:
        if member.name == dialect.mark:
            continue
        value = member.value
        raw = _blocks(value, dialect) if member.name == nested else canonical(value.raw)
        parts.append(quote(member.name).encode() + b":" + raw)
    return b"{" + b",".join(parts) + b"}"


def _blocks(node: Node, dialect: Dialect) -> bytes:
    if node.kind == "string":
        return b"[" + _bare(node.raw, dialect, None) + b"]"
    if node.kind != "array":
        return canonical(node.raw)
    blocks = [
        without_mark(item, dialect) if item.kind == "object" else canonical(item.raw)
        for item in node.items
    ]
    return b"[" + b",".join(blocks) + b"]"


def _bare(raw: bytes, dialect: Dialect, role: str | None) -> bytes:
    kind = dialect.bare_types.get(role) or dialect.bare_types[None]
    return b'{"type":"' + kind.encode() + b'","text":' + canonical(raw) + b"}"


def meaning(raw: bytes, dialect: Dialect, role: str | None) -> bytes:
    """Bytes that are equal exactly for segments that mean the same to the model."""
    if raw[:1] == b'"':
        return _bare(raw, dialect, role)
    plain = canonical(raw)
    marked = dialect.mark.encode() in plain
    if plain[:1] == b"{" and (marked or any(kind.encode() in plain for kind in dialect.nested)):
        return without_mark(parse(plain), dialect)
    return plain


def unlabelled(raw: bytes, label: bytes) -> bytes:
    """An item without the `id` that is its label; any other value as it is."""
    if not label or raw[:1] != b"{" or label not in raw:
        return raw
    members = parse(raw).members
    kept = [member for member in members if (member.name, member.value.raw) != ("id", label)]
    if len(kept) == len(members):
        return raw
    spelled = (quote(member.name).encode() + b":" + member.value.raw for member in kept)
    return b"{" + b",".join(spelled) + b"}"


def mark_of(raw: bytes, dialect: Dialect) -> bytes | None:
    """The raw cache mark of a block, if it carries one; a nested block's counts for the whole."""
    if dialect.mark.encode() not in raw or raw[:1] != b"{":
        return None
    node = parse(raw)
    mark = node.get(dialect.mark)
    nested = node.get(dialect.nested.get(node.string_of("type") or "") or "")
    for item in nested.items if nested is not None and mark is None else ():
        mark = item.get(dialect.mark) or mark
    return None if mark is None or mark.kind == "null" else mark.raw
