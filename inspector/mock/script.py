"""Scripts of the mock: what the model answers, read from YAML or JSON.

Rule: a script is ours, so it is strict; a mistake in it is one line that names the place.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from inspector.errors import BadInput
from inspector.jsontext import read
from inspector.mock.checks import Check


class _Ours(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class ToolCall(_Ours):
    """A tool call of the model."""

    name: str
    input: dict[str, Any] | str = Field(default_factory=dict[str, Any])
    """An object, or its JSON text where the exact characters matter."""
    namespace: str | None = None

    @property
    def json_text(self) -> str:
        """The input as the model writes it."""
        return self.input if isinstance(self.input, str) else compact(self.input)


class CustomCall(_Ours):
    """A call of a Codex tool that takes plain text."""

    name: str
    input: str


class Fault(_Ours):
    """An HTTP error in place of a reply."""

    status: int = Field(ge=400, le=599)
    type: str = "api_error"
    message: str = "scripted error"


class Reply(_Ours):
    """One answer of the model; an empty one says nothing."""

    thinking: str | None = None
    signature: str = "c2lnbmF0dXJl"
    redacted: str | None = None
    """Data of a redacted thinking block."""
    text: str | None = None
    tools: list[ToolCall] = Field(default_factory=list[ToolCall])
    usage: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Joined into the usage numbers the dialect reports."""
    stop: str | None = None
    judged: bool = False
    """Claude Code: with verdicts on its calls; none of them is dangerous."""
    error: int | Fault | None = None
    delay: float = Field(default=0, ge=0)
    """Seconds before the first byte."""
    pause: float = Field(default=0, ge=0)
    """Seconds between the events of a stream."""
    cut: int | None = Field(default=None, ge=0)
    """Break the connection after this many events of the stream."""
    reasoning: bool = False
    """Codex: an encrypted reasoning item comes first."""
    shell: str | list[str] = Field(default_factory=list[str])
    """Codex: run these lines through whatever tool the client offers."""
    patch: str | None = None
    """Codex: apply this patch through whatever tool the client offers."""
    mcp: str | None = Field(default=None, pattern="^[^/]+/.+$")
    """Codex: call this MCP tool, written `server/tool`."""
    input: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Arguments of `mcp`."""
    js: str | None = None
    """Codex: source for the code mode tool."""
    custom: CustomCall | None = None
    items: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])
    """Codex: output items as they stand; Claude Code: content blocks, behind the others."""
    expect: list[Check] = Field(default_factory=list[Check])
    """What the request must have that this answers."""

    @property
    def fault(self) -> Fault | None:
        """The error to answer with."""
        return Fault(status=self.error) if isinstance(self.error, int) else self.error

    @property
    def lines(self) -> list[str]:
        """The shell lines."""
        return [self.shell] if isinstance(self.shell, str) else self.shell


class Script(_Ours):
    """All answers of one run."""

    replies: list[Reply] = Field(default_factory=list[Reply])
    """One for each main request; after the last one the model says `done`."""
    sub: list[Reply] | None = None
    """One for each request of a subagent."""
    aux: Reply = Reply(text="ok")
    """For everything else: titles, summaries, probes."""
    counts: list[Annotated[int, Field(ge=0)] | Fault] = Field(default_factory=list[int | Fault])
    """Tokens, or an error, for each time the client has some counted; then 1000."""
    websocket: Literal["accept", "refuse", "fail"] = "refuse"
    """Whether Codex may sample on a WebSocket; refused, it sends whole requests by POST at once.

    Where it fails the client tries again and again before it does so.
    """
    expect: Annotated[int, Field(ge=0)] | list[Check] | None = None
    """How many main requests the client must have made at the end, or what they must have."""

    @property
    def checks(self) -> list[Check]:
        """The same as checks."""
        if isinstance(self.expect, int):
            return [Check(requests=self.expect)]
        return self.expect or []


def script(
    source: Path | str | list[Any] | Mapping[str, Any], holes: Mapping[str, str] | None = None
) -> Script:
    """Read a script from a file or from data; each key of `holes` is replaced in every string."""
    name = str(source) if isinstance(source, Path | str) else "script"
    data = _load(Path(source)) if isinstance(source, Path | str) else source
    try:
        filled = fill(data, holes or {})
        return Script.model_validate({"replies": filled} if isinstance(filled, list) else filled)
    except RecursionError:
        raise BadInput(f"{name}: nested too deeply to be read; make it flatter") from None
    except ValidationError as error:
        place = _place(error)
        raise BadInput(
            f"{name}: {place}: {_reason(error)}; see docs/mock.md, or `inspector mock --schema`"
        ) from error


_TYPES = re.compile(r"(?:list|dict|function-\w+)\[.*\]|int|str|constrained-\w+|[A-Z]\w+")


def _first(error: ValidationError) -> Any:  # noqa: ANN401 - pydantic's own
    """The mistake that is deepest: of a value that may have several forms, the one meant."""
    return max(error.errors(), key=lambda one: len(one["loc"]))


def _place(error: ValidationError) -> str:
    """Where it is, without the names of our types."""
    steps = [str(part) for part in _first(error)["loc"]]
    return ".".join(step for step in steps if not _TYPES.fullmatch(step)) or "top level"


def _reason(error: ValidationError) -> str:
    first = _first(error)
    if first["type"] == "extra_forbidden":
        return "no such key"
    return str(first["msg"]).removeprefix("Value error, ")


def fill(value: object, holes: Mapping[str, str]) -> object:
    """Replace every hole in every string of a JSON value, keys too."""
    match value:
        case str():
            for hole, text in holes.items():
                value = value.replace(hole, text)
            return value
        case list():
            return [fill(item, holes) for item in cast("list[object]", value)]
        case Mapping():
            pairs = cast("Mapping[object, object]", value).items()
            return {fill(key, holes): fill(item, holes) for key, item in pairs}
        case _:
            return value


def compact(value: object) -> str:
    """JSON without blanks, text unescaped."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _load(path: Path) -> object:
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise BadInput(
            f"{path}: cannot be read as a script ({reason}); give a YAML or JSON file"
        ) from error
    try:
        if path.suffix == ".json":
            return read(content)
        return yaml.load(content, Loader=yaml.CSafeLoader)
    except (ValueError, yaml.YAMLError) as error:
        line = " ".join(str(error).split())
        raise BadInput(f"{path}: no valid YAML or JSON ({line}); correct it") from error
