"""Sealing recordings: long client texts and unexplained text go, their digests stay.

Rule: a seal is put only where the digest of what stands there is the named one, so that a seal can
never hide workspace text. An *unknown* seal equals nothing: it keeps prose out of a repository and
marks that nobody could say where it came from.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from inspector import record
from inspector.jsontext import quote, unquote
from inspector.session import Exchange, Recording
from inspector.text import Known
from inspector.turns import Turns

LONGEST = 300
"""Code points of unexplained text that may stay."""
_WINDOW = 24
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_UNIT = re.compile(r"\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL)
_SEAL = re.compile("⟦(?:sha256|unknown):[0-9a-f]{64} [0-9]+⟧")
_ID_NAMES = (
    "device_id|account_uuid|account_id|organization_uuid|organization_id|user_id|session_id"
    "|installation_id"
)
_SHAPE = "[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|[0-9a-fA-F]{32,64}"
_ID = re.compile(rf'(?:{_ID_NAMES})\\*"\s*:\s*\\*"({_SHAPE})(?=\\*")'.encode())
_ID_HEADER = re.compile(
    "(?:account|device|session|organization|installation|conversation|thread)[-_]id$", re.IGNORECASE
)
_ID_VALUE = re.compile(_SHAPE)

type Span = tuple[int, int, Known]
"""Byte offsets into a body, and the client text that stands between them."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Text nobody can explain, by digest and length."""

    sha256: str
    chars: int

    @property
    def placeholder(self) -> str:
        """What stands for it."""
        return f"⟦unknown:{self.sha256} {self.chars}⟧"


def seal(
    recording: Recording,
    spans: Mapping[str, Sequence[Span]],
    explained: Iterable[str] = (),
    *,
    replace_ids: bool = False,
) -> Recording:
    """Seal every request: `spans` names the client texts by exchange id.

    `explained` are the texts that may stay besides the snapshot's files and listings and the turns:
    short literals, say. `request_sha256` stays that of the body as sent; with `replace_ids`
    (account, device, session) it becomes that of the body with other ids, which can be checked.
    """
    if replace_ids:
        recording = without_ids(recording)
    known = Explained([*explained, *_kept_texts(recording)])
    exchanges = tuple(
        _sealed(exchange, spans.get(exchange.id, ()), known) for exchange in recording.exchanges
    )
    return replace(recording, exchanges=exchanges)


def seal_body(captured: bytes, spans: Sequence[tuple[int, int, Known | Unknown]]) -> bytes:
    """A body with placeholders over the spans: as text in a string, as a string over a value.

    Raises `ValueError` where the bytes have another digest than their name, or spans overlap.
    """
    strings = _strings(captured)
    out, done = list[bytes](), 0
    for start, end, name in sorted(spans, key=lambda span: span[:2]):
        if start < done:
            raise ValueError(f"spans overlap at byte {start}")
        inside = _inside(strings, start, end)
        _check(captured[start:end], name, inside=inside)
        out += (
            captured[done:start],
            name.placeholder.encode() if inside else quote(name.placeholder).encode(),
        )
        done = end
    return b"".join((*out, captured[done:]))


class Explained:
    """Texts whose origin is known, ready to be recognised piece by piece."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Index every window of the texts."""
        self.found: dict[bytes, list[tuple[int, int, Unknown]]] = {}
        """By what stands in a body: the runs that nobody can explain, looked for once."""
        self._windows: set[str] = set()
        for text in texts:
            for at in range(max(len(text) - _WINDOW, 0) + 1):
                self._windows.add(text[at : at + _WINDOW])

    def unknown(self, string: str) -> list[tuple[int, int]]:
        """The runs of more than `LONGEST` code points that no text explains."""
        covered = 0
        out: list[tuple[int, int]] = []
        for at in range(len(string) + 1):
            if at < len(string) and string[at : at + _WINDOW] not in self._windows:
                continue
            if at - covered > LONGEST:
                out.append((covered, at))
            covered = max(covered, min(at + _WINDOW, len(string)))
        return out


def unknown_spans(
    body: bytes, spans: Sequence[Span], explained: Explained
) -> list[tuple[int, int, Unknown]]:
    """The unexplained runs of a JSON body's strings outside the known spans."""
    out: list[tuple[int, int, Unknown]] = []
    for start, end in _strings(body):
        inside = [span for span in spans if span[0] < end and start < span[1]]
        for low, high in _gaps(start + 1, end - 1, inside):
            out.extend(_unknown_between(body, low, high, explained))
    return out


def _unknown_between(
    body: bytes, low: int, high: int, explained: Explained
) -> list[tuple[int, int, Unknown]]:
    if high - low <= LONGEST:
        return []
    raw = body[low:high]
    if raw not in explained.found:  # each request of a session has the strings of those before it
        explained.found[raw] = _unknown_of(raw, explained)
    return [(low + start, low + end, name) for start, end, name in explained.found[raw]]


def _unknown_of(body: bytes, explained: Explained) -> list[tuple[int, int, Unknown]]:
    low, high = 0, len(body)
    units = [match[0] for match in _UNIT.finditer(body[low:high].decode("utf-8", "surrogatepass"))]
    offsets = [low]
    for unit in units:
        offsets.append(offsets[-1] + len(unit.encode("utf-8", "surrogatepass")))
    string = "".join(unit if len(unit) == 1 else unquote(f'"{unit}"') for unit in units)
    plain = _SEAL.sub(lambda match: "\0" * len(match[0]), string)
    return [
        (offsets[start], offsets[end], Unknown(_digest(string[start:end]), end - start))
        for start, end in explained.unknown(plain)
        if "\0" not in plain[start:end]
    ]


