"""Files that a text mentions, shown as if a tool had read them."""

import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from inspector.clients.claude_code import links, readfile, readlong, rereading
from inspector.clients.claude_code.denied import NOTHING, Denied
from inspector.clients.claude_code.mentions import Mention, mentions, named_as_spelled
from inspector.clients.claude_code.mentions import agents as asked
from inspector.clients.claude_code.message import Block, text_block
from inspector.clients.claude_code.options import on
from inspector.clients.claude_code.phrase import computed, fact, lines, phrase, reminder, template
from inspector.clients.claude_code.plain import items, mapping
from inspector.clients.claude_code.state import State
from inspector.errors import NotKept
from inspector.jsontext import Number, quote
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Known, Origin, Text, Value, join, text
from inspector.workspace import Entry, EntryKind, Environment, World

_SPELLED = re.compile(r'["\\\x00-\x1f]')
"""What a JSON string spells otherwise."""


def shows(environment: Environment) -> bool:
    """Whether files that are mentioned are shown at once."""
    switches = ("CLAUDE_CODE_DISABLE_FILE_MENTIONS", "CLAUDE_CODE_DISABLE_ATTACHMENTS")
    return not any(on(environment, name) for name in switches)


def unread(profile: Profile, environment: Environment, body: Text) -> Text | None:
    """What stands for files that are not shown at once (rules_switches)."""
    names = [_part(body, name) for name in named_as_spelled(str(body))]
    if not names or not on(environment, "CLAUDE_CODE_DISABLE_FILE_MENTIONS"):
        return None
    said = join(computed(", ", "mention"), names)
    return phrase(profile, "mention.unread", names=said)


def _part(body: Text, name: str) -> Text:
    """A name as it stands in a prompt or a body that mentions it."""
    found = re.search(rf'@"?(?:agent-)?{re.escape(name)}', str(body))
    assert found is not None
    return body[found.end() - len(name) : found.end()]


def beside(
    profile: Profile, told: Sequence[Text], files: "Brought"
) -> tuple[tuple[tuple[Block, ...], ...], tuple[Text, ...]]:
    """What a skill's body brings: messages, and what the model is told; reminders to old ones."""
    if profile.switches["context"] != "reminder":
        return files.groups, tuple(told)
    return (*files.groups, *((text_block(reminder(profile, part)),) for part in told)), ()


@dataclass(frozen=True, slots=True)
class Brought:
    """What the files that a text mentions bring into the conversation."""

    groups: tuple[tuple[Block, ...], ...] = ()
    """One message each: a file's call, its result, what is said of its length."""
    apart: int = 0
    """So many of them are messages of their own where nothing stands before them."""
    large: tuple[Text, ...] = ()
    """What the model is told of files that are too large to be shown."""
    known: Mapping[str, str] = field(default_factory=dict[str, str])
    """Files the model knows from now on, each with its digest."""


def brought(state: State, world: World, body: str) -> Brought:
    """The files a text mentions.

    Old models have a reminder in the place of a file that is too large (`mention_long`).
    """
    if not shows(world.environment):
        return Brought()
    profile, tokens = state.profile, state.tokens
    new: dict[str, str] = {}
    old = profile.switches["context"] == "reminder"
    items: list[tuple[Text, ...]] = []
    large: list[Text] = []
    for mention in asked_for(state, world, body):
        said = _too_large(profile, world, mention, tokens)
        if said is not None and old:
            items.append((reminder(profile, said),))
        elif said is not None:
            large.append(said)
        else:
            item = shown(state, world, mention)
            items.append(item)
            chosen = _chosen(profile, world, mention, tokens)
            new |= rereading.shown(profile, world, mention.path, chosen) if item else {}
    items = [item for item in items if item]
    groups = [(text_block(part),) for item in items for part in item]
    return Brought(tuple(groups), len(items[0]) - 1 if items else 0, tuple(large), new)


def told(
    profile: Profile, world: World, body: Text, names: Collection[str], large: Sequence[Text]
) -> list[Text]:
    """What the model is told of mentions: files that are not shown, agents that are asked for."""
    if profile.switches["attachments"] == "no":
        return []
    named = unread(profile, world.environment, body)
    return [*([named] if named else []), *large, *agents(profile, names, body)]


