"""The law of input: only what the outside world said may count as input, and it must have said it.

A run of input text is a prompt, a model's words, hook output, or the result of a call whose tool acts on
the world; and it stands so in the turns, which come from logs. What the client makes itself (results of
its file tools and skills, its errors) is no input, whatever an origin calls it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from inspector.jsontext import parse
from inspector.named import Found
from inspector.text import ByteClass, Kind
from inspector.turns import Called, Event, Hooked, Prompted, Replied, Returned
from inspector.verify import Place, RequestReport, places

WORLD: Mapping[str, re.Pattern[str]] = {
    "claude-code": re.compile(r"Bash|WebFetch|WebSearch|mcp__\w+"),
    "codex": re.compile(r"exec|wait|exec_command|write_stdin|shell|shell_command|mcp__\w+"),
}
"""The tools whose results are the world's, by client; Codex's scripts (`exec`) run all others."""

_SHELL_OF_A_SKILL = re.compile(r"!\d+")
"""The name of a shell command's output inside a skill's body."""


@dataclass(slots=True)
class _Said:
    """What the turns hold, by kind of input; a string that is JSON counts decoded as well."""

    texts: dict[Kind, list[str]] = field(default_factory=dict[Kind, list[str]])
    tools: dict[str, str] = field(default_factory=dict[str, str])
    """Tools by the id of their call."""

    def holds(self, kind: Kind, words: str) -> bool:
        """Whether somebody said these words."""
        return any(words in text for text in self.texts.get(kind, ()))

    def add(self, kind: Kind, *texts: str | None) -> None:
        """Take in what was said."""
        for text in filter(None, texts):
            self.texts.setdefault(kind, []).append(text)
            self.texts[kind] += _strings(text)


def complaints(found: Found, requests: Sequence[RequestReport]) -> Iterator[str]:
    """Every run of input that is none, in the requests of a golden."""
    said = _said(found)
    client = found.recording.session.client
    for request in requests:
        for place in places(request.built) if request.built is not None else ():
            if place.origin.byte_class is ByteClass.INPUT:
                assert request.built is not None
                fault = _fault(place, _words(request.built.body, place), said, client)
                if fault:
                    yield f"#{request.number} {place.path}: {fault}"


def _fault(place: Place, words: str, said: _Said, client: str) -> str:
    kind, name = place.origin.kind, place.origin.name
    if kind not in {Kind.PROMPT, Kind.REPLY, Kind.HOOK, Kind.OUTCOME}:
        return f"input of kind {kind}"
    tool = said.tools.get(name, name)
    if kind is Kind.OUTCOME and not (
        WORLD[client].fullmatch(tool) or _SHELL_OF_A_SKILL.fullmatch(tool)
    ):
        return f"the result of {tool} is no input"
    return "" if said.holds(kind, words) else f"nobody said {words[:60]!r} ({kind}:{name})"


def _words(body: bytes, place: Place) -> str:
    node = parse(body).find(place.path)
    assert node is not None
    return node.string[place.start : place.end] if node.kind == "string" else node.text


def _said(found: Found) -> _Said:
    said = _Said()
    recordings = (*found.earlier, found.recording)
    turns = [turn for item in recordings for turn in (item.turns.turns if item.turns else ())]
    for event in (event for turn in turns for event in turn.events):
        _take(said, event)
    return said


def _take(said: _Said, event: Event) -> None:
    match event:
        case Prompted():
            said.add(Kind.PROMPT, event.text)
        case Replied():
            said.add(Kind.REPLY, event.id)
            for block in event.blocks:
                said.add(Kind.REPLY, block.model_dump_json(exclude_none=True))
                if isinstance(block, Called):
                    prefix = f"{block.namespace}__" if block.namespace else ""
                    said.tools[block.id] = prefix + block.name
        case Returned():
            said.add(Kind.OUTCOME, event.text, event.raw)
        case Hooked():
            said.add(Kind.HOOK, event.output)
        case _:
            pass


def _strings(text: str) -> Iterator[str]:
    """The strings inside a text that is JSON, and theirs."""
    if not text.startswith(("{", "[")):
        return
    try:
        root = parse(text.encode("utf-8", "surrogatepass"))
    except ValueError:
        return
    for _, node in root.walk():
        if node.kind == "string":
            yield node.string
            yield from _strings(node.string)
