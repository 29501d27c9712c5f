"""What a tool did, where the client puts words of its own around it."""

from typing import Annotated, Literal

from pydantic import Field

from inspector.turns.base import JsonText, Ours


class Printed(Ours):
    """What a program printed: whole, or its two ends where the client left out the middle."""

    text: str = ""
    rest: str | None = None
    """The end; None where `text` is the whole."""
    tokens: int | None = None
    """The measure of the whole, where the text at hand does not tell it."""
    size: int | None = None
    """Bytes of the whole, where the client counts in them."""
    lines: int | None = None
    """Lines of the whole, where a part is left out."""


class Ran(Ours):
    """A command ended, or goes on in a session."""

    type: Literal["ran"] = "ran"
    chunk: str
    seconds: str
    code: str | None = None
    session: str | None = None
    printed: Printed = Printed()


class Patched(Ours):
    """A patch was applied."""

    type: Literal["patched"] = "patched"
    seconds: str


class Answered(Ours):
    """An MCP server answered a call."""

    type: Literal["answered"] = "answered"
    result: JsonText
    """The raw JSON-RPC result, or `{"error": …}`."""
    seconds: str | None = None
    cut: Printed | None = None
    """The last text of the result where only a capture tells it, cut by the client."""
    omitted: int = 0
    """Texts after it that the client left out."""


class Wrote(Ours):
    """A script put out a text of its own."""

    type: Literal["wrote"] = "wrote"
    printed: Printed


class Pictured(Ours):
    """An image, as the address that holds its data."""

    type: Literal["pictured"] = "pictured"
    url: str


class Threw(Ours):
    """A script ended with an exception of its own."""

    type: Literal["threw"] = "threw"
    error: str


class Told(Ours):
    """The client answered with a sentence of its own; the profile has its words under this name."""

    type: Literal["told"] = "told"
    name: str
    about: tuple[int, ...] = ()
    """Which parts of the call the sentence speaks of, where it may speak of several."""


class Unread(Ours):
    """The client's answer in a form its model does not know; it can only be adopted."""

    type: Literal["unread"] = "unread"
    raw: JsonText


type ScriptPart = Annotated[
    Ran | Answered | Wrote | Pictured | Threw | Told | Unread, Field(discriminator="type")
]


class Scripted(Ours):
    """A script ran in the client; what it put out, in order."""

    type: Literal["scripted"] = "scripted"
    state: Literal["completed", "failed", "running"]
    seconds: str
    cell: str | None = None
    parts: tuple[ScriptPart, ...] = ()
    tokens: int | None = None
    """The measure of all of it, where the client left out a part; texts are then as escaped."""


class Shelled(Ours):
    """A shell command of Claude Code's ended."""

    type: Literal["shelled"] = "shelled"
    printed: str = ""
    """What it printed; where `size` is set, no more than the beginning is needed."""
    code: str | None = None
    """The exit code, where the client says it."""
    reset: bool = False
    """The shell had left the working directory and was taken back to it."""
    size: str | None = None
    """The measure of an output so long that the client put it into a file."""
    rest: str | None = None
    """The end of an output of which the client left out the middle."""
    left_out: str | None = None
    """How many characters it says it left out."""
    stopped: bool = False
    """It took longer than it was given."""
    detached: bool = False
    """It goes on in the background."""


class Searched(Ours):
    """Claude Code's own search, Glob or Grep, came to its end."""

    type: Literal["searched"] = "searched"
    found: str = ""
    """What it found, one entry a line; for a pattern that was refused, why."""
    total: str | None = None
    """How many files or matches there are, where not all are listed."""
    files: str | None = None
    """How many files the matches are in, where not all are listed."""
    floor: bool = False
    """There are more than that."""
    more: bool = False
    """There is more behind the last entry shown."""
    beyond: bool = False
    """There is something, but all of it before the first entry asked for."""
    stopped: bool = False
    """It took longer than it was given."""
    size: str | None = None
    """The measure of an answer so long that it went into a file; `found` is its beginning."""


class Kept(Ours):
    """An MCP server's answer that the client put into a file, as far as a capture tells of it."""

    type: Literal["kept"] = "kept"
    size: str
    """The measure of the whole."""
    beginning: str = ""
    """What is shown of the file."""
    plain: bool = False
    """The file is no JSON."""
    lines: str | None = None
    """How many lines it has, where the client says how to read the file and shows nothing."""
    sliced: bool = False
    """Its lines are so long that they have to be read in slices."""


class Expanded(Ours):
    """A skill or command was put to use; its text is the client's to make."""

    type: Literal["expanded"] = "expanded"
    printed: tuple[str, ...] = ()
    """What the shell expansions of its text printed, in order."""
    failed: int | None = None
    """The expansion that failed; `printed` then holds what it printed."""


type Outcome = Annotated[
    Ran
    | Patched
    | Answered
    | Pictured
    | Told
    | Unread
    | Scripted
    | Shelled
    | Searched
    | Kept
    | Expanded,
    Field(discriminator="type"),
]
