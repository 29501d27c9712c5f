"""Token counts: side requests with which the client decides what it sends to the model.

It has the tools counted that it may defer (`ENABLE_TOOL_SEARCH=auto`), long files, and long answers
of MCP servers. Witness: Claude Code 2.1.332, `tool_search_auto`, `count_texts`.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from inspector.clients import Request
from inspector.clients.claude_code import (
    attach,
    briefing,
    echo,
    mcpresult,
    readfile,
    shell,
    tooldefinitions,
)
from inspector.clients.claude_code.javascript import units
from inspector.clients.claude_code.mentions import Mention
from inspector.clients.claude_code.readlong import Count, estimate
from inspector.clients.claude_code.results import file_of
from inspector.clients.claude_code.state import State
from inspector.errors import NotKept
from inspector.jsontext import loads
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, Value, text
from inspector.turns import Answered, Called, Counted, Event, Returned, Told
from inspector.workspace import World


def weighed(
    state: State,
    calls: Sequence[Called],
    outcomes: Sequence[Returned],
    events: Sequence[Event],
    world: World,
    bodies: Sequence[str] = (),
) -> State:
    """What the client has counted of the results of a round, and what the API said of it.

    `bodies` are those of the skills it put in: the files they name are counted as well.
    """
    counts = _texts(state, calls, {outcome.call: outcome for outcome in outcomes}, world)
    for body in bodies:
        counts += tuple(_mentions(state, body, events, world))
    said = _tokens(state, counts, events)
    asked = tuple(_asked(state, counts))
    return replace(state, counts=asked, tokens=said, weighed=_weighed(state, counts, said))


def _weighed(state: State, counts: Sequence[Count], said: Mapping[str, int]) -> Mapping[str, int]:
    """The files' texts whose tokens this process knows from now on."""
    if state.profile.switches["counts"] != "kept":
        return state.weighed
    known = {one.digest: said[one.call] for one in counts if one.digest and one.call in said}
    return {**state.weighed, **known}


def mentioned(state: State, body: str, events: Sequence[Event], world: World) -> State:
    """What the client has counted of the files that a prompt or its command's body names.

    Those of too many tokens are read again up to a line, and that is counted as well
    (`count_mentions`, `mention_long`).
    """
    counts = _mentions(state, body, events, world)
    if not counts:
        return state
    said = _tokens(state, counts, events)
    known, asked = _weighed(state, counts, said), _asked(state, counts)
    tokens = {**state.tokens, **said}
    return replace(state, counts=(*state.counts, *asked), tokens=tokens, weighed=known)


def _mentions(state: State, body: str, events: Sequence[Event], world: World) -> list[Count]:
    """The texts of mentioned files: all of them, then the beginnings of the long ones."""
    if not attach.shows(world.environment):
        return []
    profile, found = state.profile, list(attach.asked_for(state, world, body))
    every = [_named(profile, world, one, attach.lines_of(one), "whole") for one in found]
    counts = [count for count in every if count is not None]
    said = _tokens(state, counts, events)
    long = [one for one in found if attach.over(profile, world, said, attach.key(one, "whole"))]
    again = (_named(profile, world, one, attach.first_lines(profile, one), "first") for one in long)
    return [*counts, *(count for count in again if count is not None)]


def _asked(state: State, counts: Sequence[Count]) -> Iterator[Count]:
    """Those the API is asked about: a text whose tokens are known is not counted again."""
    known = set(state.weighed)
    for count in counts:
        if count.digest not in (known if count.later else state.weighed):
            yield count
        if state.profile.switches["counts"] == "kept":
            known.add(count.digest)


def _named(
    profile: Profile, world: World, mention: Mention, values: Mapping[str, object], which: str
) -> Count | None:
    try:
        content = readfile.counted(profile, world, mention.path, values)
    except NotKept:
        return None
    if content is None:
        return None
    guess = estimate(str(content), mention.path)
    key = attach.key(mention, which)
    size, later = units(str(content)), which == "first"
    return Count(key, content, size, guess, _digest(content), later)


