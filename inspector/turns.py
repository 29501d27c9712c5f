"""What happened before each request of a conversation: a closed set of frozen events.

A turn is one request of the main conversation; its events are what happened since the request
before it, in order. Turns hold what only the outside world knows; builders make the rest.
"""

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
)


class _Ours(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    @model_serializer(mode="wrap")
    def _with_type(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """The tag of a union is written even where defaults are left out."""
        data: dict[str, Any] = write(self)
        tag = getattr(self, "type", None)
        return data if tag is None else {"type": tag, **data}


class Said(_Ours):
    """Reply block: words of the model."""

    type: Literal["said"] = "said"
    text: str
    id: str | None = None
    raw: str | None = None
    """The block's raw JSON where the dialect echoes more than the text."""


class Thought(_Ours):
    """Reply block: thinking, shown or redacted."""

    type: Literal["thought"] = "thought"
    text: str = ""
    signature: str = ""
    redacted: str | None = None
    id: str | None = None
    raw: str | None = None


class Called(_Ours):
    """Reply block: a tool call."""

    type: Literal["called"] = "called"
    id: str
    """The id that results refer to (`tool_use` id, `call_id`)."""
    name: str
    input: str
    """The model's own JSON text (for a custom Codex tool: its plain input)."""
    item_id: str | None = None
    namespace: str | None = None
    custom: bool = False
    raw: str | None = None


class OtherBlock(_Ours):
    """Reply block of a kind we do not model; kept whole."""

    type: Literal["other"] = "other"
    raw: str


type ReplyBlock = Annotated[Said | Thought | Called | OtherBlock, Field(discriminator="type")]


class Prompted(_Ours):
    """Somebody gave a prompt (command line, standard input, the terminal)."""

    type: Literal["prompted"] = "prompted"
    text: str
    stdin: str | None = None
    """What was piped in beside a prompt on the command line."""


class Replied(_Ours):
    """The model answered the request before."""

    type: Literal["replied"] = "replied"
    id: str | None = None
    blocks: tuple[ReplyBlock, ...] = ()
    stop: str | None = None
    unfinished: bool = False
    """The stream broke off inside the last block."""
    input_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None


class Failed(_Ours):
    """The request before got an error; the client tries again or gives up."""

    type: Literal["failed"] = "failed"
    status: int
    empty: bool = False
    """It came as a success in which no reply could be found, and was not broken off."""


class Printed(_Ours):
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


class Ran(_Ours):
    """A command ended, or goes on in a session."""

    type: Literal["ran"] = "ran"
    chunk: str
    seconds: str
    code: str | None = None
    session: str | None = None
    printed: Printed = Printed()


class Patched(_Ours):
    """A patch was applied."""

    type: Literal["patched"] = "patched"
    seconds: str


class Answered(_Ours):
    """An MCP server answered a call."""

    type: Literal["answered"] = "answered"
    result: str
    """The raw JSON-RPC result, or `{"error": …}`."""
    seconds: str | None = None
    cut: Printed | None = None
    """The last text of the result where only a capture tells it, cut by the client."""
    omitted: int = 0
    """Texts after it that the client left out."""


class Wrote(_Ours):
    """A script put out a text of its own."""

    type: Literal["wrote"] = "wrote"
    printed: Printed


class Pictured(_Ours):
    """An image, as the address that holds its data."""

    type: Literal["pictured"] = "pictured"
    url: str


class Threw(_Ours):
    """A script ended with an exception of its own."""

    type: Literal["threw"] = "threw"
    error: str


class Told(_Ours):
    """The client answered with a sentence of its own; the profile has its words under this name."""

    type: Literal["told"] = "told"
    name: str


class Unread(_Ours):
    """The client's answer in a form its model does not know; it can only be adopted."""

    type: Literal["unread"] = "unread"
    raw: str


type ScriptPart = Annotated[
    Ran | Answered | Wrote | Pictured | Threw | Told | Unread, Field(discriminator="type")
]


class Scripted(_Ours):
    """A script ran in the client; what it put out, in order."""

    type: Literal["scripted"] = "scripted"
    state: Literal["completed", "failed", "running"]
    seconds: str
    cell: str | None = None
    parts: tuple[ScriptPart, ...] = ()
    tokens: int | None = None
    """The measure of all of it, where the client left out a part; texts are then as escaped."""


class Shelled(_Ours):
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


class Expanded(_Ours):
    """A skill or command was put to use; its text is the client's to make."""

    type: Literal["expanded"] = "expanded"
    printed: tuple[str, ...] = ()
    """What the shell expansions of its text printed, in order."""
    failed: int | None = None
    """The expansion that failed; `printed` then holds what it printed."""


type Outcome = Annotated[
    Ran | Patched | Answered | Pictured | Told | Unread | Scripted | Shelled | Expanded,
    Field(discriminator="type"),
]


class Returned(_Ours):
    """A tool that acts on the world gave its result."""

    type: Literal["returned"] = "returned"
    call: str
    """Id of the call."""
    text: str | None = None
    """The result as text, before the client wraps it."""
    raw: str | None = None
    """The result as raw JSON where it is no plain text (MCP content blocks, images)."""
    error: bool = False
    outcome: Outcome | None = None
    """The result's facts, where the client puts words of its own around them."""
    notice: bool = False
    """Sent by a Codex script while it still ran."""


class Hooked(_Ours):
    """A hook printed something."""

    type: Literal["hooked"] = "hooked"
    event: str
    output: str
    name: str = ""
    """The client's name for it, where it says more than the event (`PreToolUse:Read`)."""
    form: Literal["success", "context", "block"] = "success"
    """It printed plain text, gave context in JSON, or blocked what was about to happen."""
    command: str = ""
    """The hook's command, where the client shows it."""
    call: str | None = None
    """The call it was about."""


class ServerChanged(_Ours):
    """An MCP server became ready, failed or changed before this request."""

    type: Literal["server"] = "server"
    server: str
    state: str


class Counted(_Ours):
    """The API counted the tokens of the tools that Claude Code may defer (`ENABLE_TOOL_SEARCH`)."""

    type: Literal["counted"] = "counted"
    tokens: int


type Event = Annotated[
    Prompted | Replied | Failed | Returned | Hooked | ServerChanged | Counted,
    Field(discriminator="type"),
]


class Turn(_Ours):
    """One request of the main conversation and what happened before it."""

    at: str = ""
    """Local time of the request, ISO 8601 with offset; empty when unknown."""
    events: tuple[Event, ...] = ()


class Turns(_Ours):
    """A turns file."""

    schema_version: Literal[1] = 1
    client: str
    version: str
    turns: tuple[Turn, ...] = ()
