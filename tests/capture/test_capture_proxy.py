"""Real requests through a real proxy on loopback: what passes, what is kept, what is refused."""

import gzip
import hashlib
import http.client
import json
import socket
import threading
import zlib
from pathlib import Path
from typing import Any

import pytest

from inspector import mock, redact
from inspector.capture.addon import Plan
from inspector.capture.passing import is_last
from inspector.session import Exchange
from tests.capture.gate import LIMIT, Answering, gate, upstream

EVENTS = (
    b'event: message_start\ndata: {"type":"message_start"}\n\n',
    b'data: {"type":"message_stop"}\n\n',
)
KEY = "sk-ant-api03-" + "k" * 40


def streaming(answer: Answering) -> None:
    answer.begin(content_type="text/event-stream", transfer_encoding="chunked")
    for event in EVENTS:
        answer.chunk(event)
    answer.chunk(b"")


def post(
    connection: http.client.HTTPConnection,
    body: bytes = b"{}",
    path: str = "/v1/messages",
    **headers: str,
) -> bytes:
    connection.request("POST", path, body, headers)
    return connection.getresponse().read()


def test_the_first_event_of_a_stream_arrives_while_the_server_still_holds_the_rest(
    tmp_path: Path,
) -> None:
    seen = threading.Event()

    def act(answer: Answering) -> None:
        answer.begin(content_type="text/event-stream", transfer_encoding="chunked")
        answer.chunk(EVENTS[0])
        answer.chunk(EVENTS[1] if seen.wait(LIMIT) else b"data: the client saw nothing\n\n")
        answer.chunk(b"")

    with upstream(act) as url, gate(tmp_path, Plan(upstream=url)) as proxy:
        connection = proxy.connect()
        connection.request("POST", "/v1/messages", b"{}")
        response = connection.getresponse()
        first = response.read(len(EVENTS[0]))
        seen.set()
        rest = response.read()
        connection.close()
        (exchange,) = proxy.stored()
    assert (first, rest) == EVENTS
    assert (exchange.response, exchange.status, exchange.error) == (b"".join(EVENTS), 200, "")
    assert exchange.started <= exchange.first_byte <= exchange.ended


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd", "deflate", "identity"])
def test_a_compressed_request_reaches_the_server_as_sent_and_is_kept_both_ways(
    tmp_path: Path, coding: str
) -> None:
    from mitmproxy.net import encoding

    body = json.dumps({"messages": ["é" * 500]}, ensure_ascii=False).encode()
    wire = encoding.encode(body, coding)
    assert isinstance(wire, bytes)
    got: list[bytes] = []

    def act(answer: Answering) -> None:
        got.append(answer.body)
        streaming(answer)

    with upstream(act) as url, gate(tmp_path, Plan(upstream=url)) as proxy:
        post(proxy.connect(), wire, **{"content-encoding": coding})
        (exchange,) = proxy.stored()
    assert got == [wire]
    assert (exchange.request_wire, exchange.request) == (wire, body)
    assert exchange.wire_sha256 == hashlib.sha256(wire).hexdigest()
    assert exchange.request_sha256 == hashlib.sha256(body).hexdigest()


def test_a_compressed_stream_is_kept_decoded_even_where_it_breaks_off(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(EVENTS) * 50)

    def act(answer: Answering) -> None:
        answer.begin(
            content_type="text/event-stream",
            content_encoding="gzip",
            content_length=str(len(whole)),
        )
        answer.wfile.write(whole[:-12])
        answer.close_connection = True

    with upstream(act) as url, gate(tmp_path, Plan(upstream=url)) as proxy:
        with pytest.raises((http.client.IncompleteRead, ConnectionError)):
            post(proxy.connect())
        (exchange,) = proxy.stored()
    assert exchange.response == zlib.decompressobj(31).decompress(whole[:-12])
    assert exchange.error.endswith("gzip body ends early")


def test_a_client_that_goes_away_leaves_what_it_had_received(tmp_path: Path) -> None:
    gone = threading.Event()

    def act(answer: Answering) -> None:
        answer.begin(content_type="text/event-stream", transfer_encoding="chunked")
        answer.chunk(EVENTS[0])
        gone.wait(LIMIT)

    with upstream(act) as url, gate(tmp_path, Plan(upstream=url)) as proxy:
        connection = proxy.connect()
        connection.request("POST", "/v1/messages", b'{"a":1}')
        response = connection.getresponse()
        response.read(len(EVENTS[0]))
        response.close()
        connection.close()
        (exchange,) = proxy.stored()
        gone.set()
    assert (exchange.request, exchange.response, exchange.status) == (b'{"a":1}', EVENTS[0], 200)
    assert exchange.error == "Client disconnected."


