"""Small transforms on text: Rust's idea of blank, holes in templates, numbered masks."""

import re
from collections.abc import Mapping
from dataclasses import replace

from inspector.profiles import Profile
from inspector.text import Kind, Origin, Piece, Raw, Text, text

BLANK = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""The characters that Rust's `str::trim` takes away (Unicode White_Space)."""

_HOLE = re.compile(r"\{([a-z_]+)\}")
_WORD = re.compile(f"[^{re.escape(BLANK)}]+")


def fill(template: Text, holes: Mapping[str, Text]) -> Text:
    """The template with every `{hole}` replaced; unknown holes stay as they are."""
    return template.sub(_HOLE, lambda match: holes.get(match[1], match[0]))


def words(source: Text, space: Text) -> Text:
    """The words of a text with one space between them, as `split_whitespace` and a join make."""
    out: list[Piece] = []
    for match in _WORD.finditer(str(source)):
        if out:
            out.extend(space.pieces)
        out.extend(source[match.start() : match.end()].pieces)
    return Text(out)


def fact(name: str, value: str) -> Text:
    """An environment fact."""
    return text(value, Origin(Kind.FACT, name))


def computed(name: str, value: str) -> Text:
    """A text the client's own logic makes."""
    return text(value, Origin(Kind.COMPUTED, name))


def escaped(source: Text) -> Text:
    """The text with XML's five characters escaped, as the client writes paths into its context."""
    return source.sub(re.compile("[&<>\"']"), lambda match: _ENTITIES[match[0]])


_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"}


def mask(profile: Profile, name: str, number: int | None = None) -> Text:
    """A masked value; `number` keeps the values of one rule apart within a thread."""
    whole = profile.mask(name)
    if number is None:
        return whole
    piece = whole.pieces[0]
    origin = replace(piece.origin, name=f"{name}:{number}")
    return Text((Piece(f"⟦mask {name}:{number}⟧", origin),))


def mask_number(profile: Profile, name: str, number: int) -> Raw:
    """A masked JSON number; `0` stands at its place until it is matched."""
    return Raw("0", mask(profile, name, number).pieces[0].origin)
