"""HAR files: written by mitmproxy itself, and shaped as browsers, Charles and Proxyman write them."""

import base64
import gzip
import io
import json
import zlib
from pathlib import Path
from typing import Any

import pytest

from inspector import formats
from inspector.formats import Item, Read, har
from tests.formats.loopback import captured, flow_file
from tests.formats.requests import AGENT, EVENTS, items, messages, responses, skipped, unseen


def entry(body: bytes, **more: Any) -> dict[str, Any]:
    """An entry as Chrome writes it."""
    return {
        "_initiator": {"type": "script"},
        "_priority": "High",
        "cache": {},
        "request": {
            "method": "POST",
            "url": "https://api.anthropic.com/v1/messages?beta=true",
            "httpVersion": "http/2.0",
            "headers": [
                {"name": ":authority", "value": "api.anthropic.com"},
                *({"name": name, "value": value} for name, value in AGENT),
            ],
            "bodySize": len(body),
            "postData": {"mimeType": "application/json", "text": body.decode()},
        },
        "response": {
            "status": 200,
            "headers": [{"name": "content-type", "value": "text/event-stream"}],
            "content": {
                "size": len(EVENTS),
                "mimeType": "text/event-stream",
                "text": EVENTS.decode(),
            },
            "bodySize": -1,
        },
        "startedDateTime": "2026-01-02T03:04:05.250Z",
        "time": 1500,
        "timings": {"_blocked_queueing": 1, "send": 0, "wait": 500, "receive": 1000},
        **more,
    }


def written(entries: list[Any], creator: str = "WebInspector", indent: int | None = None) -> bytes:
    log = {
        "version": "1.2",
        "creator": {"name": creator, "version": "1"},
        "pages": [],
        "entries": entries,
    }
    return json.dumps({"log": log}, indent=indent, ensure_ascii=creator == "mitmproxy").encode()


def asking(text: str) -> bytes:
    """A Codex message that asks for a response [codex 0.171.0, builtin_ws]."""
    return b'{"type":"response.create",' + responses(text).removeprefix(b"{")


def read(data: bytes) -> list[Read]:
    return list(har.read("x.har", io.BytesIO(data), unseen))


def test_chrome_gives_bodies_headers_and_times() -> None:
    body = messages('größer\n"quoted" \\ud800 \U0001f389')
    (item,) = items(read(written([entry(body)])))
    assert item.request.data == body
    assert item.response.data == EVENTS
    assert item.request_headers == AGENT
    assert (item.method, item.status, item.error, item.route) == ("POST", 200, "", "")
    assert (item.started, item.first_byte, item.ended) == (
        "2026-01-02T03:04:05.250000+00:00",
        "2026-01-02T03:04:05.750000+00:00",
        "2026-01-02T03:04:06.750000+00:00",
    )


def test_a_har_is_known_by_its_log_wherever_that_stands(tmp_path: Path) -> None:
    body = messages("hi")
    data = b'\xef\xbb\xbf{"$schema":{"a":["}"]},' + written([entry(body)]).removeprefix(b"{")
    (tmp_path / "x.txt").write_bytes(data)
    assert [
        item.request.data for item in items(list(formats.read(tmp_path / "x.txt", unseen)))
    ] == [body]


@pytest.mark.parametrize("kind", ["har", "flows"])
def test_a_gzipped_file_is_read_as_what_it_holds(tmp_path: Path, kind: str) -> None:
    flows = captured(tmp_path, messages("hi"))
    data = saved(flows) if kind == "har" else flow_file(tmp_path / "f", flows).read_bytes()
    (tmp_path / "x").write_bytes(gzip.compress(data))
    found = list(formats.read(tmp_path / "x", unseen))
    assert [item.request.data for item in items(found)] == [messages("hi")]
    (tmp_path / "x").write_bytes(gzip.compress(data)[:-20])
    assert len(skipped(list(formats.read(tmp_path / "x", unseen)))) == 1


