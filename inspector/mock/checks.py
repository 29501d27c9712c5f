"""What a script expects of the client's requests: a text at a place, a tool, a skill, a rule.

Everything is looked for in the decoded strings of what was sent, as a model reads them.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from inspector import wire
from inspector.errors import counted
from inspector.jsontext import parse

_WHAT = ("text", "tool", "skill", "rule", "requests")
_SECTIONS = ("system", "tools", "messages", "params")
_FRONTMATTER = re.compile(r"\A---\r?\n.*?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


class Check(BaseModel):
    """One expectation; exactly one of `text`, `tool`, `skill`, `rule` and `requests`."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", populate_by_name=True)

    text: str | None = Field(default=None, min_length=1)
    """A text in what was sent."""
    tool: str | None = Field(default=None, min_length=1)
    """A tool that was offered, by its name on the wire."""
    skill: str | None = Field(default=None, min_length=1)
    """A skill in the list that the client tells its model."""
    rule: str | None = Field(default=None, min_length=1)
    """A file (of rules, say) whose every line was sent, frontmatter and comments left out."""
    requests: int | None = Field(default=None, ge=0)
    """How many main requests there must be at the end."""
    place: str | None = Field(default=None, alias="in")
    """Where: `system`, `tools`, `messages`, `params`, or a JSON pointer to look below."""
    request: int | None = Field(default=None, ge=1)
    """In which main request; none given: in any of them (`absent`: in none)."""
    absent: bool = False
    """It must not be there."""

    @model_validator(mode="after")
    def _one(self) -> Self:
        given = [name for name in _WHAT if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"give exactly one of {', '.join(_WHAT)}")
        if self.place is not None and self.place[:1] != "/" and self.place not in _SECTIONS:
            raise ValueError(f"in: {self.place}: give {', '.join(_SECTIONS)} or a JSON pointer")
        if self.requests is not None and (self.place or self.request or self.absent):
            raise ValueError("requests stands alone")
        return self

    def meets(self, sent: "Sent") -> bool:
        """Whether a request has it (`absent` left aside)."""
        if self.tool is not None:
            return self.tool in sent.tools
        if self.rule is not None:
            lines = rule_lines(Path(self.rule))
            texts = list(sent.texts(self.place))
            return bool(lines) and any(all(line in text for line in lines) for text in texts)
        if self.skill is not None:
            listed = re.compile(rf"^\s*- \**`?{re.escape(self.skill)}`?\**(?=:|\s|$)", re.MULTILINE)
            return any(listed.search(text) for text in sent.texts(self.place))
        assert self.text is not None
        return any(self.text in text for text in sent.texts(self.place))

    @property
    def spoken(self) -> str:
        """What is expected, in words."""
        what = next(name for name in _WHAT if getattr(self, name) is not None)
        value: object = getattr(self, what)
        told = f"{what} {value!r}" if what == "text" else f"{what} {value}"
        where = f" in {self.place}" if self.place else ""
        which = f" of request {self.request}" if self.request else ""
        return f"{'no ' if self.absent else ''}{told}{where}{which}"


class Sent:
    """A request as checks look at it."""

    def __init__(self, data: bytes) -> None:
        """Read a decoded request body."""
        self.prompt = wire.split(data)
        try:
            self.root = parse(data)
        except ValueError:
            self.root = parse(b"{}")

    def texts(self, place: str | None = None) -> Iterator[str]:
        """The decoded strings of a section, below a pointer, or of the whole request."""
        for path, node in self.root.walk():
            if node.kind == "string" and self._within(path, place):
                yield node.string

    def _within(self, path: str, place: str | None) -> bool:
        if place is None:
            return True
        if place.startswith("/"):
            return f"{path}/".startswith(f"{place.rstrip('/')}/")
        segment = self.prompt.at(path)
        return (segment.section if segment else "params") == place

    @cached_property
    def tools(self) -> frozenset[str]:
        """The names of the tools offered, those inside namespaces and lists of tools too."""
        segments = (item for item in self.prompt.segments if item.section == "tools")
        values = [item.value for item in segments]
        found = {node.string_of("name") or node.string_of("type") for node in values}
        return frozenset(name for name in found if name)


def rule_lines(path: Path) -> list[str]:
    """The lines of a file that a client tells its model; none where it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return []
    plain = _COMMENT.sub("", _FRONTMATTER.sub("", text))
    return [line.strip() for line in plain.splitlines() if line.strip()]


class Tally:
    """The checks of a script while its requests come in."""

    def __init__(self, checks: list[Check]) -> None:
        """Nothing has come yet."""
        self._open = dict(enumerate(checks))
        self._broken: list[str] = []

    def sent(self, number: int, body: Mapping[str, Any], own: list[Check], kind: str = "") -> None:
        """Look at request `number`; `own` are the checks of the reply that answers it.

        `kind`: of a subagent's request, which the script's checks do not look at.
        """
        asked = [] if kind else [item for item in self._open.items() if item[1].requests is None]
        if not asked and not own:
            return
        sent = Sent(json.dumps(body).encode())
        self._broken += [
            f"{kind}request {number}: {_failed(check)}"
            for check in own
            if check.requests is None and check.meets(sent) is check.absent
        ]
        for place, check in asked:
            if check.request in {None, number}:
                self._look(place, check, number, sent)

    def _look(self, place: int, check: Check, number: int, sent: Sent) -> None:
        there = check.meets(sent)
        if check.absent and there:
            self._broken.append(f"request {number}: {_failed(check)}")
        if there or (check.absent and check.request):
            del self._open[place]

    def complaint(self, requests: int) -> str | None:
        """What was expected and did not come, in one line."""
        left = [_left(check, requests) for check in self._open.values()]
        lines = [*self._broken, *filter(None, left)]
        return f"the script expects {'; '.join(lines)}" if lines else None


def _failed(check: Check) -> str:
    return f"{check.spoken}, which {'is there' if check.absent else 'is not there'}"


def _left(check: Check, requests: int) -> str:
    """What an open check comes to at the end."""
    if check.requests is not None:
        if check.requests == requests:
            return ""
        return f"{counted(check.requests, 'main request')}, the client made {requests}"
    if check.absent and (check.request is None or check.request <= requests):
        return ""
    if check.request is not None and check.request > requests:
        return f"{check.spoken}, the client made {counted(requests, 'request')}"
    return f"{check.spoken}, which is in none of {counted(requests, 'request')}"