def allowed(state: State, world: World, body: str) -> list[Mention]:
    """What a text mentions, without what permission rules keep from being read.

    Nothing is said of the rest; rules that ask hold for no mention (mention_denied).
    """
    found = mentions(body, world.environment.cwd, world.environment.home)
    denied = _denied(state, world) if found else NOTHING
    return [mention for mention in found if not _kept_back(state, world, denied, mention.path)]


def _denied(state: State, world: World) -> Denied:
    return Denied.reads(state.process.settings, world.environment)


def _kept_back(state: State, world: World, denied: Denied, path: str) -> bool:
    if state.profile.switches["mention.denied"] == "spelled":
        return denied.holds(path)
    folder = bool(denied.patterns) and _is_folder(world, path)
    return denied.hides(world.tree, world.environment, path, folder)


def asked_for(state: State, world: World, body: str) -> Iterator[Mention]:
    """What a text mentions that the model does not know, with the lines that are asked for."""
    profile, known = state.profile, state.known
    for mention in allowed(state, world, body):
        if mention.path in known and known[mention.path] == rereading.digest(world, mention.path):
            continue
        plain = not mention.lettered and profile.switches["mention.lines"] == "lettered"
        yield Mention(mention.path) if plain else mention


def key(mention: Mention, which: str) -> str:
    """The name under which the text of a mentioned file is counted."""
    return f"{which}:{mention.path}:{mention.first}-{mention.last}"


def over(profile: Profile, world: World, tokens: Mapping[str, int], key: str) -> bool:
    """Whether a text that was counted has more tokens than are shown at a time."""
    return tokens.get(key, 0) > readlong.most(profile, world.environment)


def _too_large(
    profile: Profile, world: World, mention: Mention, tokens: Mapping[str, int]
) -> Text | None:
    """What the model is told of a file so large that not even its beginning is shown."""
    if profile.switches["mention.large"] != "told":
        return None
    try:
        if not _is_too_large(profile, world, mention, tokens):
            return None
        size = len(world.tree.read(mention.path) or b"")
    except NotKept:
        return None
    holes = {"path": fact("path", mention.path), "size": readfile.size(size)}
    return template(profile, "mention.large", **holes)


def _is_too_large(
    profile: Profile, world: World, mention: Mention, tokens: Mapping[str, int]
) -> bool:
    data = world.tree.read(mention.path)
    if data is None or not readfile.is_plain(profile, mention.path):
        return False
    # The size counts whichever lines are asked for.
    bulky = len(data) > profile.limits["read.bytes"]
    return bulky or over(profile, world, tokens, key(mention, "first"))


def first_lines(profile: Profile, mention: Mention) -> Mapping[str, object]:
    """How a file of too many tokens is read once more: so many lines of it."""
    most = Number(str(profile.limits["mention.most"]))
    start = lines_of(mention).get("offset")
    return {"limit": most} if start is None else {"offset": start, "limit": most}


def shown(state: State, world: World, mention: Mention) -> tuple[Text, ...]:
    """The call and the result for one mention; none for a file that is not there."""
    profile, tokens = state.profile, state.tokens
    long = over(profile, world, tokens, key(mention, "whole"))
    chosen = _chosen(profile, world, mention, tokens)
    try:
        if world.tree.read(mention.path) is None:
            return _listed(state, world, mention.path)
        if _is_too_large(profile, world, mention, tokens):
            return ()
        made = readfile.read(profile, world, mention.path, chosen)
    except NotKept:
        return ()
    content = _cells(made.content) if made is not None else None
    if made is None or made.error or content is None:
        return ()
    ranged = mention.first is not None and profile.switches["mention.input"] == "lines"
    called = phrase(profile, "mention.called", input=_input(mention.path, chosen if ranged else {}))
    result = phrase(profile, "mention.result", text=_written(profile, content))
    cut = (_cut(profile, mention, "mention.cut.range" if ranged else "mention.cut"),)
    return (called, result, *(cut if long else ()))


def _cells(content: Value) -> Text | None:
    """What a read gave as one text: a notebook's blocks as JSON (`mention_errors`)."""
    if isinstance(content, Text):
        return content
    blocks = items(content)
    said = mapping(blocks[0]).get("text") if len(blocks) == 1 else None
    if not isinstance(said, Text):
        return None
    quoted = said.sub(_SPELLED, lambda match: quote(match[0])[1:-1])
    return computed('[{"text":"', "cells") + quoted + computed('","type":"text"}]', "cells")


def _chosen(
    profile: Profile, world: World, mention: Mention, tokens: Mapping[str, int]
) -> Mapping[str, object]:
    """The lines that are read of a mentioned file."""
    long = over(profile, world, tokens, key(mention, "whole"))
    return first_lines(profile, mention) if long else lines_of(mention)


