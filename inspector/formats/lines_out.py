"""JSONL out: an exchange a line, as `bodies` reads it again; for jq, pandas, DuckDB."""

import base64
from collections.abc import Sequence
from typing import Any, BinaryIO

from inspector import record
from inspector.session import Exchange, Headers


def write(exchanges: Sequence[Exchange], file: BinaryIO) -> None:
    """Write the lines."""
    file.writelines(record.dump(_line(exchange)) + b"\n" for exchange in exchanges)


def _line(exchange: Exchange) -> dict[str, Any]:
    facts = record.exchange_data(exchange)
    names = ("id", "session", "number", "kind", "first_byte", "ended", "error", "request_sha256")
    request = {
        "method": exchange.method,
        "url": exchange.url,
        **_half(exchange.request_headers, exchange.request),
    }
    line: dict[str, Any] = {"timestamp": exchange.started, "request": request}
    if exchange.status is not None:
        answer = _half(exchange.response_headers, exchange.response)
        line["response"] = {"status": exchange.status, **answer}
    return {**line, "inspector": {name: facts[name] for name in names}}


def _half(headers: Headers, body: bytes) -> dict[str, Any]:
    try:
        text = {"body_raw": body.decode()}
    except UnicodeDecodeError:
        text = {"body_base64": base64.b64encode(body).decode()}
    return {"headers": [list(pair) for pair in headers], **text}
