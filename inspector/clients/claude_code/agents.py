"""Agents the user defined, as lines of the agent listing."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from inspector.clients.claude_code import looking, skills
from inspector.clients.claude_code.frontmatter import document
from inspector.clients.claude_code.javascript import ascii_first_key, decode, trim
from inspector.clients.claude_code.options import names, options
from inspector.clients.claude_code.phrase import lines, phrase
from inspector.clients.claude_code.plain import items, mapping
from inspector.clients.claude_code.settings import Settings, parsed
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, join, text
from inspector.workspace import EntryKind, Environment, Tree

_RULE = re.compile(r"(?:Agent|Task)\((.+)\)", re.DOTALL)
_GIVEN = Origin(Kind.FACT, "--agents")


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent of the user's."""

    name: str
    description: Text
    tools: tuple[str, ...]
    """Names in the file's order; none where it names none."""
    body: Text = EMPTY
    model: str = ""


def found(tree: Tree, environment: Environment, settings: Settings) -> tuple[Agent, ...]:
    """The user's and the project's agents; the nearest definition of a name wins."""
    if {"--safe-mode", "--bare"} & options(environment.argv).flags:
        return ()
    roots = [environment.config_home] if "user" in settings.sources else []
    if "project" in settings.sources:
        # Agents of the folders above are read too (2.1.332, probe harbour).
        roots += reversed(list(skills.upwards(tree, environment)))
    out: dict[str, Agent] = {}
    for root in roots:
        out |= {agent.name: agent for agent in _folder(tree, f"{root}/agents")}
    given = parsed(options(environment.argv).value("--agents") or "")
    made = (_made(str(name), mapping(values), _GIVEN) for name, values in given.items())
    out |= {agent.name: agent for agent in made if agent is not None}
    return tuple(out.values())


def chosen(tree: Tree, environment: Environment, settings: Settings) -> Agent | None:
    """The agent the whole session runs as (`--agent`)."""
    name = options(environment.argv).value("--agent")
    if name is None:
        return None
    return next((agent for agent in found(tree, environment, settings) if agent.name == name), None)


def denied(environment: Environment, settings: Settings) -> frozenset[str]:
    """Agents that rules such as `Agent(Explore)` keep from the model (`agents_denied`)."""
    rules = (
        *names(options(environment.argv).all("--disallowedTools")),
        *settings.strings("permissions", "deny"),
    )
    found = (_RULE.fullmatch(rule) for rule in rules)
    return frozenset(match[1] for match in found if match)


def listing(
    profile: Profile, environment: Environment, settings: Settings, own: tuple[Agent, ...]
) -> Text | None:
    """All agents: sorted without regard to case, or the client's own first; None where none is."""
    made = {name: profile.known(f"agent.{name}") for name in _shipped(profile, environment)}
    made |= {agent.name: line(profile, agent) for agent in own}
    ordered = _ordered(profile, made, denied(environment, settings))
    if not ordered:
        return None
    return phrase(profile, "agents", agents=lines([made[name] for name in ordered]))


def unknown(
    profile: Profile,
    environment: Environment,
    settings: Settings,
    own: tuple[Agent, ...],
    name: str,
) -> Text | None:
    """What the model is told of an agent that there is not (`ordinary_slips`)."""
    origins = {name: Origin(Kind.LITERAL, "agents") for name in _shipped(profile, environment)}
    origins |= {agent.name: agent.description.pieces[0].origin for agent in own}
    left_out = denied(environment, settings)
    # What is said of names in other letters, and of denied ones, is not known.
    near = {one.lower() for one in (*origins, *left_out)}
    if not name or name.lower() in near or "error.no_agent" not in profile.literals:
        return None
    every = [text(one, origins[one]) for one in _ordered(profile, origins, left_out)]
    listed = join(text(", ", Origin(Kind.LITERAL, "agents")), every)
    called = text(name, Origin(Kind.REPLY, "input"))
    return phrase(profile, "error.no_agent", name=called, agents=listed)


def _ordered(profile: Profile, names: Iterable[str], left_out: frozenset[str]) -> list[str]:
    kept = [name for name in names if name not in left_out]
    return sorted(kept, key=ascii_first_key) if profile.switches["agents.order"] == "name" else kept


def count(profile: Profile, environment: Environment, own: tuple[Agent, ...]) -> int:
    """How many definitions there are: a denied one and one that another outdoes count too."""
    return len(_shipped(profile, environment)) + len(own)


def _shipped(profile: Profile, environment: Environment) -> tuple[str, ...]:
    safe = "--safe-mode" in options(environment.argv).flags
    return tuple(profile.lists["agents.safe" if safe else "agents"])


def line(profile: Profile, agent: Agent) -> Text:
    """One agent of the user's, as it is listed."""
    origin = agent.description.pieces[0].origin
    tools = (
        text(", ".join(agent.tools), origin) if agent.tools else phrase(profile, "agent.all_tools")
    )
    name = text(agent.name, origin)
    return phrase(profile, "agent", name=name, description=agent.description, tools=tools)


def _folder(tree: Tree, root: str) -> Iterator[Agent]:
    for entry in looking.entries(tree, root):
        path = f"{root}/{entry.name}"
        if entry.kind is EntryKind.DIRECTORY:
            yield from _folder(tree, path)
        elif entry.name.endswith(".md"):
            data = tree.read(path)
            agent = _agent(path, data) if data is not None else None
            if agent is not None:
                yield agent


def _agent(path: str, data: bytes) -> Agent | None:
    origin = Origin(Kind.FILE, path)
    front = document(text(decode(data), origin))
    made = _made(front.values.get("name"), front.values, origin)
    return made if made is None else replace(made, body=trim(front.body))


def _made(name: object, values: Mapping[str, object], origin: Origin) -> Agent | None:
    """An agent from what a file's head or the command line says of it."""
    said = values.get("description")
    if not isinstance(name, str) or not isinstance(said, str) or not name or not said:
        return None
    # A description may hold the two characters of an escaped newline; the client opens them.
    described = text(said.replace("\\n", "\n"), origin)
    model = values.get("model")
    prompt = values.get("prompt")
    return Agent(
        name,
        described,
        _tools(values.get("tools")),
        text(prompt, origin) if isinstance(prompt, str) else EMPTY,
        model if isinstance(model, str) and model != "inherit" else "",
    )


def _tools(value: object) -> tuple[str, ...]:
    given = value.split(",") if isinstance(value, str) else [str(item) for item in items(value)]
    return tuple(name.strip() for name in given if name.strip())
