"""mitmproxy's flow files, any version that mitmproxy itself can read; raw bytes as sent."""

import io
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from inspector.formats import frames
from inspector.formats.item import Body, Item, Read, Seen, Skipped

if TYPE_CHECKING:
    from mitmproxy.http import HTTPFlow

_LENGTH = re.compile(rb"(\d{1,12}):")
_START = re.compile(rb"(?<!\d)\d{3,12}:\d{1,2}:(?=[a-z_]{2,20};)")
"""How a flow begins: a length, then the first key of its dictionary; other dictionaries do too."""
_STEP = 1024 * 1024


def read(path: str, file: BinaryIO, seen: Seen) -> Iterator[Read]:
    """The flows of a file, in order; damaged ones are left out and named."""
    at = 0
    lost = False
    while True:
        file.seek(at)
        head = file.read(16)
        if not head:
            return
        size = _size(head)
        flow = None if size is None else _flow(file, at, size)
        if flow is None:
            if not lost:
                yield Skipped(path, f"damaged flow at byte {at}")
            lost = True
            # A sound length leads to the next flow; otherwise it has to be looked for.
            found = at + size if size is not None and _ends(file, at + size) else None
            at = _search(file, at + 1) if found is None else found
        else:
            assert size is not None
            lost, at = False, at + size
            yield from _items(flow)
        if at < 0:
            return
        seen(at)


def _size(head: bytes) -> int | None:
    """Bytes of the whole flow, length and closing mark included."""
    match = _LENGTH.match(head)
    return None if match is None else match.end() + int(match[1]) + 1


def _ends(file: BinaryIO, end: int) -> bool:
    """Whether a flow's closing mark stands before a place, and another flow or nothing behind."""
    file.seek(end - 1)
    tail = file.read(17)
    return tail[:1] == b"}" and (len(tail) == 1 or _LENGTH.match(tail, 1) is not None)


def _search(file: BinaryIO, at: int) -> int:
    """The next place where a flow may begin; -1 when there is none."""
    while True:
        file.seek(at)
        data = file.read(_STEP)
        # The byte before counts: a length must not begin in the middle of another number.
        match = _START.search(data, 0)
        if match is not None:
            return at + match.start()
        if len(data) < _STEP:
            return -1
        at += len(data) - 64


def _flow(file: BinaryIO, at: int, size: int) -> object:
    from mitmproxy import exceptions, flow
    from mitmproxy.io import compat, tnetstring

    file.seek(at)
    data = file.read(size)
    if len(data) < size:
        return None
    try:
        state = cast("Any", tnetstring).load(io.BytesIO(data))
        return flow.Flow.from_state(compat.migrate_flow(state))
    except (
        ValueError,
        TypeError,
        IndexError,
        KeyError,
        AttributeError,
        exceptions.MitmproxyException,
    ):
        return None


def _items(flow: object) -> Iterator[Item]:
    from mitmproxy.http import HTTPFlow

    if not isinstance(flow, HTTPFlow):
        return
    item = _item(flow)
    if flow.websocket is None:
        yield item
        return
    messages = [
        frames.Frame(message.from_client, message.content, _moment(message.timestamp))
        for message in flow.websocket.messages
    ]
    yield from frames.items(item, messages)


def _item(flow: "HTTPFlow") -> Item:
    from mitmproxy.proxy.mode_specs import ReverseMode

    request, response = flow.request, flow.response
    faults = [flow.error.msg] if flow.error else []
    if request.raw_content is None:
        faults.append("request: the flow file holds no body")
    if response is not None and response.raw_content is None:
        faults.append("response: the flow file holds no body")
    return Item(
        method=request.method,
        url=request.pretty_url,
        request_headers=_headers(request.headers.fields),
        request=Body(request.raw_content or b"", "as-sent"),
        status=response.status_code if response else None,
        response_headers=_headers(response.headers.fields) if response else (),
        response=Body((response.raw_content or b"") if response else b"", "as-sent"),
        started=_moment(request.timestamp_start),
        first_byte=_moment(response.timestamp_start) if response else "",
        ended=_moment(response.timestamp_end) if response else "",
        error="; ".join(faults),
        route="base-url" if isinstance(flow.client_conn.proxy_mode, ReverseMode) else "",
    )


def _headers(fields: Sequence[tuple[bytes, bytes]]) -> tuple[tuple[str, str], ...]:
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in fields)


def _moment(seconds: float | None) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat() if seconds else ""
