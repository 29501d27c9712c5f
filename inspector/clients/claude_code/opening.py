"""A prompt as user messages, and what is told to the model along with it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from inspector.clients.claude_code import (
    attach,
    before_prompt,
    briefing,
    budget,
    commands,
    countdown,
    forms,
    hooks,
    listing,
    mcp,
    nested,
    reach,
    remodel,
    resume,
    rules,
    safeguards,
    surroundings,
    tracking,
    typedblocks,
    unknown,
)
from inspector.clients.claude_code.message import Block, Message, joined, text_block
from inspector.clients.claude_code.phrase import bare, lines, paragraphs, reminder, telling
from inspector.clients.claude_code.state import State
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.turns import Prompted
from inspector.workspace import World


def prompted(
    state: State,
    given: Sequence[Prompted],
    world: World,
    printed: tuple[str, ...] = (),
    commanded: Sequence[list[Block]] = (),
) -> State:
    """The state after a prompt: its user messages and the system-role message behind them.

    It is the last of `given`, the others came before it and waited with it. `printed` is what the
    shell expansions of a typed command printed, `commanded` what commands of the client's own put
    before it.
    """
    *waiting, asked = given
    prompt = asked.text
    state = remodel.as_usual(state)
    first = not state.messages
    anew = state.typed == 0 and state.profile.switches["resume"] == "bare"
    state = replace(
        state,
        prompts=state.prompts + 1,
        typed=state.typed + 1,
        asked=state.asked or prompt,
        silent=0,
        override=None,
        paid=state.paid if state.typed else state.spent,
    )
    typed = commands.typed(state, prompt, world, printed)
    groups = typedblocks.commanded(asked, typed.groups)
    # A command takes the id of the prompt before it away, too (`stream_commands_tls`).
    state = replace(state, identified=0, roused=False)
    if not typed.groups:
        groups = [typedblocks.blocks(asked)]
        state = countdown.anchored(replace(state, identified=state.turns), world)
    origin = Origin(Kind.PROMPT, "prompt")
    groups = [*commanded, *map(typedblocks.blocks, waiting), *groups]
    rendered = {**state.rendered, **typed.rendered}
    state = replace(state, rendered=rendered, said="" if typed.groups else prompt)
    said = typed.body or text(prompt, origin)
    body = str(said)
    named = attach.named(state, world, body)
    state, found = reach.touched(state, reach.there(world.tree, named), world)
    state, files, memories = _mentioned(state, body, world)
    names = {agent.name for agent in state.process.agents}
    shown = attach.told(state.profile, world, said, names, files.large)
    # What is told is told of the model that the session began with.
    told = _told_of(state, world, found, shown, first=first or anew, counts=not typed.groups)
    model = str(briefing.model_id(state.profile, state.process.given))
    skill = commands.called(state, prompt)
    state = replace(remodel.asked_for(state, skill, world), allowed=commands.allowed(skill))
    warning = unknown.warning(state, prompt, world)
    if first and (typed.served or (not typed.groups and commands.looks_like_a_path(prompt))):
        state, told = replace(state, owed=True), replace(told, around=(), skills=())
    before, credit = before_prompt.blocks(state, world, first=first or anew)
    if anew and not first:
        state, before = resume.begun(state, [text_block(part) for part in before]), []
    old = state.profile.switches["context"] == "reminder"
    several = old and state.profile.switches["reminders"] == "messages"
    state, due = tracking.due(state) if several else (state, [])
    warned = [warning] if warning else []
    opened = _Opened(
        state.profile, told, files, memories, warned, before, credit, groups, due, first=first
    )
    state = replace(_noted(state, world, model), batching=False)
    added = forms.both(state.profile, opened.reminded, opened.beside)
    return _with_effort(replace(state, messages=(*state.messages, *added)), first=first)


def _with_effort(state: State, *, first: bool) -> State:
    """The effort told along with a prompt, where anything is."""
    last = state.messages[-1]
    announces = state.profile.switches["effort.announced"] == "yes" and last.role == "system"
    if not announces or not (first or state.wanted != state.effort):
        return state
    told = replace(last, effort=state.wanted)
    return replace(state, messages=(*state.messages[:-1], told), effort=state.wanted)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A prompt and all that comes with it, before it is put into messages."""

    profile: Profile
    said: "_Told"
    files: attach.Brought
    memories: Sequence[Text]
    warning: Sequence[Text]
    before: Sequence[Text]
    credit: Sequence[Text]
    groups: Sequence[list[Block]]
    due: Sequence[Text]
    first: bool

    def reminded(self) -> list[Message]:
        """Old models: everything in the user messages, what is told before the prompt."""
        said, several = self.said, self.profile.switches["reminders"] == "messages"
        parts = [*said.asked, *said.around, *self.memories, *said.skills, *self.due]
        parts += [*self.warning, *said.prompt]
        after = [*self.before, *said.date, *self.credit]
        # The workspace was a message of its own once, which shows where it meets the next.
        parts, apart = (parts, after) if several else ([*parts, *after], [])
        groups = [*([block] for block in _wrapped(self.profile, apart)), *self.groups]
        start = _wrapped(self.profile, said.start)
        return _reminded(start, self.files, _wrapped(self.profile, parts), groups, len(apart))

    def beside(self) -> list[Message]:
        """The user messages, and a system-role message behind them."""
        said, files, memories = self.said, self.files, self.memories
        if self.profile.regions["mention"] == "told":
            # Files a prompt mentions were told with the rest up to 2.1.317 (probe mill).
            said = replace(said, start=[*said.start, *_pairs(self.profile, files), *memories])
            files, memories = attach.Brought(), list[Text]()
        warned = [text_block(part) for part in self.warning]
        inside = [text_block(part) for part in (*self.before, *self.credit)]
        brought = [*files.groups, *([text_block(memory)] for memory in memories)]
        messages = _messages(brought, warned, inside, self.groups, files.apart)
        if not self.first and not said.all:
            return messages
        blocks = (text_block(telling(self.profile, said.all)),) if said.all else ()
        return [*messages, Message("system", blocks)]


