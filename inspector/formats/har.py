"""HAR 1.2 files, as browsers, Charles, Proxyman and mitmproxy write them.

A HAR holds decoded text: the bytes as sent are known only where no content coding stood on them,
and text that was no valid Unicode is kept by no writer but mitmproxy. Where the size that a HAR
tells differs from what it holds, the exchange says so.
"""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from inspector.formats import frames
from inspector.formats.item import Body, Item, Read, Seen, Skipped
from inspector.formats.jsonstream import Damaged, Readable, Reader
from inspector.session import Headers

_ENTRY = re.compile(
    rb'\{\s*+"(?:startedDateTime|pageref|request|response|time|cache|connection|comment|_\w++)"\s*+:'
)
"""How an entry begins, in the writers' orders of members; other objects begin so too."""

_FIRST = re.compile(rb'\{\s*+("[^"\\]*+")')
_CHARSET = re.compile(r"charset\s*=\s*\"?([\w.:-]+)", re.IGNORECASE)
type _Object = dict[str, Any]


@dataclass(slots=True)
class _Told:
    """What is known of a HAR before its next entry."""

    path: str
    creator: str = ""
    key: bytes = rb"\Z"
    """The first member of its entries."""


def read(path: str, file: Readable, seen: Seen) -> Iterator[Read]:
    """The entries of a HAR, in order; damaged ones are left out and named."""
    reader, told = Reader(file), _Told(path)
    start = 0
    try:
        for start in _entries(reader, told):
            data = reader.value()
            seen(reader.offset)
            yield from _entry(told, start, data)
    except Damaged as damaged:
        yield Skipped(path, f"damaged at byte {damaged.at}: {damaged.reason}")
        yield from _after(told, reader, start + 1, seen)


def is_har(file: Readable) -> bool:
    """Whether a JSON file is a HAR: an object with a `log`."""
    try:
        reader = Reader(file)
        for name in reader.members():
            if name == b'"log"':
                return reader.peek() == ord("{")
            reader.skip()
    except Damaged:
        pass
    return False


def _entries(reader: Reader, told: _Told) -> Iterator[int]:
    for outer in reader.members():
        if outer != b'"log"':
            reader.skip()
            continue
        for name in reader.members():
            if name == b'"creator"':
                told.creator = _text(_parsed(reader.offset, reader.value()), "name")
            elif name == b'"entries"':
                yield from reader.items()
            else:
                reader.skip()


def _after(told: _Told, reader: Reader, start: int, seen: Seen) -> Iterator[Read]:
    """Whole entries behind a damaged place."""
    pattern = re.compile(_ENTRY.pattern + rb"|\{\s*+" + told.key)
    while reader.find(pattern, start):
        start = reader.offset + 1
        try:
            data = reader.value()
            whole = "request" in _parsed(start - 1, data)
        except Damaged:
            continue
        seen(reader.offset)
        if whole:
            yield from _entry(told, start - 1, data)
            start = reader.offset


def _entry(told: _Told, start: int, data: bytes) -> Iterator[Read]:
    """An entry's exchanges. Raises `Damaged` for one that is no JSON."""
    entry = _parsed(start, data)
    try:
        yield from _items(entry, told.creator)
    except (ValueError, TypeError) as error:
        line = " ".join(str(error).split())
        yield Skipped(told.path, f"damaged entry at byte {start}: {line}")
    first = _FIRST.match(data)
    told.key = re.escape(first[1]) if first else told.key


def _parsed(start: int, data: bytes) -> _Object:
    try:
        return _object(json.loads(data))
    except json.JSONDecodeError as error:
        raise Damaged(start + len(error.doc[: error.pos].encode()), error.msg) from error
    except UnicodeDecodeError as error:
        raise Damaged(start + error.start, error.reason) from error
    except RecursionError as error:
        raise Damaged(start, "nested too deeply") from error


