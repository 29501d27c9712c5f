"""mitmproxy's flow files out: what `mitmdump -r`, `mitmweb` and `flows` read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from inspector.formats import frames
from inspector.formats.har_out import sockets
from inspector.session import Exchange, Headers, moment

if TYPE_CHECKING:
    from mitmproxy.http import HTTPFlow, Request, Response
    from mitmproxy.websocket import WebSocketData


def write(exchanges: Sequence[Exchange], file: BinaryIO) -> None:
    """Write the flows, one after the other."""
    from mitmproxy import io

    writer = cast("Any", io).FlowWriter(file)
    for exchange, messages in sockets(exchanges):
        writer.add(_flow(exchange, messages))


def _flow(exchange: Exchange, messages: Sequence[Exchange]) -> "HTTPFlow":
    from mitmproxy import connection, flow, http

    here = ("127.0.0.1", 0)
    started = _seconds(exchange.started)
    client = connection.Client(peername=here, sockname=here, timestamp_start=started)
    made = http.HTTPFlow(client, connection.Server(address=None))
    made.request = _request(exchange)
    made.response = _response(exchange)
    if exchange.error:
        made.error = flow.Error(exchange.error, started)
    if messages:
        made.websocket = _socket(messages)
    return made


def _request(exchange: Exchange) -> "Request":
    from mitmproxy.http import Request

    sent = exchange.request_wire
    fields = _fields(exchange.request_headers, coded=sent != exchange.request)
    made = Request.make(exchange.method, exchange.url, b"", fields)
    made.raw_content = sent
    made.timestamp_start = made.timestamp_end = _seconds(exchange.started)
    return made


def _response(exchange: Exchange) -> "Response | None":
    from mitmproxy.http import Response

    if exchange.status is None:
        return None
    fields = _fields(exchange.response_headers, coded=False)
    made = Response.make(exchange.status, b"", fields)
    made.raw_content = exchange.response
    made.timestamp_start = _seconds(exchange.first_byte or exchange.started)
    made.timestamp_end = _seconds(exchange.ended) or None
    return made


def _socket(exchanges: Sequence[Exchange]) -> "WebSocketData":
    from mitmproxy.websocket import WebSocketData, WebSocketMessage
    from wsproto.frame_protocol import Opcode

    made = WebSocketData()
    for one in exchanges:
        at = _seconds(one.started)
        made.messages.append(WebSocketMessage(Opcode.TEXT, True, one.request, at))
        for data in frames.messages(one.response):
            made.messages.append(WebSocketMessage(Opcode.TEXT, False, data, at))
    return made


def _seconds(at: str) -> float:
    return moment(at) if at else 0.0


def _fields(headers: Headers, *, coded: bool) -> list[tuple[bytes, bytes]]:
    """Headers as bytes; of bodies that are decoded here nothing says that they are coded."""
    return [
        (name.encode("utf-8", "surrogateescape"), value.encode("utf-8", "surrogateescape"))
        for name, value in headers
        if coded or name.lower() not in {"content-encoding", "transfer-encoding"}
    ]
