"""Flow files, written by mitmproxy's own writer."""

from pathlib import Path
from typing import Any

import pytest

from inspector import formats
from inspector.formats import Read
from tests.formats.loopback import captured, flow_file
from tests.formats.requests import AGENT, EVENTS, items, messages, responses, skipped, unseen


def read(path: Path) -> list[Read]:
    return list(formats.read(path, unseen))


@pytest.mark.parametrize("coding", ["identity", "zstd", "gzip", "br"])
def test_a_loopback_capture_comes_back_as_it_was_sent(tmp_path: Path, coding: str) -> None:
    from mitmproxy.net import encoding

    wire: Any = encoding.encode(messages("größer \U0001f389"), coding)
    flows = captured(tmp_path, wire, content_encoding=coding)
    (item,) = items(read(flow_file(tmp_path / "x", flows)))
    assert (item.request.data, item.request.coding) == (wire, "as-sent")
    assert item.response.data == EVENTS
    assert set(AGENT) <= set(item.request_headers)
    assert (item.status, item.error, item.started <= item.first_byte <= item.ended) == (
        200,
        "",
        True,
    )


def test_flows_of_other_protocols_are_passed_over_and_websockets_are_taken_apart(
    tmp_path: Path,
) -> None:
    from mitmproxy.test import tflow as module
    from mitmproxy.websocket import WebSocketMessage

    tflow: Any = module
    flow = tflow.twebsocketflow()
    first = b'{"type":"response.create",' + responses("one").removeprefix(b"{")
    messages: list[Any] = [
        WebSocketMessage(1, True, first, 1767323045.5),
        WebSocketMessage(1, False, b'{"type":"response.completed"}', 1767323046.5),
    ]
    flow.websocket.messages = messages
    path = flow_file(tmp_path / "x", [tflow.ttcpflow(), flow, tflow.tdnsflow()])
    handshake, one = items(read(path))
    assert (handshake.method, handshake.status) == ("GET", 101)
    assert (one.method, one.request.data) == ("WEBSOCKET", first)
    assert (
        one.response.data == b'event: response.completed\ndata: {"type":"response.completed"}\n\n'
    )


def test_of_a_file_cut_anywhere_every_whole_flow_is_read(tmp_path: Path) -> None:
    bodies = [messages(f"number {number}") for number in range(3)]
    path = flow_file(tmp_path / "x", captured(tmp_path, *bodies))
    data = path.read_bytes()
    one = len(data) // 3
    for cut in range(1, len(data), 211):
        path.write_bytes(data[:cut])
        found = read(path)
        texts = [item.request.data for item in items(found)]
        assert texts == bodies[: len(texts)]
        assert len(texts) >= (cut - 200) // one
        assert len(skipped(found)) <= 1


@pytest.mark.parametrize("damage", [b"\x00", b"9", b":", b"~"])
def test_a_damaged_flow_costs_no_other_and_is_named_with_its_place(
    tmp_path: Path, damage: bytes
) -> None:
    bodies = [messages(f"number {number}") for number in range(3)]
    flows = captured(tmp_path, *bodies)
    path = flow_file(tmp_path / "x", flows)
    data = path.read_bytes()
    first = len(flow_file(tmp_path / "one", flows[:1]).read_bytes())
    second = len(flow_file(tmp_path / "two", flows[:2]).read_bytes())
    for at in [*range(first, first + 12), *range(first + 12, second, 173)]:
        path.write_bytes(data[:at] + damage + data[at + 1 :])
        found = read(path)
        texts = [item.request.data for item in items(found)]
        assert [text for text in texts if text in (bodies[0], bodies[2])] == [bodies[0], bodies[2]]
        if len(texts) < 3:
            assert skipped(found) == [f"damaged flow at byte {first}"]
