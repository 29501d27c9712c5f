"""Recordings to be shared: sealed, sealed privately, and what either leaves.

Two strengths (`inspector.seal`): one for people of the same project, with which everything goes on
working, and one for strangers, which keeps sizes and equalities only.
"""

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from inspector import clients, named, redact
from inspector.capture.hosts import HOSTS
from inspector.errors import BadInput
from inspector.jsontext import parse
from inspector.named import Found
from inspector.seal import Span, account_ids, seal
from inspector.seal.private import private
from inspector.session import MODEL_KINDS, PRIVATE, ExchangeKind, FileVersion, Recording
from inspector.text import Known
from inspector.verify import RequestReport, SessionReport

_BUNDLED = "/.codex/skills/.system/"


def shared(found: Found, words: Mapping[str, str]) -> Recording:
    """A recording without client texts, account ids and what nobody can explain.

    Raises `BadInput` where it cannot be rebuilt: then nobody knows which texts are the client's.
    """
    recording = found.recording
    if recording.session.source == PRIVATE:
        raise BadInput(f"{recording.session.id}: sealed with --private already; share it as it is")
    told = recording.with_turns(named.turns(recording))
    plain = named.verified(found, {})
    made = sealed(told, named.verified(found, words), plain, replace_ids=True)
    return made if recording.turns is not None else replace(made, turns=None)


def private_copy(recording: Recording) -> Recording:
    """A recording that tells nothing of what was said, where, and by whom."""
    if recording.session.source == PRIVATE:
        return recording
    protocol = files("inspector").joinpath("data/protocol.txt").read_text(encoding="utf-8")
    key = secrets.token_bytes(32)
    return private(_model_calls(recording), key, protocol.splitlines(), HOSTS)


@dataclass(frozen=True, slots=True)
class Left:
    """What is in something that is to be shared, and stays at one strength of the seal."""

    what: str
    count: int
    names: tuple[str, ...] = ()


def left(made: Recording) -> list[Left]:
    """What a sealed recording still tells."""
    snapshot = made.snapshot
    whole = [
        *(item.request for item in made.exchanges),
        *(item.response for item in made.exchanges),
    ]
    found = [
        Left("secrets", sum(redact.data(data)[1] for data in whole)),
    ]
    if made.session.source != PRIVATE:
        found += [
            Left(
                "requests and answers, word for word but for the client's own texts",
                len(made.exchanges),
            ),
            Left(
                "seals over texts that nobody could explain",
                sum(data.count(_UNKNOWN) for data in whole),
            ),
        ]
    if snapshot is not None:
        place = snapshot.environment
        found += [
            Left(
                "files of the workspace and the home folder",
                len(snapshot.files),
                tuple(sorted(snapshot.files)),
            ),
            Left(
                "MCP listings",
                len(snapshot.listings),
                tuple(item.server for item in snapshot.listings),
            ),
            Left("places", 1, tuple(dict.fromkeys((place.cwd, place.home)))),
        ]
    found += [
        Left("times, sizes, model names, the client and its version, usage", len(made.exchanges))
    ]
    return [item for item in found if item.count]


_UNKNOWN = "⟦unknown:".encode()


def loose(data: bytes) -> list[Left]:
    """What a file of any kind holds that no share should: secrets and account ids."""
    found = redact.spans(data, redact.NOTHING_GIVEN)
    ids = account_ids(data)
    kinds = (
        Left("secrets", len(found)),
        Left("account, device and session ids", len(ids), tuple(ids)),
    )
    return [item for item in kinds if item.count]


def sealed(
    recording: Recording,
    report: SessionReport,
    plain: SessionReport,
    *,
    replace_ids: bool = False,
) -> Recording:
    """The recording without client texts; `plain` was built without their words at hand."""
    bodies = {exchange.id: exchange.request for exchange in recording.exchanges}
    spans = {
        request.exchange: [
            (span.start, span.end, span.known)
            for span in request.comparison.known_spans
            if not _is_seal(bodies.get(request.exchange, b"")[span.start : span.end], span.known)
        ]
        for request in report.requests
    }
    spans |= _repeated(recording, spans)
    explained = [text for request in plain.requests for text in _explained(request)]
    calls = _model_calls(recording)
    facts = [text for request in plain.requests for text in _explained(request, "/client_metadata")]
    whole = seal(calls, spans, explained, replace_ids=replace_ids)
    bare = seal(calls, spans, facts, replace_ids=replace_ids)
    made = {request.exchange for request in report.requests if request.built is not None}
    # Where nobody builds a request, nobody says which short literals of the client stay in it.
    pairs = zip(whole.exchanges, bare.exchanges, strict=True)
    chosen = tuple(one if one.id in made else other for one, other in pairs)
    return _without_bundled(replace(whole, exchanges=chosen))


def _is_seal(data: bytes, name: Known) -> bool:
    """Whether a text was sealed before."""
    return data.strip(b'"') == name.placeholder.encode()


def _repeated(recording: Recording, spans: Mapping[str, Sequence[Span]]) -> dict[str, list[Span]]:
    """Client texts of the built requests where they stand in one nobody builds (a compaction)."""
    bodies = {exchange.id: exchange.request for exchange in recording.exchanges}
    texts = {
        bodies[name][start:end]: known
        for name, found in spans.items()
        for start, end, known in found
    }
    out: dict[str, list[Span]] = {}
    for name, body in bodies.items():
        if not spans.get(name):
            places = [
                (match.start(), match.end(), known)
                for text, known in texts.items()
                for match in re.finditer(re.escape(text), body)
            ]
            out[name] = _apart(places)
    return out


def _apart(places: list[Span]) -> list[Span]:
    """The longest of places that overlap."""
    kept: list[Span] = []
    for place in sorted(places, key=lambda place: place[0] - place[1]):
        if all(place[1] <= other[0] or other[1] <= place[0] for other in kept):
            kept.append(place)
    return kept


def _model_calls(recording: Recording) -> Recording:
    """Without telemetry and other side calls, which say much about the machine and nothing here."""
    kinds = MODEL_KINDS | {ExchangeKind.COUNT_TOKENS}
    kept = (item for item in clients.labelled(recording).exchanges if item.kind in kinds)
    return replace(recording, exchanges=tuple(kept))


def _without_bundled(recording: Recording) -> Recording:
    """The files a client brings along itself are its own prose; builders know them by digest."""
    snapshot = recording.snapshot
    if snapshot is None:
        return recording
    files = {
        path: (FileVersion(versions[0].at, None),) if _BUNDLED in path else versions
        for path, versions in snapshot.files.items()
    }
    return replace(recording, snapshot=replace(snapshot, files=files))


def _explained(request: RequestReport, below: str = "") -> Iterator[str]:
    """The strings below a pointer that the builder made without any client text at hand."""
    if request.built is None:
        return
    for pointer, node in parse(request.built.body).walk():
        if node.kind == "string" and pointer.startswith(below):
            yield node.string
