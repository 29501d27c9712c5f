"""How much of a request comes from where, and how often the client puts a text of its own in."""

from collections.abc import Callable
from dataclasses import dataclass

from inspector.clients import Called
from inspector.text import Built, ByteClass, Kind, Known
from inspector.verify import Place, places

_GROUPS = {
    Kind.HOOK: "hooks",
    Kind.PROMPT: "prompts",
    Kind.REPLY: "replies",
    Kind.OUTCOME: "tool results",
    Kind.TRANSCRIPT: "earlier session",
    Kind.FILE_NOT_KEPT: "files read",
    Kind.FACT: "environment",
    Kind.ADOPTED: "not known",
}
_FILES = {"rule": "rules", "skill": "skills", "command": "commands", "agent": "agents"}


@dataclass(slots=True)
class Total:
    """What one source takes of a request."""

    name: str
    runs: int = 0
    """Stretches of text."""
    chars: int = 0
    """Code points of decoded strings; keys and punctuation of JSON are not counted."""


def totals(built: Built, called: Callable[[str], Called]) -> list[Total]:
    """The sources of a request, the largest first."""
    found: dict[str, Total] = {}
    for place in places(built):
        _add(found, _group(place, called), place)
    return sorted(found.values(), key=lambda total: -total.chars)


def client_texts(built: Built) -> list[Total]:
    """The client's own texts in a request by name, with how often each stands there."""
    found: dict[str, Total] = {}
    for place in places(built):
        if place.origin.kind in {Kind.KNOWN, Kind.LITERAL}:
            _add(found, place.origin.name, place)
    return sorted(found.values(), key=lambda total: -total.chars)


def _group(place: Place, called: Callable[[str], Called]) -> str:
    origin = place.origin
    if origin.kind is Kind.FILE:
        return _FILES.get(called(origin.name).kind, "files read")
    if origin.of_folder:
        return "files read"
    if origin.kind is Kind.LISTING:
        return "MCP tools" if "/" in origin.name else "MCP servers"
    if origin.byte_class is ByteClass.MASKED:
        return "ids"
    return _GROUPS.get(origin.kind, "client")


def _add(found: dict[str, Total], name: str, place: Place) -> None:
    total = found.setdefault(name, Total(name))
    total.runs += 1
    total.chars += _size(place)


def _size(place: Place) -> int:
    # A placeholder stands for a text of another length.
    if place.sealed and isinstance(place.origin, Known):
        return place.origin.chars
    return place.end - place.start
