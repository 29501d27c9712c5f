"""What a request on a WebSocket stands for: the whole conversation it goes on from.

A client on a WebSocket sends new items only, with `previous_response_id`; the server knows the
rest: the items of earlier requests, and those it answered with itself
[codex 0.171.0, builtin_ws]. The joined request puts them together. It is a view: these bytes were
never sent. The server's own items stand as the server wrote them, where a client that sends all
again would write them its own way.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from inspector.jsontext import Node
from inspector.jsontext.node import Member
from inspector.session import WEBSOCKET, Exchange
from inspector.wire.responses import document, stream

TRANSPORT = frozenset({"type", "previous_response_id", "generate"})
"""Top-level members that a request has on a WebSocket only."""


@dataclass(frozen=True, slots=True)
class Joined:
    """One request on a WebSocket with all it goes on from."""

    frames: tuple[str, ...]
    """The exchanges it is joined from, oldest first; the last is the request itself."""
    items: tuple[bytes, ...]
    """The items of its `input`."""
    request: Node
    missing: str = ""
    """The response it goes on from, when that is not among the exchanges."""

    @property
    def body(self) -> bytes:
        """The request as it would be sent without a WebSocket."""
        members = [member for member in self.request.members if member.name not in TRANSPORT]
        return b"{%s}" % b",".join(map(self._member, members))

    def _member(self, member: Member) -> bytes:
        name, start, end, value = member
        spelled = self.request.source.data[start:end]
        raw = b"[%s]" % b",".join(self.items) if name == "input" else value.raw
        return b"%s:%s" % (spelled, raw)


def joined(exchanges: Iterable[Exchange]) -> dict[str, Joined]:
    """The joined requests of a session, by the id of the exchange that sent the last part."""
    known: dict[str, Joined] = {}
    """What a response leaves behind, by its id."""
    found: dict[str, Joined] = {}
    for exchange in exchanges:
        request = _request(exchange)
        if request is None:
            continue
        goes_on = request.string_of("previous_response_id")
        before = known.get(goes_on or "")
        own = _raws(request.get("input"))
        whole = Joined(
            frames=(*(before.frames if before else ()), exchange.id),
            items=(*(before.items if before else ()), *own),
            request=request,
            missing=_missing(goes_on, before),
        )
        found[exchange.id] = whole
        identity, answered = _answer(exchange)
        if identity:
            items = (*whole.items, *answered)
            known[identity] = Joined(whole.frames, items, request, whole.missing)
    return found


def _missing(goes_on: str | None, before: Joined | None) -> str:
    if goes_on is None:
        return ""
    return before.missing if before is not None else goes_on


def _request(exchange: Exchange) -> Node | None:
    if exchange.method != WEBSOCKET:
        return None
    node = document(exchange.request)
    return node if node is not None and node.string_of("type") == "response.create" else None


def _raws(node: Node | None) -> Iterator[bytes]:
    return (item.raw for item in (node.items if node is not None else ()))


def _answer(exchange: Exchange) -> tuple[str, list[bytes]]:
    """The id of a response and the items in it."""
    events, _ = stream(exchange.response)
    identity, items = "", list[bytes]()
    for event in events:
        response, item = event.get("response"), event.get("item")
        if response is not None:
            identity = response.string_of("id") or identity
        if event.string_of("type") == "response.output_item.done" and item is not None:
            items.append(item.raw)
    return identity, items
