"""Pieces: runs of text with one origin, and transforms that keep the origins.

Law: for every transform f here, `str(f(t)) == f(str(t))`.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from re import Match, Pattern
from typing import overload

from inspector.text.origin import Origin


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text with one origin."""

    text: str
    origin: Origin
    at: int = 0
    """Code points into the source's decoded text where this run starts."""

    def cut(self, start: int, end: int) -> "Piece":
        """The part of this piece between two code-point offsets."""
        return Piece(self.text[start:end], self.origin, self.at + start)


class Text:
    """An immutable sequence of pieces that behaves like the string it spells."""

    __slots__ = ("_ends", "_string", "pieces")

    def __init__(self, pieces: Iterable[Piece] = ()) -> None:
        """Keep the pieces that hold any text."""
        self.pieces: tuple[Piece, ...] = tuple(piece for piece in pieces if piece.text)
        self._string: str | None = None
        self._ends: list[int] | None = None

    def __str__(self) -> str:
        """The plain string."""
        if self._string is None:
            self._string = "".join(piece.text for piece in self.pieces)
        return self._string

    def __repr__(self) -> str:
        return f"Text({str(self)!r}, {len(self.pieces)} pieces)"

    def __len__(self) -> int:
        return len(str(self))

    def __bool__(self) -> bool:
        return bool(self.pieces)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self.pieces == other.pieces

    def __hash__(self) -> int:
        return hash(self.pieces)

    def __add__(self, other: "Text") -> "Text":
        return Text((*self.pieces, *other.pieces))

    @overload
    def __getitem__(self, index: int) -> "Text": ...
    @overload
    def __getitem__(self, index: slice) -> "Text": ...
    def __getitem__(self, index: int | slice) -> "Text":
        """The run between two code-point offsets (step 1 only)."""
        if isinstance(index, int):
            if not -len(self) <= index < len(self):
                raise IndexError("text index out of range")
            index = slice(index, index + 1 or None)
        start, end, step = index.indices(len(self))
        if step != 1:
            raise ValueError("a text is cut in steps of one")
        return Text(self._between(start, end))

    def _between(self, start: int, end: int) -> Iterator[Piece]:
        if self._ends is None:
            self._ends = list(accumulate(len(piece.text) for piece in self.pieces))
        for number in range(bisect_right(self._ends, start), len(self.pieces)):
            piece = self.pieces[number]
            offset = self._ends[number] - len(piece.text)
            if offset >= end:
                return
            yield piece.cut(max(start - offset, 0), min(end - offset, len(piece.text)))

    def strip(self, chars: str | None = None) -> "Text":
        """Without leading and trailing characters, as `str.strip`."""
        return self.lstrip(chars).rstrip(chars)

    def lstrip(self, chars: str | None = None) -> "Text":
        """Without leading characters, as `str.lstrip`."""
        return self[len(self) - len(str(self).lstrip(chars)) :]

    def rstrip(self, chars: str | None = None) -> "Text":
        """Without trailing characters, as `str.rstrip`."""
        return self[: len(str(self).rstrip(chars))]

    def sub(
        self,
        pattern: Pattern[str],
        make: "Callable[[Match[str]], Text | str]",
        *,
        origin: Origin | None = None,
    ) -> "Text":
        """Replace every match; a plain string takes `origin`, else its match's origin."""
        out: list[Piece] = []
        done = 0
        for match in pattern.finditer(str(self)):
            out.extend(self._between(done, match.start()))
            made = make(match)
            if isinstance(made, Text):
                out.extend(made.pieces)
            elif made:
                out.append(Piece(made, *_source(self, match.start(), origin)))
            done = match.end()
        out.extend(self._between(done, len(self)))
        return Text(out)

    def replace(self, old: str, new: str) -> "Text":
        """Replace every occurrence, keeping the origin of what was replaced."""
        return self.sub(re.compile(re.escape(old)), lambda _: new)

    def split(self, separator: str) -> list["Text"]:
        """The texts between separators, as `str.split`."""
        out: list[Text] = []
        start = 0
        for part in str(self).split(separator):
            out.append(self[start : start + len(part)])
            start += len(part) + len(separator)
        return out


def _source(whole: Text, offset: int, origin: Origin | None) -> tuple[Origin, int]:
    if origin is not None:
        return origin, 0
    if not whole.pieces:
        raise ValueError("an empty text has no origin to give; name one")
    piece = next(iter(whole[offset : offset + 1].pieces), whole.pieces[-1])
    return piece.origin, piece.at


EMPTY = Text()


def text(string: str, origin: Origin) -> Text:
    """A text of one piece."""
    return Text((Piece(string, origin),))


def join(separator: Text, parts: Iterable[Text]) -> Text:
    """The parts with the separator between them, as `str.join`."""
    out: list[Piece] = []
    for number, part in enumerate(parts):
        if number:
            out.extend(separator.pieces)
        out.extend(part.pieces)
    return Text(out)
