"""The shapes of a tool result: its block, what it brings along, what it depends on."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from inspector.clients.claude_code.message import Block
from inspector.clients.claude_code.readlong import Counted
from inspector.clients.claude_code.tools import Pool
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, Value, text
from inspector.workspace import World


@dataclass(frozen=True, slots=True)
class Result:
    """One tool result, and what it brings along."""

    block: Block
    beside: tuple[Block, ...] = ()
    """Blocks of the message the result is in."""
    attached: tuple[tuple[Block, ...], ...] = ()
    """Files shown along with it; they come before `after`."""
    after: tuple[tuple[Block, ...], ...] = ()
    """User messages that follow it."""
    touched: tuple[str, ...] = ()
    """Files whose nested memory comes in."""
    loaded: tuple[str, ...] = ()
    """Deferred tools that were loaded."""
    effort: str | None = None
    model: object = None
    """The model a skill asks for."""
    rendered: dict[str, str] = field(default_factory=dict[str, str])
    """Skills now in the conversation, by name."""
    said: tuple[Text, ...] = ()
    """What the model is told of the result, apart from it."""
    known: Mapping[str, str] = field(default_factory=dict[str, str])
    """Files the model knows from now on, each with its digest."""


@dataclass(frozen=True, slots=True)
class Around:
    """What a result depends on besides its call."""

    pool: Pool
    session: Text
    loaded: frozenset[str] = frozenset()
    """Deferred tools that were loaded."""
    here: World | None = None
    """The world as it looks from where the shell stands."""
    explained: bool = False
    """The schema of this unloaded tool was told before."""
    tokens: Mapping[str, int] = field(default_factory=dict[str, int])
    """By call: the tokens of what the client had counted."""
    used: int = 0
    """Tokens of the conversation so far."""

    def counted(self, call: str) -> Counted | None:
        """What is known of a result that was counted."""
        found = self.tokens.get(call)
        return Counted(found, self.used) if found is not None else None


def error(profile: Profile, call: str, said: Text) -> Block:
    """A result that is an error; its keys stand in an order of their own."""
    del profile
    return {
        "type": "tool_result",
        "content": said,
        "is_error": True,
        "tool_use_id": text(call, Origin(Kind.REPLY, "id")),
    }


def success(call: str, content: Value, *, flagged: bool = False) -> Block:
    """A result of a tool that worked; the shell's says so."""
    out: dict[str, Value] = {
        "tool_use_id": text(call, Origin(Kind.REPLY, "id")),
        "type": "tool_result",
        "content": content,
    }
    if flagged:
        out["is_error"] = False
    return out


def plain(call: str, content: Value) -> Block:
    """A result of Skill or ToolSearch, whose keys stand in another order."""
    return {
        "type": "tool_result",
        "tool_use_id": text(call, Origin(Kind.REPLY, "id")),
        "content": content,
    }
