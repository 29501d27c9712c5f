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
    """How many of its segments are the same."""
    differences: tuple[Difference, ...]

    @property
    def difference(self) -> Difference:
        """The first one."""
        return self.differences[0]

    @property
    def share(self) -> float:
        """How much of it is the same."""
        return (self.equal + 1 / len(self.differences)) / (len(self.expected.prompt) + 1)


@dataclass(frozen=True, slots=True)
class Found:
    """The recorded request that fits, with the ids that were met."""

    expected: Expected
    terms: Terms


def find(
    prompt: Prompt, among: Sequence[Expected], terms: Terms, most: int = 3
) -> Found | tuple[Nearest, ...]:
    """The first recorded request that means the same, or else the nearest ones."""
    for expected in among:
        trial = terms.trial()
        if held(expected, prompt, trial) is None:
            return Found(expected, trial)
    missed = (_nearest(expected, prompt, terms.trial()) for expected in among)
    return tuple(sorted(missed, key=lambda one: -one.share)[:most])


def _nearest(expected: Expected, prompt: Prompt, terms: Terms) -> Nearest:
    found = differences(expected, prompt, terms)
    touched = {_segment(expected, prompt, one) for one in found} - {-1}
    equal = max(len(expected.prompt) - len(touched), 0)
    return Nearest(expected, equal, found)


def held(expected: Expected, prompt: Prompt, terms: Terms) -> Difference | None:
    """The first difference, none where they mean the same; ids are bound in `terms`."""
    return next(_all(expected, prompt, terms), None)


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
        yield replace(difference, section=_section(expected.prompt, prompt, difference.path))


def _section(old: Prompt, new: Prompt, path: str) -> str:
    """The section a place is in, be it a message's own member; `params` for all else."""
    for prompt in (old, new):
        segment = prompt.at(path)
        if segment is not None:
            return segment.section
    top = f"/{path.split('/')[1]}/" if path else "//"
    inside = (item.section for item in old.segments if item.path.startswith(top))
    return next(inside, "params")


def _segment(expected: Expected, prompt: Prompt, difference: Difference) -> int:
    """Which segment a difference is in; -1 for one in a param."""
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
    return -1
