"""The `system` blocks: billing, identity, prompt; and the memory section of the prompt."""

import re
from collections.abc import Mapping
from dataclasses import replace

from inspector.clients.claude_code import agents, countdown, flagged, options, rules, service
from inspector.clients.claude_code.javascript import SPACE, decode
from inspector.clients.claude_code.phrase import fact, paragraphs, phrase, template
from inspector.clients.claude_code.settings import Settings, absolute, known, resolved
from inspector.clients.claude_code.state import State
from inspector.clients.claude_code.style import Style
from inspector.clients.claude_code.tools import Pool
from inspector.profiles import Profile
from inspector.profiles.schema import Slot
from inspector.text import EMPTY, Kind, Mask, Origin, Piece, Text, Value, join, text
from inspector.workspace import Environment, World

_ODD = re.compile(r"[^a-zA-Z0-9]")
_WORD = re.compile(f"[^{SPACE}]+")
_NO_NAME = re.compile(r"[^a-z0-9]+")
_NAME = 40


def billing(state: State, environment: Environment) -> Text | None:
    """The billing line: its attestations are masked, never computed."""
    if options.off(environment, "CLAUDE_CODE_ATTRIBUTION_HEADER"):
        return None
    profile = state.profile
    ident = numbered(profile, "prompt_id", state.identified)
    return phrase(
        profile,
        "billing",
        version=fact("version", environment.version),
        entry=entry(environment),
        suffix=numbered(profile, "billing_suffix", _process(state)),
        cch=profile.mask("cch"),
        prompt=phrase(profile, "billing.prompt", id=ident) if state.identified else EMPTY,
        origin=phrase(profile, "billing.roused" if state.roused else "billing.typed"),
        turn=text(str(state.turns), Origin(Kind.COMPUTED, "turn")),
    )


def _process(state: State) -> int:
    """Which beginning of the conversation it is: the suffix follows its first text."""
    if state.profile.switches["resume"] == "bare":
        return state.prompts - state.typed
    return state.cleared


def entry(environment: Environment) -> Text:
    """How the client was started, in its own word."""
    return fact("entrypoint", environment.env.get("CLAUDE_CODE_ENTRYPOINT") or "sdk-cli")


def numbered(profile: Profile, name: str, number: int | str) -> Text:
    """A mask that stands for another value with each number (or id of a call)."""
    whole = profile.mask(name)
    if not number:
        return whole
    pieces: list[Piece] = []
    for piece in whole.pieces:
        assert isinstance(piece.origin, Mask)
        pieces.append(replace(piece, origin=replace(piece.origin, name=f"{name}:{number}")))
    return Text(pieces)


def prompt(
    profile: Profile,
    world: World,
    settings: Settings,
    pool: Pool,
    style: Style | None,
    made: Mapping[str, Text | None],
) -> tuple[Text, tuple[Text, ...]]:
    """The identity line, and the blocks of the prompt after it.

    `made` are the parts that other versions tell elsewhere.
    """
    given = options.options(world.environment.argv)
    own = _own(given, world, "--system-prompt")
    agent = agents.chosen(world.tree, world.environment, settings)
    if own is None and agent is not None:
        own = agent.body
    more = _own(given, world, "--append-system-prompt")
    identity = phrase(profile, "identity.append" if more else "identity")
    if profile.switches["pool"] == "simple" and own is None:
        cwd, date = fact("cwd", world.environment.cwd), fact("date", world.environment.date)
        parts = [phrase(profile, "simple", cwd=cwd, date=date)]
    elif own is not None:
        parts = [own] if own else []
    else:
        parts = _sections(profile, world, _holding(profile, world, settings, pool, style), made)
    if more:
        parts = [*parts[:-1], paragraphs([*parts[-1:], more])]
    git = made.get("git")
    if git and own is None:
        parts = [*parts[:-1], paragraphs([*parts[-1:], git])]
    if _joins(profile, pool) and parts:
        parts = [paragraphs(parts)]
    return identity, tuple(parts)


def _joins(profile: Profile, pool: Pool) -> bool:
    """Whether the prompt is one block: always, or where tools of servers are sent at once."""
    kind = profile.switches["system.parts"]
    at_once = not pool.searching and bool(pool.servers)
    return kind == "one" or (kind == "two.unless_servers" and at_once)


def memory_path(environment: Environment, settings: Settings) -> str:
    """The folder of auto-memory: the user's own, if a scope names one (memory_auto)."""
    scopes = dict(settings.scopes)
    for name in ("policySettings", "flagSettings", "localSettings", "userSettings"):
        own = scopes.get(name, {}).get("autoMemoryDirectory")
        if isinstance(own, str):
            # A relative path is passed over, and so are the scopes behind it.
            whole = own.startswith(("/", "~/")) and len(own) > 2
            if whole:
                return resolved(own, environment.cwd, environment.home).rstrip("/") + "/"
            break
    git = environment.git
    top = (git.common_root or git.root) if git else environment.cwd
    return f"{environment.config_home}/projects/{slug(top)}/memory/"


