"""A prompt as user messages, and what is told to the model along with it."""

from collections.abc import Sequence
from dataclasses import replace

from inspector import profiles
from inspector.clients.claude_code import (
    agents,
    attach,
    axes,
    briefing,
    commands,
    context,
    hooks,
    listing,
    mcp,
    nested,
    resume,
    rules,
    safeguards,
    system,
    unknown,
)
from inspector.clients.claude_code.javascript import trim
from inspector.clients.claude_code.mentions import mentions
from inspector.clients.claude_code.message import Block, Message, joined, text_block
from inspector.clients.claude_code.options import options
from inspector.clients.claude_code.phrase import paragraphs, phrase, reminder
from inspector.clients.claude_code.skills import Skill
from inspector.clients.claude_code.state import State
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import World


def prompted(
    state: State,
    prompt: str,
    world: World,
    printed: tuple[str, ...] = (),
    waiting: Sequence[str] = (),
) -> State:
    """The state after a prompt: its user messages and the system-role message behind them.

    `printed` is what the shell expansions of a typed command printed, `waiting` are prompts that
    came before it and wait with it.
    """
    first = not state.messages
    state = replace(
        state,
        prompts=state.prompts + 1,
        typed=state.typed + 1,
        asked=state.asked or prompt,
        silent=0,
        override=None,
        counted=state.used if state.typed == 0 else state.counted,
    )
    typed = commands.typed(state, prompt, world, printed)
    groups = [*typed.groups]
    if not typed.groups:
        groups = [[text_block(text(prompt, Origin(Kind.PROMPT, "prompt")))]]
        state = replace(state, identified=state.prompts)
    origin = Origin(Kind.PROMPT, "prompt")
    groups = [*([text_block(text(one, origin))] for one in waiting), *groups]
    state = replace(state, rendered={**state.rendered, **typed.rendered})
    # What is told is told of the model that the session began with.
    told = _paragraphs(state, world, first=first)
    model = str(briefing.model_id(state.profile, world.environment))
    state = _asked_for(state, commands.called(state, prompt), world)
    state, files = _mentioned(state, typed.body or prompt, world)
    warning = unknown.warning(state, prompt)
    warned = [text_block(warning)] if warning else []
    if first and not typed.groups and commands.looks_like_a_path(prompt):
        state, told = replace(state, owed=True), told[-1:]
    before, credit = _context(state, world, first=first)
    if state.profile.switches["context"] == "reminder":
        wrapped = [text_block(reminder(state.profile, part)) for part in told]
        dated = wrapped[-1:] if first else []
        group = [*wrapped[: len(wrapped) - len(dated)], *before, *dated, *credit]
        message = Message("user", (*joined(files), *warned, *joined([group, *groups])))
        return _noted(replace(state, messages=(*state.messages, message)), world, model)
    messages = _messages(files, warned, [*before, *credit], groups)
    state = replace(state, messages=(*state.messages, *messages))
    return _told(_noted(state, world, model), told, first=first)


def _asked_for(state: State, skill: Skill | None, world: World) -> State:
    """A typed skill may ask for another model or effort; the system prompt stays as it was."""
    if skill is None:
        return state
    effort, model = skill.values.get("effort"), skill.values.get("model")
    if isinstance(effort, str):
        state = replace(state, override=effort)
    if isinstance(model, str) and model != "inherit":
        found = profiles.find(state.profile.client, world.environment.version)
        profile = profiles.resolve(found, axes.axes(world, model))
        state = replace(state, process=replace(state.process, profile=profile))
    return state


def _messages(
    files: list[list[Block]],
    warned: list[Block],
    inside: list[Block],
    groups: Sequence[list[Block]],
) -> list[Message]:
    """The user messages of a prompt: the first mention's call is one of its own."""
    leading = [Message("user", tuple(files[0]))] if files else []
    first = [*files[1:], *([warned] if warned else [])]
    apart, together = (first, [inside, *groups]) if inside else ([], [*first, *groups])
    return [*leading, Message("user", (*joined(apart), *joined(together)))]


def _mentioned(state: State, body: str, world: World) -> tuple[State, list[list[Block]]]:
    """Files a prompt mentions, and the memory that comes in with them."""
    groups = attach.files(state.profile, world, body)
    if not groups or rules.reads_nothing(world.environment):
        return state, groups
    settings, seen = state.process.settings, set(state.seen)
    scope = rules.scope(world.tree, world.environment, settings, state.profile)
    for mention in mentions(body, world.environment.cwd):
        found = nested.touched(scope, settings, mention.path, seen)
        groups += [[text_block(nested.reminder(state.profile, memory))] for memory in found]
    return replace(state, seen=frozenset(seen)), groups


