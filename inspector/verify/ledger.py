"""What a comparison counts and notes while it walks two bodies.

Rule: the counts of a ledger always sum to the bytes of the captured body that were walked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from inspector.text import Built, ByteClass, Kind, Known, Origin, Run

TRANSCRIPT = "transcript"
FILE_NOT_KEPT = "file_not_kept"
_SUB_KINDS = {Kind.TRANSCRIPT: TRANSCRIPT, Kind.FILE_NOT_KEPT: FILE_NOT_KEPT}


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where the built body is not the captured one."""

    path: str
    """JSON pointer into the captured body (into the built one for `extra`)."""
    verdict: str
    """`changed`, `missing` (not built), `extra` (built only), `moved`, `reordered-keys`,
    `encoding`, `repeated-id`, `adopted`, `masked-too-much`, `not-json` or `sha256`."""
    origin: Origin | None = None
    """Where the built text at the first differing character came from."""
    at: int = 0
    """Code points into the decoded string where the two part."""
    built: str = ""
    """A short excerpt of the built text from there."""
    captured: str = ""
    """A short excerpt of the captured text from there."""


@dataclass(frozen=True, slots=True)
class KnownSpan:
    """Bytes `start` to `end` of the captured body that hold a known client text."""

    start: int
    end: int
    known: Known
    sealed: bool
    """True: the capture holds the placeholder, not the words."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Captured bytes by class; each is counted once."""

    rebuilt: int = 0
    input: int = 0
    known: int = 0
    masked: int = 0
    adopted: int = 0
    different: int = 0
    transcript: int = 0
    """Part of `input`: replayed from an earlier session that is not in the store."""
    file_not_kept: int = 0
    """Part of `input`: a file read whose bytes are not in the snapshot."""

    @property
    def total(self) -> int:
        """All bytes of the captured body."""
        return self.rebuilt + self.input + self.known + self.masked + self.adopted + self.different

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def __sub__(self, other: "Counts") -> "Counts":
        return Counts(*(getattr(self, name) - getattr(other, name) for name in self.__slots__))


class Unequal(Exception):
    """Two values are not equal."""


@dataclass(slots=True)
class Ledger:
    """Running counts, differences, mask values and the filled body."""

    masks: dict[str, str] = field(default_factory=dict[str, str])
    """Values of recurring masks, by name, as seen so far in the session."""
    counts: dict[str, int] = field(default_factory=dict[str, int])
    differences: list[Difference] = field(default_factory=list[Difference])
    known: list[KnownSpan] = field(default_factory=list[KnownSpan])
    masked: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Spans of the captured body counted as masked."""
    parts: list[bytes] = field(default_factory=list[bytes])
    runs: list[Run] = field(default_factory=list[Run])
    size: int = 0
    trying: bool = False
    """Whether it is only asked if two values are equal: nothing is filled in."""

    def count(self, what: ByteClass | str, size: int) -> None:
        """Add bytes to a class or sub-kind."""
        if size:
            self.counts[what] = self.counts.get(what, 0) + size

    def count_origin(self, origin: Origin | None, size: int) -> None:
        """Add equal bytes to the class of their origin (structure where there is none)."""
        if origin is None:
            self.count(ByteClass.REBUILT, size)
            return
        self.count(origin.byte_class, size)
        if origin.kind in _SUB_KINDS:
            self.count(_SUB_KINDS[origin.kind], size)

    def emit(
        self, data: bytes, origin: Origin | None = None, at: int = 0, *, sealed: bool = False
    ) -> None:
        """Append to the filled body."""
        if self.trying:
            return
        if origin is not None and data:
            self.runs.append(Run(self.size, self.size + len(data), origin, at, sealed))
        self.parts.append(data)
        self.size += len(data)

    def differ(self, difference: Difference, size: int) -> None:
        """Note a difference and count its captured bytes."""
        self.unequal()
        self.differences.append(difference)
        adopted = difference.verdict == "adopted"
        self.count(ByteClass.ADOPTED if adopted else ByteClass.DIFFERENT, size)

    def trial(self) -> "Ledger":
        """A ledger to try a pairing on, starting from the mask values known here."""
        return Ledger(masks=dict(self.masks), trying=True)

    def unequal(self) -> None:
        """Two values differ: that is all a trial asks, so it ends with `Unequal`."""
        if self.trying:
            raise Unequal

    def total(self) -> Counts:
        """The counts so far."""
        return Counts(**{name: self.counts.get(name, 0) for name in Counts.__slots__})

    def filled(self, unordered: Sequence[str]) -> Built:
        """The built body with masks and known texts filled in."""
        return Built(b"".join(self.parts), tuple(self.runs), tuple(unordered))


type MaskState = Mapping[str, str]
"""Values of recurring masks seen in a session, by mask name."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One built body held against one captured body."""

    counts: Counts
    differences: tuple[Difference, ...]
    known_spans: tuple[KnownSpan, ...]
    masked_spans: tuple[tuple[int, int], ...]
    masks: MaskState
    """Mask values after this request."""
    filled: Built
    """The built body, masks and known texts filled from the capture, adopted bytes never copied."""
    unfilled: tuple[str, ...]
    """Names of known texts whose words are nowhere at hand."""

    @property
    def equal(self) -> bool:
        """Whether nothing is adopted and nothing differs."""
        return not self.differences and not self.counts.adopted and not self.counts.different
