"""Every recording in `captures/` against the builders: gaps as data, the mutation law, the ratchet."""

import json
import os
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from inspector import words
from inspector.installed import PACKAGES
from inspector.jsontext import parse, quote
from inspector.named import Found, find, recordings, verified
from inspector.session import Exchange, Recording
from inspector.verify import SessionReport
from tests.golden import gaps, header_law, input_law, listing_law, mutation, ratchet, workspace_law

ROOT = Path(__file__).resolve().parents[2]
CAPTURES = ROOT / "captures"
CI = os.environ.get("INSPECTOR_REQUIRE_CLIENTS") == "1"
GOLDENS = sorted(recordings(CAPTURES))
NAMES = [str(path.relative_to(CAPTURES)) for path in GOLDENS]

SAMPLED = {"every_row", "every_row_tls", "mcp_basic_tls"}
"""Scenarios of other versions that CI records; it has not all words of the others."""

each_golden = pytest.mark.parametrize("path", GOLDENS, ids=NAMES)


@cache
def golden(path: Path) -> tuple[Found, SessionReport]:
    """A golden, verified once for all tests; with the clients' words where they were harvested."""
    found = find(str(path), Path("unused"))
    return found, verified(found, words.load())


def built(report: SessionReport) -> list[Any]:
    """The requests that builders make: of the conversation, and counts of tokens."""
    return [request for request in report.requests if request.kind in mutation.BUILT]


def test_there_are_goldens_of_both_clients() -> None:
    clients = [name.split("/")[0] for name in NAMES]
    assert (clients.count("claude-code") >= 10, clients.count("codex") >= 8) == (True, True)


@each_golden
def test_a_golden_differs_from_the_build_in_its_gaps_alone(path: Path) -> None:
    _, report = golden(path)
    found = [gap for request in built(report) for gap in gaps.of(request)]
    assert list(gaps.unnamed(found, gaps.read(path / "gaps.yaml"))) == []


@each_golden
def test_a_golden_lost_no_request(path: Path) -> None:
    found, report = golden(path)
    turns = found.recording.turns
    assert turns is not None
    assert list(gaps.lost(report, found.recording, len(turns.turns))) == []


@each_golden
def test_a_golden_takes_its_turns_from_outside_its_capture(path: Path) -> None:
    found, report = golden(path)
    other = Found(elsewhere(found.recording), tuple(map(elsewhere, found.earlier)))
    rebuilt = built(verified(other, words.load()))
    # A request that nobody builds (a compaction) is told by its bytes; with others it counts as one
    # of the conversation, for which there is no turn.
    others = [item for item in report.requests if item not in built(report)]
    builds = [request.built for request in rebuilt]
    assert builds == [*(request.built for request in built(report)), *[None] * len(others)]
    assert not any(request.exact for request in rebuilt)
    same = {request.captured for request in rebuilt} & {item.captured for item in built(report)}
    assert same == set()


@each_golden
def test_only_what_the_outside_world_said_is_input(path: Path) -> None:
    found, report = golden(path)
    assert list(input_law.complaints(found, built(report))) == []


@each_golden
def test_every_claimed_header_is_held_to_the_wire(path: Path) -> None:
    found, report = golden(path)
    exchanges = {exchange.id: exchange for exchange in found.recording.exchanges}
    unnoticed = [
        line
        for request in built(report)
        for line in header_law.unnoticed(request, exchanges[request.exchange])
    ]
    assert unnoticed == []


def test_the_headers_are_the_ones_on_record() -> None:
    found = header_law.rows(golden(path)[1] for path in GOLDENS)
    assert found == json.loads(header_law.PATH.read_text(encoding="utf-8"))
    assert [(row["different"], row["reordered"]) for row in found] == [([], [])] * len(found)


@each_golden
def test_an_exact_request_is_exact_by_its_digest_where_the_words_are_at_hand(path: Path) -> None:
    _, report = golden(path)
    usual = any(name.endswith(f"@{report.version}") for name in PACKAGES.values())
    harvested = usual or path.parent.name in SAMPLED
    complete = CI and os.environ.get("INSPECTOR_TEST_DATA") and harvested
    unchecked = [item for item in built(report) if item.exact and not item.sha256_checked]
    lacking = re.compile(r"the words of \d+ client texts? are not at hand \(.*\)")
    assert [item for item in unchecked if complete or not lacking.fullmatch(item.reason)] == []


@each_golden
def test_every_change_in_a_capture_is_noticed_where_it_is(path: Path) -> None:
    _, report = golden(path)
    tally = mutation.Tally()
    for request in built(report):
        if request.built is not None:
            mutation.hold(request, tally)
    left_out = f"{tally.masked} masked, {tally.adopted} adopted, {tally.different} different"
    print(f"{tally.percent:.2f} % of {tally.tried} mutations noticed; left out: {left_out}")
    assert tally.missed == []


@each_golden
def test_a_change_in_the_workspace_changes_the_build_there_and_only_there(path: Path) -> None:
    found, _ = golden(path)
    tally = mutation.Tally()
    # Without words: a client's text is not built from the workspace, and placeholders are short.
    requests = built(verified(found, {}))
    workspace_law.hold(found, requests, tally)
    listing_law.hold(found, requests, tally)
    print(f"{tally.percent:.2f} % of {tally.tried} files and descriptions as their origins say")
    assert tally.missed == []


def test_the_score_is_the_one_on_record() -> None:
    found = ratchet.rows(golden(path)[1] for path in GOLDENS)
    assert found == json.loads(ratchet.PATH.read_text(encoding="utf-8"))


def elsewhere(recording: Recording) -> Recording:
    """The same session with other bytes on the wire: every string, every answer, every header."""
    return replace(recording, exchanges=tuple(map(_other, recording.exchanges)))


def _other(exchange: Exchange) -> Exchange:
    body = exchange.request
    for _, node in sorted(parse(body).walk(), key=lambda item: -item[1].start):
        if node.kind == "string":
            body = body[: node.start] + quote(f"{node.string}?").encode() + body[node.end :]
    headers = tuple((name, f"{value}?") for name, value in exchange.request_headers)
    return replace(
        exchange,
        request=body,
        request_wire=body,
        request_headers=headers,
        response=b"",
        response_headers=(),
        started="",
    )