def without_ids(recording: Recording) -> Recording:
    """The same recording with account, device and session ids replaced by others of the same shape.

    An id keeps its stand-in throughout, so what recurred recurs.
    """
    found = {old for exchange in recording.exchanges for old in _ids(exchange)}
    stand_ins = {old: _same_shape(old) for old in found}
    if not stand_ins:
        return recording
    pattern = re.compile("|".join(map(re.escape, sorted(stand_ins, key=len, reverse=True))))

    def text(string: str) -> str:
        return pattern.sub(lambda match: stand_ins[match[0]], string)

    exchanges = tuple(_with_ids(exchange, text) for exchange in recording.exchanges)
    session, snapshot, turns = recording.session, recording.snapshot, recording.turns
    conversation = None if session.conversation is None else text(session.conversation)
    if snapshot is not None:
        written = record.dump(record.snapshot_data(snapshot)).decode()
        snapshot = record.snapshot_from(json.loads(text(written)))
    if turns is not None:
        turns = Turns.model_validate_json(text(turns.model_dump_json()))
    return replace(
        recording,
        exchanges=exchanges,
        session=replace(session, conversation=conversation),
        snapshot=snapshot,
        turns=turns,
    )


def account_ids(data: bytes) -> list[str]:
    """The account, device and session ids that stand in JSON, each once."""
    return list(dict.fromkeys(match[1].decode() for match in _ID.finditer(data)))


def _ids(exchange: Exchange) -> Iterator[str]:
    yield from account_ids(exchange.request)
    for name, value in (*exchange.request_headers, *exchange.response_headers):
        if _ID_HEADER.search(name) and _ID_VALUE.fullmatch(value):
            yield value


def _with_ids(exchange: Exchange, text: Callable[[str], str]) -> Exchange:
    def data(old: bytes) -> bytes:
        return text(old.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    request = data(exchange.request)
    wire = data(exchange.request_wire)
    if request != exchange.request and wire == exchange.request_wire:
        wire = request  # sent compressed: those bytes would give the ids back
    changed = request != exchange.request and exchange.intact
    return replace(
        exchange,
        url=text(exchange.url),
        request_headers=tuple((name, text(value)) for name, value in exchange.request_headers),
        response_headers=tuple((name, text(value)) for name, value in exchange.response_headers),
        request=request,
        request_wire=wire,
        response=data(exchange.response),
        request_sha256=_digest_of(request) if changed else exchange.request_sha256,
    )


def _digest_of(body: bytes) -> str:
    """The digest of a body with other ids; unknown where it holds seals."""
    sealed = _SEAL.search(body.decode("utf-8", "replace"))
    return "" if sealed else sha256(body).hexdigest()


def _same_shape(old: str) -> str:
    """A stand-in with a hex digit for each hex digit; a UUID keeps its version and variant."""
    fresh = iter(sha256(b"inspector seal " + old.encode()).hexdigest() * 2)
    version, variant = (14, 19) if "-" in old else (-1, -1)
    return "".join(
        char if char == "-" or place in {version, variant} else next(fresh)
        for place, char in enumerate(old)
    )


def _sealed(exchange: Exchange, spans: Sequence[Span], explained: Explained) -> Exchange:
    unknown = unknown_spans(exchange.request, spans, explained)
    request = seal_body(exchange.request, [*spans, *unknown])
    return (
        exchange
        if request == exchange.request
        else replace(exchange, request=request, request_wire=request)
    )


def _kept_texts(recording: Recording) -> Iterator[str]:
    if recording.snapshot is None:
        return
    for versions in recording.snapshot.files.values():
        yield from (version.data.decode("utf-8", "replace") for version in versions if version.data)
    for listing in recording.snapshot.listings:
        for raw in (
            listing.initialize,
            listing.tools,
            listing.prompts,
            listing.resources,
            listing.templates,
        ):
            if raw is not None:
                yield from _json_strings(raw)
    if recording.turns is not None:
        yield from _json_strings(recording.turns.model_dump_json())


def _json_strings(raw: str) -> Iterator[str]:
    for start, end in _strings(data := raw.encode("utf-8", "surrogatepass")):
        text = unquote(data[start:end].decode("utf-8", "surrogatepass"))
        yield text
        if text[:1] in {"{", "["}:  # raw JSON kept as a string: results, schemas
            yield from _json_strings(text)


def _strings(body: bytes) -> list[tuple[int, int]]:
    return [match.span() for match in _STRING.finditer(body)]


def _inside(strings: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a span lies between the quotes of one string."""
    place = bisect_right(strings, (start, 0)) - 1
    return place >= 0 and strings[place][0] < start and end < strings[place][1]


def _gaps(start: int, end: int, spans: Sequence[Span]) -> Iterator[tuple[int, int]]:
    done = start
    for low, high, _ in sorted(spans, key=lambda span: span[:2]):
        if done < low:
            yield done, low
        done = max(done, high)
    if done < end:
        yield done, end


def _check(raw: bytes, name: Known | Unknown, *, inside: bool) -> None:
    try:
        text = raw.decode("utf-8", "surrogatepass")
        text = unquote(f'"{text}"') if inside else text
    except ValueError:
        text = ""
    if (_digest(text), len(text)) != (name.sha256, name.chars):
        raise ValueError(f"what stands there is not {name.placeholder}")


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
