"""What the model is told of after a round of results."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inspector.clients.claude_code import (
    briefing,
    budget,
    countdown,
    forms,
    hooks,
    reach,
    surroundings,
    tracking,
)
from inspector.clients.claude_code.message import (
    Block,
    Message,
    followed,
    glued,
    joined,
    text_block,
)
from inspector.clients.claude_code.phrase import bare, phrase, reminder, telling
from inspector.clients.claude_code.state import State
from inspector.profiles import Profile
from inspector.text import Text
from inspector.turns import Called
from inspector.workspace import World


def said(state: State, call: Called, *events: str) -> list[Sequence[Block]]:
    """Old models: what a hook said about a call, beside its result."""
    about = [hooked for hooked in state.hooked if hooked.call == call.id]
    said = hooks.paragraphs(state.profile, state.process.settings, about, *events)
    return [[text_block(reminder(state.profile, part))] for part in said]


def styled(state: State) -> list[Sequence[Block]]:
    """Old models: what is said of the output style, when a skill is put in."""
    return [[text_block(reminder(state.profile, part))] for part in surroundings.style(state)]


@dataclass(frozen=True, slots=True)
class Results:
    """What a round of calls came to, message by message."""

    groups: Sequence[Sequence[Block]]
    """Results and what they bring."""
    told: Sequence[Sequence[Block]]
    """The same with what is told of each call beside it, as for old models."""
    kept: Sequence[Sequence[Block]]
    """What a resumed conversation has of them."""
    pages: Sequence[Text]
    """What is told of results, where it does not stand beside them."""
    noticed: Sequence[Text]
    differing: Sequence[Text]
    memories: Sequence[Text]
    meanwhile: Sequence[Text]
    """What is said of prompts that came by then."""
    skills: int
    """So many of them put a skill in: what comes with every round is told once more for each."""


def after(state: State, results: Results, touched: Sequence[str], world: World) -> State:
    """The conversation with the results of a round, and what the model is told behind them."""
    profile, owed = state.profile, state.owed
    early = surroundings.around(state, world) if owed else []
    state, powered = _powered(state)
    state, skills = _skills(state, touched, world)
    skills += surroundings.manners(state, world) if owed else []
    old = profile.switches["context"] == "reminder"
    state, due = tracking.due(state) if old else (state, [])
    state = countdown.reached(state)
    tokens = countdown.after_a_round(state, world)
    about = (*hooks.ABOUT_A_CALL, hooks.AFTER_A_ROUND)
    round_ = _Round(
        profile,
        results,
        hooked=_hooked(state, *about, *(hooks.ON_A_PROMPT if results.meanwhile else ())),
        early=early,
        powered=powered,
        skills=skills,
        due=[*_nudge(state), *due],
        tokens=[*tokens, *budget.told(state, world.environment)],
        style=surroundings.style(state),
    )
    added = forms.both(profile, round_.reminded, round_.beside)
    return _batched(replace(state, messages=(*state.messages, *added)), results)


def _hooked(state: State, *events: str) -> list[Text]:
    """What hooks said; those on a prompt that came by then (`ordinary_linked`) as the others."""
    return hooks.paragraphs(state.profile, state.process.settings, state.hooked, *events)


def _batched(state: State, results: Results) -> State:
    """Some models are asked to call several tools at once, behind results alone (`models_rounds`).

    Where the API clears a message when it is time, it stays; elsewhere one request has it.
    """
    profile = state.profile
    last = results.groups[-1][-1].get("type") if results.groups and results.groups[-1] else ""
    due = last == "tool_result" and not results.meanwhile
    if profile.switches["batching"] != "kept" or not due:
        return replace(state, batching=due and profile.switches["batching"] == "last")
    asked = Message("system", (text_block(phrase(profile, "batching")),), clears=True)
    return replace(state, messages=(*state.messages, asked))


def _nudge(state: State) -> list[Text]:
    """A word on silence, no more than three times in a row [2.1.332, results_edit]."""
    profile, silent = state.profile, state.silent
    every, most = profile.limits["nudge"], profile.limits["nudge.most"]
    due = silent and silent % every == 0 and silent <= every * most
    return [phrase(profile, "nudge")] if due and profile.switches["nudge"] == "yes" else []


@dataclass(frozen=True, slots=True)
class _Round:
    """What is told behind a round of results, in its order."""

    profile: Profile
    results: Results
    hooked: Sequence[Text]
    early: Sequence[Text]
    powered: Sequence[Text]
    skills: Sequence[Text]
    due: Sequence[Text]
    tokens: Sequence[Text]
    style: list[Text]

    def beside(self) -> list[Message]:
        """A message of results, and a system-role message behind it."""
        made, memories, noticed = self.results, self.results.memories, [*self.results.noticed]
        if self.profile.regions["nested"] == "told":
            # Memory that a read brings in was told up to 2.1.306 (probe harbour).
            noticed += [bare(self.profile, memory) for memory in memories]
            memories = list[Text]()
        brought = [[text_block(part)] for part in (*memories, *made.meanwhile)]
        message = Message("user", joined([*made.groups, *brought]))
        told = [*self.hooked, *made.pages, *noticed, *made.differing, *self.early, *self.powered]
        told += [*self.skills, *self.due, *self.tokens, *self.style * (1 + made.skills)]
        behind = [Message("system", (text_block(telling(self.profile, told)),))] if told else []
        return [message, *behind]

    def reminded(self) -> list[Message]:
        """Old models: what is told stands in reminders behind the results, or in the last."""
        profile, made = self.profile, self.results
        before = [reminder(profile, part) for part in (*self.early, *self.powered)]
        last = [*made.meanwhile, *self.skills, *self.due, *self.tokens, *self.style]
        parts = [*before, *made.memories, *(reminder(profile, part) for part in last)]
        start = profile.literals["reminder"].partition("{")[0]
        if profile.switches["reminders"] == "messages":
            parts = [*before, *self._changed(), *parts[len(before) :]]
            return [Message("user", followed(made.told, parts), bare=joined(made.kept))]
        blocks = glued([*made.told, *([text_block(part)] for part in parts)], start)
        return [Message("user", blocks, bare=glued(made.kept, start))]

    def _changed(self) -> list[Text]:
        return [reminder(self.profile, part) for part in self.results.differing]


def _powered(state: State) -> tuple[State, list[Text]]:
    """What is said of the model where a skill has changed it."""
    profile = state.profile
    model = str(briefing.model_id(profile, state.process.given))
    if not state.model or model == state.model or profile.switches["pool"] == "simple":
        return state, []
    if not profile.told("model"):
        return replace(state, model=model), []
    return replace(state, model=model), [briefing.powered(profile, state.process.given)]


def _skills(state: State, touched: Sequence[str], world: World) -> tuple[State, list[Text]]:
    """Skills that came into reach, and what is said of them and of those that are owed."""
    owed, state = state.owed, replace(state, owed=False)
    if not state.process.pool.has("Skill"):
        return state, []
    state, said = reach.touched(state, touched, world)
    if owed:
        said += surroundings.listed(state, world)
        names = {skill.name for skill in reach.unknown(state)}
        return replace(state, told=state.told | names), said
    state, news = reach.news(state)
    return state, [*said, *news]
