"""Sending one recorded request again, with the user's own key, through the API's own SDK."""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from inspector import diff, redact, wire
from inspector.capture.passing import now
from inspector.errors import BadInput, reason
from inspector.jsontext import parse
from inspector.replay import edits
from inspector.replay.edits import Edits
from inspector.segments import Prompt
from inspector.session import WEBSOCKET, Exchange, ExchangeKind, Session
from inspector.store import Store
from inspector.turns import Called, Failed, Replied, Said, Thought

_HOSTS = {"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com/v1"}
_BASES = {"anthropic": "ANTHROPIC_BASE_URL", "openai": "OPENAI_BASE_URL"}
_KEPT = ("anthropic-beta", "anthropic-version", "openai-beta")
"""Headers without which the body may mean something else; none of them says who sends it."""
_SECONDS = 600.0
_MOST = 200
"""Segments measured one by one."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """A request ready to be sent."""

    exchange: Exchange
    dialect: str
    body: bytes
    base: str
    path: str
    headers: Mapping[str, str]

    @property
    def model(self) -> str:
        """The model asked for."""
        return parse(self.body).string_of("model") or ""

    @property
    def line(self) -> str:
        """What is about to leave the machine, in one line."""
        tokens = -(-len(self.body) // diff.BYTES_PER_TOKEN)
        return (
            f"{len(self.body):,} bytes (about {tokens:,} tokens) for"
            f" {self.model or 'a model'} to {self.base}{self.path}, with your own key"
        )


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back."""

    exchange: Exchange
    """As it is kept."""
    changes: tuple[diff.Change, ...]
    """From the recorded request to the one sent."""
    recorded: Replied | Failed | None
    now: Replied | Failed | None


def parcel(exchange: Exchange, wanted: Edits, base: str = "") -> Parcel:
    """Prepare a recorded request. Raises `BadInput` for one that cannot be sent."""
    if exchange.method == WEBSOCKET:
        raise BadInput(f"{exchange.id}: sent on a WebSocket; only whole requests are sent again")
    prompt = wire.split(exchange.request)
    if prompt.dialect is None:
        raise BadInput(f"{exchange.id}: {prompt.problem}; name a model request")
    if edits.sealed([exchange.request]):
        raise BadInput(f"{exchange.id}: texts in it are sealed; send it from your own capture")
    dialect = "anthropic" if prompt.dialect.name.startswith("anthropic") else "openai"
    kept = {name: value for name in _KEPT if (value := exchange.header(name)) is not None}
    parts = urlsplit(exchange.url)
    path = "/v1/messages" if dialect == "anthropic" else "/responses"
    query = f"?{parts.query}" if parts.query and dialect == "anthropic" else ""
    host = base or os.environ.get(_BASES[dialect]) or _HOSTS[dialect]
    body = edits.edited(exchange.request, wanted)
    return Parcel(exchange, dialect, body, host, path + query, kept)


def send(parcel: Parcel) -> tuple[int, Mapping[str, str], bytes, str]:
    """Send it: status, headers, body, and when it was sent. Raises `BadInput` without an answer."""
    started = now()
    answer = _post(parcel, parcel.path, parcel.body)
    return answer.status_code, dict(answer.headers), answer.content, started


def count(parcel: Parcel, one_by_one: bool = True) -> dict[str, Any]:
    """Measure a request's tokens: all of it, and each segment of tools and system."""
    if parcel.dialect != "anthropic":
        raise BadInput(f"{parcel.exchange.id}: only the Messages API counts tokens")
    body = edits.counted(parcel.body)
    whole = _count(parcel, body)
    if whole is None:
        raise BadInput(f"{parcel.exchange.id}: the API counted nothing; send it to see why")
    rows: list[dict[str, Any]] = []
    prompt = wire.split(body)
    measured = [one for one in prompt.segments if one.section in {"tools", "system"}]
    for segment in measured[:_MOST] if one_by_one else ():
        less = _count(parcel, edits.left_out(body, segment.path))
        tokens = None if less is None else whole - less
        name = segment.value.string_of("name") or ""
        rows.append(
            {
                "path": segment.path,
                "section": segment.section,
                "name": name,
                "bytes": len(segment.raw),
                "tokens": tokens,
            }
        )
    return {"tokens": whole, "bytes": len(body), "segments": rows}


