"""What came back from the model: a reply in blocks, or none."""

from typing import Annotated, Literal

from pydantic import Field

from inspector.turns.base import JsonText, Ours


class Said(Ours):
    """Reply block: words of the model."""

    type: Literal["said"] = "said"
    text: str
    id: str | None = None
    raw: JsonText | None = None
    """The block's raw JSON where the dialect echoes more than the text."""


class Thought(Ours):
    """Reply block: thinking, shown or redacted."""

    type: Literal["thought"] = "thought"
    text: str = ""
    signature: str = ""
    redacted: str | None = None
    id: str | None = None
    raw: JsonText | None = None


class Called(Ours):
    """Reply block: a tool call."""

    type: Literal["called"] = "called"
    id: str
    """The id that results refer to (`tool_use` id, `call_id`)."""
    name: str
    input: JsonText
    """The model's own JSON text (for a custom Codex tool: its plain input)."""
    item_id: str | None = None
    namespace: str | None = None
    custom: bool = False
    raw: JsonText | None = None


class OtherBlock(Ours):
    """Reply block of a kind we do not model; kept whole."""

    type: Literal["other"] = "other"
    raw: JsonText


type ReplyBlock = Annotated[Said | Thought | Called | OtherBlock, Field(discriminator="type")]


class Replied(Ours):
    """The model answered the request before."""

    type: Literal["replied"] = "replied"
    id: str | None = None
    blocks: tuple[ReplyBlock, ...] = ()
    stop: str | None = None
    unfinished: bool = False
    """The stream broke off inside the last block."""
    judged: bool = False
    """The API answered what it was asked of the calls in it (Claude Code, `safeguards`)."""
    input_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None


class Failed(Ours):
    """The request before got an error; the client tries again or gives up."""

    type: Literal["failed"] = "failed"
    status: int
    empty: bool = False
    """It came as a success in which no reply could be found, and was not broken off."""
