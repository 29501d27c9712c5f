"""Behind a company's proxy: our connections go through it, and its CA is trusted."""

import http.client
import socket
import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from inspector.capture import ca
from inspector.capture.addon import Plan
from inspector.capture.parent import Parent
from tests.capture.gate import LIMIT, gate

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\nover"


def certificate(folder: Path, host: str) -> tuple[Path, Path]:
    """A certificate for a host by a CA of the company's own: its file and the CA's."""
    from mitmproxy.certs import CertStore

    authority = ca.authority(folder, {})
    store: Any = cast("Any", CertStore).from_store(authority.folder, "mitmproxy", 2048)
    from cryptography import x509

    entry = store.get_cert(host, [x509.DNSName(host)])
    path = folder / "server.pem"
    key = (authority.folder / "mitmproxy-ca.pem").read_bytes()
    path.write_bytes(key.partition(b"-----BEGIN CERTIFICATE")[0] + entry.cert.to_pem())
    return path, authority.folder / "mitmproxy-ca-cert.pem"


@contextmanager
def company_proxy(pem: Path) -> Generator[tuple[int, list[bytes]]]:
    """A proxy that answers in the place of every host, and the head of each thing it was asked."""
    asked: list[bytes] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)

    def serve(client: socket.socket) -> None:
        with client:
            asked.append(head(client))
            if asked[-1].startswith(b"CONNECT"):
                client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                with context.wrap_socket(client, server_side=True) as inner:
                    asked.append(head(inner))
                    inner.sendall(ANSWER)
            else:
                client.sendall(ANSWER)

    def accept() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            client.settimeout(LIMIT)
            serve(client)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield listener.getsockname()[1], asked
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def head(client: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        more = client.recv(4096)
        if not more:
            break
        data += more
    return data


@pytest.mark.parametrize("way", ["forward", "reverse"])
def test_model_calls_go_out_through_the_users_proxy_with_its_password(
    tmp_path: Path, way: str
) -> None:
    pem, company = certificate(tmp_path / "company", "api.anthropic.com")
    with company_proxy(pem) as (port, asked):
        outer = Parent("http", "127.0.0.1", port, "me:pass")
        plan = Plan(parent=outer, endpoint="https://api.anthropic.com")
        with gate(tmp_path, plan, env={"SSL_CERT_FILE": str(company)}) as proxy:
            if way == "forward":
                connection: http.client.HTTPConnection = proxy.connect()
            else:
                connection = http.client.HTTPConnection(
                    "127.0.0.1", int(proxy.addresses.reverse.rpartition(":")[2]), timeout=LIMIT
                )
            connection.request("GET", "/v1/models")
            assert connection.getresponse().read() == b"over"
            connection.close()
            (exchange,) = proxy.stored()
    tunnel, request = (text.lower() for text in asked)
    assert tunnel.startswith(b"connect api.anthropic.com:443 http/1.1\r\n")
    assert b"proxy-authorization: basic bwu6cgfzcw==\r\n" in tunnel
    assert request.startswith(b"get /v1/models http/1.1\r\n")
    assert b"authorization" not in request
    assert exchange.response == b"over"


def test_a_plain_request_to_another_host_goes_through_the_users_proxy_too(tmp_path: Path) -> None:
    pem, _ = certificate(tmp_path / "company", "x")
    with company_proxy(pem) as (port, asked):
        plan = Plan(parent=Parent("http", "127.0.0.1", port, "me:pass"))
        with gate(tmp_path, plan) as proxy:
            connection = http.client.HTTPConnection(proxy.host, proxy.port, timeout=LIMIT)
            connection.request("GET", "http://else.example/x")
            assert connection.getresponse().read() == b"over"
            connection.close()
            assert proxy.stored() == []
    (request,) = (text.lower() for text in asked)
    assert request.startswith(b"get http://else.example/x http/1.1\r\n")
    assert b"proxy-authorization: basic bwu6cgfzcw==\r\n" in request


def test_an_upstream_on_this_machine_is_reached_without_the_users_proxy(tmp_path: Path) -> None:
    from inspector import mock

    with mock.serve(mock.script([])) as server:
        plan = Plan(upstream=server.url, parent=Parent("http", "127.0.0.1", 9))
        with gate(tmp_path, plan) as proxy:
            connection = proxy.connect()
            connection.request("POST", "/v1/messages/count_tokens", b"{}")
            assert connection.getresponse().read() == b'{"input_tokens":1000}'