def _reminded(
    start: list[Block],
    files: attach.Brought,
    parts: list[Block],
    groups: Sequence[list[Block]],
    apart: int,
) -> list[Message]:
    """Old models: the user messages of a prompt, what is told before it.

    What stands before the files keeps the first one's call from being a message of its own. So
    many of the first `groups` are no prompt: a resumed conversation has them from elsewhere.
    """
    count = 0 if start else files.apart
    leading = [Message("user", group, bare=()) for group in files.groups[:count]]
    shown = [block for group in files.groups[count:] for block in group]
    around = [*start, *shown, *parts]
    return [
        *leading,
        Message("user", joined([around, *groups]), bare=joined(groups[apart:])),
    ]


def _pairs(profile: Profile, files: attach.Brought) -> list[Text]:
    """The call and the result of each mentioned file, in one paragraph."""
    blocks = (block["text"] for group in files.groups for block in group)
    texts = [bare(profile, said) for said in blocks if isinstance(said, Text)]
    return [lines(texts[at : at + 2]) for at in range(0, len(texts), 2)]


def _wrapped(profile: Profile, parts: Sequence[Text]) -> list[Block]:
    """Reminders, one a block; what is one already stays as it is."""
    start = profile.literals["reminder"].partition("{")[0]
    return [
        text_block(part if str(part).startswith(start) else reminder(profile, part))
        for part in parts
    ]


def _messages(
    files: Sequence[Sequence[Block]],
    warned: list[Block],
    inside: list[Block],
    groups: Sequence[list[Block]],
    apart: int,
) -> list[Message]:
    """The user messages of a prompt: the first mention's, but its last, are some of their own."""
    leading = [Message("user", tuple(group)) for group in files[:apart]]
    rest = files[apart:]
    if inside:
        blocks = (*joined(rest), *warned, *joined([inside, *groups]))
        return [*leading, Message("user", blocks)]
    warning = [warned] if warned else []
    return [*leading, Message("user", joined([*rest, *warning, *groups]))]


