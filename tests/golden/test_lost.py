"""A golden in which a request went missing says so, whoever lost it."""

from dataclasses import replace
from pathlib import Path

import pytest

from inspector.session import ExchangeKind, Recording
from inspector.snapshot import SnapshotTree
from inspector.verify import SessionReport, verify
from tests import made
from tests.golden import gaps


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    return made.recording(tmp_path)


def proven(recording: Recording) -> SessionReport:
    return verify(recording, {}, SnapshotTree)


def lost(recording: Recording, answered: int = 2) -> list[str]:
    return list(gaps.lost(proven(recording), recording, answered))


def test_a_whole_golden_lost_nothing(recording: Recording) -> None:
    assert lost(recording) == []


def test_a_request_that_was_answered_and_not_captured_is_lost(recording: Recording) -> None:
    shorter = replace(recording, exchanges=recording.exchanges[:1])
    assert lost(shorter) == [
        "1 turn without a captured request",
        "2 requests answered, 2 turns, 1 main requests captured",
    ]
    assert lost(recording, 3) == ["3 requests answered, 2 turns, 2 main requests captured"]


def test_a_turn_that_is_lost_with_its_request_is_missed_by_the_mock_alone(
    recording: Recording,
) -> None:
    assert recording.turns is not None
    turns = recording.turns.model_copy(update={"turns": recording.turns.turns[:1]})
    shorter = replace(recording, exchanges=recording.exchanges[:1], turns=turns)
    assert lost(shorter) == ["2 requests answered, 1 turns, 1 main requests captured"]


def test_a_main_request_taken_for_another_is_lost(recording: Recording) -> None:
    report = proven(recording)
    first = replace(report.requests[0], kind=ExchangeKind.TITLE)
    other = replace(report, requests=(first, *report.requests[1:]))
    assert list(gaps.lost(other, recording, 2)) == [
        "2 requests answered, 2 turns, 1 main requests captured"
    ]


def test_a_golden_without_a_main_request_or_turns_is_none(recording: Recording) -> None:
    nothing = replace(recording, exchanges=(), turns=None)
    assert lost(nothing, 0) == ["no main request"]