def _items(entry: _Object, creator: str) -> Iterator[Item]:
    request, response = _object(entry.get("request")), _object(entry.get("response"))
    if not request:
        raise TypeError("no request in it")
    asked, answered = _Half(request, creator), _Half(response, creator)
    status = response.get("status")
    faults = [
        *asked.body_faults("request", _object(asked.data.get("postData"))),
        *answered.body_faults("response", _object(response.get("content"))),
        _text(entry, "_error") or _text(response, "_error"),
    ]
    started, first_byte, ended = _times(entry)
    item = Item(
        method=_text(asked.data, "method") or "GET",
        url=_text(asked.data, "url"),
        request_headers=asked.headers(),
        request=Body(asked.body(_object(asked.data.get("postData")))),
        status=status if isinstance(status, int) and status else None,
        response_headers=answered.headers(),
        response=Body(answered.body(_object(response.get("content")))),
        started=started,
        first_byte=first_byte,
        ended=ended,
        error="; ".join(fault for fault in faults if fault),
    )
    if "_webSocketMessages" in entry:
        messages = map(_object, _list(entry["_webSocketMessages"]))
        yield from frames.items(item, [_frame(message) for message in messages])
    else:
        yield item


class _Half:
    """The request or the response of an entry."""

    def __init__(self, data: _Object, creator: str) -> None:
        self.data, self._mitmproxy = data, "mitmproxy" in creator.lower()

    def headers(self) -> Headers:
        """The headers, without HTTP/2's pseudo ones; pairs where a writer has pairs."""
        found: list[tuple[str, str]] = []
        for header in _list(self.data.get("headers")):
            named, pair = _object(header), _list(header)
            if named:
                found.append((_text(named, "name"), _text(named, "value")))
            elif len(pair) == 2:
                found.append((str(pair[0]), str(pair[1])))
        return tuple(pair for pair in found if pair[0] and not pair[0].startswith(":"))

    def body(self, content: _Object) -> bytes:
        """The bytes that a text stands for."""
        text = content.get("text")
        if not isinstance(text, str):
            return b""
        if _packed(content):
            plain = _unpacked(text)
            return text.encode("utf-8", "surrogatepass") if plain is None else plain
        return _encoded(text, self._charset(content))

    def body_faults(self, which: str, content: _Object) -> Iterator[str]:
        """What of the body the HAR does not hold."""
        text = _text(content, "text")
        if _packed(content) and _unpacked(text) is None:
            yield f"{which}: its text is no base64, kept as it stands"
            return
        size = self.data.get("bodySize")
        names = {name.lower() for name, _ in self.headers()}
        if not isinstance(size, int) or size <= 0 or self.data.get("status") == 0:
            return
        if "text" not in content:
            yield f"{which}: the HAR holds no body, {size} bytes were sent"
        elif which == "request" and "content-encoding" not in names:
            held = len(self.body(content))
            if held != size:
                yield f"{which}: the HAR holds {held} bytes, {size} were sent"

    def _charset(self, content: _Object) -> str:
        """UTF-8, but for what mitmproxy reads as Latin-1: texts of no declared charset."""
        kind = _text(content, "mimeType").lower()
        named = _CHARSET.search(kind)
        if named is not None:
            return named[1]
        known = ("json", "html", "xml", "javascript", "ecmascript", "text/css")
        return "latin-1" if self._mitmproxy and not any(map(kind.__contains__, known)) else "utf-8"


def _packed(content: _Object) -> bool:
    return (_text(content, "encoding") or _text(content, "_encoding")).lower() == "base64"


def _unpacked(text: str) -> bytes | None:
    """What base64 stands for; None for a text that is none."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None


def _encoded(text: str, charset: str) -> bytes:
    try:
        return text.encode(charset)
    except (UnicodeEncodeError, LookupError):
        pass
    try:
        # mitmproxy writes bytes that are no UTF-8 as lone surrogates.
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _frame(message: _Object) -> frames.Frame:
    data = _text(message, "data").encode("utf-8", "surrogatepass")
    if message.get("opcode") == 2:
        plain = _unpacked(_text(message, "data"))
        data = data if plain is None else plain
    moment = message.get("time")
    seconds = float(moment) if isinstance(moment, int | float) else 0.0
    return frames.Frame(message.get("type") == "send", data, frames.moment(seconds))


def _times(entry: _Object) -> tuple[str, str, str]:
    """When the request, the response's first byte and its last were seen."""
    started = _text(entry, "startedDateTime")
    try:
        begun = datetime.fromisoformat(started)
        whole = max(float(entry.get("time") or 0), 0)
        received = max(float(_object(entry.get("timings")).get("receive") or 0), 0)
    except (ValueError, TypeError):
        return started, "", ""
    first = begun + timedelta(milliseconds=max(whole - received, 0))
    return begun.isoformat(), first.isoformat(), (begun + timedelta(milliseconds=whole)).isoformat()


def _object(value: object) -> _Object:
    return cast("_Object", value) if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _text(value: _Object, name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""
