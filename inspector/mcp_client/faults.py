"""What can go wrong between us and an MCP server, in words a user can act on."""

import errno
import os
import socket
from collections.abc import Iterator
from typing import cast

LOGIN = frozenset({401, 403, 407})
"""HTTP statuses of a server that wants a login first."""


class Fault(Exception):
    """The server gave no usable answer."""


class NotAsked(Fault):
    """The server cannot be asked: another transport, or a login stands before it."""


class Refused(Fault):
    """The server answered with a JSON-RPC error."""


def refused(status: int, phrase: str) -> Fault:
    """The fault that an HTTP status stands for."""
    if status in LOGIN:
        return NotAsked(f"needs a login (HTTP {status})")
    return Fault(f"HTTP {status} {phrase}".rstrip())


def told(error: BaseException) -> Fault:
    """The fault behind an error of the system or of a library."""
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, Fault):
            return cause
    for cause in causes:
        if isinstance(cause, socket.gaierror):
            return Fault("cannot be reached (no such host)")
        if isinstance(cause, OSError) and cause.errno in errno.errorcode:
            return Fault(_system(cause))
    words = " ".join(str(causes[-1]).split())
    return Fault(f"no answer ({words})" if words else "no answer: the connection broke off")


def _system(error: OSError) -> str:
    words = os.strerror(error.errno or 0)
    if isinstance(error.filename, str):
        return f"{error.filename}: {words}"
    return f"cannot be reached ({words})"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error, and what lies behind it: members of groups first, then causes."""
    yield error
    for one in cast("tuple[BaseException, ...]", getattr(error, "exceptions", ())):
        yield from _causes(one)
    below = error.__cause__ or error.__context__
    if below is not None:
        yield from _causes(below)
