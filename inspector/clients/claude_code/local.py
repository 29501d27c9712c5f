"""The client's own commands, typed in a stream of prompts: what they put before the next prompt.

They run without the model; it is shown the command and what it put out. Witness: `local_commands`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from inspector.clients.claude_code import (
    axes,
    briefing,
    effort,
    putout,
    remodel,
    style,
    system,
    templates,
)
from inspector.clients.claude_code.message import Block, text_block
from inspector.clients.claude_code.phrase import adopted, phrase, reminder
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.state import State
from inspector.text import Kind, Origin, Text, text
from inspector.turns import Commanded, Turn
from inspector.workspace import World

_BLOCK = re.compile(
    r"<command-name>(/[^\n]*)</command-name>\n {12}<command-message>[^\n]*</command-message>\n {12}"
    r"<command-args>(.*)</command-args>\n?",
    re.DOTALL,
)
_PUT_OUT = re.compile(r"<local-command-stdout>(.*)</local-command-stdout>\n?", re.DOTALL)
_CAVEAT = "<local-command-caveat>"


def of_texts(texts: Sequence[str]) -> tuple[list[Commanded], list[str]]:
    """The commands among the texts before a request, and the texts that are none of theirs."""
    found: list[Commanded] = []
    rest: list[str] = []
    waits = False
    for said in texts:
        put_out, block = _PUT_OUT.fullmatch(said), _BLOCK.fullmatch(said)
        if said.startswith(_CAVEAT):
            continue
        if block is not None:
            found.append(Commanded(prompt=f"{block[1]} {block[2]}".rstrip(), ran=True))
        elif put_out is not None and waits:
            found[-1] = found[-1].model_copy(update={"said": put_out[1]})
        elif put_out is not None and rest:
            found.append(Commanded(prompt=rest.pop().removesuffix("\n"), said=put_out[1]))
        else:
            rest.append(said)
        waits = block is not None
    return found, rest


def of_record(lines: Sequence[Mapping[str, Any]]) -> Iterator[Commanded]:
    """The commands of a stretch of a transcript."""
    texts: list[str] = []
    for line in lines:
        said = mapping(line.get("message")).get("content")
        if line.get("subtype") == "local_command":
            texts.append(str(line.get("content")))
        elif line.get("type") == "user" and isinstance(said, str) and _BLOCK.fullmatch(said):
            texts.append(said)
    yield from of_texts(texts)[0]


def narrowed(state: State, given: Commanded, world: World) -> Commanded:
    """The command with the client's own words taken from what it put out."""
    if given.said is None:
        return given
    for name in state.profile.lists["local.sentences"]:
        told = given.model_copy(update={"sentence": name, "seconds": _seconds(state, name, given)})
        if putout.spells(putout.sentence(state, name, told, world), given.said):
            return told.model_copy(update={"said": None})
    return given.model_copy(update={"said": None})


def _seconds(state: State, name: str, given: Commanded) -> str:
    """How long the session had run, as a sentence has it."""
    template = state.profile.literals.get(name, "") if name else ""
    found = templates.holes(template, given.said or "") if "{seconds}" in template else None
    return found["seconds"] if found is not None and found["seconds"].isdigit() else ""


def groups(state: State, turn: Turn, world: World) -> tuple[State, list[list[Block]]]:
    """The messages of the commands before a prompt, and what they changed."""
    out: list[list[Block]] = []
    for event in turn.events:
        if isinstance(event, Commanded):
            state, cleared = done(state, event, world)
            out = [
                *([] if cleared else out),
                *([text_block(said)] for said in _said(state, event, world)),
            ]
    return state, out


def _said(state: State, given: Commanded, world: World) -> Iterator[Text]:
    profile, prompt = state.profile, text(given.prompt, Origin(Kind.PROMPT, "prompt"))
    name, args = putout.parts(given)
    if given.ran:
        yield phrase(profile, "local.caveat")
        yield phrase(profile, "local.command", name=name, args=args)
    else:
        yield prompt
    if given.ran and str(name) in profile.lists["local.untold"]:
        yield reminder(profile, phrase(profile, "local.untold", name=name))
        return
    known = given.sentence is not None
    said = putout.sentence(state, given.sentence or "", given, world) if known else None
    put_out = adopted(f"what {name} put out") if said is None else said
    yield phrase(profile, "local.output", said=put_out)


def done(state: State, given: Commanded, world: World) -> tuple[State, bool]:
    """The conversation after a command, and whether it begins anew."""
    name, _, args = given.prompt[1:].partition(" ")
    if not given.ran:
        return state, False
    if name == "model" and args:
        return _with_model(state, args, world), False
    if name == "effort" and args:
        return _with_effort(state, args, world), False
    if name == "output-style" and given.sentence == "local.output_style.set":
        return _with_style(state, args, world), False
    if name == "clear":
        number = state.cleared + 1
        session = system.numbered(state.profile, "session_id", number)
        process = replace(state.process, session=session)
        seen = frozenset(process.copies)
        return State(process, seen=seen, now=state.now, cleared=number), True
    return state, False


def _with_effort(state: State, said: str, world: World) -> State:
    """The session with another effort, or its usual one; what is no level changes nothing."""
    process, word = state.process, said.strip().lower()
    wanted = effort.asked(state.profile, word)
    if word in effort.UNSET:
        wanted = effort.usual(
            state.profile, process.settings, str(process.given) or axes.asked(world)
        )
    if not wanted or process.fixed:
        return state
    return replace(state, process=replace(process, effort=wanted))


def _with_style(state: State, named: str, world: World) -> State:
    process, name = state.process, style.named(state.profile, world, named)
    settings = process.settings.having("outputStyle", str(name))
    chosen = style.chosen(state.profile, world.tree, world.environment, settings)
    changed = replace(state, process=replace(process, settings=settings, style=chosen))
    return _begun(changed, world)


def _with_model(state: State, model: str, world: World) -> State:
    changed = remodel.with_model(state, model, world)
    if state.messages:
        return changed
    process = replace(changed.process, offered=changed.profile)
    return _begun(replace(changed, process=process), world)


def _begun(state: State, world: World) -> State:
    """Where nothing was asked yet, what was changed is what the session began with."""
    if state.messages:
        return state
    process, profile = state.process, state.profile
    made = briefing.in_system(profile, world, process.settings, process.style)
    told = (profile, world, process.settings, process.pool, process.style, made)
    identity, parts = system.prompt(*told)
    return replace(state, process=replace(process, identity=identity, parts=parts))
