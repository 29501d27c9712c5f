"""Known differences from the real client, as data beside the recording.

`gaps.yaml` is a list of `{request, path, verdict, reason, issue}`: the request's number in its session, the
JSON pointer, what `verify` says there. A gap that closes must be deleted; a difference without one fails.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter

from inspector.session import ExchangeKind, Recording
from inspector.verify import RequestReport, SessionReport

UNSAID = "not said yet"


class Gap(BaseModel):
    """One known difference."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    request: int
    path: str
    verdict: str
    reason: str = UNSAID
    issue: int = 2

    @property
    def key(self) -> tuple[int, str, str]:
        """What makes it the same gap."""
        return self.request, self.path, self.verdict


_GAPS = TypeAdapter(list[Gap])


def of(request: RequestReport) -> Iterator[Gap]:
    """The differences of a request as gaps."""
    seen: set[tuple[int, str, str]] = set()
    for item in request.comparison.differences:
        gap = Gap(request=request.number, path=item.path, verdict=item.verdict)
        if gap.key not in seen:
            seen.add(gap.key)
            reason = f"{UNSAID}: built {item.built[:60]!r}, captured {item.captured[:60]!r}"
            yield gap.model_copy(
                update={"reason": request.reason if request.built is None else reason}
            )
    counts = request.comparison.counts
    for name in ("transcript", "file_not_kept"):
        if getattr(counts, name):
            yield Gap(request=request.number, path="", verdict=name.replace("_", "-"))


def lost(report: SessionReport, recording: Recording, answered: int) -> Iterator[str]:
    """What says that a request went missing; `answered` is how many main ones the mock answered.

    A golden has one turn for each of these, so its turns keep the number.
    """
    yield from report.notes
    if report.unsent:
        yield f"{report.unsent} warm-ups or compactions built and not captured"
    turns = len(recording.turns.turns) if recording.turns else 0
    built = [request for request in report.requests if request.kind is ExchangeKind.MAIN]
    if not built:
        yield "no main request"
    if report.uncounted:
        yield f"{report.uncounted} counts of tokens built and not captured"
    if not len(built) == turns == answered:
        yield f"{answered} requests answered, {turns} turns, {len(built)} main requests captured"


def read(path: Path) -> list[Gap]:
    """The gaps beside a recording; none where there is no file."""
    if not path.is_file():
        return []
    data: Any = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return _GAPS.validate_python(data or [])


def write(found: Sequence[Gap], named: Sequence[Gap], path: Path) -> None:
    """Write the gaps that are there now, keeping what was said of them before."""
    said = {gap.key: gap for gap in named if not gap.reason.startswith(UNSAID)}
    kept = [said.get(gap.key, gap) for gap in found]
    if not kept:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    data = [gap.model_dump() for gap in kept]
    text: str = yaml.dump(  # pyright: ignore[reportUnknownMemberType]
        data, Dumper=yaml.SafeDumper, sort_keys=False, allow_unicode=True, width=120
    )
    path.write_text(text, encoding="utf-8")


def unnamed(found: Sequence[Gap], named: Sequence[Gap]) -> Iterator[str]:
    """What differs without a gap, and what a gap names that no longer differs."""
    there, known = {gap.key for gap in found}, {gap.key for gap in named}
    for gap in found:
        if gap.key not in known:
            yield f"request {gap.request}: {gap.verdict} at {gap.path or '/'}: {gap.reason}"
    for gap in named:
        if gap.key not in there:
            yield f"request {gap.request}: the gap at {gap.path or '/'} ({gap.verdict}) has closed; delete it"
