"""Which recorded request a request is: the same but for places that may read otherwise."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from inspector.match.terms import Terms
from inspector.match.texts import Span
from inspector.match.values import Difference, Values
from inspector.segments import Prompt


@dataclass(frozen=True, slots=True)
class Expected:
    """A recorded request, as it is expected to come."""

    name: str
    """Its exchange."""
    number: int
    prompt: Prompt
    spans: Mapping[str, Sequence[Span]] = field(default_factory=dict[str, tuple[Span, ...]])
    """Where its texts came from, by JSON pointer."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """A recorded request that does not fit, and why."""

    expected: Expected
    equal: int
    """How many of its first segments are the same."""
    difference: Difference

    @property
    def share(self) -> float:
        """The same as a share."""
        return self.equal / max(len(self.expected.prompt), 1)


@dataclass(frozen=True, slots=True)
class Found:
    """The recorded request that fits, with the ids that were met."""

    expected: Expected
    terms: Terms


def find(
    prompt: Prompt, among: Sequence[Expected], terms: Terms, most: int = 3
) -> Found | tuple[Nearest, ...]:
    """The first recorded request that means the same, or else the nearest ones."""
    missed: list[Nearest] = []
    for expected in among:
        trial = terms.trial()
        equal, difference = held(expected, prompt, trial)
        if difference is None:
            return Found(expected, trial)
        missed.append(Nearest(expected, equal, difference))
    return tuple(sorted(missed, key=lambda one: -one.share)[:most])


def held(expected: Expected, prompt: Prompt, terms: Terms) -> tuple[int, Difference | None]:
    """How many first segments are equal, and the first difference; ids are bound in `terms`."""
    found = next(_all(expected, prompt, terms), None)
    whole = len(expected.prompt)
    return (whole if found is None else _before(expected, prompt, found)), found


def differences(expected: Expected, prompt: Prompt, terms: Terms) -> tuple[Difference, ...]:
    """All that differs."""
    return tuple(_all(expected, prompt, terms))


def _all(expected: Expected, prompt: Prompt, terms: Terms) -> Iterator[Difference]:
    dialect = expected.prompt.dialect
    if dialect is None or prompt.dialect is not dialect:
        old, new = (one.body[:60].decode("utf-8", "replace") for one in (expected.prompt, prompt))
        yield Difference("", "changed", 0, old, new, "request")
        return
    values = Values(expected.spans, terms, dialect.mark)
    for difference in values.differences("", expected.prompt.root, prompt.root):
        segment = expected.prompt.at(difference.path) or prompt.at(difference.path)
        yield replace(difference, section=segment.section if segment else "params")


def _before(expected: Expected, prompt: Prompt, difference: Difference) -> int:
    """How many segments stand before a difference; all of them where it is in a param."""
    for one in (expected.prompt, prompt):
        segment = one.at(difference.path)
        if segment is not None:
            return one.segments.index(segment)
    above = difference.path
    paths = [item.path for item in expected.prompt.segments]
    while above.count("/") > 1:  # an item's own member, such as its id
        inside = [path.startswith(f"{above}/") for path in paths]
        if True in inside:
            return inside.index(True)
        above = above.rpartition("/")[0]
    return len(paths)