def _cut(profile: Profile, mention: Mention, name: str) -> Text:
    """What is said of a file of which the beginning is shown."""
    most = computed(str(profile.limits["mention.most"]), "lines")
    return reminder(profile, phrase(profile, name, path=fact("path", mention.path), most=most))


def _listed(state: State, world: World, path: str) -> tuple[Text, ...]:
    """A folder, as if somebody had listed it, or a link to one in the working directory."""
    cwd = world.environment.cwd
    real = links.resolved(world.tree, path, (cwd,))
    apart = real != path and not f"{real}/".startswith(f"{cwd}/")
    entries = None if apart else world.tree.list(path)
    if entries is None:
        return ()
    profile = state.profile
    read, some = _entries(state, world, path, entries)
    listing = Origin(Kind.LISTING, path)
    names = [text(entry.name, listing) for entry in some]
    if len(entries) > read:
        left = computed(str(len(entries) - read), "entries")
        names.append(phrase(profile, "mention.entries", left=left))
    given = {"command": f"ls {shlex.quote(path)}", "description": f"Lists files in {path}"}
    members = ",".join(f"{quote(name)}:{quote(value)}" for name, value in given.items())
    called = phrase(profile, "mention.listed", input=computed(f"{{{members}}}", "mention"))
    return called, phrase(profile, "mention.listing", text=_written(profile, lines(names)))


def _entries(
    state: State, world: World, path: str, entries: Sequence[Entry]
) -> tuple[int, list[Entry]]:
    """How many entries of a folder are looked at, and those that are named."""
    most = state.profile.limits["mention.entries"]
    spelled = state.profile.switches["mention.denied"] == "spelled"
    denied, some = NOTHING if spelled else _denied(state, world), list[Entry]()
    for read, entry in enumerate(entries):
        if len(some) == most:
            return read, some
        folder, inner = entry.kind is not EntryKind.FILE, f"{path.rstrip('/')}/{entry.name}"
        if not denied.hides(world.tree, world.environment, inner, folder):
            some.append(entry)
    return len(entries), some


def _written(profile: Profile, content: Text) -> Text:
    """A result as it stands in the reminder: as it is, or as a JSON string."""
    if profile.switches["mention.result"] == "plain":
        return content
    out = EMPTY
    for piece in content.pieces:
        known = isinstance(piece.origin, Known)
        same = Text((piece,)).sub(_SPELLED, lambda match: quote(match[0])[1:-1])
        out += profile.known(f"{piece.origin.name}.quoted") if known else same
    return out


def named(state: State, world: World, body: str) -> list[str]:
    """The paths a text mentions and that may be read, in order."""
    return [mention.path for mention in allowed(state, world, body)]


def touched(state: State, world: World, body: str) -> list[str]:
    """The files a text touches by mentioning them; a folder is none."""
    profile = state.profile
    paths = [
        path for path in dict.fromkeys(named(state, world, body)) if not _is_folder(world, path)
    ]
    if profile.switches["mention.touches"] == "named":
        return paths
    return [path for path in paths if _is_file(world, path)]


def _is_file(world: World, path: str) -> bool:
    try:
        return world.tree.read(path) is not None
    except NotKept:
        return False


def _is_folder(world: World, path: str) -> bool:
    try:
        return world.tree.list(path) is not None
    except NotKept:
        return False


def agents(profile: Profile, known: Collection[str], body: Text) -> list[Text]:
    """What is said of agents that a prompt asks for."""
    return [
        phrase(profile, "agent.asked", name=_part(body, name))
        for name in asked(str(body))
        if name in known or name in profile.lists["agents"]
    ]


def lines_of(mention: Mention) -> dict[str, object]:
    """The lines of a file that a mention asks for, as Read takes them; empty for all."""
    if mention.first is None or mention.last is None:
        return {}
    return {
        "offset": Number(str(mention.first)),
        "limit": Number(str(mention.last - mention.first + 1)),
    }


def _input(path: str, chosen: Mapping[str, object]) -> Text:
    values = {name: value.text for name, value in chosen.items() if isinstance(value, Number)}
    more = "".join(f',"{name}":{value}' for name, value in values.items())
    # The path stands in JSON inside the text; it is quoted there.
    return computed(f'{{"file_path":{quote(path)}{more}}}', "mention")
