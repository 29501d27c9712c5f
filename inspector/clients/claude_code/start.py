"""What the client reads when its process starts."""

from collections.abc import Mapping
from dataclasses import replace

from inspector import profiles
from inspector.clients.claude_code import (
    agents,
    automemory,
    axes,
    briefing,
    context,
    discovery,
    effort,
    forms,
    login,
    models,
    options,
    poolkept,
    resume,
    rules,
    skills,
    style,
    system,
    tools,
    usage,
)
from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.message import Message, text_block
from inspector.clients.claude_code.rules import Memory
from inspector.clients.claude_code.settings import Settings, config_file, known, parsed
from inspector.clients.claude_code.state import Process, State
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.workspace import World

_USUAL = "default"
"""The model of a session for which nobody names one."""


def begin(world: World, profile: Profile, earlier: State | None) -> State:
    """The state before the first request; an earlier conversation goes on where it ended."""
    chosen = known(world, profile)
    given = briefing.given_model(world.environment)
    if earlier is not None and not given:
        # A conversation goes on with its own model where neither the command line nor the
        # environment names another; settings do not (mix_agents, heavy_settings_fight).
        given = earlier.process.given
        profile = _resolved(world, profile, given or _USUAL, None)
    elif not given:
        given = models.named(world.environment, axes.asked(world))
    given = "" if given == _USUAL else given
    memories = _memories(world, profile, chosen)
    process = replace(_process(world, profile, chosen, memories), given=given)
    seen = frozenset(memory.path for memory in memories)
    if earlier is None:
        return State(process, seen=seen)
    if profile.switches["resume"] == "bare":
        return resume.bare(earlier, process, _continued(process, earlier, world), seen)
    kept = replace(
        process,
        identity=earlier.process.identity,
        parts=earlier.process.parts,
        offered=earlier.process.offered,
        pool=poolkept.kept(earlier, process),
        mode=earlier.process.mode,
        device=process.device,
        session=_continued(process, earlier, world),
    )
    # A skill's first call in a new process sends its body again (skill_reinvoke_resume).
    state = replace(
        earlier,
        process=kept,
        seen=earlier.seen | seen,
        rendered={},
        known={},
        typed=0,
        identified=0,
        roused=False,
        found=(),
        opened=frozenset(),
        written={},
        override=None,
        latched=frozenset(),
        weighed={},
        usual=None,
        counted=0,
        peak=0,
    )
    return forms.turned(state, earlier.profile)


def _resolved(world: World, profile: Profile, model: str, mode: str | None) -> Profile:
    """The wire format for another model or permission mode."""
    found = profiles.find(profile.client, world.environment.version)
    return profiles.resolve(found, axes.axes(world, model or None, mode))


def _continued(process: Process, earlier: State, world: World) -> Text:
    """A fork of a conversation takes a new id."""
    given = options.options(world.environment.argv)
    if "--fork-session" not in given.flags:
        return earlier.process.session
    if given.value("--session-id") is not None:
        return process.session
    return system.numbered(process.profile, "session_id", len(earlier.messages))


def _memories(world: World, profile: Profile, chosen: Settings) -> list[Memory]:
    if rules.reads_nothing(world.environment):
        return []
    scope = rules.scope(world.tree, world.environment, chosen, profile)
    found = discovery.collect(scope, chosen)
    if not rules.switched_off(world.environment, chosen):
        folder = system.memory_path(world.environment, chosen)
        found += automemory.index(profile, world.tree, folder)
    return found


def _process(world: World, profile: Profile, chosen: Settings, memories: list[Memory]) -> Process:
    given = options.options(world.environment.argv)
    config = parsed(decode(world.tree.read(config_file(world.environment)) or b""))
    pool = tools.pool(profile, world, chosen)
    chosen_style = style.chosen(profile, world.tree, world.environment, chosen)
    made = briefing.in_system(profile, world, chosen, chosen_style)
    identity, parts = system.prompt(profile, world, chosen, pool, chosen_style, made)
    manner = skills.manner(profile)
    surveyed = skills.survey(world.tree, world.environment, chosen, manner)
    return Process(
        profile=profile,
        offered=profile,
        settings=chosen,
        pool=pool,
        skills=surveyed.skills,
        later=surveyed.later,
        ignored=skills.git_ignored(world.tree, world.environment),
        usage=usage.used(config),
        agents=agents.found(world.tree, world.environment, chosen),
        style=chosen_style,
        memory=context.block(profile, world.environment, memories),
        copies={memory.path: memory for memory in memories},
        identity=identity,
        parts=parts,
        device=_device(profile, world, config),
        account=_account(world, "accountUuid"),
        address=_account(world, "emailAddress"),
        session=_session(profile, given),
        effort=effort.of_session(profile, world, chosen, axes.asked(world)),
        fixed=effort.fixed(profile, world.environment) is not None,
        given="",
        mode=axes.mode(given, chosen.get("permissions")),
        ahead=_ahead(profile, pool),
    )


def _ahead(profile: Profile, pool: tools.Pool) -> tuple[Message, ...]:
    """The deferred tools, where a message of its own names them in every request."""
    if profile.regions["deferred"] != "own" or not pool.searching:
        return ()
    named = briefing.deferred(profile, pool.deferred)
    return (Message("user", (text_block(named),)),) if named else ()


def _device(profile: Profile, world: World, config: Mapping[str, object]) -> Text:
    found = config.get("userID")
    if isinstance(found, str) and found:
        return text(found, Origin(Kind.FILE, config_file(world.environment)))
    return profile.mask("device_id")


def _account(world: World, member: str) -> Text:
    found = login.account(world).get(member)
    origin = Origin(Kind.FILE, config_file(world.environment))
    return text(found, origin) if isinstance(found, str) and found else EMPTY


def _session(profile: Profile, given: options.Options) -> Text:
    chosen = given.value("--session-id")
    if chosen is not None:
        return text(chosen, Origin(Kind.FACT, "--session-id"))
    return profile.mask("session_id")