def _context(state: State, world: World, *, first: bool) -> tuple[list[Block], list[Block]]:
    """The blocks before the prompt, attribution apart; they are one message, joined with its."""
    credit = _credit(state)
    told = [text_block(credit)] if credit else []
    if not first:
        changed = _changed(state) if state.typed == 1 else None
        again = state.typed == 1 and credit is not None and str(credit) != state.credit
        return [text_block(changed)] if changed else [], told if again else []
    profile, settings = state.profile, state.process.settings
    parts: list[Text | None] = []
    if "--exclude-dynamic-system-prompt-sections" in options(world.environment.argv).flags:
        inside = system.memory_section(profile, world.environment)
        parts.append(reminder(profile, phrase(profile, "memory.moved", text=inside)))
    simple = profile.switches["pool"] == "simple"
    parts.append(state.process.memory)
    # A session that runs as an agent is not told of git (probe: `--agent`).
    bare = simple or "--agent" in options(world.environment.argv).flags
    parts.append(None if bare else context.git_status(profile, world.environment, settings))
    return [text_block(part) for part in parts if part], told


def _changed(state: State) -> Text | None:
    """Instruction files that differ from what a resumed conversation was told."""
    now, before = state.process.copies, state.copies
    if not before:
        return state.process.memory
    profile = state.profile
    entries = [
        rules.entry(profile, memory)
        for path, memory in now.items()
        if trim(memory.body) and (path not in before or before[path].body != memory.body)
    ]
    gone = [
        phrase(profile, "memory.gone", path=text(path, Origin(Kind.FACT, "path")))
        for path in before
        if path not in now
    ]
    if not entries and not gone:
        return None
    name = "memory.changed" if entries else "memory.gone.only"
    return phrase(profile, name, files=paragraphs([*entries, *gone]))


def owed(state: State, world: World) -> list[Text]:
    """The paragraphs a prompt that looks like a path put off; the date came at once."""
    return _paragraphs(state, world, first=True)[:-1]


def _paragraphs(state: State, world: World, *, first: bool) -> list[Text]:
    profile, environment = state.profile, world.environment
    if not first:
        return _news(state, world)
    process, pool = state.process, state.process.pool
    if profile.switches["pool"] == "simple":
        return []
    at_start = hooks.paragraphs(profile, state.hooked, "SessionStart")
    at_prompt = hooks.paragraphs(profile, state.hooked, "UserPromptSubmit")
    parts = {
        "start": paragraphs(at_start) if at_start else None,
        "environment": briefing.surroundings(profile, environment),
        "model": briefing.powered(profile, environment),
        "style": briefing.styled(profile, process.style),
        "language": briefing.language(profile, process.settings),
        "deferred": briefing.deferred(profile, pool.deferred) if pool.announced else None,
        "failed": briefing.failed(profile, world.listings) if pool.searching else None,
        "agents": agents.listing(profile, environment, process.agents)
        if pool.has("Agent")
        else None,
        "servers": briefing.servers(profile, world.listings),
        "dropped": briefing.dropped(profile, world.listings),
        "skills": _listing(state, world) if pool.has("Skill") else None,
        "mode": briefing.mode(profile, environment, state.asked),
        "active": briefing.style_active(profile, process.style),
        "tokens": briefing.tokens(profile, 0) if profile.switches["tokens"] == "yes" else None,
        "prompt": paragraphs(at_prompt) if at_prompt else None,
        "date": briefing.date(profile, environment),
    }
    return briefing.present(parts)


def _listing(state: State, world: World) -> Text | None:
    process = state.process
    shown = listing.visible(process.settings, process.skills)
    said = listing.listing(state.profile, world.environment, process.settings, shown, process.usage)
    return phrase(state.profile, "skills", skills=said) if said else None


def _news(state: State, world: World) -> list[Text]:
    """What a later prompt brings along."""
    out = resume.news(state, world) if state.typed == 1 else []
    if state.profile.switches["tokens"] == "yes":
        out.append(briefing.tokens(state.profile, state.used - state.counted))
    return [*out, *hooks.paragraphs(state.profile, state.hooked, "UserPromptSubmit")]


def _noted(state: State, world: World, model: str) -> State:
    process = state.process
    names = {skill.name for skill in listing.visible(process.settings, process.skills)}
    credit = _credit(state)
    return replace(
        state,
        told=state.told | names,
        copies=process.copies,
        folders=safeguards.added(world.environment),
        waiting=frozenset(process.pool.deferred),
        agents=frozenset(agent.name for agent in process.agents),
        servers=mcp.speaking(world.listings),
        model=model,
        credit=str(credit) if credit else "",
        date=world.environment.date,
    )


def _credit(state: State) -> Text | None:
    """The attribution reminder, where there is a shell to commit with."""
    shell = state.process.pool.has("Bash") and state.profile.switches["pool"] != "simple"
    return context.attribution(state.profile, state.process.settings) if shell else None


def _told(state: State, told: Sequence[Text], *, first: bool) -> State:
    announces = state.profile.switches["effort.announced"] == "yes"
    if not first and not told:
        return state
    blocks = (text_block(paragraphs(list(told))),) if told else ()
    changes = first or state.wanted != state.effort
    effort = state.wanted if announces and changes else None
    message = Message("system", blocks, effort)
    return replace(
        state, messages=(*state.messages, message), effort=state.wanted if changes else state.effort
    )
