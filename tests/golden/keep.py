"""From a finished run to a golden: turns from logs, verify, harvest words, seal, write."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspector import clients, folder, learn, profiles, words
from inspector.clients import McpCall
from inspector.errors import BadInput
from inspector.mock import read_log
from inspector.sealing import sealed
from inspector.session import ExchangeKind, Recording
from inspector.snapshot import SnapshotTree
from inspector.store import Store
from inspector.verify import Carried, SessionReport, verify
from tests.golden import asides, counts, gaps, hooks
from tests.golden.mutation import built
from tests.golden.scenario import ROOT, Case


@dataclass(slots=True)
class Outcome:
    """What became of one scenario."""

    case: Case
    requests: int = 0
    exact: int = 0
    checked: int = 0
    trouble: str = ""
    complaints: list[str] = field(default_factory=list[str])

    @property
    def fine(self) -> bool:
        """Whether everything was as the golden says."""
        return not self.trouble and not self.complaints

    @property
    def line(self) -> str:
        """One line for people."""
        what = (
            self.trouble or f"{self.exact} of {self.requests} exact, {self.checked} whole digests"
        )
        return f"{self.case.label}: {what}"


def keep(case: Case, work: Path, out: Path | None, data: Path | None) -> Outcome:
    """Verify every run of a scenario; write the goldens below `out`, the words below `data`."""
    outcome = Outcome(case)
    texts = (data or work / "data") / "texts"
    raw = list(_recordings(case, work))
    wordless = _verified(raw, {})
    for report in wordless:
        words.save(learn.harvest_session(report).values(), texts)
    reports = _verified(raw, words.load(texts))
    every = zip(raw, wordless, reports, strict=True)
    for number, (recording, plain, report) in enumerate(every):
        place = (out or ROOT / "captures") / case.golden / f"r{number}"
        answered = len(read_log(work / f"r{number}.mock.jsonl"))
        lost = list(gaps.lost(report, recording, answered))
        outcome.complaints += [f"r{number}: {line}" for line in lost]
        _judge(outcome, number, report, place, write=out is not None and not lost)
        if out is not None and not lost:
            folder.write(sealed(_narrowed(recording, report), report, plain), place)
    return outcome


def _narrowed(recording: Recording, report: SessionReport) -> Recording:
    """The recording with its turns as the builder used them: no words of the client's in them."""
    turns = recording.turns
    if turns is None or len(report.turns) != len(turns.turns):
        return recording
    return recording.with_turns(turns.model_copy(update={"turns": report.turns}))


def _recordings(case: Case, work: Path) -> Iterator[Recording]:
    client = clients.client(case.client)
    with Store.open(work / "store.db", create=False) as store:
        for number in range(len(case.scenario.runs)):
            facts = json.loads((work / f"r{number}.json").read_text(encoding="utf-8"))
            recording = clients.labelled(store.recording(_session(facts["report"])))
            assert recording.snapshot is not None
            turns = client.logged_turns(
                recording.snapshot.environment,
                read_log(work / f"r{number}.mock.jsonl"),
                facts["record"],
                [McpCall(**call) for call in facts["mcp"]],
            )
            found = profiles.find(case.client, recording.session.version)
            switches = profiles.resolve(found, {}).switches
            told = hooks.supplied if switches.get("record.hooks") == "no" else hooks.logged
            turns = told(turns, facts["hooks"])
            log = work / f"r{number}.mock.jsonl"
            yield recording.with_turns(asides.logged(counts.logged(turns, log), log))


def _session(report: dict[str, Any]) -> str:
    if not report["sessions"]:
        raise BadInput("a run asked its model nothing, so there is no session to keep")
    first = report["sessions"][0]
    return first if isinstance(first, str) else first["id"]


def _verified(
    recordings: list[Recording], known: "words.Words | dict[str, str]"
) -> list[SessionReport]:
    carried: dict[str, Carried | None] = {}
    reports: list[SessionReport] = []
    for recording in recordings:
        earlier = carried.get(recording.session.continues or "")
        report = verify(recording, known, SnapshotTree, earlier)
        carried[recording.session.id] = report.carried
        reports.append(report)
    return reports


def _judge(
    outcome: Outcome, number: int, report: SessionReport, place: Path, *, write: bool
) -> None:
    main = [request for request in report.requests if request.kind is ExchangeKind.MAIN]
    outcome.requests += len(main)
    outcome.exact += sum(request.counts_as_exact for request in main)
    outcome.checked += sum(request.sha256_checked for request in main)
    found = [gap for request in report.requests if built(request) for gap in gaps.of(request)]
    named = gaps.read(place / "gaps.yaml")
    if write:
        gaps.write(found, named, place / "gaps.yaml")
        return
    outcome.complaints += [f"r{number}: {line}" for line in gaps.unnamed(found, named)]
