"""Two bodies that part inside one section: which elements, found from their equal ends by bytes.

Only one body is cut; of the other no more is read than the elements that are not the first's.
Rule: the other is as good as read. Up to the first element both stand in the same section of the
same object; from the last one on they go on with the same bytes; and what is between is checked.
"""

from itertools import accumulate
from typing import NamedTuple

from inspector.jsontext import items
from inspector.jsontext.node import kind_of
from inspector.segments.cut import Cut, Section
from inspector.segments.difference import both_ends


class Narrowed(NamedTuple):
    """The elements from the first that is not equal to the last one."""

    section: Section
    first: int
    """How many equal elements stand before them."""
    old: list[bytes]
    new: list[bytes]


def narrowed(old: bytes, cut: Cut, new: bytes) -> Narrowed | None:
    """The elements in which two unequal bodies part; None where there is no such stretch.

    `cut` is that of the old body.
    """
    head, tail = both_ends(old, new)
    tail = len(old) - tail
    place = _section(cut, head, tail)
    if place is None:
        return None
    section, start = place
    found = section.elements
    ends = [*accumulate((len(one) + 1 for one in found), initial=start + 1)]
    if ends[-1] != start + len(section.raw):
        return None  # white space between
    # What ends with its comma before the first difference is the same element in both.
    first = next((number for number, end in enumerate(ends[1:]) if end > head), len(found))
    last = next((n for n in range(first, len(found)) if ends[n] - 1 >= tail), len(found))
    by = len(new) - len(old)
    between = new[ends[first] : ends[last] - 1 + by]
    if not between and (first or last < len(found)):
        return None  # two commas without anything between
    try:
        return Narrowed(section, first, found[first:last], items(b"[" + between + b"]"))
    except ValueError:
        return None


def _section(cut: Cut, head: int, tail: int) -> tuple[Section, int] | None:
    """The section in whose brackets a stretch stands, and where it starts."""
    for name, start, raw in cut.spans:
        if start < head and tail < start + len(raw):
            held = cut.dialect is not None and name in cut.dialect.sections
            if cut.dialect is not None and held and kind_of(raw[0]) == "array":
                return Section(cut.dialect, name, raw), start
            return None
    return None
