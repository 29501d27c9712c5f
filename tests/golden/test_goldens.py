"""Every recording in `captures/` against the builders: gaps as data, the mutation law, the ratchet."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from inspector import score, views, words
from inspector.named import Found, find, recordings, verified
from inspector.session import ExchangeKind
from inspector.verify import SessionReport
from tests.golden import gaps, listing_law, mutation, workspace_law

ROOT = Path(__file__).resolve().parents[2]
CAPTURES = ROOT / "captures"
RATCHET = Path(__file__).with_name("score.json")
GOLDENS = sorted(recordings(CAPTURES))
NAMES = [str(path.relative_to(CAPTURES)) for path in GOLDENS]

each_golden = pytest.mark.parametrize("path", GOLDENS, ids=NAMES)


@cache
def golden(path: Path) -> tuple[Found, SessionReport]:
    """A golden, verified once for all tests; with the clients' words where they were harvested."""
    found = find(str(path), Path("unused"))
    return found, verified(found, words.load())


def main(report: SessionReport) -> list[Any]:
    return [request for request in report.requests if request.kind is ExchangeKind.MAIN]


def test_there_are_goldens_of_both_clients() -> None:
    clients = [name.split("/")[0] for name in NAMES]
    assert (clients.count("claude-code") >= 10, clients.count("codex") >= 8) == (True, True)


@each_golden
def test_a_golden_differs_from_the_build_in_its_gaps_alone(path: Path) -> None:
    _, report = golden(path)
    found = [gap for request in main(report) for gap in gaps.of(request)]
    assert list(gaps.unnamed(found, gaps.read(path / "gaps.yaml"))) == []


@each_golden
def test_a_golden_takes_its_turns_from_outside_its_capture(path: Path) -> None:
    found, _ = golden(path)
    assert found.recording.turns is not None


@each_golden
def test_every_change_in_a_capture_is_noticed_where_it_is(path: Path) -> None:
    _, report = golden(path)
    tally = mutation.Tally()
    for request in main(report):
        if request.built is not None:
            mutation.hold(request, tally)
    left_out = f"{tally.masked} masked, {tally.adopted} adopted"
    print(f"{tally.percent:.2f} % of {tally.tried} mutations noticed; {left_out}")
    assert tally.missed == []


@each_golden
def test_a_change_in_the_workspace_changes_the_build_there_and_only_there(path: Path) -> None:
    found, _ = golden(path)
    tally = mutation.Tally()
    # Without words: a client's text is not built from the workspace, and placeholders are short.
    requests = main(verified(found, {}))
    workspace_law.hold(found, requests, tally)
    listing_law.hold(found, requests, tally)
    print(f"{tally.percent:.2f} % of {tally.tried} files and descriptions as their origins say")
    assert tally.missed == []


def test_the_score_is_the_one_on_record() -> None:
    assert scored() == json.loads(RATCHET.read_text(encoding="utf-8"))


def scored() -> list[dict[str, Any]]:
    """The scoreboard, as a machine with and one without the clients' words agree on it."""
    rows = views.score_document(score.score(golden(path)[1] for path in GOLDENS))["rows"]
    return [{name: row[name] for name in row if name != "sha256_checked"} for row in rows]