def test_charles_gives_base64_bodies() -> None:
    body = messages("hi")
    made = entry(body, _charlesStatus="COMPLETE")
    made["response"]["content"] = {
        "size": len(EVENTS),
        "mimeType": "text/event-stream",
        "text": base64.b64encode(EVENTS).decode(),
        "encoding": "base64",
    }
    (item,) = items(read(written([made], "Charles Proxy", 2)))
    assert (item.request.data, item.response.data) == (body, EVENTS)


def test_proxyman_gives_base64_requests_too() -> None:
    body = messages("hi")
    made = entry(body, _id="1", _name="messages")
    made["request"]["postData"] |= {"text": base64.b64encode(body).decode(), "encoding": "base64"}
    (item,) = items(read(written([made], "Proxyman")))
    assert (item.request.data, item.error) == (body, "")


def test_what_calls_itself_base64_and_is_none_costs_neither_body_nor_exchange() -> None:
    body = messages("hi")
    made = entry(body)
    made["response"]["content"] |= {"text": "cut off in the mid", "encoding": "base64"}
    (item,) = items(read(written([made])))
    assert (item.request.data, item.response.data) == (body, b"cut off in the mid")
    assert item.error == "response: its text is no base64, kept as it stands"


def test_headers_as_pairs_are_read() -> None:
    made = entry(messages("hi"))
    made["request"]["headers"] = [list(pair) for pair in AGENT]
    (item,) = items(read(written([made])))
    assert item.request_headers == AGENT


def test_a_body_the_har_cut_or_lost_is_said() -> None:
    cut, lost, gone = entry(b"{}"), entry(b"{}"), entry(b"{}")
    cut["request"]["bodySize"] = 5
    del lost["request"]["postData"]
    gone["response"] = {
        "status": 0,
        "headers": [],
        "content": {},
        "bodySize": -1,
        "_error": "net::ERR_ABORTED",
    }
    found = items(read(written([cut, lost, gone])))
    assert [item.error for item in found] == [
        "request: the HAR holds 2 bytes, 5 were sent",
        "request: the HAR holds no body, 2 bytes were sent",
        "net::ERR_ABORTED",
    ]
    assert found[2].status is None


def test_websocket_messages_are_exchanges_of_their_own() -> None:
    made = entry(b"")
    made["request"] |= {"method": "GET", "url": "wss://api.openai.com/v1/responses"}
    made["response"]["status"] = 101
    first, second = asking("one"), asking("two")
    other = b'{"type":"response.cancel"}'
    done = b'{"type":"response.completed","response":{"id":"r"}}'
    made["_webSocketMessages"] = [
        {"type": "send", "time": 1767323045.5, "opcode": 1, "data": first.decode()},
        {
            "type": "receive",
            "time": 1767323046.5,
            "opcode": 1,
            "data": '{"type":"response.created"}',
        },
        {"type": "send", "time": 1767323046.9, "opcode": 1, "data": other.decode()},
        {"type": "receive", "time": 1767323047.5, "opcode": 1, "data": done.decode()},
        {
            "type": "send",
            "time": 1767323048.5,
            "opcode": 2,
            "data": base64.b64encode(second).decode(),
        },
    ]
    handshake, one, cancel, two = items(read(written([made])))
    assert (handshake.method, handshake.status, handshake.request.data) == ("GET", 101, b"")
    assert (one.method, one.request.data, one.error) == ("WEBSOCKET", first, "")
    assert one.response.data == (
        b'event: response.created\ndata: {"type":"response.created"}\n\n'
        b"event: response.completed\ndata: " + done + b"\n\n"
    )
    assert (one.started, one.ended) == (
        "2026-01-02T03:04:05.500000+00:00",
        "2026-01-02T03:04:07.500000+00:00",
    )
    assert (cancel.request.data, cancel.response.data, cancel.error) == (other, b"", "")
    assert (two.request.data, two.response.data, two.error) == (second, b"", "no answer was kept")


