"""The tool pool of a request: which tools, which of them deferred, in which order."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from inspector.clients.claude_code import agents, described, mcp, options, service, shelltool
from inspector.clients.claude_code.servers import configured
from inspector.clients.claude_code.settings import Settings
from inspector.profiles import Profile
from inspector.text import Text
from inspector.workspace import Environment, World

_WHOLE = 100
_WHOLE_TOOL = re.compile(r"\(\*?\)\Z")
STRUCTURED = "StructuredOutput"
"""The tool through which an answer of a given shape is returned."""


@dataclass(frozen=True, slots=True)
class Pool:
    """All tools of a session, before it is decided which are loaded."""

    builtin: tuple[str, ...]
    servers: tuple[mcp.Tool, ...]
    searching: bool
    """Whether tools are found through ToolSearch."""
    announced: bool
    """Whether deferred tools are announced by name, loaded or not (`auto`)."""
    placeholder: bool
    """Whether the placeholder that keeps deferral active is sent."""
    deferrable: frozenset[str]
    search_tools: bool
    """Glob and Grep are there, which another Bash description goes with."""
    shape: str = ""
    """The schema of the answer that was asked for."""
    listed: bool = False
    """An agent lists its tools: they keep its order."""
    shell: shelltool.Limits | None = None
    """The time limits that the shell tool tells; None where it tells none."""
    stays: bool = False
    """The process may outlive its answer, so that a monitor may run for longer."""
    asks: bool = False
    """Whether the client has the tools counted that it may defer."""
    holes: Mapping[str, Text] = field(default_factory=dict[str, Text])
    """What descriptions say of the session, by the name of the place."""
    words: Mapping[str, Profile] = field(default_factory=dict[str, Profile])
    """Tools that have their words from another wire format than the rest."""

    def has(self, name: str) -> bool:
        """Whether the session has a tool, deferred or not."""
        return name in self.builtin or any(tool.name == name for tool in self.servers)

    @property
    def deferred(self) -> tuple[str, ...]:
        """Names that wait behind ToolSearch."""
        names = [name for name in self.builtin if name in self.deferrable]
        names += [tool.name for tool in self.servers if not tool.always]
        return tuple(names)


def pool(profile: Profile, world: World, settings: Settings, counted: int = 0) -> Pool:
    """The tools of a session from its flags, settings and servers.

    `counted` is how many tokens the API says the deferrable ones take, where the client asked.
    """
    given = options.options(world.environment.argv)
    names = _builtin(profile, world, settings, given)
    denied = denied_names(given, settings)
    offered = tuple(
        tool
        for tool in mcp.tools(profile, world.listings, configured(world), service.named(world))
        # Whom the client asks for permission is no tool of the model's (`tools_none`).
        if not _denied(tool.name, denied) and tool.name != given.value("--permission-prompt-tool")
    )
    waiting = frozenset((*profile.lists["tools.deferred"], *profile.lists["tools.asked"]))
    wanted, inline = _search(profile, world.environment, counted)
    late = {*names, *(tool.name for tool in offered if not tool.always)}
    late &= {*waiting, *(tool.name for tool in offered)}
    asks = wanted and "ToolSearch" in names and bool(late) and _asked(world.environment)
    agent = agents.chosen(world.tree, world.environment, settings)
    listed = agent is not None and bool(agent.tools)
    if agent is not None and listed:
        usable = {*names, *profile.lists["tools.optional"]}
        names = [name for name in agent.tools if name in usable]
    # A list of tools that has ToolSearch in it keeps the others of the list waiting.
    bare = "--tools" in given.lists and not _usual(given) and "ToolSearch" not in names
    if listed or bare or profile.switches["pool"] == "simple":
        searching, placeholder = False, profile.switches["pool"] != "simple"
    else:
        searching = wanted and not inline and "ToolSearch" in names
        placeholder = wanted and not inline
    if not searching:
        names = [name for name in names if name != "ToolSearch"]
    # Old models are sent the placeholder only where some tool is deferred (`classic_tools`).
    kept = profile.switches["placeholder"]
    always, placeholder = kept == "always", placeholder and kept != "never"
    late = {*names, *(tool.name for tool in offered)} & waiting
    shape = given.value("--json-schema")
    if shape is not None:
        names.append(STRUCTURED)
    return Pool(
        builtin=tuple(names),
        servers=offered,
        searching=searching,
        announced=wanted and (searching or inline),
        placeholder=placeholder and (bool(names or offered) if always else bool(late)),
        deferrable=waiting,
        search_tools="Grep" in {*names} & {*profile.lists["tools.optional"]} and "Bash" in names,
        listed=listed,
        shape=shape or "",
        shell=None
        if profile.switches["pool"] == "simple"
        else shelltool.limits(profile, world.environment),
        stays=shelltool.stays(world.environment),
        asks=asks,
        holes=described.holes(profile, world, settings),
    )


def denied_names(given: options.Options, settings: Settings) -> tuple[str, ...]:
    """Deny rules that name a whole tool."""
    rules = (
        *options.names(given.all("--disallowedTools")),
        *settings.strings("permissions", "deny"),
    )
    # An empty pattern and a lone star mean the whole tool (`tools_none`).
    whole = (_WHOLE_TOOL.sub("", rule) for rule in rules)
    return tuple(rule for rule in whole if "(" not in rule)


def _builtin(
    profile: Profile, world: World, settings: Settings, given: options.Options
) -> list[str]:
    every = list(dict.fromkeys([*profile.lists["tools"], *profile.lists["tools.deferred"]]))
    if not mcp.has_resources(world.listings):
        every = [name for name in every if name not in profile.lists["tools.resources"]]
    former: Mapping[str, str] = profile.values["tool.former"]
    denied = tuple(former.get(rule, rule) for rule in denied_names(given, settings))
    if "--restricted" in given.flags:
        denied = (*denied, *profile.lists["tools.unrestricted"])
    if "--tools" in given.lists and not _usual(given):
        asked = [former.get(name, name) for name in options.names(given.lists["--tools"])]
        known = (*every, *profile.lists["tools.optional"], *profile.lists["tools.asked"])
        return [name for name in asked if name in known and not _denied(name, denied)]
    # Tools that are there only where they are asked for: a rule of the command line asks.
    allowed = options.names(given.all("--allowedTools"))
    optional = profile.lists["tools.optional"]
    every += optional if {*optional} & {*allowed} else ()
    every += [
        name for name in profile.lists["tools.asked"] if name in allowed and name not in every
    ]
    if "--disable-slash-commands" in given.flags:
        every.remove("Skill")
    if _denied("Bash", denied):
        every = [name for name in every if name not in profile.lists["tools.of_shell"]]
        every += [name for name in profile.lists["tools.without_shell"] if name not in every]
    return [name for name in every if not _denied(name, denied)]


def _usual(given: options.Options) -> bool:
    """Whether the flag that lists tools asks for the usual ones."""
    return options.names(given.all("--tools")) in {(), ("default",)} and given.all("--tools") != (
        "",
    )


def _denied(name: str, rules: Sequence[str]) -> bool:
    for rule in rules:
        if name == rule or ("*" in rule and _matches(rule, name)):
            return True
        if rule.startswith("mcp__") and rule.count("__") == 1 and name.startswith(f"{rule}__"):
            return True
    return False


def _matches(rule: str, name: str) -> bool:
    """Whether a rule with wildcards names a tool."""
    return re.fullmatch(".*".join(map(re.escape, rule.split("*"))), name) is not None


def _search(profile: Profile, environment: Environment, counted: int) -> tuple[bool, bool]:
    """Whether deferral is on, and whether all tools are sent inline all the same (`auto`)."""
    value = environment.env.get("ENABLE_TOOL_SEARCH", "").strip().lower()
    if profile.switches["search"] == "off" or value in {"false", "0", "no", "off"}:
        return False, False
    if profile.switches["search"] == "asked" and not value:
        return False, False
    if options.on(environment, "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS"):
        return False, False
    share = _share(value)
    if share is not None and share >= _WHOLE:
        return False, False
    if not value.startswith("auto") or share == 0:
        return True, False
    # Measured: tools are deferred where the count less 500 reaches the share of the window.
    limits = profile.limits
    own = limits["search.share"] if share is None else share
    return True, counted - limits["search.overhead"] < limits["skill.window"] * own / _WHOLE


def _asked(environment: Environment) -> bool:
    """Whether the client has the tools counted to decide on their deferral."""
    value = environment.env.get("ENABLE_TOOL_SEARCH", "").strip().lower()
    return value.startswith("auto") and _share(value) != 0


def _share(value: str) -> float | None:
    """The share of the window that `auto:N` gives the tools, in percent."""
    try:
        return max(float(value.removeprefix("auto:")), 0) if value.startswith("auto:") else None
    except ValueError:
        return None
