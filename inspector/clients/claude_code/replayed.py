"""A conversation that goes on from a session nobody captured.

The messages of the session before stand in the first request; the client read them from its own
record. They are taken as they came (`transcript`), and what the model was told in them is looked
for there, so that only what differs is told anew, as the client does.
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from inspector import profiles
from inspector.clients.claude_code import axes, briefing, context, listing, mcp
from inspector.clients.claude_code.heard import Heard, heard, words
from inspector.clients.claude_code.javascript import trim, trim_string
from inspector.clients.claude_code.message import Block, Message, text_block
from inspector.clients.claude_code.phrase import bare
from inspector.clients.claude_code.plain import items, mapping
from inspector.clients.claude_code.rules import Memory
from inspector.clients.claude_code.state import State
from inspector.jsontext import JSON, dumps, loads
from inspector.text import EMPTY, Kind, Known, Origin, Piece, Raw, Text, Value, text
from inspector.turns import Replayed
from inspector.workspace import World

_ORIGIN = Origin(Kind.TRANSCRIPT, "transcript")


def begun(state: State, given: Replayed, world: World) -> State:
    """The state of a conversation of which only the messages are known."""
    found = [mapping(entry) for entry in items(loads(given.messages))]
    messages = _kept(state, [_message(entry) for entry in found])
    prompts = [text for entry in found if (text := _prompt(entry))]
    efforts = [message.effort for message in messages if message.effort]
    said = "\n\n".join(words(state.profile, found))
    told = _moded(_told(state, heard(state.profile, found), said, world), said, world)
    return replace(
        told,
        messages=messages,
        prompts=len(prompts),
        asked=prompts[0] if prompts else "",
        effort=efforts[-1] if efforts else None,
        loaded=frozenset(_loaded(found)),
        tasks=None,
    )


def _kept(state: State, messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages that are not made anew: a bare transcript holds none of what is told.

    It stands in front of the first prompt, in blocks or in a message of its own (2.1.88).
    """
    if state.profile.switches["resume"] != "bare":
        return tuple(messages)
    start = state.profile.literals["reminder"].partition("{")[0]
    ahead = {str(block.get("text")) for message in state.process.ahead for block in message.blocks}
    left = list(messages)
    while left:
        blocks = [block for block in left[0].blocks if not _is_made(block, start, ahead)]
        if blocks:
            return (replace(left[0], blocks=tuple(blocks)), *left[1:])
        del left[0]
    return ()


def _is_made(block: Block, start: str, ahead: Collection[str]) -> bool:
    said = str(block.get("text"))
    return said.startswith(start) or said.strip() in ahead


def _told(state: State, found: Heard, said: str, world: World) -> State:
    """What the model knows of, as far as the client's words say."""
    profile, process = state.profile, state.process
    here = briefing.model_id(profile, process.given)
    skills = listing.visible(process.settings, state.skills)
    now = world.environment.date
    return replace(
        state,
        told=frozenset(skill.name for skill in skills if skill.name in found.skills),
        copies=dict(_copies(process.copies, found)),
        seen=state.seen | found.memory.keys() | found.nested,
        folders=tuple(found.folders),
        waiting=frozenset(found.tools),
        agents=frozenset(found.agents - {*profile.lists["agents"]}),
        servers=_servers(found, world),
        model=found.models[-1] if found.models else str(here),
        credit=_credit(state, said),
        date=now if now in found.dates else "".join(found.dates[-1:]),
    )


def _servers(found: Heard, world: World) -> frozenset[str]:
    """Headings that are servers': one of now, or one whose tools the model knows."""
    parts = {name.split("__")[1] for name in found.tools if name.count("__") > 1}
    now = {item.server for item in world.listings}
    return frozenset(
        name for name in found.servers if name in now or mcp.part_of_name(name) in parts
    )


def _moded(state: State, said: str, world: World) -> State:
    """The conversation in the mode it began in: that of now where the model was told of it."""
    name = state.moded
    told = briefing.mode(state.profile, world.environment, name, "")
    known = told is None or _says(said, told)
    mode = name if known else ""
    state = replace(state, mode=mode, modes=frozenset({mode}))
    if known:
        return state
    found = profiles.find(state.profile.client, world.environment.version)
    axes_then = axes.axes(world, state.process.given or None, "default")
    offered = profiles.resolve(found, axes_then)
    return replace(state, process=replace(state.process, offered=offered, mode="default"))


def _says(said: str, told: Text) -> bool:
    """Whether a text stands somewhere at the beginning of a paragraph; known ones by digest."""
    starts = [0, *(match.end() for match in re.finditer(r"\n", said))]
    return any(_at(said, start, told) for start in starts)


def _at(said: str, at: int, told: Text) -> bool:
    for piece in told.pieces:
        length = _length(said, at, piece)
        if length is None:
            return False
        at += length
    return True


def _length(said: str, at: int, piece: Piece) -> int | None:
    """How much of what was said a piece is there; None where something else stands."""
    if not isinstance(piece.origin, Known):
        return len(piece.text) if said.startswith(piece.text, at) else None
    known = piece.origin
    if said.startswith(known.placeholder, at):
        return len(known.placeholder)
    found = said[at : at + known.chars].encode("utf-8", "surrogatepass")
    return known.chars if hashlib.sha256(found).hexdigest() == known.sha256 else None


def _credit(state: State, said: str) -> str:
    credit = context.attribution(state.profile, state.process.settings)
    return str(credit) if credit and _says(said, trim(bare(state.profile, credit))) else ""


def _copies(now: Mapping[str, Memory], found: Heard) -> Iterator[tuple[str, Memory]]:
    """Instruction files as the model was told of them; what it was told otherwise is not known."""
    for path, body in found.memory.items():
        memory = now.get(path)
        same = memory is not None and str(trim(memory.body)) == trim_string(body)
        yield path, memory if memory and same else Memory(path, "project", EMPTY)


def _message(entry: Mapping[str, JSON]) -> Message:
    content = entry.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else items(content)
    effort = mapping(entry.get("output_config")).get("effort")
    return Message(
        str(entry.get("role")),
        tuple(_block(mapping(block)) for block in blocks),
        effort=effort if isinstance(effort, str) else None,
    )


def _block(block: Mapping[str, JSON]) -> Block:
    out: dict[str, Value] = {}
    for name, value in block.items():
        if name != "cache_control":
            out[name] = Raw(dumps(value), _ORIGIN)
    said = block.get("text")
    if [*out] == ["type", "text"] and isinstance(said, str):
        return text_block(text(said, _ORIGIN))
    return out


def _texts(messages: Iterable[Mapping[str, JSON]]) -> Iterator[str]:
    for message in messages:
        content = message.get("content")
        for block in [content] if isinstance(content, str) else items(content):
            said = block if isinstance(block, str) else mapping(block).get("text")
            if isinstance(said, str) and message.get("role") != "assistant":
                yield said


def _loaded(messages: Iterable[Mapping[str, JSON]]) -> Iterator[str]:
    """The deferred tools that searches loaded."""
    for message in messages:
        for block in items(message.get("content")):
            for part in items(mapping(block).get("content")):
                name = mapping(part).get("tool_name")
                if isinstance(name, str) and mapping(part).get("type") == "tool_reference":
                    yield name


def _prompt(message: Mapping[str, JSON]) -> str:
    """The words of a message that somebody typed; empty for one of results or of the client's."""
    kinds = {mapping(block).get("type") for block in items(message.get("content"))}
    said = [*_texts([message])]
    if message.get("role") != "user" or "tool_result" in kinds or not said:
        return ""
    return "" if said[-1].startswith("<system-reminder>") else said[-1]
