"""One level of a document, by a parser in C that leaves what stands inside as bytes.

Gives nothing where that parser refuses or would lose something (lone surrogates, white space,
duplicate keys): the grammar in Python alone decides what is JSON. Assumes UTF-8.
"""

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from inspector.jsontext.strings import quote

if TYPE_CHECKING:
    from msgspec import Raw
    from msgspec.json import Decoder

type Place = tuple[str, int, int, int]
"""A member's name, where its quoted key starts, where its value starts and ends."""


def members(source: bytes) -> list[Place]:
    """The members of an object with at least one, written without white space; else none."""
    found: list[Place] = []
    at = 1
    parser = _parser()
    for name, value in (parser.read(parser.members, source) or {}).items():
        plain = name.isidentifier() and name.isascii()
        start = at + (len(name) + 3 if plain else len(quote(name).encode()) + 1)
        end = start + len(value)
        found.append((name, at, start, end))
        at = end + 1
    return found if at == len(source) else []


def items(source: bytes) -> list[tuple[int, int]]:
    """Where the items of an array stand that has some and no white space; else none."""
    found: list[tuple[int, int]] = []
    at = 1
    parser = _parser()
    for value in parser.read(parser.items, source) or ():
        end = at + len(value)
        found.append((at, end))
        at = end + 1
    return found if at == len(source) else []


class _Parser(NamedTuple):
    members: "Decoder[dict[str, Raw]]"
    items: "Decoder[list[Raw]]"
    refusals: tuple[type[Exception], ...]

    def read[Found](self, decoder: "Decoder[Found]", source: bytes) -> Found | None:
        """What a decoder makes of a text, if it takes it."""
        try:
            return decoder.decode(source)
        except self.refusals:
            return None


@cache
def _parser() -> _Parser:
    from msgspec import DecodeError, Raw
    from msgspec.json import Decoder

    refusals = (DecodeError, UnicodeError, RecursionError)
    return _Parser(Decoder(dict[str, Raw]), Decoder(list[Raw]), refusals)
