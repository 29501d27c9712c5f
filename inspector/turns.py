"""What happened before each request of a conversation: a closed set of frozen events.

A turn is one request of the main conversation; its events are what happened since the request
before it, in order. Turns hold what only the outside world knows; builders make the rest.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Ours(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


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


class Replied(_Ours):
    """The model answered the request before."""

    type: Literal["replied"] = "replied"
    id: str | None = None
    blocks: tuple[ReplyBlock, ...] = ()
    stop: str | None = None
    input_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None


class Failed(_Ours):
    """The request before got an error; the client tries again or gives up."""

    type: Literal["failed"] = "failed"
    status: int


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
    name: str | None = None
    """Name the result itself carries (a notice a Codex script sent while it ran)."""


class Hooked(_Ours):
    """A hook printed something."""

    type: Literal["hooked"] = "hooked"
    event: str
    output: str
    name: str = ""


class ServerChanged(_Ours):
    """An MCP server became ready, failed or changed before this request."""

    type: Literal["server"] = "server"
    server: str
    state: str


type Event = Annotated[
    Prompted | Replied | Failed | Returned | Hooked | ServerChanged, Field(discriminator="type")
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
