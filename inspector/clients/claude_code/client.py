"""Claude Code as a client we can rebuild."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from inspector.clients import Called, Launch, McpCall, Meter, Missing, Refused, Request, Server
from inspector.clients.claude_code import (
    asleep,
    axes,
    capture,
    counting,
    faults,
    keep,
    kinds,
    launching,
    missing,
    models,
    named,
    narrow,
    options,
    refused,
    servers,
    settings,
    skillreasons,
    sorting,
    start,
    steps,
    transcript,
)
from inspector.clients.claude_code import request as requests
from inspector.clients.claude_code.state import State
from inspector.profiles import Profile
from inspector.session import Exchange, ExchangeKind
from inspector.turns import Failed, Replied, Turn, Turns
from inspector.workspace import Environment, Tree, World


class ClaudeCode:
    """The client module; see `inspector.clients.Client`."""

    id = "claude-code"
    switches = options.SWITCHES

    def axes(self, world: World) -> Mapping[str, str]:
        """The profile overlays that apply."""
        return axes.axes(_set_up(world))

    def begin(self, world: World, profile: Profile, earlier: State | None) -> State:
        """Read what the client reads at start."""
        return start.begin(_set_up(sorting.seen(world, profile)), profile, earlier)

    def step(self, state: State, turn: Turn, world: World) -> tuple[State, Request]:
        """Fold one turn in and make its request."""
        here = settings.applied(world.environment, state.process.settings.merged)
        world = sorting.seen(replace(world, environment=here), state.profile)
        turn = narrow.narrowed(state, turn, world)
        state = steps.advance(state, turn, world)
        made = requests.request(state, world)
        counts = counting.requests(state, made)
        return state, replace(made, turn=turn, counts=counts)

    def faults(self, world: World) -> tuple[str, ...]:
        """Workspace files the client reads otherwise than meant, one sentence each."""
        return (*faults.faults(world), *faults.listed(world))

    def refused(self, world: World) -> Sequence[Refused]:
        """What of its command line the client ends at."""
        return tuple(refused.refused(world))

    def missing(self, world: World, profile: Profile) -> Sequence[Missing]:
        """What of the user's is left out at start, or not told whole."""
        return missing.missing(_set_up(sorting.seen(world, profile)), profile)

    def asleep(
        self, world: World, profile: Profile, path: str, landed: Sequence[str]
    ) -> Sequence[Missing]:
        """Why memory below the working directory did not come in, as far as is known."""
        return asleep.asleep(_set_up(world), profile, path, landed)

    def unmodelled(self, world: World) -> Sequence[str]:
        """Switches, and a model, that are set, change requests and are not modelled."""
        here = _set_up(world)
        given = here.environment.env
        found = [name for name in options.UNMODELLED if given.get(name)]
        model = models.named(here.environment, axes.asked(here))
        return [*found, *([f"model {model}"] if models.unknown(here.environment, model) else [])]

    def meters(self, world: World, profile: Profile) -> Sequence[Meter]:
        """The budget of the skill listing."""
        return (skillreasons.meter(_set_up(sorting.seen(world, profile)), profile),)

    def setting(self, world: World, key: str, value: str) -> World:
        """The world as if a setting were given with `--settings`, beside what is given there."""
        return settings.given(world, key, value)

    def called(self, path: str) -> Called:
        """What a file is to the client, by where it stands."""
        return missing.called(path)

    def kind(self, exchange: Exchange) -> ExchangeKind:
        """What a captured request was for."""
        return kinds.kind(exchange)

    def turns(self, exchanges: Sequence[Exchange], environment: Environment) -> Turns:
        """The turns of a user's session, inputs taken from its capture."""
        return capture.turns(exchanges, environment)

    def logged_turns(
        self,
        environment: Environment,
        replies: Sequence[tuple[str, Replied | Failed]],
        record: str,
        mcp_calls: Sequence[McpCall],
    ) -> Turns:
        """The turns of a golden, nothing taken from its capture."""
        return transcript.turns(environment, replies, record, mcp_calls)

    def named_paths(self, turn: Turn, environment: Environment) -> tuple[str, ...]:
        """Absolute paths that the tool calls in a turn's replies name."""
        return named.paths(turn, environment)

    def read_paths(self, turn: Turn, environment: Environment) -> tuple[str, ...]:
        """Absolute paths of the files that the tool calls in a turn's replies read or change."""
        return named.read(turn, environment)

    def servers(self, tree: Tree, environment: Environment) -> tuple[Server, ...]:
        """The MCP servers the client would start."""
        return servers.servers(tree, environment)

    def sanitise(self, path: str, data: bytes) -> bytes:
        """What a snapshot may keep of a file."""
        return keep.sanitise(path, data)

    def launch(
        self,
        argv: Sequence[str],
        environment: Environment,
        tree: Tree,
        route: str,
        proxy: str,
        ca: str,
    ) -> Launch:
        """How to run the client through a proxy."""
        return launching.launch(argv, environment, tree, route, proxy, ca)


def _set_up(world: World) -> World:
    """The world with the environment as the client's settings change it."""
    chosen = settings.settings(world.tree, world.environment)
    return replace(world, environment=settings.applied(world.environment, chosen.merged))
