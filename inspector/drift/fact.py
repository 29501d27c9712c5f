"""One named fact about what a client sends.

Rule: a fact holds nothing that is random (ids stand as what they are) and nothing that only tells
the version's own number, so equal facts mean equal behaviour.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from inspector.text import Known


class Aspect(StrEnum):
    """What a change is about."""

    PARAMS = "params"
    BETAS = "betas"
    HEADERS = "headers"
    TOOLS = "tools"
    TEXT = "text"
    PLACEMENT = "placement"
    BUDGETS = "budgets"
    """How much of a source is sent; limits of the profile."""
    MARKS = "cache marks"
    SHAPE = "shape"
    BEHAVIOUR = "behaviour"
    """Switches of the profile, whether or not this workspace shows what they do."""


@dataclass(frozen=True, slots=True, order=True)
class Subject:
    """What a fact is about."""

    aspect: Aspect
    name: str


@dataclass(frozen=True, slots=True)
class Fact:
    """What holds, as it is shown."""

    shown: str
    words: str | None = None
    """The words of a text that is shown by its digest, where they are at hand."""
    detail: str = field(default="", repr=False)
    """What tells two facts apart that are shown alike."""
    shared: bool = False
    """Whether it is only worth telling where both versions have it."""

    def same(self, other: "Fact") -> bool:
        """Whether nothing changed."""
        return (self.shown, self.detail) == (other.shown, other.detail)


def known(text: Known, words: str | None) -> Fact:
    """A long text of the client's, by its digest."""
    return Fact(f"{text.sha256[:12]}, {text.chars:,} characters", words, text.sha256)
