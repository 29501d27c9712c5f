"""Tables for people, with Rich; colour only where the terminal and `NO_COLOR` allow it."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from inspector import views
from inspector.errors import counted
from inspector.score import Row
from inspector.session import Exchange, Recording
from inspector.terminal.rows import Rows, printable
from inspector.text import ByteClass
from inspector.verify import Counts, RequestReport, SessionReport

if TYPE_CHECKING:
    from rich.console import Console

_COLOURS: Mapping[str, str] = {
    ByteClass.REBUILT: "green",
    ByteClass.INPUT: "cyan",
    ByteClass.KNOWN: "blue",
    ByteClass.MASKED: "magenta",
    ByteClass.ADOPTED: "yellow",
    ByteClass.DIFFERENT: "red",
}
WIDE = 160
SHOWN = 12
"""Differences listed per request before the rest is only counted."""


def console(*, stderr: bool = False) -> "Console":
    """A console on standard output; pipes get plain text, `COLUMNS` or `WIDE` wide."""
    from rich.console import Console
    from rich.text import Text

    class Harmless(Console):
        """What is in a user's files moves no cursor."""

        def render_str(self, text: str, **how: Any) -> Text:  # noqa: ANN401 - Rich's own options
            return super().render_str(printable(text), **how)

    made = Harmless(stderr=stderr, highlight=False, soft_wrap=False)
    if not made.is_terminal:
        width = os.environ.get("COLUMNS", "")
        wide = int(width) if width.isdecimal() and int(width) else WIDE
        made = Harmless(stderr=stderr, highlight=False, width=wide)
    return made


def table(*columns: str, right: Iterable[str] = (), free: Iterable[str] = ()) -> Rows:
    """An empty table; the columns named in `right` hold numbers, those in `free` long text."""
    return Rows(columns, tuple(right), tuple(free), dict(_COLOURS))


def sessions(recordings: Sequence[Recording]) -> None:
    """The table of `ls`."""
    columns = ("id", "client", "version", "route", "exchanges", "model calls", "started")
    made = table(*columns, "continues", right=columns[4:6])
    for recording in recordings:
        row = views.session_row(recording.session, recording.exchanges)
        made.add(*(_plain(value) for value in row.values()))
    made.print(console())


def exchanges(recording: Recording) -> None:
    """The table of `show`."""
    names = ("#", "id", "kind", "status", "request", "model", "url", "note")
    made = table(*names, right=("#", "status", "request"), free=("url", "note"))
    for exchange in recording.exchanges:
        row = views.exchange_row(exchange)
        made.add(
            str(exchange.number),
            exchange.id,
            exchange.kind.value,
            _plain(exchange.status),
            f"{len(exchange.request):,}",
            _plain(row["model"]),
            exchange.url,
            _note(exchange, row),
        )
    made.print(console())


def _note(exchange: Exchange, row: views.Document) -> str:
    replaced = f"{counted(exchange.replaced, 'secret')} replaced" if exchange.replaced else ""
    request = f"request: {row['request_problem']}" if row["request_problem"] else ""
    response = f"response: {row['response_problem']}" if row["response_problem"] else ""
    return "; ".join(part for part in (exchange.error, request, response, replaced) if part)


def verified(reports: Sequence[SessionReport]) -> None:
    """The proof: a line a request, sums, then the first differences."""
    out = console()
    classes = [item.value for item in ByteClass]
    for report in reports:
        out.print(_heading(report), style="bold", markup=False)
        made = table("#", "kind", "exact", "sha256", "bytes", *classes, right=("bytes", *classes))
        for request in report.requests:
            counts = request.comparison.counts
            made.add(
                str(request.number),
                request.kind.value,
                "yes" if request.exact else "no",
                "checked" if request.sha256_checked else "-",
                f"{counts.total:,}",
                *_numbers(counts),
            )
        made.section()
        exact = sum(request.exact for request in report.requests)
        share = f"{exact}/{len(report.requests)}"
        made.add("", "all", share, "", f"{report.counts.total:,}", *_numbers(report.counts))
        made.print(out)
        for reason, numbers in (_reasons(report) | _headers(report)).items():
            out.print(f"{_range(numbers)}: {reason}", style="dim", markup=False)
        for request in report.requests:
            _differences(out, request)


def _heading(report: SessionReport) -> str:
    stands_in = f" (NOT KNOWN: profile of {report.profile})" if report.profile else " (not rebuilt)"
    profile = "" if report.profile_exact else stands_in
    return f"{report.session}  {report.client} {report.version}{profile}  route {report.route}"


def _reasons(report: SessionReport) -> dict[str, list[str]]:
    """Why digests were not checked, each with the requests it holds for."""
    found: dict[str, list[str]] = {}
    for request in report.requests:
        if request.reason and not request.sha256_checked:
            found.setdefault(request.reason, []).append(f"#{request.number}")
    return found


def _range(numbers: list[str]) -> str:
    if len(numbers) <= 3:
        return ", ".join(numbers)
    return f"{counted(len(numbers), 'request')} from {numbers[0]} to {numbers[-1]}"


def _numbers(counts: Counts) -> list[str]:
    values = views.counts(counts)
    return [f"{values[item.value]:,}" if values[item.value] else "." for item in ByteClass]


def _differences(out: "Console", request: RequestReport) -> None:
    if request.built is None:
        return  # the reason says it
    found = request.comparison.differences
    for item in found[:SHOWN]:
        source = views.origin(item.origin) or "structure"
        out.print(
            f"#{request.number} {item.verdict} {item.path or '/'} [{source}] at {item.at}\n"
            f"    built    {item.built!r}\n    captured {item.captured!r}",
            markup=False,
        )
    if len(found) > SHOWN:
        out.print(f"#{request.number}: {len(found) - SHOWN} more; --json lists all", markup=False)


def _headers(report: SessionReport) -> dict[str, list[str]]:
    """Headers that are not as the client sends them, each case with the requests it holds for."""
    found: dict[str, list[str]] = {}
    for request in report.requests:
        headers = request.headers
        for case, names in (
            ("different", headers.different),
            ("in another order", headers.reordered),
        ):
            if names:
                line = f"headers {case}: {', '.join(dict.fromkeys(names))}"
                found.setdefault(line, []).append(f"#{request.number}")
    return found


def scored(rows: Sequence[Row]) -> None:
    """The scoreboard."""
    classes = [item.value for item in ByteClass]
    names = ("client", "version", "route", "exact bodies", "sha256", "segments", "exact %")
    made = table(*names, *classes, right=(*names[3:], *classes))
    for row in rows:
        made.add(
            row.client,
            row.version,
            row.route,
            f"{row.exact}/{row.bodies}",
            str(row.sha256_checked),
            f"{row.segments_exact}/{row.segments}",
            f"{row.segments_exact_percent:.1f}",
            *_numbers(row.bytes),
        )
    made.print(console())


def _plain(value: object) -> str:
    return "-" if value is None else str(value)
