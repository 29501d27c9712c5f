"""A conversation that goes on from a session nobody captured.

The messages of the session before stand in the first request; the client read them from its own
record. They are taken as they came (`transcript`), and what the model was told in them is looked
for there, so that only what differs is told anew, as the client does.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from inspector import profiles
from inspector.clients.claude_code import axes, briefing, context, listing, mcp, safeguards
from inspector.clients.claude_code.javascript import trim
from inspector.clients.claude_code.message import Block, Message, text_block
from inspector.clients.claude_code.plain import items, mapping
from inspector.clients.claude_code.rules import Memory
from inspector.clients.claude_code.state import State
from inspector.jsontext import JSON, dumps, loads
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Known, Origin, Piece, Raw, Text, Value, text
from inspector.turns import Replayed
from inspector.workspace import World

_ORIGIN = Origin(Kind.TRANSCRIPT, "transcript")
_MODEL = re.compile(r"exact model ID is ([A-Za-z0-9.:\[\]-]*[A-Za-z0-9\]])")
_SERVED = re.compile(r"\bmcp__[A-Za-z0-9_-]+__[A-Za-z0-9_-]+")
_LISTED = re.compile(r"^- (.+)$", re.MULTILINE)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_AGENT = re.compile(r"^- ([^:\n]+): ", re.MULTILINE)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MEMORY = re.compile(r"^Contents of (/.+?)(?: \([^\n]*\))?:$", re.MULTILINE)


def begun(state: State, given: Replayed, world: World) -> State:
    """The state of a conversation of which only the messages are known."""
    found = [mapping(entry) for entry in items(loads(given.messages))]
    messages = tuple(_message(entry) for entry in found)
    prompts = [text for entry in found if (text := _prompt(entry))]
    efforts = [message.effort for message in messages if message.effort]
    said = "\n".join(_texts(found))
    told = _moded(_told(state, said, world), said, world)
    return replace(
        told,
        messages=messages,
        prompts=len(prompts),
        asked=prompts[0] if prompts else "",
        effort=efforts[-1] if efforts else None,
        loaded=frozenset(_loaded(found)),
        tasks=None,
    )


def _told(state: State, said: str, world: World) -> State:
    """What the model knows of, as far as the words of the conversation say."""
    profile, process = state.profile, state.process
    here = briefing.model_id(profile, process.given)
    models, dates = _MODEL.findall(said), _DATE.findall(said)
    skills = listing.visible(process.settings, state.skills)
    own = [name for name in process.pool.deferred if not name.startswith("mcp__")]
    standing = _standing(state, said)
    listed = {name.partition(": ")[0] for name in _LISTED.findall(said)}
    paths = set(_MEMORY.findall(said))
    now = world.environment.date
    return replace(
        state,
        told=frozenset(skill.name for skill in skills if skill.name in listed),
        copies=dict(_copies(process.copies, paths, said)),
        seen=state.seen | paths,
        folders=tuple(path for path in safeguards.added(world) if path in said),
        waiting=frozenset([*_named(own, said), *standing.tools]),
        agents=frozenset(standing.agents),
        servers=frozenset(standing.servers),
        model=models[-1] if models else str(here),
        credit=_credit(state, said),
        date=now if now in dates else "".join(dates[-1:]),
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


@dataclass(slots=True)
class _Standing:
    """Tools, servers and agents that the model was told of and that did not go."""

    tools: set[str] = field(default_factory=set[str])
    servers: set[str] = field(default_factory=set[str])
    agents: set[str] = field(default_factory=set[str])

    def read(self, profile: Profile, paragraph: str) -> None:
        """What one paragraph says of them; its names stand in lines of their own."""
        names = {line.removeprefix("- ") for line in paragraph.split("\n")}
        for name, group in (
            ("tools.gone", self.tools),
            ("mcp.gone", self.servers),
            ("agents.gone", self.agents),
        ):
            if profile.literals[name].partition("{")[0].strip() in paragraph:
                group.difference_update(names)
                return
        self.tools |= {*_SERVED.findall(paragraph)}
        self.servers |= {*_HEADING.findall(paragraph)}
        listed = (profile.literals[name].partition("\n")[0] for name in ("agents", "agents.new"))
        if any(head in paragraph for head in listed):
            self.agents |= {*_AGENT.findall(paragraph)} - {*profile.lists["agents"]}


def _standing(state: State, said: str) -> _Standing:
    out = _Standing()
    for paragraph in said.split("\n\n"):
        out.read(state.profile, paragraph)
    # A heading is a server's where the model knows tools of that server.
    parts = {name.split("__")[1] for name in _SERVED.findall(said)}
    out.servers = {name for name in out.servers if mcp.part_of_name(name) in parts}
    return out


def _credit(state: State, said: str) -> str:
    credit = context.attribution(state.profile, state.process.settings)
    return str(credit) if credit and _says(said, trim(credit)) else ""


def _named(names: Iterable[str], said: str) -> Iterator[str]:
    for name in names:
        if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", said):
            yield name


def _copies(now: Mapping[str, Memory], paths: set[str], said: str) -> Iterator[tuple[str, Memory]]:
    """Instruction files as the model was told of them; what it was told otherwise is not known."""
    for path, memory in now.items():
        if path in paths:
            same = str(trim(memory.body)) in said
            yield path, memory if same else replace(memory, body=EMPTY)


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
                if isinstance(name, str):
                    yield name


def _prompt(message: Mapping[str, JSON]) -> str:
    """The words of a message that somebody typed; empty for one of results or of the client's."""
    kinds = {mapping(block).get("type") for block in items(message.get("content"))}
    said = [*_texts([message])]
    if message.get("role") != "user" or "tool_result" in kinds or not said:
        return ""
    return "" if said[-1].startswith("<system-reminder>") else said[-1]
