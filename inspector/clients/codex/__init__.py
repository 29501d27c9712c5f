"""OpenAI Codex: one module a mechanism, rebuilt from what `codex exec` puts on the wire."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from inspector.clients import Called, Launch, McpCall, Meter, Missing, Refused, Request, Server
from inspector.clients.codex import (
    agents,
    capture,
    conversation,
    logs,
    missing,
    named,
    refused,
    skills,
)
from inspector.clients.codex.config import read
from inspector.clients.codex.launch import launch
from inspector.clients.codex.sanitise import sanitise
from inspector.clients.codex.servers import servers
from inspector.clients.codex.thread import State
from inspector.clients.codex.tools import goals, web
from inspector.profiles import Profile, find, resolve
from inspector.session import Exchange, ExchangeKind
from inspector.turns import Failed, Replied, Turn, Turns
from inspector.workspace import Environment, Tree, World

__all__ = ["CLIENT", "Codex"]


class Codex:
    """The Codex command line, as `inspector.clients.Client` describes a client."""

    id = "codex"
    switches: tuple[str, ...] = ("CODEX_HOME", "TZ", "SHELL", "TMPDIR")

    def axes(self, world: World) -> Mapping[str, str]:
        """Provider, model and its class, entry, sandbox mode."""
        environment = world.environment
        config = read(world.tree, environment)
        base = find(self.id, environment.version).data["base"]
        entry = "tui" if config.command.terminal else "exec"
        model = config.string("model") or base["literals"]["model"]
        classes = {name: base["lists"][f"models.{name}"] for name in ("lite", "classic")}
        model_class = next((name for name, known in classes.items() if model in known), "outside")
        return {
            "provider": config.provider,
            "model": model,
            "model_class": model_class,
            "host": environment.platform,
            "entry": entry,
            "mode": config.sandbox,
            "login": "chatgpt" if environment.credential == "login" else "key",
            "goals": "on" if goals(config) else "off",
            "web": "off" if web(config) == "disabled" else "on",
        }

    def begin(self, world: World, profile: Profile, earlier: State | None) -> State:
        """Read what the process reads at start."""
        return conversation.begin(world, profile, earlier)

    def step(self, state: State, turn: Turn, world: World) -> tuple[State, Request]:
        """Fold one turn in and make its request."""
        return conversation.step(state, turn, world)

    def faults(self, world: World) -> tuple[str, ...]:
        """Workspace files the client refuses or cuts, one sentence each."""
        config = read(world.tree, world.environment)
        profile = resolve(find(self.id, world.environment.version), self.axes(world))
        told = agents.faults(world.tree, config, profile)
        return (*told, *skills.faults(world, config, profile))

    def refused(self, world: World) -> Sequence[Refused]:
        """What of its command line the client ends at: a schema that cannot be read."""
        return tuple(refused.refused(world.tree, read(world.tree, world.environment)))

    def missing(self, world: World, profile: Profile) -> Sequence[Missing]:
        """What of the user's is left out at start, or not told whole."""
        return missing.missing(world, profile)

    def asleep(
        self, world: World, profile: Profile, path: str, landed: Sequence[str]
    ) -> Sequence[Missing]:
        """Why rules below the working directory did not come in."""
        del profile, landed
        return missing.below(world, path)

    def unmodelled(self, world: World) -> Sequence[str]:
        """Switches that are set, change requests and are not modelled: none is known."""
        del world
        return ()

    def meters(self, world: World, profile: Profile) -> Sequence[Meter]:
        """The budgets of the rules and of the skill listing."""
        return missing.meters(world, profile)

    def setting(self, world: World, key: str, value: str) -> World:
        """The world as if a setting were given with `-c`."""
        here = world.environment
        given = (*here.argv[:1], "-c", f"{key}={value}", *here.argv[1:])
        return replace(world, environment=here.model_copy(update={"argv": given}))

    def called(self, path: str) -> Called:
        """What a file is to the client, by where it stands."""
        return missing.called(path)

    def kind(self, exchange: Exchange) -> ExchangeKind:
        """What a captured request was for."""
        return capture.kind(exchange)

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
        return logs.logged_turns(environment, replies, record, mcp_calls)

    def named_paths(self, turn: Turn, environment: Environment) -> tuple[str, ...]:
        """Absolute paths that a turn's shell calls name."""
        return named.paths(turn, environment)

    def read_paths(self, turn: Turn, environment: Environment) -> tuple[str, ...]:
        """None: the client reads no file for the model but through a shell."""
        del turn, environment
        return ()

    def servers(self, tree: Tree, environment: Environment) -> tuple[Server, ...]:
        """The MCP servers the process would start."""
        return servers(tree, environment)

    def sanitise(self, path: str, data: bytes) -> bytes:
        """What a snapshot may keep of a file."""
        return sanitise(path, data)

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
        return launch(argv, environment, tree, route, proxy, ca)


CLIENT = Codex()
