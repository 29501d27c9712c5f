"""What happened before each request of a conversation: a closed set of frozen events.

A turn is one request of the main conversation; its events are what happened since the request
before it, in order. Turns hold what only the outside world knows; builders make the rest.
"""

from typing import Annotated, Literal

from pydantic import Field

from inspector.turns.base import JsonText, Ours
from inspector.turns.held import HeldFile, HeldFolder
from inspector.turns.outcome import (
    Answered,
    Expanded,
    Kept,
    Outcome,
    Patched,
    Pictured,
    Printed,
    Ran,
    Scripted,
    ScriptPart,
    Searched,
    Shelled,
    Threw,
    Told,
    Unread,
    Wrote,
)
from inspector.turns.reply import Called, Failed, OtherBlock, Replied, ReplyBlock, Said, Thought

__all__ = [
    "Answered",
    "Called",
    "Commanded",
    "Connected",
    "Counted",
    "Ended",
    "Event",
    "Expanded",
    "Failed",
    "HeldFile",
    "HeldFolder",
    "Hooked",
    "Interposed",
    "Interrupted",
    "Kept",
    "Limited",
    "Moved",
    "OtherBlock",
    "Outcome",
    "Patched",
    "Pictured",
    "Printed",
    "Prompted",
    "Ran",
    "Replayed",
    "Replied",
    "ReplyBlock",
    "Returned",
    "Said",
    "ScriptPart",
    "Scripted",
    "Searched",
    "ServerChanged",
    "Shelled",
    "TextPart",
    "Thought",
    "Threw",
    "Told",
    "Turn",
    "Turns",
    "Unread",
    "Wrote",
]


class TextPart(Ours):
    """A text of a prompt that has several."""

    text: str
    cache_control: JsonText | None = None


class Prompted(Ours):
    """Somebody gave a prompt (command line, standard input, the terminal)."""

    type: Literal["prompted"] = "prompted"
    text: str
    stdin: str | None = None
    """What was piped in beside a prompt on the command line."""
    ahead: tuple[TextPart, ...] = ()
    """The texts before it in one message of a stream (Claude Code)."""
    cache_control: JsonText | None = None
    """What the sender of a stream marked it with."""


class Interposed(Ours):
    """Somebody gave a prompt while the model worked, and it was told so beside the results."""

    type: Literal["interposed"] = "interposed"
    text: str


class Interrupted(Ours):
    """Somebody stopped the model; with a call that had not ended, the call with it."""

    type: Literal["interrupted"] = "interrupted"
    tool: bool = False


class Limited(Ours):
    """The service did not say that Claude Code's organisation allows feedback."""

    type: Literal["limited"] = "limited"


class Commanded(Ours):
    """A command of the client's own, typed before a prompt; the model is shown it afterwards."""

    type: Literal["commanded"] = "commanded"
    prompt: str
    """The command with its arguments, as it was typed."""
    ran: bool = False
    """Whether the session has it."""
    said: str | None = None
    """What it put out, where nobody has told the client's words in it apart yet."""
    sentence: str | None = None
    """Which of the client's sentences that is; None where it is none we know."""
    seconds: str = ""
    """How long the session had run, where the sentence says so."""


class Replayed(Ours):
    """A conversation goes on from a session that is not at hand: its messages as they were sent."""

    type: Literal["replayed"] = "replayed"
    messages: JsonText


class Returned(Ours):
    """A tool that acts on the world gave its result."""

    type: Literal["returned"] = "returned"
    call: str
    """Id of the call."""
    text: str | None = None
    """The result as text, before the client wraps it."""
    raw: JsonText | None = None
    """The result as raw JSON where it is no plain text (MCP content blocks, images)."""
    error: bool = False
    outcome: Outcome | None = None
    """The result's facts, where the client puts words of its own around them."""
    notice: bool = False
    """Sent by a Codex script while it still ran."""


class Hooked(Ours):
    """A hook printed something."""

    type: Literal["hooked"] = "hooked"
    event: str
    output: str
    name: str = ""
    """The client's name for it, where it says more than the event (`PreToolUse:Read`)."""
    form: Literal["success", "context", "block", "reason", "ask", "input", "output"] = "success"
    """Plain text or context in JSON for the model; it blocked by its exit code, or for a reason in
    JSON; it wanted somebody asked, or the call refused who would be asked; it gave a call another
    input, or another output (both JSON)."""
    command: str = ""
    """The hook's command, where the client shows it."""
    call: str | None = None
    """The call it was about."""


class ServerChanged(Ours):
    """An MCP server became ready, failed or changed before this request."""

    type: Literal["server"] = "server"
    server: str
    state: str


class Connected(Ours):
    """Codex opened a WebSocket, on which it sends only what is new; or it gave up doing so."""

    type: Literal["connected"] = "connected"
    transport: Literal["websocket", "http"] = "websocket"
    """`http`: a WebSocket could not be had, time and again; whole requests are sent from now on."""
    response: str | None = None
    """Id of the answer to the warm-up on it; None where the client sent none."""


class Counted(Ours):
    """Claude Code had tokens counted: of the tools it may defer, or of a long result."""

    type: Literal["counted"] = "counted"
    tokens: int | None = None
    """What the API said; None where it gave an error."""
    what: Literal["tools", "text"] = "tools"
    size: int = 0
    """UTF-16 units of the text, by which it is told from others of the round; 0 where unknown."""


class Moved(Ours):
    """The shell stands in another folder, and the client took note of it."""

    type: Literal["moved"] = "moved"
    cwd: str


class Ended(Ours):
    """A command that ran in the background ended."""

    type: Literal["ended"] = "ended"
    call: str
    """Id of the call that started it."""
    status: str
    code: str | None = None
    """Its exit code, where the client says it."""


type Event = Annotated[
    Prompted
    | Interposed
    | Commanded
    | Interrupted
    | Replayed
    | Replied
    | Failed
    | Returned
    | Hooked
    | Limited
    | ServerChanged
    | Connected
    | Counted
    | Moved
    | Ended,
    Field(discriminator="type"),
]


class Turn(Ours):
    """One request of the main conversation and what happened before it."""

    at: str = ""
    """Local time of the request, ISO 8601 with offset; empty when unknown."""
    files: tuple[HeldFile, ...] = ()
    """What changed in the workspace before the request, and stays so."""
    folders: tuple[HeldFolder, ...] = ()
    events: tuple[Event, ...] = ()


class Turns(Ours):
    """A turns file."""

    schema_version: Literal[1] = 1
    client: str
    version: str
    files: tuple[HeldFile, ...] = ()
    """What held something else at the start than it may hold on disk now."""
    folders: tuple[HeldFolder, ...] = ()
    turns: tuple[Turn, ...] = ()
