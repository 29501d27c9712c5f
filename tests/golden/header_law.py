"""The headers of the goldens: which are claimed, and that each claim is held to the wire.

`headers.json` lists, by client and route, the names that were equal, masked or unclaimed.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from inspector.session import Exchange, ExchangeKind, Headers
from inspector.text import Kind
from inspector.verify import RequestReport, SessionReport
from inspector.verify.headers import judge

PATH = Path(__file__).with_name("headers.json")
_LISTS = ("equal", "masked", "different", "unclaimed", "reordered")


def rows(reports: Iterable[SessionReport]) -> list[dict[str, Any]]:
    """The names in each list, over all main requests of a client, version and route."""
    found: dict[tuple[str, str, str], dict[str, set[str]]] = {}
    for report in reports:
        key = report.client, report.version, report.route
        lists = found.setdefault(key, {name: set() for name in _LISTS})
        for request in report.requests:
            if request.kind is ExchangeKind.MAIN:
                for name in _LISTS:
                    lists[name].update(getattr(request.headers, name))
    return [
        {
            **dict(zip(("client", "version", "route"), key, strict=True)),
            **{name: sorted(names) for name, names in lists.items()},
        }
        for key, lists in sorted(found.items())
    ]


def merged(parts: Iterable[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The rows of several, as `rows` makes them of all at once."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in chain.from_iterable(parts):
        key = row["client"], row["version"], row["route"]
        known = found.setdefault(key, row)
        found[key] = {**row, **{name: sorted({*known[name], *row[name]}) for name in _LISTS}}
    return [found[key] for key in sorted(found)]


def write(reports: Iterable[SessionReport]) -> None:
    """Put the present lists on record."""
    PATH.write_text(json.dumps(rows(reports), indent=1) + "\n", encoding="utf-8")


def unnoticed(request: RequestReport, exchange: Exchange) -> Iterator[str]:
    """Changes of claimed headers that the judge takes for none."""
    assert request.built is not None
    headers = exchange.request_headers
    free = {name for name, value in request.built.headers if _adopted(value.pieces)}
    claimed = [at for at, (name, _) in enumerate(headers) if _claimed(request, name)]
    for at in claimed:
        name, value = headers[at]
        twice = (*headers[:at], headers[at], *headers[at:])
        changes = {"left out": (*headers[:at], *headers[at + 1 :]), "sent twice": twice}
        if name not in free:
            other = f"!{value[1:]}"
            changes["changed"] = (*headers[:at], (name, other), *headers[at + 1 :])
        for how, changed in changes.items():
            if name not in _judged(request, changed).different:
                yield f"#{request.number} {name}: {how}"
    for low, high in pairwise(claimed):
        swapped = list(headers)
        swapped[low], swapped[high] = headers[high], headers[low]
        if not _judged(request, tuple(swapped)).reordered:
            yield f"#{request.number} {headers[low][0]} and {headers[high][0]}: swapped"


def _judged(request: RequestReport, headers: Headers) -> Any:
    assert request.built is not None
    return judge(request.built.headers, headers, request.comparison.masks)[0]


def _claimed(request: RequestReport, name: str) -> bool:
    return name in (*request.headers.equal, *request.headers.masked)


def _adopted(pieces: Iterable[Any]) -> bool:
    return any(piece.origin.kind is Kind.ADOPTED for piece in pieces)
