"""One difference between two prompts."""

from collections.abc import Callable
from dataclasses import dataclass, field

from inspector.segments import Segment

BENIGN = frozenset({"moved-mark", "reshaped", "volatile"})
"""Verdicts that change no meaning."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two prompts."""

    verdict: str
    """`changed`, `added`, `removed`, `moved`, `reordered-keys`, or a benign one."""
    section: str
    """`tools`, `system`, `messages` or `params`."""
    path_a: str | None
    path_b: str | None
    size: int
    """Bytes of the new side (of the old one where it was removed), of sealed texts their own."""
    detail: tuple[str, ...] = ()
    """Pointers inside the segment where the two part."""
    requests: int = 1
    """Of sessions: in how many pairs of requests it is found; it is told with the first."""
    what: Callable[[], int] = field(default=int, compare=False, repr=False)
    """Gives what is equal for the same change in other requests; to digest it costs most of all."""

    @property
    def benign(self) -> bool:
        """Whether the change leaves the meaning as it was."""
        return self.verdict in BENIGN


def meant(*parts: str | bytes | Segment) -> int:
    """What makes two changes the same one."""
    return hash(tuple(part.key if isinstance(part, Segment) else part for part in parts))
