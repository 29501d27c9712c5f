"""Editing a recorded request before it is sent again: bytes are spliced, never re-serialised."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inspector.errors import BadInput
from inspector.jsontext import Node, escape, parse

_OF_THE_SESSION = ("metadata", "client_metadata", "prompt_cache_key", "diagnostics")
"""Params that name the session or attest to the client; nobody else may send them."""
_ATTESTATION = "x-anthropic-billing-header:"
"""Starts the system block that attests to the client [claude-code 2.1.332]."""
_COUNTED = frozenset(
    {
        "model",
        "messages",
        "system",
        "tools",
        "tool_choice",
        "thinking",
        "output_config",
        "context_management",
        "mcp_servers",
    }
)
"""Params that a count of tokens takes (Messages API reference)."""


@dataclass(frozen=True, slots=True)
class Edits:
    """What is changed."""

    sets: tuple[str, ...] = ()
    """Each `POINTER=VALUE`; a value that is no JSON is a text."""
    without: tuple[str, ...] = ()
    """Pointers of segments, or of other values, that are left out."""
    model: str | None = None


def edited(body: bytes, edits: Edits) -> bytes:
    """The body with the edits, without attestations. Raises `BadInput`."""
    body = _plain(body)
    for pointer in sorted(edits.without, key=_place, reverse=True):
        body = _left_out(body, pointer)
    pairs = [one.partition("=") for one in edits.sets]
    if wrong := [pointer for pointer, equals, _ in pairs if not equals or pointer[:1] != "/"]:
        raise BadInput(f"--set {wrong[0]}: write it as /pointer=value")
    if edits.model is not None:
        body = _with(body, "/model", json.dumps(edits.model))
    for pointer, _, value in pairs:
        body = _with(body, pointer, _json(value))
    return body


def counted(body: bytes) -> bytes:
    """The body as a count of tokens takes it."""
    names = [member.name for member in parse(body).members]
    for name in names:
        if name not in _COUNTED:
            body = _left_out(body, f"/{escape(name)}")
    return body


def left_out(body: bytes, pointer: str) -> bytes:
    """The body without a value. Raises `BadInput` where there is none."""
    return _left_out(body, pointer)


def _plain(body: bytes) -> bytes:
    """Without what attests to a client or names its session."""
    names = {member.name for member in parse(body).members}
    for name in _OF_THE_SESSION:
        if name in names:
            body = _left_out(body, f"/{name}")
    system = parse(body).get("system")
    blocks = enumerate(system.items if system is not None else ())
    signed = [
        number
        for number, block in blocks
        if (block.string_of("text") or "").startswith(_ATTESTATION)
    ]
    for number in reversed(signed):
        body = _left_out(body, f"/system/{number}")
    return body


def _left_out(body: bytes, pointer: str) -> bytes:
    root = parse(body)
    above, _, name = pointer.rpartition("/")
    holder, value = root.find(above), root.find(pointer)
    if holder is None or value is None or not pointer:
        raise BadInput(f"{pointer}: nothing stands there; `inspector diff` and `show` name places")
    spans = _spans(holder)
    start, end = spans[_index(holder, name)]
    place = spans.index((start, end))
    if place + 1 < len(spans):
        end = spans[place + 1][0]
    elif place:
        start = spans[place - 1][1]
    return body[:start] + body[end:]


def _with(body: bytes, pointer: str, value: str) -> bytes:
    root = parse(body)
    found = root.find(pointer)
    raw = value.encode()
    if found is not None:
        return body[: found.start] + raw + body[found.end :]
    above, _, name = pointer.rpartition("/")
    holder = root.find(above)
    if holder is None or holder.kind not in {"object", "array"}:
        raise BadInput(f"--set {pointer}: nothing it could stand in; name a value that is there")
    filled = bool(holder.members or holder.items)
    lead = b"," if filled else b""
    key = b"" if holder.kind == "array" else json.dumps(_unescaped(name)).encode() + b":"
    return body[: holder.end - 1] + lead + key + raw + body[holder.end - 1 :]


def _spans(holder: Node) -> Sequence[tuple[int, int]]:
    if holder.kind == "object":
        return [(member.start, member.value.end) for member in holder.members]
    return [(item.start, item.end) for item in holder.items]


def _index(holder: Node, name: str) -> int:
    if holder.kind == "array":
        return int(name)
    names = [member.name for member in holder.members]
    return len(names) - 1 - names[::-1].index(_unescaped(name))


def _unescaped(token: str) -> str:
    return token.replace("~1", "/").replace("~0", "~")


def _json(value: str) -> str:
    try:
        json.loads(value)
    except ValueError:
        return json.dumps(value)
    return value


def _place(pointer: str) -> list[tuple[int, str]]:
    """Numbers as numbers, so that what stands behind is left out first."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in pointer.split("/")]


def sealed(bodies: Iterable[bytes]) -> bool:
    """Whether a text in it is only named by its digest."""
    return any(re.search("⟦(?:sha256|unknown|hmac):".encode(), body) for body in bodies)
