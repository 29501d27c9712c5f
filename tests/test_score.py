from dataclasses import replace
from pathlib import Path

import pytest

from inspector.score import Row, score
from inspector.session import Recording
from inspector.snapshot import SnapshotTree
from inspector.verify import Counts, SessionReport, verify
from tests import made


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    return made.recording(tmp_path)


def rows(*recordings: Recording) -> tuple[Row, ...]:
    return score(verify(recording, {}, SnapshotTree) for recording in recordings)


def test_a_segment_counts_once_however_often_it_is_sent(recording: Recording) -> None:
    (whole,) = rows(recording)
    (first,) = rows(replace(recording, exchanges=recording.exchanges[:1]))
    assert (first.bodies, whole.bodies, whole.exact) == (1, 2, 2)
    assert (whole.segments - first.segments, whole.segments_exact_percent) == (2, 100.0)
    assert whole.bytes.different == whole.bytes.adopted == 0


def test_tools_and_static_system_text_are_left_out(recording: Recording) -> None:
    (row,) = rows(recording)
    assert 0 < row.bytes.total < len(recording.exchanges[-1].request)
    assert row.bytes.known < row.bytes.total / 2


def test_a_changed_segment_counts_against_us_once(recording: Recording) -> None:
    other = recording
    for number in (1, 2):
        other = made.changed(other, number, b"CANARY", b"CAN4RY")
    (row,) = rows(other)
    assert (row.exact, row.segments - row.segments_exact) == (0, 1)
    assert row.segments_exact_percent < 100
    assert row.bytes.different > 0


def test_what_was_not_built_is_adopted_in_every_segment(recording: Recording) -> None:
    (row,) = rows(replace(recording, snapshot=None))
    assert (row.exact, row.segments_exact) == (0, 0)
    assert row.bytes == Counts(adopted=row.bytes.total)


def test_rows_are_by_client_version_and_route(recording: Recording) -> None:
    tls = replace(recording, session=replace(recording.session, route="tls"))
    found = rows(tls, recording, recording)
    assert [(row.route, row.bodies) for row in found] == [("base-url", 4), ("tls", 2)]


def test_a_request_with_input_that_stands_apart_is_not_an_exact_body(recording: Recording) -> None:
    report = verify(recording, {}, SnapshotTree)
    first = report.requests[0]
    counts = replace(first.comparison.counts, file_not_kept=1)
    apart = replace(first, comparison=replace(first.comparison, counts=counts))
    assert (apart.exact, apart.counts_as_exact) == (True, False)
    (row,) = score([_with(report, apart)])
    assert (row.bodies, row.exact) == (2, 1)


def _with(report: SessionReport, first: object) -> SessionReport:
    return replace(report, requests=(first, *report.requests[1:]))  # type: ignore[arg-type]
