import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspector.score import Row, score
from inspector.session import ExchangeKind, Recording
from inspector.snapshot import SnapshotTree
from inspector.text import Value, encode
from inspector.verify import Counts, HeaderReport, RequestReport, SessionReport, compare, verify
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


MESSAGES: Value = [
    {"role": "user", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]},
    {"role": "assistant", "content": [{"type": "text", "text": "three"}]},
]


def tally(built: Value, *captured: Value) -> tuple[int, int]:
    """Segments and exact segments of a session that sent these messages; `built` each time."""
    (row,) = score([session(*((built, messages) for messages in captured))])
    return row.segments, row.segments_exact


def session(*requests: tuple[Value, Value]) -> SessionReport:
    """A session of requests, each the messages built and those captured."""
    reports: list[RequestReport] = []
    for number, messages in enumerate(requests):
        made, sent = (encode({"model": "m", "messages": item}) for item in messages)
        comparison = compare(made, sent.body)
        reports.append(
            RequestReport(
                f"x{number}",
                number,
                ExchangeKind.MAIN,
                comparison.equal,
                False,
                "",
                comparison,
                HeaderReport(),
                sent.body,
                made,
            )
        )
    return SessionReport("s", "claude-code", "1", "tls", "1", True, tuple(reports))


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("/0/content/0/extra", 1, (3, 2)),
        ("/0/content/0/cache_control", {"type": "ephemeral"}, (3, 2)),
        ("/0/content/2", {"type": "text", "text": "more"}, (4, 3)),
        ("/2", {"role": "user", "content": [{"type": "text", "text": "more"}]}, (4, 3)),
        ("/0/extra", 1, (3, 1)),
        ("/1/role", "user", (3, 2)),
        ("/1/content/0/text", "other", (3, 2)),
    ],
)
def test_what_was_built_and_not_sent_counts_against_us(
    path: str, value: Value, expected: tuple[int, int]
) -> None:
    assert tally(MESSAGES, MESSAGES) == (3, 3)
    built: Any = json.loads(encode(MESSAGES).body)
    here: Any = built
    *steps, last = path[1:].split("/")
    for step in steps:
        here = here[int(step) if step.isdigit() else step]
    if last.isdigit():
        here.insert(int(last), value)
    else:
        here[last] = value
    assert tally(built, MESSAGES) == expected


def test_members_in_another_order_are_not_exact() -> None:
    turned: Value = [{"content": [{"type": "text", "text": "one"}], "role": "user"}]
    right: Value = [{"role": "user", "content": [{"type": "text", "text": "one"}]}]
    inside: Value = [{"role": "user", "content": [{"text": "one", "type": "text"}]}]
    assert (tally(turned, right), tally(inside, right)) == ((1, 0), (1, 0))


def test_a_segment_must_be_exact_each_time_it_is_sent() -> None:
    more: Value = [
        {"role": "user", "content": [{"type": "text", "text": "one", "cache_control": {"a": 1}}]}
    ]
    plain: Value = [{"role": "user", "content": [{"type": "text", "text": "one"}]}]
    assert tally(plain, plain, more) == (1, 0)


def test_the_first_time_a_segment_is_sent_is_the_one_that_counts() -> None:
    block: dict[str, Value] = {"type": "text", "text": "one"}
    plain: Value = [{"role": "user", "content": [block]}]
    marked: Value = [{"role": "user", "content": [{**block, "cache_control": {"type": "x"}}]}]
    (row,) = score([session((plain, plain), (marked, marked))])
    assert (row.segments, row.segments_exact) == (1, 1)
    assert row.bytes == Counts(rebuilt=len(encode(block).body))
