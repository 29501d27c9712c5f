"""MCP over streamable HTTP: each message a POST, the answer JSON or an event stream."""

import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from typing import Any

from inspector import jsontext
from inspector.mcp_client.faults import Fault, NotAsked, answers, message, parsed, result

LOGIN = frozenset({401, 403, 407})
LARGEST = 50_000_000


class Here(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the headers may hold credentials meant for this host only."""

    def redirect_request(self, *_: object, **__: object) -> None:
        """Follow none."""


class Http:
    """A session with a server at a URL."""

    def __init__(self, url: str, headers: Mapping[str, str], deadline: float) -> None:
        """Remember where; nothing is sent yet."""
        if not url.startswith(("http://", "https://")):
            raise Fault(f"{url.partition(':')[0]} is no scheme of HTTP")
        self._url, self._headers, self._deadline = url, dict(headers), deadline
        self._number = 0
        self._opener = urllib.request.build_opener(Here())

    def request(self, method: str, params: Mapping[str, Any]) -> jsontext.Node:
        """The result of a request."""
        self._number += 1
        with self._post(message(method, params, self._number)) as response:
            self._remember("Mcp-Session-Id", response.headers.get("Mcp-Session-Id"))
            for part in self._messages(response):
                node = parsed(part)
                if node is not None and answers(node, self._number):
                    found = result(node)
                    if method == "initialize":
                        self._remember("MCP-Protocol-Version", found.string_of("protocolVersion"))
                    return found
        raise Fault(f"no answer to {method}")

    def notify(self, method: str) -> None:
        """Send a notification."""
        with self._post(message(method, None, None)) as response:
            response.read(LARGEST)

    def close(self) -> None:
        """End the session, where the server keeps one."""
        if "Mcp-Session-Id" not in self._headers:
            return
        asked = urllib.request.Request(self._url, headers=self._headers, method="DELETE")  # noqa: S310
        with suppress(OSError, HTTPException), self._opener.open(asked, timeout=1):
            pass

    def _remember(self, name: str, value: str | None) -> None:
        if value:
            self._headers[name] = value

    def _post(self, body: bytes) -> HTTPResponse:
        own = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        asked = urllib.request.Request(self._url, body, {**own, **self._headers}, method="POST")  # noqa: S310
        try:
            response: HTTPResponse = self._opener.open(asked, timeout=self._left())
        except urllib.error.HTTPError as error:
            with error:
                if error.code in LOGIN:
                    raise NotAsked(f"needs a login (HTTP {error.code})") from None
                raise Fault(f"HTTP {error.code} {error.reason}") from None
        except urllib.error.URLError as error:
            raise Fault(f"cannot be reached ({error.reason})") from None
        except (HTTPException, TimeoutError) as error:
            raise Fault(f"no answer ({type(error).__name__})") from None
        return response

    def _left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise Fault("no answer in time")
        return left

    def _messages(self, response: HTTPResponse) -> Iterator[bytes]:
        if response.headers.get_content_type() != "text/event-stream":
            yield response.read(LARGEST)
            return
        for _, data in events(response, self._left):
            yield data


def events(response: HTTPResponse, check: Callable[[], object]) -> Iterator[tuple[str, bytes]]:
    """The events of a stream, name and data; `check` is called before each line is used."""
    name, data = "message", list[bytes]()
    while line := response.readline(LARGEST):
        check()
        field, _, value = line.rstrip(b"\r\n").partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            data.append(value)
        elif field == b"event":
            name = value.decode(errors="replace")
        elif not field and not value:
            if data:
                yield name, b"\n".join(data)
            name, data = "message", []
    if data:
        yield name, b"\n".join(data)
