"""What can go wrong between us and an MCP server, in words a user can act on."""

import errno
import os
import re
import socket
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import cast

import httpx2

from inspector.clients import Server
from inspector.workspace import Cause

LOGIN = frozenset({401, 403, 407})
"""HTTP statuses of a server that wants a login first."""
_STARTED: Mapping[int, Cause] = {errno.ENOENT: "absent", errno.EACCES: "forbidden"}
_REACHED: Mapping[int, Cause] = {errno.ECONNREFUSED: "refused", errno.ECONNRESET: "reset"}
_SCHEMES = {"basic", "bearer", "digest", "token"}
_LEAST = 4
"""Shorter values of the configuration say nothing of a secret; clients let them stand too."""
_BROKEN_OFF = (httpx2.NetworkError, httpx2.RemoteProtocolError)


class Fault(Exception):
    """The server gave no usable answer."""

    def __init__(
        self, words: str, cause: Cause | None = None, *, detail: str = "", said: str = ""
    ) -> None:
        """The words for the user; the facts that a client's own words are made of."""
        super().__init__(words)
        self.cause: Cause | None = cause
        self.detail, self.said = detail, said


class NotAsked(Fault):
    """The server cannot be asked: another transport, or a login stands before it."""


class Refused(Fault):
    """The server answered with a JSON-RPC error."""


def refused(status: int, phrase: str, said: str) -> Fault:
    """The fault that an HTTP status stands for; `said`: what came with it."""
    if status in LOGIN:
        return NotAsked(f"needs a login (HTTP {status})", "status", detail=str(status), said=said)
    return Fault(f"HTTP {status} {phrase}".rstrip(), "status", detail=str(status), said=said)


def told(error: BaseException) -> Fault:
    """The fault behind an error of the system or of a library."""
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, Fault):
            return cause
    for cause in causes:
        if isinstance(cause, socket.gaierror):
            return Fault("cannot be reached (no such host)", "unresolved")
        if isinstance(cause, OSError) and cause.errno in errno.errorcode:
            return _system(cause)
    if any(isinstance(cause, _BROKEN_OFF) for cause in causes):
        return Fault("no answer (the connection broke off)", "reset")
    return Fault(f"no answer ({' '.join(str(causes[-1]).split())})")


def _system(error: OSError) -> Fault:
    words = os.strerror(error.errno or 0)
    if isinstance(error.filename, str):
        cause = _STARTED.get(error.errno or 0)
        on_path = cause == "absent" and "/" not in error.filename
        return Fault(f"{error.filename}: {words}", "not-found" if on_path else cause)
    return Fault(f"cannot be reached ({words})", _REACHED.get(error.errno or 0))


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error, and what lies behind it: members of groups first, then causes."""
    yield error
    for one in cast("tuple[BaseException, ...]", getattr(error, "exceptions", ())):
        yield from _causes(one)
    below = error.__cause__ or error.__context__
    if below is not None:
        yield from _causes(below)


def unsaid(server: Server, words: str) -> str:
    """Words of a server with digests for what its configuration hands it in secret.

    The snapshot of a configuration has the same: the values of `headers` and `env` by digest.
    """
    values = [*(server.headers or {}).values(), *(server.env or {}).values()]
    runs = {run for value in values for run in (value, *value.split())}
    for run in sorted(runs, key=len, reverse=True):
        if len(run) >= _LEAST and run.lower() not in _SCHEMES:
            digest = f"sha256:{sha256(run.encode(errors='surrogatepass')).hexdigest()}"
            words = re.compile(re.escape(run), re.IGNORECASE).sub(digest, words)
    return words
