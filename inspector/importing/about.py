"""What an exchange of somebody else's tells about itself: client, conversation, host, kind."""

import re
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import SplitResult, urlsplit

from inspector import wire
from inspector.capture.agent import Agent, agent
from inspector.capture.hosts import HOSTS
from inspector.formats import Item
from inspector.jsontext import read
from inspector.session import Exchange, ExchangeKind

_CONVERSATION = ("x-claude-code-session-id", "thread-id", "session-id", "session_id")
_CALLS = ("/messages", "/messages/count_tokens", "/responses", "/responses/compact")
_CLAUDE_VERSION = re.compile(rb"cc_version=(\d+\.\d+\.\d+)")
_OLD_USER = re.compile(r"_session_([0-9a-f-]{36})$")
UNKNOWN_ROUTE = "unknown"
"""The route of bodies that came without their address."""


@dataclass(frozen=True, slots=True)
class About:
    """What an exchange tells about itself."""

    agent: Agent | None
    conversation: str
    host: str
    is_call: bool
    kind: ExchangeKind

    @classmethod
    def of(cls, item: Item, exchange: Exchange) -> "About":
        """Headers first; a body is looked into where they are silent."""
        url = _parts(exchange.url)
        posted = exchange.method == "POST" and url.path.endswith(_CALLS)
        is_call = posted or (exchange.method != "GET" and _is_shaped(exchange.request))
        conversation = item.conversation or next(
            filter(None, map(exchange.header, _CONVERSATION)), ""
        )
        named = agent(exchange.header("user-agent") or "")
        if is_call and not (conversation and named):
            body = Said.of(exchange.request)
            conversation, named = conversation or body.conversation, named or body.agent
        return cls(named, conversation, url.hostname or "", is_call, _kind(url.path, is_call))

    @property
    def route(self) -> str:
        """How the client reached its model, as far as an address tells."""
        if not self.host:
            return UNKNOWN_ROUTE
        return "tls" if self.host in HOSTS else "base-url"

    def ours(self, hosts: set[str]) -> bool:
        """Whether it is a model's or a known client's traffic."""
        return self.is_call or self.agent is not None or self.host in hosts


def _parts(url: str) -> SplitResult:
    try:
        found = urlsplit(url)
        _ = found.hostname
    except ValueError:  # no address, as `http://[`
        return urlsplit("")
    return found


def _is_shaped(body: bytes) -> bool:
    return wire.split(body).dialect is not None


def _kind(path: str, is_call: bool) -> ExchangeKind:
    """For clients without a model of ours; the others' are labelled when they are read."""
    if path.endswith("/count_tokens"):
        return ExchangeKind.COUNT_TOKENS
    return ExchangeKind.MAIN if is_call else ExchangeKind.AUX


@dataclass(frozen=True, slots=True)
class Said:
    """What a body tells: its conversation, its client."""

    conversation: str = ""
    agent: Agent | None = None

    @classmethod
    def of(cls, data: bytes) -> "Said":
        """Claude Code's metadata and billing block, Codex's cache key and metadata."""
        try:
            body = _object(read(data))
        except ValueError:
            return cls()
        user = _object(body.get("metadata")).get("user_id")
        if isinstance(user, str):
            version = _CLAUDE_VERSION.search(data)
            found = Agent("claude-code", version[1].decode()) if version else None
            return cls(_session_of(user), found)
        told = _object(body.get("client_metadata"))
        key = body.get("prompt_cache_key")
        found = Agent("codex", "") if any(name.startswith("x-codex") for name in told) else None
        return cls(key if isinstance(key, str) else "", found)


def _session_of(user: str) -> str:
    try:
        found = _object(read(user)).get("session_id")
    except ValueError:
        old = _OLD_USER.search(user)
        return old[1] if old else ""
    return found if isinstance(found, str) else ""


def _object(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