def _texts(
    state: State, calls: Sequence[Called], outcomes: Mapping[str, Returned], world: World
) -> tuple[Count, ...]:
    """Every text the client has counted now, or had counted before."""
    found = ((call, _content(state, call, outcomes.get(call.id), world)) for call in calls)
    return tuple(
        _count(call, content, state.here(world)) for call, content in found if content is not None
    )


def _count(call: Called, content: Value, here: World) -> Count:
    size = sum(_sizes(content))
    if not isinstance(content, Text) or call.name != "Read":
        return Count(call.id, content, size, mcpresult.taken(content))
    return Count(
        call.id, content, size, estimate(str(content), file_of(call, here)), _digest(content)
    )


def _digest(content: Text) -> str:
    return hashlib.sha256(str(content).encode("utf-8", "surrogatepass")).hexdigest()


def _tokens(state: State, counts: Sequence[Count], events: Sequence[Event]) -> dict[str, int]:
    """The tokens of each text, by call: as the API said, or as the client guesses without it."""
    said = [event for event in events if isinstance(event, Counted) and event.what == "text"]
    told = [event for event in said if event.tokens is not None]
    out: dict[str, int] = {}
    known, keeps = dict(state.weighed), state.profile.switches["counts"] == "kept"
    for count in counts:
        fits = [event for event in told if event.size in {count.size, 0}]
        if count.digest in (known if count.later else state.weighed):
            out[count.call] = known[count.digest]
        elif fits:
            told.remove(fits[0])
            out[count.call] = fits[0].tokens or 0
            known |= {count.digest: out[count.call]} if keeps and count.digest else {}
        elif any(event.tokens is None for event in said):
            out[count.call] = count.estimate
    return out


def requests(state: State, made: Request) -> tuple[Request, ...]:
    """The counts that are asked for before a request of the conversation."""
    profile, process = state.profile, state.process
    headers = tuple(_headers(profile, made))
    model = briefing.model_id(profile, process.given)
    out: list[Request] = []
    if state.asks:
        foo = text(profile.literals["count.nothing"], Origin(Kind.LITERAL, "count.nothing"))
        offered = tooldefinitions.deferrable(process.offered, process.pool, process.settings)
        out.append(Request(_body(model, foo, offered), headers=headers))
    out += [Request(_body(model, count.content, []), headers=headers) for count in state.counts]
    return tuple(out)


def _body(model: Text, content: Value, offered: list[Value]) -> Mapping[str, Value]:
    messages: Value = [{"role": "user", "content": content}]
    return {"model": model, "messages": messages, "tools": offered}


def _headers(profile: Profile, made: Request) -> Iterator[tuple[str, Text]]:
    for name, value in made.headers:
        if name == "anthropic-beta":
            kept = [one for one in str(value).split(",") if one in profile.lists["betas.counted"]]
            every = ",".join([*kept, *profile.lists["betas.counting"]])
            yield name, text(every, Origin(Kind.LITERAL, "betas"))
        elif name not in profile.lists["headers.uncounted"]:
            yield name, value


def _content(state: State, call: Called, outcome: Returned | None, world: World) -> Value | None:
    told = outcome.outcome if outcome is not None else None
    if isinstance(told, Told) or not state.process.pool.has(call.name):
        return None
    if call.name == "Read":
        return _file(state, call, world)
    if not call.name.startswith("mcp__"):
        return None
    raw = told.result if isinstance(told, Answered) else outcome.raw if outcome else None
    value = loads(raw) if raw and (told is None or isinstance(told, Answered)) else None
    if not isinstance(value, dict):
        return None
    folder = shell.folder(state.profile, world.environment, state.process.session)
    return mcpresult.counted(state.profile, call, value, world.environment, folder)


def _file(state: State, call: Called, world: World) -> Text | None:
    here = state.here(world)
    path = file_of(call, here)
    try:
        return readfile.counted(state.profile, here, path, echo.arguments(call)) if path else None
    except NotKept:
        return None


def _sizes(content: Value) -> Iterator[int]:
    if isinstance(content, Text):
        yield units(str(content))
    elif isinstance(content, list):
        for block in content:
            inside = block.get("text") if isinstance(block, dict) else None
            yield units(str(inside)) if inside is not None else 0
