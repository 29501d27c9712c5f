"""What a request tells of itself: its client, its conversation, the dialect it speaks."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from inspector import wire
from inspector.capture.agent import Agent, agent
from inspector.segments import Dialect
from inspector.session import WEBSOCKET, Exchange, ExchangeKind, Headers

_CONVERSATION = ("x-claude-code-session-id", "thread-id", "session-id", "session_id")
"""Headers with the client's id of a conversation [claude-code 2.1.332, fp_basic; codex, base]."""

_IN_BODY = re.compile(rb'"user_id":"\{[^}]*\\"session_id\\":\\"([0-9a-f-]{36})\\"')
"""The same inside the member that tells the API whose request it is."""

_PARENT = "x-codex-parent-thread-id"
"""A sub-agent's request names the thread that asked for it [codex 0.171.0, subagent]."""

_PATHS = {"/messages": "anthropic", "/responses": "openai"}
"""How the paths of model calls end, and the dialect spoken there."""
_COUNT = "/count_tokens"
_MEMBERS = (b'"messages"', b'"input"')
"""What a body on another path must hold to be worth a look."""


def spoken(exchange: Exchange) -> Dialect | None:
    """The dialect of a model call: by a path the dialects name, else by the shape of its body."""
    if exchange.method not in ("POST", WEBSOCKET):
        return None
    path = urlsplit(exchange.url).path
    for end, name in _PATHS.items():
        if path.endswith(end):
            return wire.named(name)
    body = exchange.request
    if path.endswith(_COUNT) or not any(member in body for member in _MEMBERS):
        return None
    return wire.split(body).dialect


def kind(exchange: Exchange, dialect: Dialect | None) -> ExchangeKind:
    """For clients without a model of ours; the others' are labelled when they are read."""
    if dialect is not None:
        return ExchangeKind.MAIN
    counts = urlsplit(exchange.url).path.endswith(_COUNT)
    return ExchangeKind.COUNT_TOKENS if counts else ExchangeKind.AUX


@dataclass(frozen=True, slots=True)
class Told:
    """What a request's headers tell."""

    user_agent: str
    agent: Agent | None
    conversation: str | None
    """The client's own id of the conversation the request belongs to."""
    parent: str | None
    """The conversation that asked for this one."""


@lru_cache(maxsize=4)
def told(headers: Headers) -> Told:
    """What the headers of a request tell; several ask about the same ones."""
    first = {name.lower(): value for name, value in reversed(headers)}
    name = first.get("user-agent", "")
    named = next(filter(None, map(first.get, _CONVERSATION)), None)
    return Told(name, agent(name), named, first.get(_PARENT))


def conversation(body: bytes) -> str | None:
    """The client's id of the conversation, where only the body has it [claude-code 2.1.78]."""
    found = _IN_BODY.search(body)
    return found[1].decode() if found is not None else None


def header(headers: Iterable[tuple[str, str]], name: str) -> str:
    """The first header with this name, in any case; empty for none."""
    return next((value for key, value in headers if key.lower() == name), "")
