"""What a resumed conversation is told: only what differs from what it was told before."""

from collections.abc import Sequence
from dataclasses import replace

from inspector.clients.claude_code import agents, briefing, mcp, reach, safeguards, tracking
from inspector.clients.claude_code.message import Block, Message, joined
from inspector.clients.claude_code.phrase import computed, fact, lines, paragraphs, phrase
from inspector.clients.claude_code.state import Process, State
from inspector.text import Kind, Origin, Text, join, text
from inspector.workspace import World


def bare(earlier: State, process: Process, session: Text, seen: frozenset[str]) -> State:
    """A conversation of which only prompts, replies and results were kept: the rest is told anew.

    The transcript of these versions holds no reminders (every_row of 2.1.88).
    """
    kept: list[Message] = []
    for message in earlier.messages:
        blocks = message.blocks if message.bare is None else message.bare
        if message.role == "assistant":
            blocks = tuple(block for block in blocks if not _blank(block))
        kept += [replace(message, blocks=blocks, bare=None)] if blocks else []
    if process.profile.switches["resume.parallel"] == "last":
        kept = _last_branches(kept)
    return State(
        process=replace(process, session=session),
        messages=tuple(kept),
        seen=seen,
        reply=earlier.reply,
        used=earlier.used,
        counted=earlier.counted,
        asked=earlier.asked,
        prompts=earlier.prompts,
        wakes=earlier.wakes,
        tasks=earlier.tasks,
        untracked=tracking.kept(process.profile, kept),
    )


def _last_branches(messages: Sequence[Message]) -> list[Message]:
    """Of parallel calls the last that ended, with its result: the others' branches are lost."""
    out: list[Message] = []
    for message in messages:
        results = [block for block in message.blocks if block.get("type") == "tool_result"]
        if len(results) < 2:
            out.append(message)
            continue
        called = str(results[-1]["tool_use_id"])
        before = out[-1]
        said = [
            block
            for block in before.blocks
            if block.get("type") != "tool_use" or str(block["id"]) == called
        ]
        rest = [block for block in message.blocks if block not in results[:-1]]
        out[-1:] = [replace(before, blocks=tuple(said)), replace(message, blocks=tuple(rest))]
    return out


def _blank(block: Block) -> bool:
    return block.get("type") == "text" and not str(block["text"]).strip()


def begun(state: State, told: Sequence[Block]) -> State:
    """What a process tells of the workspace, put before the first message of the conversation."""
    first, *rest = state.messages
    first = replace(first, blocks=joined([told, first.blocks]), bare=first.blocks)
    return replace(state, messages=(first, *rest))


def news(state: State, world: World, found: Sequence[Text]) -> list[Text]:
    """The paragraphs behind the first prompt of a resumed process; `found` tells of new skills."""
    out = [*_here(state, world), *_folders(state, world), *model(state)]
    out += [*style(state), *_tools(state)]
    out += _agents(state)
    skills = reach.news(state)[1]
    out += [*_servers(state, world), *found, *skills]
    return [*out, *_mode(state, world), *_date(state, world)]


def _here(state: State, world: World) -> list[Text]:
    """The shell of a new process stands in the working directory again."""
    now = world.environment.cwd
    if state.cwd in {"", now}:
        return []
    was = text(state.cwd, Origin(Kind.OUTCOME, "Bash"))
    return [phrase(state.profile, "environment.moved", cwd=fact("cwd", now), was=was)]


def _folders(state: State, world: World) -> list[Text]:
    now = safeguards.added(world)
    gone = [path for path in state.folders if path not in now]
    return [briefing.removed(state.profile, gone)] if gone else []


def model(state: State) -> list[Text]:
    """Another model than the one that was told which it is."""
    now = briefing.model_id(state.profile, state.process.given)
    return [] if str(now) == state.model else [briefing.powered(state.profile, state.process.given)]


def style(state: State) -> list[Text]:
    """Another output style than the model was told of."""
    now = state.process.style
    if now is None:
        return [phrase(state.profile, "style.reset")] if state.styled else []
    said = briefing.styled(state.profile, now)
    return [said] if said and str(now.name) != state.styled else []


def _tools(state: State) -> list[Text]:
    """Deferred tools that came, came back and went (`generation_to_new`)."""
    pool = state.process.pool
    if not pool.announced:
        return []
    now = set(pool.deferred)
    came = now - state.waiting
    back = sorted(came & state.named)
    gone = sorted(state.waiting - now)
    new = briefing.deferred(state.profile, sorted(came - state.named))
    neutral = any(name.startswith("mcp__") for name in (*back, *gone))
    said = _gone(state, "tools.gone" if neutral else "tools.gone.own", gone)
    return _one(new, *_back(state, back), *said)


def _back(state: State, names: Sequence[str]) -> list[Text]:
    """Tools that are there again: those of servers apart."""
    servers = [name for name in names if name.startswith("mcp__")]
    said: list[Text] = []
    for group in (servers, [name for name in names if name not in servers]):
        if group:
            called = join(computed(", ", "back"), [computed(name, "back") for name in group])
            several = "tools.back" if len(group) > 1 else "tools.back.one"
            count = computed(str(len(group)), "back")
            said.append(phrase(state.profile, several, count=count, names=called))
    return said


def _agents(state: State) -> list[Text]:
    if not state.process.pool.has("Agent"):
        return []
    own = {agent.name: agent for agent in state.process.agents}
    fresh = [agent for name, agent in own.items() if name not in state.agents]
    gone = sorted(state.agents - set(own))
    entries = [agents.line(state.profile, agent) for agent in fresh]
    new = phrase(state.profile, "agents.new", agents=lines(entries)) if fresh else None
    return _one(new, *_gone(state, "agents.gone", gone, "- "))


def _servers(state: State, world: World) -> list[Text]:
    speaking = mcp.speaking(world.listings)
    fresh = [item for item in world.listings if item.server in speaking - state.servers]
    said = mcp.instructions(state.profile, fresh)
    gone = sorted(state.servers - speaking)
    return _one(said, *_gone(state, "mcp.gone", gone))


def _mode(state: State, world: World) -> list[Text]:
    """Another permission mode: leaving plan mode, and a mode the model was never told of."""
    now, plan = state.moded, "mode.plan"
    if now == state.mode:
        return []
    out = [phrase(state.profile, "mode.left")] if state.mode == plan else []
    told = briefing.mode(state.profile, world.environment, now, state.said)
    fresh = now == plan or now not in state.modes
    return [*out, told] if told and fresh else out


def _date(state: State, world: World) -> list[Text]:
    now = world.environment.date
    if state.date in {"", now}:
        return []
    return [phrase(state.profile, "date.changed", date=fact("date", now))]


def _one(*parts: Text | None) -> list[Text]:
    """What came and what went, told in one: one reminder for old models (`resume_classic`)."""
    said = [part for part in parts if part]
    return [paragraphs(said)] if said else []


def _gone(state: State, name: str, gone: Sequence[str], mark: str = "") -> list[Text]:
    """What is there no longer, and that this need not be told on."""
    if not gone:
        return []
    entries = lines([computed(mark + item, "gone") for item in gone])
    said = phrase(state.profile, name, names=entries)
    return [paragraphs([said, phrase(state.profile, "ambient")])]
