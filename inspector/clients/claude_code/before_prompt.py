"""What stands before a prompt: memory, attribution and what changed of it."""

from inspector.clients.claude_code import (
    context,
    rules,
    system,
)
from inspector.clients.claude_code.javascript import trim
from inspector.clients.claude_code.options import options
from inspector.clients.claude_code.phrase import paragraphs, phrase, reminder
from inspector.clients.claude_code.state import State
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import World


def blocks(state: State, world: World, *, first: bool) -> tuple[list[Text], list[Text]]:
    """The blocks before the prompt, attribution apart; they are one message, joined with its."""
    credit = attribution(state)
    told = [credit] if credit else []
    if not first:
        changed = _changed(state) if state.typed == 1 else None
        again = credit is not None and str(credit) != state.credit
        return [changed] if changed else [], told if again else []
    profile, settings = state.profile, state.process.settings
    parts: list[Text | None] = []
    simple = profile.switches["pool"] == "simple"
    parts.append(state.process.memory)
    # A session that runs as an agent, or on a prompt of the user's own, is not told of git.
    given = options(world.environment.argv)
    own = any(given.value(flag) is not None for flag in ("--system-prompt", "--system-prompt-file"))
    bare = simple or own or "--agent" in given.flags
    if not simple and profile.regions["git"] == "reminder":
        address, around = state.process.address, world.environment
        parts.append(context.of_session(profile, around, settings, address, git=not bare))
    if "--exclude-dynamic-system-prompt-sections" in given.flags:
        inside = system.memory_section(profile, world.environment, settings)
        parts.append(reminder(profile, phrase(profile, "memory.moved", text=inside)))
    return [part for part in parts if part], told


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


def attribution(state: State) -> Text | None:
    """The attribution reminder, where there is a shell to commit with."""
    profile, pool = state.profile, state.process.pool
    shell = pool.has("Bash") and profile.switches["pool"] != "simple"
    told = shell and profile.regions["attribution"] == "reminder"
    return context.attribution(profile, state.process.settings) if told else None
