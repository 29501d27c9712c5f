"""claude-tap's compact traces (`claude-tap export`): records, and the values they share by digest.

claude-tap keeps bodies parsed; what stands here is how it wrote them again, its shared values put
back where they belong [claude-tap 0.1.146].
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import BinaryIO

from inspector.formats.item import Body, Item, Read, Seen, Skipped
from inspector.formats.jsonstream import LARGEST
from inspector.jsontext import Node, parse, quote
from inspector.session import Headers

MARK = b'{"__claude_tap_compact_trace__"'
_REF = "__claude_tap_blob_ref__"
_WRITTEN_ANEW = "claude-tap wrote the body anew; its bytes may not be those sent"
_DEEPEST = 8


def read(path: str, file: BinaryIO, seen: Seen) -> Iterator[Read]:
    """The requests of a trace, in order."""
    data = file.read(LARGEST)
    try:
        root = parse(data)
    except ValueError as error:
        yield Skipped(path, f"damaged ({error})")
        return
    held, records = root.get("blobs"), root.get("records")
    blobs = {
        member.name: payload.raw
        for member in (held.members if held else ())
        if (payload := member.value.get("payload")) is not None
    }
    for place, record in enumerate(records.items if records else ()):
        told = record.get("record")
        asked = told.get("request") if told else None
        if told is None or asked is None:
            yield Skipped(path, f"record {place + 1}: no request in it")
            continue
        try:
            yield _item(told, asked, blobs)
        except ValueError as error:
            yield Skipped(path, f"record {place + 1}: {error}")
    seen(len(data))


def _item(told: Node, asked: Node, blobs: Mapping[str, bytes]) -> Item:
    body, answer = asked.get("body"), told.get("response")
    given = answer.get("body") if answer else None
    status = answer.get("status") if answer else None
    started = told.string_of("timestamp") or ""
    host = told.string_of("upstream_base_url") or ""
    lasted = told.get("duration_ms")
    return Item(
        method=asked.string_of("method") or "POST",
        url=host.rstrip("/") + (asked.string_of("path") or ""),
        request_headers=_headers(asked),
        request=Body(b"" if body is None else _whole(body, blobs)),
        status=int(status.text) if status and status.kind == "number" else None,
        response_headers=_as_json(_headers(answer)) if answer else (),
        response=Body(b"" if given is None or given.kind == "null" else _whole(given, blobs)),
        started=started,
        ended=_later(started, lasted),
        error=_WRITTEN_ANEW,
    )


def _whole(node: Node, blobs: Mapping[str, bytes], depth: int = 0) -> bytes:
    """A value's text with what it refers to. Raises `ValueError` where that is not there."""
    if node.kind == "string" and not depth:
        return node.string.encode("utf-8", "surrogatepass")
    if node.kind not in {"object", "array"}:
        return node.raw
    named = node.get(_REF) if node.kind == "object" else None
    if named is not None:
        name = named.string_of("hash") or ""
        if name not in blobs or depth > _DEEPEST:
            raise ValueError(f"the value {name} is not in the trace")
        return _whole(parse(blobs[name]), blobs, depth + 1)
    if _REF.encode() not in node.raw:
        return node.raw
    if node.kind == "array":
        return b"[%s]" % b",".join(_whole(item, blobs, depth + 1) for item in node.items)
    return b"{%s}" % b",".join(
        b"%s:%s" % (_name(member.name), _whole(member.value, blobs, depth + 1))
        for member in node.members
    )


def _name(name: str) -> bytes:
    return quote(name).encode("utf-8", "surrogatepass")


def _headers(half: Node) -> Headers:
    held = half.get("headers")
    return tuple(
        (member.name, member.value.string)
        for member in (held.members if held else ())
        if member.value.kind == "string"
    )


def _as_json(headers: Headers) -> Headers:
    """An answer is kept as the document that its events add up to."""
    kept = [pair for pair in headers if pair[0].lower() not in {"content-type", "content-length"}]
    return (*kept, ("content-type", "application/json"))


def _later(started: str, lasted: Node | None) -> str:
    if lasted is None or lasted.kind != "number":
        return ""
    try:
        begun = datetime.fromisoformat(started)
        return (begun + timedelta(milliseconds=float(lasted.text))).isoformat()
    except ValueError:
        return ""