def test_a_request_that_breaks_off_is_kept_without_its_body(tmp_path: Path) -> None:
    with gate(tmp_path, Plan(gateway="http://127.0.0.1:9")) as proxy:
        port = int(proxy.addresses.reverse.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as client:
            client.sendall(
                b"POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{half"
            )
            client.shutdown(socket.SHUT_WR)
            while client.recv(4096):
                pass
        (exchange,) = proxy.stored()
    assert (exchange.method, exchange.url, exchange.request, exchange.status) == (
        "POST",
        "http://127.0.0.1:9/v1/messages",
        b"",
        None,
    )
    assert exchange.error == (
        "HTTP/1 protocol error: peer closed connection without sending complete message body (received 5 bytes, expected 100)"
    )


def test_a_stream_that_ends_politely_before_its_last_event_is_marked(tmp_path: Path) -> None:
    def act(answer: Answering) -> None:
        answer.begin(content_type="text/event-stream", connection="close")
        answer.wfile.write(EVENTS[0])
        answer.close_connection = True

    with upstream(act) as url, gate(tmp_path, Plan(upstream=url)) as proxy:
        assert post(proxy.connect()) == EVENTS[0]
        (exchange,) = proxy.stored()
    assert (exchange.response, exchange.error) == (
        EVENTS[0],
        "the stream ended before its last event",
    )


def test_a_server_that_cannot_be_reached_is_said_in_the_exchange(tmp_path: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        plan = Plan(upstream=f"http://127.0.0.1:{nobody.getsockname()[1]}")
        with gate(tmp_path, plan) as proxy:
            connection = proxy.connect()
            connection.request("POST", "/v1/messages", b"{}")
            assert connection.getresponse().status == 502
            connection.close()
            (exchange,) = proxy.stored()
    assert exchange.request == b"{}"
    assert "Connect call failed" in exchange.error


def test_a_body_that_is_no_json_is_kept_as_it_is(tmp_path: Path) -> None:
    body = b"\x00\xff{not json"
    with upstream(streaming) as url, gate(tmp_path, Plan(upstream=url)) as proxy:
        post(proxy.connect(), body)
        (exchange,) = proxy.stored()
    assert (exchange.request, exchange.request_wire, exchange.error) == (body, body, "")


def test_the_request_is_stored_before_its_answer_comes(tmp_path: Path) -> None:
    stored = threading.Event()
    kept: list[tuple[Exchange, bool]] = []

    def put(exchange: Exchange, complete: bool) -> None:
        kept.append((exchange, complete))
        stored.set()

    def act(answer: Answering) -> None:
        assert stored.wait(LIMIT)
        streaming(answer)

    with upstream(act) as url, gate(tmp_path, Plan(upstream=url), put) as proxy:
        post(proxy.connect(), b'{"a":1}')
        proxy.stored()
    assert [(exchange.request, exchange.status, complete) for exchange, complete in kept] == [
        (b'{"a":1}', None, False),
        (b'{"a":1}', 200, True),
    ]
    assert kept[0][0].id == kept[1][0].id


def test_an_answer_is_stored_before_the_client_sees_its_last_event(tmp_path: Path) -> None:
    kept: list[tuple[Exchange, bool]] = []
    seen = threading.Event()

    def act(answer: Answering) -> None:
        answer.begin(content_type="text/event-stream", transfer_encoding="chunked")
        for event in EVENTS:
            answer.chunk(event)
        answer.chunk(b": late\n\n" if seen.wait(LIMIT) else b"data: the client saw nothing\n\n")
        answer.chunk(b"")

    def put(exchange: Exchange, complete: bool) -> None:
        kept.append((exchange, complete))

    with upstream(act) as url, gate(tmp_path, Plan(upstream=url), put) as proxy:
        connection = proxy.connect()
        connection.request("POST", "/v1/messages", b"{}")
        response = connection.getresponse()
        response.read(len(b"".join(EVENTS)))
        first = [exchange.response for exchange, complete in kept if complete]
        seen.set()
        assert response.read() == b": late\n\n"
        connection.close()
        proxy.stored()
    late = [exchange.response for exchange, complete in kept if complete]
    assert first == [b"".join(EVENTS)]
    assert late == [*first, b"".join(EVENTS) + b": late\n\n"]
    assert {exchange.error for exchange, complete in kept if complete} == {""}


@pytest.mark.parametrize(
    ("chunk", "last"),
    [
        (EVENTS[1], True),
        (b'event: message_stop\ndata: {"type":"message_stop"}\n\n', True),
        (EVENTS[0] + EVENTS[1], True),
        (b'event: response.completed\ndata: {"type":"response.completed","r":{}}\n\n', True),
        (b'data: {"type": "response.incomplete"}\n\n', True),
        (b"data: x\n\ndata: [DONE]\n\n", True),
        (EVENTS[1][:-1], False),
        (EVENTS[0], False),
        (b'data: {"type":"content_block_delta","text":"message_stop"}\n\n', False),
        (b"\n\n", False),
        (b"", False),
    ],
)
def test_the_chunk_that_ends_a_stream_is_told_from_others(chunk: bytes, *, last: bool) -> None:
    assert is_last(chunk) is last


def test_secrets_go_out_to_the_server_and_never_into_the_store(tmp_path: Path) -> None:
    body = json.dumps({"messages": [f"my key is {KEY} and my word is hunter2-hunter2"]}).encode()
    got: list[tuple[str | None, bytes]] = []

    def act(answer: Answering) -> None:
        got.append((answer.headers["x-api-key"], answer.body))
        answer.begin(content_type="application/json", content_length=str(len(KEY)))
        answer.wfile.write(KEY.encode())

    given = redact.NOTHING_GIVEN.more(["hunter2-hunter2"])
    with upstream(act) as url, gate(tmp_path, Plan(upstream=url), given=given) as proxy:
        wire = gzip.compress(body)
        post(
            proxy.connect(),
            wire,
            path=f"/v1/messages?key={KEY}",
            **{"x-api-key": KEY, "content-encoding": "gzip"},
        )
        proxy.stored()
        puts = proxy.puts
    assert got == [(KEY, wire)]
    for exchange, complete in puts:
        everything = repr(exchange)
        assert KEY not in everything
        assert "hunter2" not in everything
        assert (
            exchange.request_wire == exchange.request
        )  # what was sent compressed would give it back
        assert (exchange.request_sha256, exchange.wire_sha256) == (
            hashlib.sha256(body).hexdigest(),
            hashlib.sha256(wire).hexdigest(),
        )
        assert exchange.replaced == (5 if complete else 4)


def test_a_key_seen_once_in_a_header_is_a_secret_in_later_exchanges(tmp_path: Path) -> None:
    with upstream(streaming) as url, gate(tmp_path, Plan(upstream=url)) as proxy:
        connection = proxy.connect()
        post(connection, authorization="Bearer plain-opaque-token")
        post(connection, b'{"echo":"plain-opaque-token"}')
        _, second = proxy.stored()
    assert b"plain-opaque-token" not in second.request


def test_a_store_that_fails_is_said_once_and_stops_no_traffic(tmp_path: Path) -> None:
    def put(_exchange: Exchange, _complete: bool) -> None:
        raise OSError("disk full")

    with upstream(streaming) as url, gate(tmp_path, Plan(upstream=url), put) as proxy:
        connection = proxy.connect()
        answers = [post(connection) for _ in range(3)]
        proxy.stored()
        said = proxy.said
    assert answers == [b"".join(EVENTS)] * 3
    assert said == ["storing failed (disk full); traffic goes on, later exchanges may be missing"]


def test_a_websocket_upgrade_that_the_server_refuses_is_kept_as_it_was_answered(
    tmp_path: Path,
) -> None:
    with mock.serve(mock.script([])) as server, gate(tmp_path, Plan(upstream=server.url)) as proxy:
        connection = proxy.connect("api.openai.com")
        connection.request(
            "GET", "/v1/responses", headers={"Connection": "Upgrade", "Upgrade": "WebSocket"}
        )
        response = connection.getresponse()
        body = response.read()
        (exchange,) = proxy.stored()
    assert (response.status, body) == (426, b'{"error":{"message":"no websockets here"}}')
    assert (exchange.method, exchange.url, exchange.status, exchange.response) == (
        "GET",
        "https://api.openai.com/v1/responses",
        426,
        body,
    )


def test_a_tunnel_to_another_host_carries_its_bytes_untouched_and_is_not_kept(
    tmp_path: Path,
) -> None:
    import ssl

    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    hello = ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname="example.com")
    with pytest.raises(ssl.SSLWantReadError):
        hello.do_handshake()
    sent = outgoing.read()
    with socket.create_server(("127.0.0.1", 0)) as other, gate(tmp_path, Plan()) as proxy:
        other.settimeout(LIMIT)
        with proxy.socket() as client:
            client.sendall(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\n" % other.getsockname()[1])
            assert client.recv(100).startswith(b"HTTP/1.1 200")
            client.sendall(sent)
            server, _ = other.accept()
            with server:
                server.settimeout(LIMIT)
                received = server.recv(len(sent), socket.MSG_WAITALL)
                server.sendall(b"not even TLS")
                assert client.recv(12, socket.MSG_WAITALL) == b"not even TLS"
        assert proxy.stored() == []
        assert proxy.hooks.tunnelled == {"example.com"}
    assert received == sent


def test_a_plain_request_to_another_host_passes_and_is_not_kept(tmp_path: Path) -> None:
    with upstream(streaming) as url, gate(tmp_path, Plan()) as proxy:
        connection = http.client.HTTPConnection(proxy.host, proxy.port, timeout=LIMIT)
        assert post(connection, path=f"{url}/v1/messages") == b"".join(EVENTS)
        connection.close()
        assert proxy.stored() == []


def test_a_closed_capture_lets_nothing_else_out(tmp_path: Path) -> None:
    def act(_answer: Answering) -> None:
        raise AssertionError("reached")

    with upstream(act) as url, gate(tmp_path, Plan(closed=True)) as proxy:
        plain = http.client.HTTPConnection(proxy.host, proxy.port, timeout=LIMIT)
        plain.request("GET", f"{url}/x")
        refused = plain.getresponse()
        assert (refused.status, json.loads(refused.read())["error"]["message"]) == (
            403,
            "inspector: 127.0.0.1 is no model host, and this capture lets nothing else out",
        )
        plain.close()
        with pytest.raises(OSError, match="Tunnel connection failed: 403"):
            proxy.connect("example.com").request("GET", "/")
        assert proxy.stored() == []


def test_a_client_without_our_certificate_is_noted_by_host(tmp_path: Path) -> None:
    import ssl

    with gate(tmp_path, Plan()) as proxy:
        connection = http.client.HTTPSConnection(
            proxy.host, proxy.port, timeout=LIMIT, context=ssl.create_default_context()
        )
        connection.set_tunnel("api.anthropic.com", 443)
        with pytest.raises(ssl.SSLCertVerificationError):
            connection.request("GET", "/")
        connection.close()
        # The next connection is served after the failed one was noted.
        proxy.hooks.plan = Plan(closed=True, hosts=frozenset())
        with pytest.raises(OSError, match="Tunnel connection failed"):
            proxy.connect("api.openai.com").request("GET", "/")
        assert proxy.hooks.distrusted == {"api.anthropic.com"}


def test_http2_to_the_client_and_http1_to_the_server(tmp_path: Path) -> None:
    import ssl

    import httpx2

    with (
        mock.serve(mock.script([{"text": "one"}])) as server,
        gate(tmp_path, Plan(upstream=server.url)) as proxy,
    ):
        trust = ssl.create_default_context(cafile=str(proxy.authority.bundle))
        with httpx2.Client(
            http2=True, proxy=proxy.addresses.forward, verify=trust, trust_env=False
        ) as client:
            body: dict[str, Any] = {"stream": True, "tools": [{}]}
            response = client.post("https://api.anthropic.com/v1/messages?beta=true", json=body)
        (exchange,) = proxy.stored()
    assert response.http_version == "HTTP/2"
    assert exchange.response == response.content
    assert exchange.url == "https://api.anthropic.com/v1/messages?beta=true"
    assert exchange.header("user-agent") == client.headers["user-agent"]


@pytest.mark.parametrize(
    ("gateway", "path", "reached", "kept"),
    [
        ("", "/v1/messages?beta=true", "/v1/messages?beta=true", "/v1/messages?beta=true"),
        ("/llm", "/v1/messages", "/llm/v1/messages", "/llm/v1/messages"),
        ("/v1", "/v1/responses", "/v1/responses", "/v1/responses"),
        ("/v1", "/v12/x", "/v1/v12/x", "/v1/v12/x"),
    ],
)
def test_behind_a_base_url_requests_go_to_the_clients_own_gateway(
    tmp_path: Path, gateway: str, path: str, reached: str, kept: str
) -> None:
    got: list[tuple[str, str | None]] = []

    def act(answer: Answering) -> None:
        got.append((answer.path, answer.headers["host"]))
        streaming(answer)

    with upstream(act) as url, gate(tmp_path, Plan(gateway=f"{url}{gateway}")) as proxy:
        port = int(proxy.addresses.reverse.rpartition(":")[2])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
        assert post(connection, path=path) == b"".join(EVENTS)
        connection.close()
        (exchange,) = proxy.stored()
        assert got == [(reached, url.removeprefix("http://"))]
        assert exchange.url == url + kept
        assert exchange.header("host") == f"127.0.0.1:{port}"
