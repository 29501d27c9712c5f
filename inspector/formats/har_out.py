"""HAR 1.2 out: what browsers, Charles, Proxyman and mitmproxy open, and `har` reads again.

Bodies are the decoded ones, text as text and any other bytes as base64; own members begin with an
underscore, as the format has it.
"""

import base64
import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, BinaryIO
from urllib.parse import parse_qsl, urlsplit

from inspector import __version__
from inspector.formats import frames
from inspector.session import WEBSOCKET, Exchange, Headers, moment

_UNKNOWN = -1


def write(exchanges: Sequence[Exchange], file: BinaryIO) -> None:
    """Write a HAR, an entry at a time."""
    creator = json.dumps({"name": "inspector", "version": __version__})
    file.write(b'{"log": {"version": "1.2", "creator": %s, "entries": [\n' % creator.encode())
    for place, (exchange, messages) in enumerate(sockets(exchanges)):
        entry = json.dumps(_entry(exchange, messages), ensure_ascii=False)
        file.write((b",\n" if place else b"") + entry.encode("utf-8", "surrogatepass"))
    file.write(b"\n]}}\n")


def sockets(exchanges: Sequence[Exchange]) -> Iterator[tuple[Exchange, list[Exchange]]]:
    """Each exchange; messages on a WebSocket with the handshake that opened it."""
    opened: dict[str, list[Exchange]] = {}
    found: list[tuple[Exchange, list[Exchange]]] = []
    for exchange in exchanges:
        messages = opened.get(exchange.url)
        if exchange.method == WEBSOCKET and messages is not None:
            messages.append(exchange)
            continue
        held: list[Exchange] = []
        found.append((exchange, held))
        if exchange.status == 101:
            opened[exchange.url] = held
    yield from found


def _entry(exchange: Exchange, messages: Sequence[Exchange]) -> dict[str, Any]:
    whole = _apart(exchange.started, exchange.ended)
    waited = _apart(exchange.started, exchange.first_byte)
    received = max(whole - waited, 0)
    entry: dict[str, Any] = {
        "startedDateTime": exchange.started or "1970-01-01T00:00:00.000+00:00",
        "time": whole,
        "request": _request(exchange),
        "response": _response(exchange),
        "cache": {},
        "timings": {"send": 0, "wait": waited, "receive": received},
    }
    if exchange.error:
        entry["_error"] = exchange.error
    if messages:
        entry["_webSocketMessages"] = [item for one in messages for item in _messages(one)]
    return entry


def _request(exchange: Exchange) -> dict[str, Any]:
    out: dict[str, Any] = {
        "method": exchange.method,
        "url": exchange.url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _headers(exchange.request_headers),
        "queryString": [
            {"name": name, "value": value}
            for name, value in parse_qsl(urlsplit(exchange.url).query, keep_blank_values=True)
        ],
        "headersSize": _UNKNOWN,
        "bodySize": len(exchange.request_wire),
    }
    if exchange.request:
        kind = exchange.header("content-type") or "application/octet-stream"
        out["postData"] = {"mimeType": kind, **_text(exchange.request, "_encoding")}
    return out


def _response(exchange: Exchange) -> dict[str, Any]:
    headers = exchange.response_headers
    kind = next((value for name, value in headers if name.lower() == "content-type"), "")
    return {
        "status": exchange.status or 0,
        "statusText": "",
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _headers(headers),
        "content": {
            "size": len(exchange.response),
            "mimeType": kind or "application/octet-stream",
            **_text(exchange.response, "encoding"),
        },
        "redirectURL": "",
        "headersSize": _UNKNOWN,
        "bodySize": _UNKNOWN,
    }


def _messages(exchange: Exchange) -> Iterator[dict[str, Any]]:
    yield _message("send", exchange.request, exchange.started)
    for data in frames.messages(exchange.response):
        yield _message("receive", data, exchange.ended or exchange.started)


def _message(kind: str, data: bytes, at: str) -> dict[str, Any]:
    text = _text(data, "")
    opcode = 2 if "" in text else 1
    return {"type": kind, "time": moment(at) if at else 0, "opcode": opcode, "data": text["text"]}


def _text(data: bytes, name: str) -> dict[str, str]:
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"text": base64.b64encode(data).decode(), name: "base64"}


def _headers(headers: Headers) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers]


def _apart(start: str, end: str) -> float:
    """Milliseconds between two times; 0 where one is not known."""
    if not (start and end):
        return 0
    gap = datetime.fromisoformat(end) - datetime.fromisoformat(start)
    return max(round(gap.total_seconds() * 1000, 3), 0)