def _count(parcel: Parcel, body: bytes) -> int | None:
    answer = _post(parcel, "/v1/messages/count_tokens", body)
    if answer.status_code >= 400:
        return None
    with suppress(ValueError, KeyError):
        return int(answer.json()["input_tokens"])
    return None


def _post(parcel: Parcel, path: str, body: bytes) -> Any:  # noqa: ANN401 - the SDK's own response
    import httpx2

    headers = {**parcel.headers, "content-type": "application/json"}
    client, sdk = _client(parcel)
    refused: type[Exception] = sdk.APIStatusError
    fault: type[Exception] = sdk.APIError
    try:
        return client.post(
            path, cast_to=httpx2.Response, content=body, options={"headers": headers}
        )
    except refused as error:
        answered: Any = error
        return answered.response
    except fault as error:
        raise BadInput(f"{parcel.base}: no answer ({reason(error)}); nothing was stored") from error
    finally:
        client.close()


def _client(parcel: Parcel) -> tuple[Any, Any]:
    """The SDK's client with the user's key, and the SDK, which says how something fails."""
    import anthropic

    sdk: Any = anthropic if parcel.dialect == "anthropic" else _openai()
    make = sdk.Anthropic if parcel.dialect == "anthropic" else sdk.OpenAI
    name = "ANTHROPIC_API_KEY" if parcel.dialect == "anthropic" else "OPENAI_API_KEY"
    if not (os.environ.get(name) or os.environ.get("ANTHROPIC_AUTH_TOKEN")):
        raise BadInput(f"{name}: not set; sending takes a key of your own")
    client: Any = make(base_url=parcel.base, max_retries=0, timeout=_SECONDS)
    return client, sdk


def _openai() -> Any:  # noqa: ANN401 - an extra, which need not be installed
    from importlib import import_module

    try:
        return import_module("openai")
    except ImportError as error:
        raise BadInput("openai: not installed; pip install 'inspector[openai]'") from error


def keep(
    parcel: Parcel,
    answer: tuple[int, Mapping[str, str], bytes, str],
    client: tuple[str, str],
    store: Store,
    given: redact.Given,
) -> Answered:
    """Store what was sent and what came, as a session of its own; compare with the recording."""
    status, headers, data, started = answer
    old = parcel.exchange
    session = Session(Store.new_id(), *client, "base-url", started, source="replay")
    digest = sha256(parcel.body).hexdigest()
    made = Exchange(
        id=Store.new_id(),
        session=session.id,
        number=1,
        method="POST",
        url=f"{parcel.base}{parcel.path}",
        request_headers=(*parcel.headers.items(), ("content-type", "application/json")),
        request_wire=parcel.body,
        request=parcel.body,
        request_sha256=digest,
        wire_sha256=digest,
        status=status,
        response_headers=tuple(
            (name, value) for name, value in headers.items() if name.lower() != "content-encoding"
        ),
        response=data,
        started=started,
        ended=now(),
        kind=ExchangeKind.MAIN,
    )
    made = redact.exchange(made, given)
    store.put_session(session)
    store.put(made)
    before, after = wire.split(old.request), wire.split(made.request)
    return Answered(made, diff.diff(before, after), _reply(before, old), _reply(after, made))


def _reply(prompt: Prompt, exchange: Exchange) -> Replied | Failed | None:
    if prompt.dialect is None or exchange.status is None:
        return None
    kinds = [value for name, value in exchange.response_headers if name.lower() == "content-type"]
    return wire.reply(prompt.dialect, exchange.response, "".join(kinds[:1]), exchange.status)


def told(reply: Replied | Failed | None) -> dict[str, Any]:
    """A reply as JSON values: what was said, called, used."""
    if reply is None:
        return {}
    if isinstance(reply, Failed):
        return {"status": reply.status}
    blocks = reply.blocks
    return {
        "text": "".join(one.text for one in blocks if isinstance(one, Said)),
        "thinking": sum(len(one.text or "") for one in blocks if isinstance(one, Thought)),
        "calls": [
            {"name": one.name, "input": one.input} for one in blocks if isinstance(one, Called)
        ],
        "stop": reply.stop,
        "input_tokens": reply.input_tokens,
        "cache_read_tokens": reply.cache_read_tokens,
        "cache_write_tokens": reply.cache_write_tokens,
        "output_tokens": reply.output_tokens,
    }
