"""Claude Code as a client we can rebuild."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from inspector.clients import Launch, McpCall, Request, Server
from inspector.clients.claude_code import (
    agents,
    capture,
    keep,
    kinds,
    launching,
    narrow,
    options,
    servers,
    start,
    steps,
    transcript,
)
from inspector.clients.claude_code import request as requests
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.settings import settings
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
        environment = world.environment
        given = options.options(environment.argv)
        chosen = settings(world.tree, environment)
        agent = agents.chosen(world.tree, environment, chosen)
        model = (
            given.value("--model")
            or (agent.model if agent is not None else "")
            or environment.env.get("ANTHROPIC_MODEL")
            or chosen.get("model")
        )
        simple = "--bare" in given.flags or options.on(environment, "CLAUDE_CODE_SIMPLE")
        plain = options.on(environment, "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS")
        essential = options.on(environment, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")
        return {
            "host": "default" if environment.base_url is None else "custom",
            "entry": "print" if given.printing else "interactive",
            "model": str(model or "default"),
            "mode": _mode(given, chosen.get("permissions")),
            "pool": "simple" if simple else "full",
            "traffic": "essential" if essential else "all",
            "betas": "plain" if plain else "experimental",
            "format": given.value("--output-format") or "text",
            "cache": "hour" if options.on(environment, "ENABLE_PROMPT_CACHING_1H") else "minutes",
        }

    def begin(self, world: World, profile: Profile, earlier: State | None) -> State:
        """Read what the client reads at start."""
        return start.begin(world, profile, earlier)

    def step(self, state: State, turn: Turn, world: World) -> tuple[State, Request]:
        """Fold one turn in and make its request."""
        turn = narrow.narrowed(state, turn, world)
        state = steps.advance(state, turn, world)
        return state, replace(requests.request(state, world), turn=turn)

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
        return capture.named_paths(turn, environment)

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


def _mode(given: options.Options, permissions: object) -> str:
    if "--dangerously-skip-permissions" in given.flags:
        return "bypassPermissions"
    chosen = given.value("--permission-mode")
    if chosen is None:
        chosen = mapping(permissions).get("defaultMode")
    return str(chosen or "default")
