"""Each golden held to every law, in processes side by side: the laws are arithmetic and take most of a test run.

A golden's laws are judged in one place, so that it is verified once; the tests ask for what was found.
"""

import multiprocessing
import os
import re
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inspector import score, words
from inspector.installed import PACKAGES
from inspector.jsontext import parse, quote
from inspector.named import Found, find, verified
from inspector.session import Exchange, Recording
from inspector.verify import RequestReport, SessionReport
from tests.golden import (
    gaps,
    header_law,
    input_law,
    listing_law,
    mutation,
    origin_law,
    workspace_law,
)

SAMPLED = {"every_row", "every_row_tls", "mcp_basic_tls"}
"""Scenarios of other versions that CI records; it has not all words of the others."""

_LACKING = re.compile(r"the words of \d+ client texts? are not at hand \(.*\)")
_CI = os.environ.get("INSPECTOR_REQUIRE_CLIENTS") == "1"


@dataclass(frozen=True, slots=True)
class Judged:
    """What the laws found in one golden; every list of complaints is empty where it holds."""

    gaps: list[str]
    lost: list[str]
    own_turns: list[str]
    inputs: list[str]
    headers: list[str]
    digests: list[str]
    mutations: list[str]
    workspace: list[str]
    origins: list[str]
    score: tuple[score.Row, ...]
    header_rows: list[dict[str, Any]]


class Bench:
    """Judges goldens in processes of their own, in the order they were asked for."""

    def __init__(self, paths: list[Path], data: str) -> None:
        """Begin; `data` is the folder that has the clients' words, where they were harvested."""
        # Not forked: the tests' own process may have threads by now.
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(os.cpu_count(), context, _begin, (data,))
        self._found: dict[Path, Future[Judged]] = {
            path: self._pool.submit(judge, path) for path in dict.fromkeys(paths)
        }

    def of(self, path: Path) -> Judged:
        """What was found in a golden; waits for it."""
        return self._found[path].result()

    def close(self) -> None:
        """Let go of what nobody asked for."""
        self._pool.shutdown(cancel_futures=True)


def _begin(data: str) -> None:
    os.environ["INSPECTOR_DATA"] = data


def judge(path: Path) -> Judged:
    """Hold one golden to all laws."""
    found = find(str(path), Path("unused"))
    report = verified(found, words.load())
    # Without words: a golden holds placeholders, and so does then what is built beside it.
    sealed = built(verified(found, {}))
    return Judged(
        gaps=_gaps(path, report),
        lost=_lost(found, report),
        own_turns=list(_own_turns(found, report)),
        inputs=list(input_law.complaints(found, built(report))),
        headers=_headers(found, report),
        digests=_digests(path, report),
        mutations=_mutations(sealed),
        workspace=_workspace(found, sealed),
        origins=list(origin_law.complaints(item.built for item in built(report) if item.built)),
        score=score.score([report]),
        header_rows=header_law.rows([report]),
    )


def built(report: SessionReport) -> list[RequestReport]:
    """The requests that are held to the laws."""
    return [request for request in report.requests if mutation.built(request)]


def _gaps(path: Path, report: SessionReport) -> list[str]:
    found = [gap for request in built(report) for gap in gaps.of(request)]
    return [str(line) for line in gaps.unnamed(found, gaps.read(path / "gaps.yaml"))]


def _lost(found: Found, report: SessionReport) -> list[str]:
    turns = found.recording.turns
    if turns is None:
        return ["no turns"]
    return list(gaps.lost(report, found.recording, len(turns.turns)))


def _own_turns(found: Found, report: SessionReport) -> Iterator[str]:
    """The build is the same whatever the capture holds, and a capture of other bytes is not exact."""
    other = Found(elsewhere(found.recording), tuple(map(elsewhere, found.earlier)))
    rebuilt = built(verified(other, words.load()))
    # A request that nobody builds (a compaction) is told by its bytes; with others it may count as
    # one of the conversation, for which there is no turn. A title of Codex is still told as one.
    counted = {item.exchange for item in rebuilt}
    others = [
        item for item in report.requests if item not in built(report) and item.exchange in counted
    ]
    expected = [*(request.built for request in built(report)), *[None] * len(others)]
    if [request.built for request in rebuilt] != expected:
        yield "the build changes with the capture"
    if any(request.exact for request in rebuilt):
        yield "exact against a capture that says something else"
    if {request.captured for request in rebuilt} & {item.captured for item in built(report)}:
        yield "a body was not changed at all"


def _headers(found: Found, report: SessionReport) -> list[str]:
    exchanges = {exchange.id: exchange for exchange in found.recording.exchanges}
    return [
        line
        for request in built(report)
        for line in header_law.unnoticed(request, exchanges[request.exchange])
    ]


def _digests(path: Path, report: SessionReport) -> list[str]:
    """Exact requests whose digest nobody checked, for another reason than words that are not at hand."""
    usual = any(name.endswith(f"@{report.version}") for name in PACKAGES.values())
    harvested = usual or path.parent.name in SAMPLED
    complete = _CI and os.environ.get("INSPECTOR_TEST_DATA") and harvested
    return [
        f"#{item.number}: {item.reason}"
        for item in built(report)
        if item.exact and not item.sha256_checked
        if complete or not _LACKING.fullmatch(item.reason)
    ]


def _mutations(requests: list[RequestReport]) -> list[str]:
    tally = mutation.Tally()
    for request in requests:
        if request.built is not None:
            mutation.hold(request, tally)
    return list(tally.missed)


def _workspace(found: Found, requests: list[RequestReport]) -> list[str]:
    tally = mutation.Tally()
    workspace_law.hold(found, requests, tally)
    listing_law.hold(found, requests, tally)
    return list(tally.missed)


_TELLING = {"/type": "", "/client_metadata/x-codex-turn-metadata": " "}
"""What is added to the strings that tell what a request of Codex is for, so that they still do."""


def elsewhere(recording: Recording) -> Recording:
    """The same session with other bytes on the wire: every string, every answer, every header."""
    return replace(recording, exchanges=tuple(map(_other, recording.exchanges)))


def _other(exchange: Exchange) -> Exchange:
    body = exchange.request
    for path, node in sorted(parse(body).walk(), key=lambda item: -item[1].start):
        if node.kind == "string":
            added = _TELLING.get(path, "?")
            body = body[: node.start] + quote(f"{node.string}{added}").encode() + body[node.end :]
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
