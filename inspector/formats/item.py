"""What a format gives: requests with their responses, and what could not be read."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from inspector.session import Headers

type Coding = Literal["as-sent", "decoded"]
type Read = Item | Skipped
type Seen = Callable[[int], None]
"""Told how many bytes of the source have been read so far."""


@dataclass(frozen=True, slots=True)
class Body:
    """Bytes of a body, and whether its content coding still is on them."""

    data: bytes = b""
    coding: Coding = "decoded"


@dataclass(frozen=True, slots=True)
class Item:
    """One request and its response as a file tells them; nothing is redacted yet."""

    method: str
    url: str
    """Only a path where the format keeps no host."""
    request_headers: Headers = ()
    request: Body = field(default_factory=Body)
    status: int | None = None
    response_headers: Headers = ()
    response: Body = field(default_factory=Body)
    started: str = ""
    first_byte: str = ""
    ended: str = ""
    error: str = ""
    """What the format could not carry, or what broke off."""
    route: str = ""
    """Set where the format itself tells the route."""
    conversation: str = ""
    """The client's id of the conversation, where it stands beside the request."""
    group: str = ""
    """Items of one group are one session, whatever conversation they name."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that could not be read, and why; `reason` tells the place where there is one."""

    path: str
    reason: str
