"""Where a text stands, in words that hold for every version.

Messages are not counted: one more or less in front would move all others.
"""

from collections.abc import Iterator, Sequence

from inspector.segments import Prompt, Segment
from inspector.text import Kind
from inspector.verify import Place

_RESULTS = frozenset({"tool_result", "function_call_output", "custom_tool_call_output"})


class Labels:
    """The places of one request by name."""

    def __init__(self, prompt: Prompt, spots: Sequence[Place]) -> None:
        """Look at which messages hold what."""
        self._by_path = {segment.path: segment for segment in prompt.segments}
        system = [segment.path for segment in prompt.segments if segment.section == "system"]
        self._system = {path: number for number, path in enumerate(system, start=1)}
        self._prompts = {message(spot.path) for spot in spots if spot.origin.kind is Kind.PROMPT}
        sorts = {
            segment.path: sort_of(segment)
            for segment in prompt.segments
            if segment.section == "messages"
        }
        self._given = {path for path, sort in sorts.items() if sort in _RESULTS}
        self._results = {message(path) for path in self._given}

    def label(self, path: str) -> str:
        """The name of a place, given by its JSON pointer."""
        segment = self.segment(path)
        if segment is None:
            return f"member {path.split('/')[1]}" if "/" in path else "the request"
        if segment.section == "tools":
            return f"tool {tool_name(segment)}"
        if segment.section == "system":
            return f"system block {self._system[segment.path]}"
        return self._message(segment)

    def is_tool(self, path: str) -> bool:
        """Whether a place is in the definition of a tool."""
        segment = self.segment(path)
        return segment is not None and segment.section == "tools"

    def segment(self, path: str) -> Segment | None:
        """The segment that a pointer leads into."""
        while path and path not in self._by_path:
            path = path.rpartition("/")[0]
        return self._by_path.get(path)

    def _message(self, segment: Segment) -> str:
        if segment.path in self._given:
            return "tool result"
        place, role = message(segment.path), segment.role or "item"
        if role != "user":
            return f"{role} message"
        if place in self._prompts:
            return "user message with the prompt"
        if place in self._results:
            return "user message with results"
        return "user message of its own"


def message(path: str) -> str:
    """The pointer of the message that a place stands in."""
    return "/".join(path.split("/")[:3])


def sort_of(segment: Segment) -> str:
    """A block's type; a bare string's is `str`."""
    value = segment.value
    return (value.string_of("type") or "item") if value.kind == "object" else "str"


def tool_name(segment: Segment) -> str:
    """A tool's name, or its type where it has none."""
    return segment.value.string_of("name") or segment.value.string_of("type") or "without a name"


def messages(segments: Sequence[Segment]) -> Iterator[list[Segment]]:
    """The segments of `messages`, message by message."""
    group: list[Segment] = []
    for segment in segments:
        if segment.section != "messages":
            continue
        if group and message(group[0].path) != message(segment.path):
            yield group
            group = []
        group.append(segment)
    if group:
        yield group
