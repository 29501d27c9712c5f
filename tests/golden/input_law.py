"""The law of input: only what the outside world said may count as input, and it must have said it.

A run of input text is a prompt, a model's words, hook output, or the result of a call whose tool acts on
the world; and it stands so in the turns, which come from logs. What the client makes itself (results of
its file tools and skills, its errors) is no input, whatever an origin calls it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from pydantic import BaseModel

from inspector.jsontext import parse, unquote
from inspector.named import Found
from inspector.text import ByteClass, Kind
from inspector.turns import (
    Called,
    Commanded,
    Connected,
    Ended,
    Event,
    Hooked,
    Interposed,
    Moved,
    Prompted,
    Replied,
    ReplyBlock,
    Returned,
    Told,
    Unread,
)
from inspector.verify import Place, RequestReport, places

WORLD: Mapping[str, re.Pattern[str]] = {
    "claude-code": re.compile(r"Bash|WebFetch|WebSearch|ReadMcpResource(Dir)?Tool|mcp__\w+"),
    "codex": re.compile(r"exec|wait|exec_command|write_stdin|shell|shell_command|mcp__\w+"),
}
"""The tools whose results are the world's, by client; Codex's scripts (`exec`) run all others."""

_SEARCHES = re.compile(r"Glob|Grep")
"""Claude Code's tools that look at files no snapshot holds; what they find stands apart."""
_SHELL_OF_A_SKILL = re.compile(r"!\d+")
"""The name of a shell command's output inside a skill's body."""
_MEASURED = re.compile(r"\d+(\.\d+)?")
"""A run time, which is the world's whatever ran."""
_DATA = re.compile("^data:[^,]*,(.+)$")
"""An image as an address; its data is the world's."""


@dataclass(slots=True)
class _Said:
    """What the turns hold, by kind of input; a string that is JSON counts decoded as well."""

    texts: dict[Kind, list[str]] = field(default_factory=dict[Kind, list[str]])
    tools: dict[str, str] = field(default_factory=dict[str, str])
    """Tools by the id of their call."""

    def holds(self, kind: Kind, words: str) -> bool:
        """Whether somebody said these words: as they stand, escaped, or as values of JSON."""
        texts = self.texts.get(kind, ())
        plain = _unescaped(words)
        if any(words in text or plain in text for text in texts):
            return True
        inside = list(_strings(plain)) if _is_json(plain) else _DATA.findall(plain)
        found = all(any(one in text for text in texts) for one in inside)
        return found and bool(inside or _is_json(plain))

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
        if request.built is None:
            continue
        runs: dict[str, list[tuple[Place, str]]] = {}
        for place in places(request.built):
            if place.origin.byte_class is ByteClass.INPUT:
                words = _words(request.built.body, place)
                runs.setdefault(place.path, []).append((place, words))
        for path, found_there in runs.items():
            # JSON that the client wrote of a result, words of its own cut out, is JSON again.
            whole = "".join(words for _, words in found_there)
            for place, words in found_there:
                if fault := _fault(place, words, whole, said, client):
                    yield f"#{request.number} {path}: {fault}"


def _fault(place: Place, words: str, whole: str, said: _Said, client: str) -> str:
    kind, name = place.origin.kind, place.origin.name
    tool = said.tools.get(name, name)
    if kind is Kind.FILE_NOT_KEPT and _SEARCHES.fullmatch(tool):
        return "" if said.holds(Kind.OUTCOME, words) else f"nothing found {words[:60]!r} ({name})"
    if kind not in {Kind.PROMPT, Kind.REPLY, Kind.HOOK, Kind.OUTCOME}:
        return f"input of kind {kind}"
    world = WORLD[client].fullmatch(tool) or _SHELL_OF_A_SKILL.fullmatch(tool)
    if kind is Kind.OUTCOME and not world and not _MEASURED.fullmatch(words):
        return f"the result of {tool} is no input"
    if said.holds(kind, words) or (_is_json(_unescaped(whole)) and said.holds(kind, whole)):
        return ""
    return f"nobody said {words[:60]!r} ({kind}:{name})"


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
        case Prompted() | Interposed() | Commanded():
            said.add(Kind.PROMPT, *_typed(event))
            said.add(Kind.OUTCOME, *_timed(event))
        case Connected():
            said.add(Kind.REPLY, event.response)
        case Replied():
            said.add(Kind.REPLY, event.id)
            for block in event.blocks:
                _hear(said, block)
        case Returned():
            said.add(Kind.OUTCOME, *_words_of(event))
        case Hooked():
            said.add(Kind.HOOK, event.output)
        case Moved() | Ended():
            said.add(Kind.OUTCOME, event.cwd if isinstance(event, Moved) else event.code)
        case _:
            pass


def _typed(event: Prompted | Interposed | Commanded) -> tuple[str | None, ...]:
    match event:
        case Prompted():
            marks = (event.cache_control, *(part.cache_control for part in event.ahead))
            return (event.text, event.stdin, *(part.text for part in event.ahead), *marks)
        case Interposed():
            return (event.text,)
        case Commanded():
            return (event.prompt,)


def _timed(event: Prompted | Interposed | Commanded) -> tuple[str, ...]:
    """How long the session had run when a command told it."""
    return (event.seconds,) if isinstance(event, Commanded) else ()


def _hear(said: _Said, block: ReplyBlock) -> None:
    said.add(Kind.REPLY, block.model_dump_json(exclude_none=True))
    if isinstance(block, Called):
        prefix = f"{block.namespace}__" if block.namespace else ""
        said.tools[block.id] = prefix + block.name


def _words_of(model: BaseModel) -> Iterator[str]:
    """What the world said in an outcome; what the client said of itself is left out."""
    if isinstance(model, Told | Unread):
        return
    for name, value in model:
        items = cast("tuple[object, ...]", value if isinstance(value, tuple) else (value,))
        for item in items:
            if isinstance(item, BaseModel):
                yield from _words_of(item)
            elif isinstance(item, str | int) and name not in {"type", "call"}:
                yield str(item)


def _unescaped(words: str) -> str:
    """A run of a JSON string's inside as the text it spells; other text as it is."""
    try:
        return unquote(f'"{words}"')
    except ValueError:
        return words


def _strings(text: str) -> Iterator[str]:
    """The strings inside a text that is JSON, and theirs."""
    if not _is_json(text):
        return
    for _, node in parse(text.encode()).walk():
        if node.kind == "string":
            yield node.string
            yield from _strings(node.string)


def _is_json(text: str) -> bool:
    """Whether a text is an object or array; the numbers in one the client may spell anew."""
    try:
        return text.startswith(("{", "[")) and bool(parse(text.encode()).raw)
    except ValueError:
        return False
