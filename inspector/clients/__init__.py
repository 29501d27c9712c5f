"""The clients we can rebuild; one folder each, one line in the table below each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Protocol

from inspector.profiles import Profile
from inspector.session import PRIVATE, Exchange, ExchangeKind, Recording
from inspector.text import Text, Value
from inspector.turns import Failed, Replied, Turn, Turns
from inspector.workspace import Environment, Tree, World

type State = Any
"""What a client's builder folds over; private to that client, never changed in place."""


@dataclass(frozen=True, slots=True)
class Request:
    """What one turn puts on the wire."""

    value: Value
    unordered: tuple[str, ...] = ()
    headers: tuple[tuple[str, Text], ...] = ()
    turn: Turn | None = None
    """The turn as it was used: nothing in it that the client wrote itself; None: as it came."""
    counts: tuple["Request", ...] = ()
    """Token counts the client asks for before this request."""
    asides: tuple[tuple[ExchangeKind, "Request"], ...] = ()
    """Requests of other kinds the client makes before this one: warm-ups, compactions."""


@dataclass(frozen=True, slots=True)
class Server:
    """An MCP server the client would start."""

    name: str
    scope: str
    kind: str
    """`stdio`, `http`, `sse`, `websocket` or another word of the configuration."""
    command: tuple[str, ...] = ()
    url: str | None = None
    env: Mapping[str, str] | None = None
    headers: Mapping[str, str] | None = None
    cwd: str | None = None
    path: str = ""
    """The file or option that configures it, where that is known."""
    always_load: bool | None = None
    """Whether its tools are sent at once, where its configuration says so."""


@dataclass(frozen=True, slots=True)
class McpCall:
    """One tool call as the fixture server logged it; raw JSON texts."""

    server: str
    tool: str
    arguments: str
    result: str
    """The JSON-RPC `result`, or `{"error": …}`."""


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start the client so that its model traffic reaches us."""

    route: str
    argv: tuple[str, ...]
    """The whole command, with what had to be added."""
    env: Mapping[str, str | None]
    """Variables to set; None removes one."""
    upstream: str | None
    """Where the client's own configuration sends model calls; None for its default host."""
    hosts: tuple[str, ...]
    """Hosts whose traffic is opened and recorded."""
    note: str = ""
    """What this route is known to change in the request, in one sentence."""
    own: Mapping[str, str] = field(default_factory=dict[str, str])
    """The variables the client's own settings give it."""
    private: str = ""
    """The argument that holds what a file of the user's says; it belongs into a file again."""


@dataclass(frozen=True, slots=True)
class Called:
    """What a client takes a file for."""

    kind: str
    """`rule`, `skill`, `command`, `agent`, `style`, `settings`, or `file` for any other."""
    name: str


@dataclass(frozen=True, slots=True)
class Missing:
    """Something of the user's that a client leaves out, or takes in part."""

    kind: str
    name: str
    path: str
    """The file it stands in, or the option of the command line."""
    words: str
    """Why, as one clause."""
    code: str = ""
    """The reason as one word, for rules that judge it."""
    patterns: tuple[str, ...] = ()
    """What it waits for: patterns of files below the working directory."""
    at: int | None = None
    """Code points into the source where it is cut."""
    waits: bool = False
    """True: it may come later; said of nothing that the first request holds."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Something of its command line at which a client ends, so that it sends nothing."""

    words: str
    """The option and what is wrong with it."""
    sent: bool = True
    """Whether it can be told what would be sent if the option were not there."""


@dataclass(frozen=True, slots=True)
class Meter:
    """A budget that a client keeps, and what the workspace asks of it."""

    name: str
    wanted: int
    limit: int
    unit: str
    setting: str
    """What makes room for all of it, as it is given to the client."""


