"""Tools that are not on the wire as their server lists them now."""

from collections.abc import Iterator, Mapping, Sequence

from inspector import wire
from inspector.cache import Finding
from inspector.cache.finding import WARNING
from inspector.diff import Side
from inspector.segments import Prompt, Segment
from inspector.text import Kind
from inspector.verify import places


def stale(sides: Sequence[Side]) -> Iterator[Finding]:
    """A finding for each tool that a server lists otherwise, at the first request that shows it."""
    told: set[str] = set()
    for side in sides:
        if side.built is None:
            continue
        from_servers = {
            place.path.split("/")[2]
            for place in places(side.built)
            if place.origin.kind is Kind.LISTING and place.path.startswith("/tools/")
        }
        sent, made = _tools(side.prompt), _tools(wire.split(side.built.body))
        for name, listed in made.items():
            there = sent.get(name)
            number = listed.path.split("/")[2]
            if name in told or there is None or number not in from_servers:
                continue
            if there.key != listed.key:
                told.add(name)
                message = f"{name}: its server lists another description or schema than is sent"
                yield Finding("STALE-SCHEMA", WARNING, message, there.path, side.name)


def _tools(prompt: Prompt) -> Mapping[str, Segment]:
    return {
        name: segment
        for segment in prompt.segments
        if segment.section == "tools" and (name := segment.value.string_of("name"))
    }
