"""A prompt as user messages, and what is told to the model along with it."""

from collections.abc import Sequence
from dataclasses import replace

from inspector.clients.claude_code import attach, briefing, commands, context, listing, rules, system
from inspector.clients.claude_code.message import Block, Message, joined, text_block
from inspector.clients.claude_code.options import options
from inspector.clients.claude_code.phrase import lines, phrase, reminder
from inspector.clients.claude_code.state import State
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import World


def prompted(state: State, prompt: str, world: World) -> State:
    """The state after a prompt: its user messages and the system-role message behind them."""
    first = not state.messages
    state = replace(state, prompts=state.prompts + 1, typed=state.typed + 1, silent=0, override=None)
    typed = commands.typed(state, prompt, world)
    groups = [*typed.groups]
    if not typed.groups:
        groups = [[text_block(text(prompt, Origin(Kind.PROMPT, "prompt")))]]
    if typed.rendered:
        state = replace(state, rendered={**state.rendered, **typed.rendered})
    mentions = attach.files(state.profile, world, prompt)
    paragraphs = _paragraphs(state, world, first=first)
    if state.profile.switches["context"] == "reminder":
        return _reminders(state, groups, paragraphs, world, first=first)
    leading = [Message("user", tuple(mentions[0]))] if mentions else []
    before = [*mentions[1:], *_context(state, world, first=first)]
    message = Message("user", (*_bare(state, world, first, mentions), *joined([*before, *groups])))
    state = replace(state, messages=(*state.messages, *leading, message))
    return _told(_noted(state, world), paragraphs, first=first)


def _bare(
    state: State, world: World, first: bool, mentions: Sequence[Sequence[Block]]
) -> tuple[Block, ...]:
    """Memory and git status, put in front after the messages were joined."""
    del mentions
    if not first or rules.reads_nothing(world.environment):
        return ()
    parts = [state.process.memory]
    parts.append(context.git_status(state.profile, world.environment, state.process.settings))
    if "--exclude-dynamic-system-prompt-sections" in options(world.environment.argv).flags:
        inside = system.memory_section(state.profile, world.environment)
        moved = phrase(state.profile, "memory.moved", text=inside)
        parts.insert(0, reminder(state.profile, moved).rstrip("\n"))
    return tuple(text_block(part) for part in parts if part)


def _context(state: State, world: World, *, first: bool) -> list[list[Block]]:
    out: list[list[Block]] = []
    if not first and state.typed == 1:
        changed = _changed(state)
        out += [[text_block(changed)]] if changed else []
    simple = state.profile.switches["pool"] == "simple"
    if first and state.process.pool.has("Bash") and not simple:
        said = context.attribution(state.profile, state.process.settings)
        out += [[text_block(said)]] if said else []
    return out


def _changed(state: State) -> Text | None:
    """Instruction files that differ from what a resumed conversation was told."""
    now, before = state.process.copies, state.copies
    if not before:
        return state.process.memory
    entries = [
        phrase(
            state.profile,
            "memory.changed.file",
            path=text(path, Origin(Kind.FACT, "path")),
            text=body.strip(),
        )
        for path, body in now.items()
        if path in before and str(before[path]) != str(body)
    ]
    return phrase(state.profile, "memory.changed", files=lines(entries)) if entries else None


def _paragraphs(state: State, world: World, *, first: bool) -> list[Text]:
    profile, environment = state.profile, world.environment
    if not first:
        return _news(state, world)
    pool = state.process.pool
    if profile.switches["pool"] == "simple":
        return []
    parts = {
        "environment": briefing.surroundings(profile, environment),
        "model": briefing.powered(profile),
        "deferred": briefing.deferred(profile, pool.deferred) if pool.announced else None,
        "failed": briefing.failed(profile, world.listings) if pool.searching else None,
        "agents": briefing.agents(profile, environment) if pool.has("Agent") else None,
        "servers": briefing.servers(profile, world.listings),
        "skills": _listing(state, world) if pool.has("Skill") else None,
        "mode": briefing.mode(profile),
        "tokens": briefing.tokens(profile, 0) if profile.switches["tokens"] != "no" else None,
        "date": briefing.date(profile, environment),
    }
    return briefing.present(parts)


def _listing(state: State, world: World) -> Text | None:
    process = state.process
    shown = listing.visible(process.settings, process.skills)
    said = listing.listing(
        state.profile, world.environment, process.settings, shown, process.usage
    )
    return phrase(state.profile, "skills", skills=said) if said else None


def _news(state: State, world: World) -> list[Text]:
    """What a resumed conversation has not been told yet."""
    profile, process = state.profile, state.process
    out: list[Text] = []
    gone = [path for path in state.folders if path not in briefing.added(world.environment)]
    if state.typed == 1 and gone:
        out.append(briefing.removed(profile, gone))
    new = [skill for skill in listing.visible(process.settings, process.skills) if skill.name not in state.told]
    if new and state.typed == 1 and process.pool.has("Skill"):
        said = lines([listing.line(profile, process.settings, skill) for skill in new])
        out.append(phrase(profile, "skills", skills=said))
    return out


def _noted(state: State, world: World) -> State:
    process = state.process
    names = {skill.name for skill in listing.visible(process.settings, process.skills)}
    return replace(
        state,
        told=state.told | names,
        copies=process.copies,
        folders=briefing.added(world.environment),
        waiting=frozenset(process.pool.deferred),
        date=world.environment.date,
    )


def _told(state: State, paragraphs: Sequence[Text], *, first: bool) -> State:
    from inspector.clients.claude_code.phrase import paragraphs as together

    announces = state.profile.switches["effort.announced"] == "yes"
    if not first and not paragraphs:
        return state
    blocks = (text_block(together(list(paragraphs))),) if paragraphs else ()
    effort = state.wanted if announces and first else None
    message = Message("system", blocks, effort)
    return replace(
        state, messages=(*state.messages, message), effort=state.wanted if first else state.effort
    )


def _reminders(
    state: State, groups: Sequence[list[Block]], paragraphs: Sequence[Text], world: World, *, first: bool
) -> State:
    """Old models: every paragraph is a reminder of its own in the user message."""
    profile = state.profile
    date = paragraphs[-1:] if first else []
    rest = paragraphs[:-1] if first else paragraphs
    wrapped = [[text_block(reminder(profile, part))] for part in rest]
    bare = [[block] for block in _bare(state, world, first, ())]
    dated = [[text_block(reminder(profile, part))] for part in date]
    context_groups = _context(state, world, first=first)
    blocks = joined([*wrapped, *bare, *dated, *context_groups, *groups])
    state = replace(state, messages=(*state.messages, Message("user", blocks)))
    return _noted(state, world)
