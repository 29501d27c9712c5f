"""The demo's output: where each file landed, and the proof."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inspector import terminal
from inspector.demo.live import Proof
from inspector.text import Kind, Origin
from inspector.verify import Place, places

_SOURCES = {
    Kind.FILE: "file",
    Kind.LISTING: "MCP server",
    Kind.FACT: "environment",
    Kind.PROMPT: "prompt",
    Kind.REPLY: "model's reply",
    Kind.OUTCOME: "tool result",
}


@dataclass(frozen=True, slots=True)
class Landing:
    """The first place in the requests that a source's text stands at."""

    source: str
    name: str
    request: int
    path: str
    characters: int
    places: int
    """How many places in that request."""


def landings(proof: Proof) -> list[Landing]:
    """Every file and MCP server that reached a request, in the order they did."""
    found: dict[tuple[Kind, str], Landing] = {}
    for request in proof.report.requests:
        if request.built is None:
            continue
        for origin, spots in _by_origin(places(request.built)).items():
            key = (origin.kind, origin.name)
            if origin.kind in (Kind.FILE, Kind.LISTING) and key not in found:
                size = sum(spot.end - spot.start for spot in spots)
                name = origin.name.removeprefix(proof.root)
                source = _SOURCES[origin.kind]
                found[key] = Landing(source, name, request.number, spots[0].path, size, len(spots))
    return list(found.values())


def _by_origin(spots: Iterator[Place]) -> dict[Origin, list[Place]]:
    grouped: dict[Origin, list[Place]] = {}
    for spot in spots:
        grouped.setdefault(spot.origin, []).append(spot)
    return grouped


def show(proofs: Sequence[Proof], notes: Sequence[str]) -> None:
    """Print everything with Rich."""
    out = terminal.console()
    for note in notes:
        out.print(note, style="yellow", markup=False)
    for proof in proofs:
        how = "captured just now" if proof.live else "bundled recording"
        report = proof.report
        out.print(f"\n{report.client} {report.version}, {how}", style="bold", markup=False)
        columns = ("from", "name", "first in request", "at", "characters", "places")
        right, free = (columns[2], *columns[4:]), ("name", "at")
        table = terminal.table(*columns, right=right, free=free)
        for item in landings(proof):
            row = (item.source, item.name, item.request, item.path, item.characters, item.places)
            table.add(*map(str, row))
        table.print(out)
    terminal.verified([proof.report for proof in proofs])
    out.print(_sentence(proofs), style="bold", markup=False)


def _sentence(proofs: Sequence[Proof]) -> str:
    requests = [request for proof in proofs for request in proof.report.requests]
    exact = sum(request.exact for request in requests)
    checked = sum(request.sha256_checked for request in requests)
    counts = [request.comparison.counts for request in requests]
    known, total = sum(one.known for one in counts), sum(one.total for one in counts)
    return (
        f"{exact} of {len(requests)} requests rebuilt byte for byte from the workspace, "
        f"{checked} of them with the captured body's sha256; {known:,} of {total:,} bytes are"
        " client texts known by digest."
    )
