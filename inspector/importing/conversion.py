"""An item of a file as the exchange that is stored."""

import hashlib
from collections.abc import Iterator

from inspector.capture import codec
from inspector.formats import Body, Item
from inspector.session import Exchange, Headers


def converted(item: Item, made_id: str) -> Exchange:
    """An exchange as it is stored, but for its session, its place and its secrets."""
    request, faults = _decoded(item.request, item.request_headers, "request")
    response, more = _decoded(item.response, item.response_headers, "response")
    digest = hashlib.sha256(request).hexdigest()
    as_sent = item.request.coding == "as-sent"
    return Exchange(
        id=made_id,
        session="",
        number=0,
        method=item.method,
        url=item.url,
        request_headers=item.request_headers,
        request_wire=item.request.data if as_sent else request,
        request=request,
        request_sha256=digest,
        wire_sha256=_wire_digest(item, digest),
        status=item.status,
        response_headers=item.response_headers,
        response=response,
        started=item.started,
        first_byte=item.first_byte,
        ended=item.ended,
        error="; ".join(filter(None, (item.error, *faults, *more))),
    )


def _wire_digest(item: Item, decoded: str) -> str:
    """Of the bytes as sent; empty where a format kept only what was under their coding."""
    if item.request.coding == "as-sent":
        return hashlib.sha256(item.request.data).hexdigest()
    return "" if _header(item.request_headers, "content-encoding") else decoded


def _decoded(body: Body, headers: Headers, which: str) -> tuple[bytes, Iterator[str]]:
    if body.coding == "decoded":
        return body.data, iter(())
    found = codec.decode(body.data, _header(headers, "content-encoding"))
    return found.data, iter([f"{which}: {found.fault}"] if found.fault else [])


def _header(headers: Headers, name: str) -> str:
    return ", ".join(value for key, value in headers if key.lower() == name)
