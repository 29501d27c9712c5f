"""The client's own commands, typed in a stream of prompts: what they put before the next prompt.

They run without the model; it is shown the command and what it put out. Witness: `local_commands`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from inspector.clients.claude_code import briefing, remodel, system, templates
from inspector.clients.claude_code.message import Block, text_block
from inspector.clients.claude_code.phrase import adopted, phrase
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.state import State
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, text
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
    for said in texts:
        put_out, block = _PUT_OUT.fullmatch(said), _BLOCK.fullmatch(said)
        if said.startswith(_CAVEAT):
            continue
        if block is not None:
            rest.append(f"{block[1]} {block[2]}".rstrip())
            found.append(Commanded(prompt=rest[-1]))
        elif put_out is not None and rest:
            prompt = rest.pop().removesuffix("\n")
            ran = bool(found) and found[-1].prompt == prompt and found[-1].said is None
            made = Commanded(prompt=prompt, ran=ran, said=put_out[1])
            found[len(found) - ran :] = [made]
        else:
            rest.append(said)
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


def narrowed(state: State, given: Commanded) -> Commanded:
    """The command with the client's own words taken from what it put out."""
    if given.said is None:
        return given
    for name in state.profile.lists["local.sentences"]:
        told = given.model_copy(update={"sentence": name, "seconds": _seconds(state, name, given)})
        if str(_sentence(state.profile, name, told)) == given.said:
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
            state, cleared = _done(state, event, world)
            out = [*([] if cleared else out), *([text_block(said)] for said in _said(state, event))]
    return state, out


def _said(state: State, given: Commanded) -> Iterator[Text]:
    profile, prompt = state.profile, text(given.prompt, Origin(Kind.PROMPT, "prompt"))
    name, args = _parts(given)
    if given.ran:
        yield phrase(profile, "local.caveat")
        yield phrase(profile, "local.command", name=name, args=args)
    else:
        yield prompt
    known = given.sentence is not None
    said = _sentence(profile, given.sentence, given) if known else None
    put_out = adopted(f"what {name} put out") if said is None else said
    yield phrase(profile, "local.output", said=put_out)


def _parts(given: Commanded) -> tuple[Text, Text]:
    whole = text(given.prompt, Origin(Kind.PROMPT, "prompt"))
    length = len(given.prompt.split(" ", 1)[0])
    return whole[1:length], whole[length + 1 :]


def _sentence(profile: Profile, name: str | None, given: Commanded) -> Text:
    if not name:
        return EMPTY
    command, args = _parts(given)
    model = phrase(profile, "model.name")
    ran = text(given.seconds, Origin(Kind.OUTCOME, "run time"))
    return phrase(profile, name, name=command, args=args, model=model, seconds=ran)


def _done(state: State, given: Commanded, world: World) -> tuple[State, bool]:
    """The conversation after a command, and whether it begins anew."""
    name, _, args = given.prompt[1:].partition(" ")
    if not given.ran:
        return state, False
    if name == "model" and args:
        return _with_model(state, args, world), False
    if name == "effort" and args:
        return replace(state, process=replace(state.process, effort=args)), False
    if name == "clear":
        number = state.cleared + 1
        session = system.numbered(state.profile, "session_id", number)
        process = replace(state.process, session=session)
        seen = frozenset(process.copies)
        return State(process, seen=seen, now=state.now, cleared=number), True
    return state, False


def _with_model(state: State, model: str, world: World) -> State:
    """Another model; where nothing was asked yet, it is the one the session began with."""
    changed = remodel.with_model(state, model, world)
    if state.messages:
        return changed
    process, profile = changed.process, changed.profile
    made = briefing.in_system(profile, world, process.settings, process.style)
    told = (profile, world, process.settings, process.pool, process.style, made)
    identity, parts = system.prompt(*told)
    process = replace(process, offered=profile, identity=identity, parts=parts)
    return replace(changed, process=process)
