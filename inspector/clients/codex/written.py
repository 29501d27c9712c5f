"""JSON values written out as text: punctuation, keys and numbers are the writer's."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from inspector.jsontext import (
    JSON,
    dumps,
    javascript_number,
    javascript_order,
    quote,
    serde_number,
)
from inspector.jsontext.serde import double_number
from inspector.text import Kind, Origin, Piece, Text, text

_WRITER = Origin(Kind.COMPUTED, "json")


def javascript_text(value: JSON, origin: Origin, own: Mapping[str, Origin]) -> Text:
    """A value as a script prints it; its words have this origin, but for the client's `own`."""
    return _Writer(origin, javascript_number, javascript_order, own).text(value)


def serde_text(value: JSON, origin: Origin, *, doubles: bool = False) -> Text:
    """A value as the client itself writes it; its words have this origin."""
    return _Writer(origin, double_number if doubles else serde_number, list).text(value)


@dataclass(frozen=True, slots=True)
class _Writer:
    origin: Origin
    number: Callable[[str], str]
    order: Callable[[Iterable[str]], list[str]]
    own: Mapping[str, Origin] = field(default_factory=dict[str, Origin])

    def text(self, value: JSON) -> Text:
        try:
            return Text(list(self.pieces(value)))
        except RecursionError:
            return text(dumps(value, number=self.number, order=self.order), self.origin)

    def pieces(self, value: JSON) -> Iterator[Piece]:
        match value:
            case str():
                yield from self.string(value)
            case list():
                yield Piece("[", _WRITER)
                for place, item in enumerate(value):
                    if place:
                        yield Piece(",", _WRITER)
                    yield from self.pieces(item)
                yield Piece("]", _WRITER)
            case dict():
                yield from self.members(value)
            case _:
                yield Piece(dumps(value, number=self.number), _WRITER)

    def members(self, value: Mapping[str, JSON]) -> Iterator[Piece]:
        yield Piece("{", _WRITER)
        for place, key in enumerate(self.order(value)):
            yield Piece(f"{',' if place else ''}{quote(key)}:", _WRITER)
            yield from self.pieces(value[key])
        yield Piece("}", _WRITER)

    def string(self, value: str) -> Iterator[Piece]:
        yield Piece('"', _WRITER)
        if value:
            yield Piece(quote(value)[1:-1], self.own.get(value, self.origin))
        yield Piece('"', _WRITER)