def _mentioned(state: State, body: str, world: World) -> tuple[State, attach.Brought, list[Text]]:
    """Files a prompt mentions, and the memory that comes in with them."""
    memories: list[Text] = []
    files = attach.brought(state, world, body)
    state = replace(state, known={**state.known, **files.known})
    paths = attach.touched(state, world, body) if attach.shows(world.environment) else []
    if not paths or rules.reads_nothing(world.environment):
        return state, files, memories
    settings, seen = state.process.settings, set(state.seen)
    scope = rules.scope(world.tree, world.environment, settings, state.profile)
    for path in paths:
        found = nested.touched(scope, settings, path, seen)
        memories += [nested.reminder(state.profile, memory) for memory in found]
    return replace(state, seen=frozenset(seen)), files, memories


@dataclass(frozen=True, slots=True)
class _Told:
    """What is told along with a prompt, in its order."""

    start: Sequence[Text] = ()
    """What hooks of the session's start printed."""
    asked: Sequence[Text] = ()
    """What is said of mentions: it stands behind the files that are shown."""
    around: Sequence[Text] = ()
    """The environment, tools, agents and servers, or what is new of them."""
    skills: Sequence[Text] = ()
    """Skills and what follows them."""
    prompt: Sequence[Text] = ()
    """What hooks of the prompt printed."""
    date: Sequence[Text] = ()

    @property
    def all(self) -> list[Text]:
        return [*self.start, *self.asked, *self.around, *self.skills, *self.prompt, *self.date]


def _told_of(
    state: State,
    world: World,
    found: Sequence[Text],
    asked: Sequence[Text],
    *,
    first: bool,
    counts: bool,
) -> _Told:
    profile = state.profile
    tokens = countdown.after_a_prompt(state, world) if counts else []
    told = [*tokens, *budget.told(state, world.environment)]
    told += surroundings.style(state)
    said = partial(hooks.paragraphs, profile, state.process.settings, state.hooked)
    at_start, at_prompt = said("SessionStart"), said("UserPromptExpansion", "UserPromptSubmit")
    if not first:
        # A skill's model was another one until this prompt (`generation_typed`).
        news = [*resume.model(state), *resume.style(state), *found, *reach.news(state)[1]]
        news = resume.news(state, world, found) if state.typed == 1 else news
        return _Told(asked=asked, around=news, skills=told, prompt=at_prompt)
    if profile.switches["pool"] == "simple":
        return _Told()
    date = [briefing.date(profile, world.environment)] if profile.told("date") else []
    if profile.switches["attachments"] == "no":
        return _Told(around=surroundings.around(state, world), date=date)
    skills = [*found, *surroundings.listed(state, world), *surroundings.manners(state, world)]
    skills += told
    return _Told(
        start=_whole(at_start),
        asked=asked,
        around=surroundings.around(state, world),
        skills=skills,
        prompt=_whole(at_prompt),
        date=date,
    )


def _whole(parts: list[Text]) -> list[Text]:
    """Several hooks' words are one paragraph."""
    return [paragraphs(parts)] if parts else []


def _noted(state: State, world: World, model: str) -> State:
    process = state.process
    names = {skill.name for skill in listing.visible(process.settings, state.skills)}
    credit = before_prompt.attribution(state)
    return replace(
        state,
        told=state.told | names,
        copies=process.copies,
        folders=safeguards.added(world),
        waiting=frozenset(process.pool.deferred),
        named=state.named | frozenset(process.pool.deferred),
        agents=frozenset(agent.name for agent in process.agents),
        servers=mcp.speaking(world.listings),
        model=model,
        credit=str(credit) if credit else "",
        date=world.environment.date,
        styled=str(process.style.name) if process.style else "",
        mode=state.moded,
        modes=state.modes | {state.moded},
        cwd="" if state.typed == 1 else state.cwd,
    )
