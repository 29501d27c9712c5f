"""What became of a replay: reused, diverged, unused; as a document and as lines."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from inspector.errors import counted
from inspector.session import Exchange, Snapshot


@dataclass(frozen=True, slots=True)
class Miss:
    """A recorded request that came near, and the first place where it differs."""

    exchange: str
    number: int
    equal: int
    """Its segments that are the same."""
    segments: int
    path: str
    section: str
    verdict: str
    recorded: str
    sent: str
    kind: str = ""
    """Of the source of the recorded text there: `file`, `literal`, `fact` …"""
    name: str = ""
    line: int | None = None

    @property
    def origin(self) -> str:
        """`kind:name`, as other documents have it."""
        return f"{self.kind}:{self.name}" if self.kind else ""

    @property
    def document(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "exchange": self.exchange,
            "number": self.number,
            "equal_segments": self.equal,
            "segments": self.segments,
            "path": self.path,
            "section": self.section,
            "verdict": self.verdict,
            "recorded": self.recorded,
            "sent": self.sent,
            "origin": self.origin or None,
            "line": self.line,
        }


@dataclass(frozen=True, slots=True)
class Told:
    """One difference from the nearest recorded request."""

    section: str
    path: str
    verdict: str
    name: str = ""
    """What stands there: a tool, or the source of the recorded text."""

    @property
    def line(self) -> str:
        """The same for people."""
        return f"{self.verdict} {self.path or 'the body'}{f' ({self.name})' if self.name else ''}"


@dataclass(frozen=True, slots=True)
class Divergence:
    """A request that no recorded one answers."""

    request: int
    """Its place among the requests that are judged."""
    kind: str
    nearest: tuple[Miss, ...]
    changed: tuple[str, ...]
    """Workspace files that are not as they were recorded, each `PATH: what`."""
    differences: tuple[Told, ...] = ()
    """Everything in which it differs from the nearest one."""
    allowed: bool = False
    """Answered all the same."""
    by: str = ""
    """What answered in place of the recording: `upstream` or `script`."""

    @property
    def document(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "request": self.request,
            "kind": self.kind,
            "allowed": self.allowed,
            "answered_by": self.by or None,
            "files": list(self.changed),
            "sections": self.sections,
            "differences": [asdict(one) for one in self.differences],
            "nearest": [miss.document for miss in self.nearest],
        }

    @property
    def lines(self) -> Iterator[str]:
        """The same for people."""
        told = f"request {self.request} ({self.kind})"
        if not self.nearest:
            yield f"{told}: the recording has no such request left"
        else:
            first, *others = self.nearest
            yield (
                f"{told}: {first.path or 'the whole body'} differs from recorded request"
                f" {first.number} ({first.equal} of {counted(first.segments, 'segment')} equal)"
            )
            if first.origin:
                where = f" line {first.line}" if first.line else ""
                yield f"  from {first.origin}{where}"
            yield f"  recorded: {_one_line(first.recorded)}"
            yield f"  sent:     {_one_line(first.sent)}"
            yield from self._rest()
            for other in others:
                yield (
                    f"  nearest: request {other.number}, {other.equal} of {other.segments} equal,"
                    f" first {other.path or 'the body'} ({other.verdict})"
                )
        for line in self.changed[:_FILES]:
            yield f"  file not as recorded: {line}"
        if len(self.changed) > _FILES:
            yield f"  and {counted(len(self.changed) - _FILES, 'file')} more"

    @property
    def sections(self) -> dict[str, int]:
        """How many values differ from the nearest recorded request, by section."""
        return dict(Counter(one.section for one in self.differences))

    def _rest(self) -> Iterator[str]:
        """What differs besides, as `drift` tells it: by section, the first few of each."""
        if len(self.differences) < _SEVERAL:
            return
        for section, count in self.sections.items():
            found = [one for one in self.differences if one.section == section]
            shown = "; ".join(one.line for one in found[:_SHOWN])
            more = f"; {count - _SHOWN} more" if count > _SHOWN else ""
            yield f"  {section}: {counted(count, 'difference')}: {shown}{more}"


_SEVERAL, _SHOWN = 2, 4
_FILES = 5


@dataclass(slots=True)
class Report:
    """All of it."""

    session: str
    mode: str
    reused: list[tuple[str, int, str]] = field(default_factory=list[tuple[str, int, str]])
    """Exchange, number and kind."""
    diverged: list[Divergence] = field(default_factory=list[Divergence])
    unused: list[Exchange] = field(default_factory=list[Exchange])
    answered: int = 0
    """Requests after a fork, or new ones, that something else answered."""
    asides: int = 0
    """Requests that are not judged: probes, telemetry, what clients ask at start."""
    late: str = ""
    """Why it ended before the client did."""
    notes: list[str] = field(default_factory=list[str])
    new: list[str] = field(default_factory=list[str])
    """Digests of the requests that something else answered."""

    @property
    def fine(self) -> bool:
        """Whether every request was answered from the recording, or as it was asked for."""
        return not self.late and all(one.allowed for one in self.diverged)

    @property
    def document(self) -> dict[str, Any]:
        """The document of `replay`."""
        return {
            "session": self.session,
            "mode": self.mode,
            "matched": self.fine,
            "counts": {
                "reused": len(self.reused),
                "diverged": len(self.diverged),
                "unused": len(self.unused),
                "answered_otherwise": self.answered,
                "asides": self.asides,
            },
            "reused": [
                {"exchange": name, "number": number, "kind": kind}
                for name, number, kind in self.reused
            ],
            "diverged": [one.document for one in self.diverged],
            "unused": [
                {"exchange": one.id, "number": one.number, "kind": one.kind.value}
                for one in self.unused
            ],
            "ended": self.late or None,
            "notes": self.notes,
            "new": self.new,
        }

    @property
    def lines(self) -> Iterator[str]:
        """The same for people."""
        for one in self.diverged:
            yield from one.lines
        counts = (
            f"{len(self.reused)} reused, {len(self.diverged)} diverged, {len(self.unused)} unused"
        )
        more = f", {self.answered} answered otherwise" if self.answered else ""
        yield f"replay of {self.session} ({self.mode}): {counts}{more}"
        if self.unused and self.fine:
            shown = ", ".join(f"{one.number} ({one.kind.value})" for one in self.unused[:5])
            yield f"  not asked for: {shown}"
        if self.late:
            yield f"  {self.late}"


def changed(
    recorded: Snapshot | None, here: Snapshot | None, moved: Mapping[str, str]
) -> tuple[str, ...]:
    """Files that the client read at start and that are not as they were recorded."""
    if recorded is None or here is None:
        return ()
    old = {at_hand(path, moved): versions[0].data for path, versions in recorded.files.items()}
    new = {path: versions[0].data for path, versions in here.files.items()}
    told: list[str] = []
    for path in sorted({*old, *new}):
        if (
            path in old
            and path in new
            and old[path] != new[path]
            and _read_at_start(path, recorded)
        ):
            told.append(f"{path}: {_how(old[path], new[path])}")
        elif path in new and path not in old and new[path] is not None:
            told.append(f"{path}: new")
    return tuple(sorted(told, key=lambda line: line.endswith(": new")))


def _read_at_start(path: str, recorded: Snapshot) -> bool:
    versions = recorded.files.get(path)
    return versions is None or not versions[0].at


def _how(old: bytes | None, new: bytes | None) -> str:
    if new is None:
        return "gone"
    if old is None:
        return "new"
    lines = [one.split(b"\n") for one in (old, new)]
    same = 0
    for left, right in zip(*lines, strict=False):
        if left != right:
            break
        same += 1
    return f"changed in line {same + 1}"


def at_hand(path: str, moved: Mapping[str, str]) -> str:
    """Where a recorded path is on this machine."""
    for old, new in moved.items():
        if path == old or path.startswith(f"{old}/"):
            return new + path[len(old) :]
    return path


def _one_line(text: str, most: int = 110) -> str:
    spelled = text.replace("\n", "⏎")
    return spelled if len(spelled) <= most else f"{spelled[:most]}…"


def misses(found: Sequence[Miss]) -> tuple[Miss, ...]:
    """The nearest first."""
    return tuple(sorted(found, key=lambda miss: -miss.equal))