def slug(folder: str) -> str:
    """How the client names a project's folder."""
    return _ODD.sub("-", folder)


def words(prompt: str) -> str:
    """A prompt's first words, as the client makes a file name of them (mention_denied)."""
    first = " ".join(_WORD.findall(prompt)[:4]).lower()
    return _NO_NAME.sub("-", first)[:_NAME].strip("-")


def memory_section(profile: Profile, environment: Environment, settings: Settings) -> Text:
    """The `# Memory` section."""
    folder = memory_path(environment, settings)
    return template(profile, "system.memory", memory=fact("memory", folder))


def blocks(
    profile: Profile,
    first: Text | None,
    identity: Text,
    parts: tuple[Text, ...],
    mark: Value | None,
) -> list[Value]:
    """The blocks with their cache marks; only the default host shares the first part globally."""
    out: list[Value] = []
    if first is not None:
        out.append({"type": "text", "text": first})
    several = profile.switches["system.parts"] != "one" and len(parts) > 1
    marks: list[Value | None] = [None if several else mark]
    rest = None if several and profile.switches["system.marks"] == "shared" else mark
    for number in range(len(parts)):
        shared = several and number == 0 and isinstance(mark, Mapping)
        marks.append({**mark, "scope": "global"} if shared and isinstance(mark, Mapping) else rest)
    for part, its in zip((identity, *parts), marks, strict=True):
        block: dict[str, Value] = {"type": "text", "text": part}
        if its is not None:
            block["cache_control"] = its
        out.append(block)
    return flagged.system(profile, out)


def _holding(
    profile: Profile, world: World, settings: Settings, pool: Pool, style: Style | None
) -> Mapping[str, bool]:
    """Which of the conditions that slots name hold."""
    given = options.options(world.environment.argv)
    moved = "--exclude-dynamic-system-prompt-sections" in given.flags
    skills, agents = pool.has("Skill") and not moved, pool.has("Agent") and not moved
    return {
        "skills": skills,
        "agents": agents,
        "guided": skills or agents,
        "memory": not moved and not rules.switched_off(world.environment, settings),
        "styled": style is not None,
        "plain": style is None,
        "coding": style is None or style.coding,
        "shell": pool.has("Bash") and not pool.search_tools,
        "searching": pool.search_tools,
        "shellless": not pool.has("Bash"),
        "tasks": any(pool.has(name) for name in profile.lists["tools.asked"][:1]),
        "tracked": any(pool.has(name) for name in profile.lists["tools.tracking"]),
        "moved": moved,
        "unmoved": not moved,
        "counted": countdown.differs(profile, world.environment, settings),
        "usual": not countdown.differs(profile, world.environment, settings),
        "essential": not service.asked(world.environment),
    }


def _sections(
    profile: Profile, world: World, holds: Mapping[str, bool], made: Mapping[str, Text | None]
) -> list[Text]:
    out: list[Text] = []
    for name in ("system.static", "system.dynamic"):
        found = [_part(profile, slot, world, holds, made) for slot in _held(profile, name, holds)]
        out.append(paragraphs([part for part in found if part is not None]))
    return [part for part in out if part]


def _held(profile: Profile, name: str, holds: Mapping[str, bool]) -> list[Slot]:
    return [slot for slot in profile.slots[name] if all(holds[when] for when in slot.when)]


def _part(
    profile: Profile,
    slot: Slot,
    world: World,
    holds: Mapping[str, bool],
    made: Mapping[str, Text | None],
) -> Text | None:
    kind, _, name = slot.part.partition(":")
    if kind == "made":
        return made.get(name)
    if kind == "template":
        return memory_section(profile, world.environment, known(world, profile))
    if kind == "slots":
        return join(EMPTY, [profile.known(_name(part)) for part in _held(profile, name, holds)])
    return profile.known(name)


def _name(slot: Slot) -> str:
    return slot.part.partition(":")[2]


def _own(given: options.Options, world: World, flag: str) -> Text | None:
    value = given.value(flag)
    if value is not None:
        return text(value, Origin(Kind.FACT, flag)) if value else EMPTY
    path = given.value(f"{flag}-file")
    if path is None:
        return None
    whole = absolute(path, world.environment.cwd)
    data = world.tree.read(whole)
    return text(decode(data), Origin(Kind.FILE, whole)) if data is not None else None