# --- mitmproxy's own -----------------------------------------------------------------------------


def saved(flows: list[Any]) -> bytes:
    """A HAR by mitmproxy's own addon, laid out as it does."""
    from mitmproxy.addons.savehar import SaveHar

    addon: Any = SaveHar()
    return json.dumps(addon.make_har(flows), indent=4).encode()


def test_a_har_by_mitmproxy_of_a_loopback_capture_gives_the_bytes_as_sent(tmp_path: Path) -> None:
    bodies = [messages("größer \U0001f389"), messages("a", "b"), b'{"messages": [\xff\xfe "\xc3"']
    found = items(read(saved(captured(tmp_path, *bodies))))
    assert [item.request.data for item in found] == bodies
    assert [item.response.data for item in found] == [EVENTS] * 3
    assert {item.error for item in found} == {""}
    assert dict(AGENT).items() <= dict(found[0].request_headers).items()


def test_a_packed_har_is_found_by_its_content(tmp_path: Path) -> None:
    body = messages("hi")
    path = tmp_path / "anything"
    path.write_bytes(zlib.compress(saved(captured(tmp_path, body)), 9))
    assert [item.request.data for item in items(list(formats.read(path, unseen)))] == [body]


# --- damage --------------------------------------------------------------------------------------


@pytest.mark.parametrize("indent", [None, 2])
def test_of_a_file_cut_anywhere_every_whole_entry_is_read(indent: int | None) -> None:
    bodies = [messages(f"number {number}") for number in range(3)]
    data = written([entry(body) for body in bodies], indent=indent)
    ends = [data.index(f"number {number}".encode()) for number in range(3)]
    for cut in range(0, len(data), 97):
        found = read(data[:cut])
        texts = [item.request.data for item in items(found)]
        assert texts == bodies[: len(texts)]
        assert len(texts) >= sum(end + 1600 < cut for end in ends)
        assert len(skipped(found)) == 1


@pytest.mark.parametrize("damage", [b"\x00", b'"', b"{", b"}", b"]", b"\\", b"X"])
def test_a_damaged_entry_costs_no_other(damage: bytes) -> None:
    bodies = [messages(f"number {number}") for number in range(4)]
    data = written([entry(body) for body in bodies])
    low, high = data.index(b"_initiator", data.index(b"number 0")), data.index(b"number 1")
    for at in range(low + 20, high, 61):
        found = read(data[:at] + damage + data[at + 1 :])
        texts = [item.request.data for item in items(found)]
        assert [bodies[0], *bodies[2:]] == [
            text for text in texts if text in (bodies[0], *bodies[2:])
        ]
        whole = len(texts) == len(bodies)
        assert whole or ("damaged" in skipped(found)[0] and "byte" in skipped(found)[0])


def test_an_entry_without_a_request_is_named_with_its_place() -> None:
    data = written([entry(b"{}"), {"response": {}}, 7])
    assert len(items(read(data))) == 1
    at = data.index(b'{"response": {}}')
    assert skipped(read(data)) == [
        f"damaged entry at byte {at}: no request in it",
        f"damaged entry at byte {at + 18}: no request in it",
    ]


def test_memory_holds_an_entry_and_not_the_file() -> None:
    import tracemalloc

    one = json.dumps(entry(messages("x" * 200_000))).encode()

    class Endless:
        def __init__(self) -> None:
            self.parts = [b'{"log":{"entries":[' + one, *[b"," + one] * 99, b"]}}"]
            self.rest = b""

        def read(self, size: int, /) -> bytes:
            while len(self.rest) < size and self.parts:
                self.rest += self.parts.pop(0)
            out, self.rest = self.rest[:size], self.rest[size:]
            return out

    file = Endless()
    tracemalloc.start()
    count = sum(isinstance(item, Item) for item in har.read("x", file, unseen))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 100
    assert peak < 40 * len(one)
