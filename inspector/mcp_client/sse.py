"""MCP over the older HTTP transport: an event stream for answers, and an address for messages."""

import queue
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from typing import Any

from inspector import jsontext
from inspector.mcp_client.faults import Fault, NotAsked, answers, message, parsed, result
from inspector.mcp_client.http import LARGEST, LOGIN, Here, events


class Sse:
    """A session with a server whose answers come on a stream of their own."""

    def __init__(self, url: str, headers: Mapping[str, str], deadline: float) -> None:
        """Open the stream and wait for the address that takes messages."""
        self._url, self._headers, self._deadline = url, dict(headers), deadline
        self._number = 0
        self._opener = urllib.request.build_opener(Here())
        self._events: queue.SimpleQueue[tuple[str, bytes] | None] = queue.SimpleQueue()
        self._stream = self._open(urllib.request.Request(url, headers=self._accepting()))  # noqa: S310
        self._reader = threading.Thread(target=self._read, name="inspector-mcp-sse", daemon=True)
        self._reader.start()
        self._to = self._address()

    def request(self, method: str, params: Mapping[str, Any]) -> jsontext.Node:
        """The result of a request."""
        self._number += 1
        self._post(message(method, params, self._number))
        while True:
            name, data = self._event(method)
            node = parsed(data) if name == "message" else None
            if node is not None and answers(node, self._number):
                return result(node)

    def notify(self, method: str) -> None:
        """Send a notification."""
        self._post(message(method, None, None))

    def close(self) -> None:
        """End the stream."""
        with suppress(OSError, HTTPException, ValueError):
            self._stream.close()

    def _accepting(self) -> dict[str, str]:
        return {**self._headers, "Accept": "text/event-stream", "Cache-Control": "no-store"}

    def _address(self) -> str:
        name, data = self._event("the stream's opening")
        if name != "endpoint":
            raise Fault(f"the stream began with {name}, not with an endpoint")
        found = urllib.parse.urljoin(self._url, data.decode(errors="replace"))
        old, new = urllib.parse.urlsplit(self._url), urllib.parse.urlsplit(found)
        if (old.scheme, old.netloc) != (new.scheme, new.netloc):
            raise Fault("the endpoint is on another host")
        return found

    def _event(self, awaited: str) -> tuple[str, bytes]:
        try:
            found = self._events.get(timeout=max(self._deadline - time.monotonic(), 0.001))
        except queue.Empty:
            raise Fault(f"no answer to {awaited} in time") from None
        if found is None:
            raise Fault(f"the stream ended before {awaited} was answered")
        return found

    def _post(self, body: bytes) -> None:
        headers = {**self._headers, "Content-Type": "application/json"}
        asked = urllib.request.Request(self._to, body, headers, method="POST")  # noqa: S310
        with self._open(asked) as response:
            response.read(LARGEST)

    def _open(self, asked: urllib.request.Request) -> HTTPResponse:
        left = self._deadline - time.monotonic()
        try:
            response: HTTPResponse = self._opener.open(asked, timeout=max(left, 0.001))
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

    def _read(self) -> None:
        with suppress(OSError, HTTPException, ValueError, AttributeError):
            for event in events(self._stream, lambda: None):
                self._events.put(event)
        self._events.put(None)
