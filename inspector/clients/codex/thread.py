"""A thread as far as it has come, and the process that goes on with it."""

from dataclasses import dataclass, field, replace
from typing import Any

from inspector.clients import Request
from inspector.clients.codex import params
from inspector.clients.codex.attribution import Source
from inspector.clients.codex.calls import Call
from inspector.clients.codex.context import Context
from inspector.clients.codex.items import Counter, Item, Part, message
from inspector.clients.codex.loose import Json
from inspector.clients.codex.socket import Socket
from inspector.profiles import Profile
from inspector.session import ExchangeKind
from inspector.text import Text


@dataclass(frozen=True, slots=True)
class State:
    """What the fold carries from one request to the next."""

    profile: Profile
    now: Context
    told: Context | None
    """What the thread was told last; None before its first prompt."""
    installation: Text
    history: str
    """`new` or `cold_resume`."""
    items: tuple[Item, ...] = ()
    counter: Counter = field(default_factory=Counter)
    calls: tuple[Call, ...] = ()
    """What the model called."""
    off: frozenset[str] = frozenset()
    """MCP servers that are not ready."""
    sources: tuple[Source, ...] = ()
    """MCP tools the thread has used."""
    prompts: tuple[Item, ...] = ()
    """What somebody said, which a compaction keeps."""
    before: Profile | None = None
    """The profile of the process that this one goes on from."""
    begun: bool = False
    """Whether the task of the next prompt has begun: its thread was compacted first."""
    catalog: Json = field(default_factory=dict[str, Any])
    """What the server's catalog said of the model when the process began."""
    running: bool = False
    """Whether the process has sent a request."""
    socket: Socket | None = None
    asides: tuple[tuple[ExchangeKind, Request], ...] = ()
    """Requests of other kinds since the last one of the conversation."""

    def process(self) -> params.Process:
        """What the request's members say of the process."""
        return params.Process(
            self.now.config,
            self.counter,
            self.history,
            self.installation,
            self.now.schema,
            self.now.workspaces,
            self.now.base,
            self.sources,
        )

    def add(self, item: Item) -> "State":
        """The state with one item more; the item's id was the counter's."""
        return replace(self, items=(*self.items, item), counter=self.counter.item())

    def recorded(self, item: Item) -> "State":
        """The state with one item more that has an id of another's making, or none."""
        return replace(self, items=(*self.items, item))

    def say(self, role: str, parts: tuple[Part, ...], *, timed: bool = True) -> "State":
        """The state with one client-made message more."""
        return self.add(message(role, parts, self.counter, self.profile, timed=timed))

    def task(self) -> "State":
        """The state in the task of a new prompt, which a compaction before it has begun."""
        counter = self.counter if self.begun else self.counter.task()
        return replace(self, counter=counter, begun=False)