class Client(Protocol):
    """What a client module offers; everything is pure."""

    id: str
    switches: tuple[str, ...]
    """Environment variables a snapshot keeps for this client."""

    def axes(self, world: World) -> Mapping[str, str]:
        """The profile overlays that apply: host, provider, entry, model class, mode."""
        ...

    def begin(self, world: World, profile: Profile, earlier: State | None) -> State:
        """Read what the client reads at start; `earlier` is the session this one resumes."""
        ...

    def step(self, state: State, turn: Turn, world: World) -> tuple[State, Request]:
        """Fold one turn in and make its request; `world` is as it was at that turn."""
        ...

    def faults(self, world: World) -> tuple[str, ...]:
        """Workspace files the client refuses or cuts, each `PATH: reason`."""
        ...

    def refused(self, world: World) -> Sequence[Refused]:
        """What of its command line the client ends at, as far as it is known."""
        ...

    def missing(self, world: World, profile: Profile) -> Sequence[Missing]:
        """What of the user's is left out at start, or not told whole."""
        ...

    def asleep(
        self, world: World, profile: Profile, path: str, landed: Sequence[str]
    ) -> Sequence[Missing]:
        """Why a file did not land beside those that did, as far as it is known."""
        ...

    def unmodelled(self, world: World) -> Sequence[str]:
        """Switches, and a model, that are set, change requests and are not modelled."""
        ...

    def meters(self, world: World, profile: Profile) -> Sequence[Meter]:
        """The budgets at start."""
        ...

    def setting(self, world: World, key: str, value: str) -> World:
        """The world as if a setting (`a.b`) were given on the command line, spelled as there."""
        ...

    def called(self, path: str) -> Called:
        """What a file is to the client, by where it stands."""
        ...

    def kind(self, exchange: Exchange) -> ExchangeKind:
        """What a captured request was for."""
        ...

    def turns(self, exchanges: Sequence[Exchange], environment: Environment) -> Turns:
        """The turns of a user's session, inputs taken from its capture."""
        ...

    def logged_turns(
        self,
        environment: Environment,
        replies: Sequence[tuple[str, Replied | Failed]],
        record: str,
        mcp_calls: Sequence[McpCall],
    ) -> Turns:
        """The turns of a golden, nothing taken from its capture.

        `replies`: arrival time of each main request at the mock and what it answered; `record`: the
        client's own JSONL record of the run, whole (transcript, rollout); `mcp_calls`: the fixture
        servers' log. Prompts come from `environment.argv`.
        """
        ...

    def named_paths(self, turn: Turn, environment: Environment) -> tuple[str, ...]:
        """Absolute paths that the tool calls in a turn's replies name."""
        ...

    def read_paths(self, turn: Turn, environment: Environment) -> tuple[str, ...]:
        """Absolute paths of the files that the tool calls in a turn's replies read or change."""
        ...

    def servers(self, tree: Tree, environment: Environment) -> tuple[Server, ...]:
        """The MCP servers the client would start."""
        ...

    def sanitise(self, path: str, data: bytes) -> bytes:
        """What a snapshot may keep of a file.

        Of the client's own configuration (`~/.claude.json`, settings, `config.toml`) only the keys
        this model reads, env and header values as digests; else all of it.
        """
        ...

    def launch(
        self,
        argv: Sequence[str],
        environment: Environment,
        tree: Tree,
        route: str,
        proxy: str,
        ca: str,
    ) -> Launch:
        """How to run the client through `proxy` (`http://127.0.0.1:PORT`), CA bundle at `ca`.

        On the route `raw-export` `proxy` is the folder that gets the client's own export.
        """
        ...


_MODULES = {
    "claude-code": "inspector.clients.claude_code",
    "codex": "inspector.clients.codex",
}


def client(name: str) -> Client:
    """The client with this id. Raises `KeyError` for `other` and unknown ids."""
    found: Client = import_module(_MODULES[name]).CLIENT
    return found


def names() -> tuple[str, ...]:
    """Ids of the clients we can rebuild."""
    return tuple(_MODULES)


def labelled(recording: Recording) -> Recording:
    """The same recording with every exchange's kind filled in."""
    if recording.session.client not in _MODULES or recording.session.source == PRIVATE:
        return recording  # what is sealed privately has no words left to tell by
    known = client(recording.session.client)
    exchanges = tuple(
        replace(exchange, kind=known.kind(exchange)) for exchange in recording.exchanges
    )
    return replace(recording, exchanges=exchanges)
