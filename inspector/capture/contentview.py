"""A model request in mitmproxy's own user interface: its sections and segments, with their texts.

It has the form of mitmproxy's `Contentview` protocol and needs nothing of mitmproxy itself.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from inspector import wire
from inspector.errors import counted
from inspector.segments import Prompt, Segment

if TYPE_CHECKING:
    from mitmproxy.contentviews import Metadata

_PATHS = ("/messages", "/responses", "/count_tokens", "/completions", "/compact")
_MARKS = (b'"messages"', b'"input"')
_TEXTS = ("/text", "/content", "/thinking", "/description", "/output", "/arguments")
_LONGEST = 4000
"""Characters of a segment's text that are shown."""


class ModelRequest:
    """The view; `mitmproxy.contentviews.add` takes an instance."""

    name = "Model request"
    syntax_highlight: Literal["none"] = "none"

    def render_priority(self, data: bytes, metadata: "Metadata") -> float:
        """Come before the plain JSON view for what has the form of a model request."""
        request = getattr(metadata.flow, "request", None)
        of_response = metadata.http_message is not None and metadata.http_message is not request
        if of_response or not any(mark in data for mark in _MARKS):
            return -1
        path = str(getattr(request, "path", "")).partition("?")[0]
        return 2 if path.endswith(_PATHS) else -1

    def prettify(self, data: bytes, metadata: "Metadata") -> str:  # noqa: ARG002 - the protocol's form
        """The request as text. Raises `ValueError` for any other body."""
        prompt = wire.split(data)
        if prompt.dialect is None:
            raise ValueError(prompt.problem or "no model request")
        return "\n".join(_lines(prompt))

    def __lt__(self, other: object) -> bool:
        """In the order of names, as mitmproxy's own."""
        return self.name < str(getattr(other, "name", ""))


def _lines(prompt: Prompt) -> Iterator[str]:
    name = prompt.dialect.name if prompt.dialect else ""
    yield f"{name} request, {counted(len(prompt.body), 'byte')}, {counted(len(prompt), 'segment')}"
    for member in prompt.members:
        if member.raw is not None:
            yield f"  {member.name}: {_cut(member.raw.decode('utf-8', 'replace'), 200)}"
    for section, group in groupby(prompt.segments, key=lambda segment: segment.section):
        segments = list(group)
        size = sum(len(segment.raw) for segment in segments)
        yield ""
        yield f"{section}: {counted(len(segments), 'segment')}, {counted(size, 'byte')}"
        for segment in segments:
            yield from _segment(segment)


def _segment(segment: Segment) -> Iterator[str]:
    node = segment.value
    kind = next((found.string for at in ("/name", "/type") if (found := node.find(at))), "")
    words = [segment.path, segment.role or "", kind, counted(len(segment.raw), "byte")]
    mark = segment.breakpoint
    if mark is not None:
        words.append(f"cache mark {mark.decode('utf-8', 'replace')}")
    yield "  " + "  ".join(word for word in words if word)
    if node.kind == "string":
        text = node.string
    else:
        texts = (found for at in _TEXTS if (found := node.find(at)) and found.kind == "string")
        text = next((found.string for found in texts), segment.raw.decode("utf-8", "replace"))
    yield from (f"    {line}" for line in _cut(text, _LONGEST).splitlines())


def _cut(text: str, most: int) -> str:
    text = text.encode("utf-8", "replace").decode()  # a lone surrogate cannot be printed
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most} more characters)"
