"""Files that a text mentions, shown as if a tool had read them."""

import re
import shlex
from collections.abc import Collection, Iterator

from inspector.clients.claude_code import readfile
from inspector.clients.claude_code.mentions import Mention, mentions, spelled
from inspector.clients.claude_code.mentions import agents as asked
from inspector.clients.claude_code.message import Block, text_block
from inspector.clients.claude_code.options import on
from inspector.clients.claude_code.phrase import computed, lines, phrase
from inspector.errors import NotKept
from inspector.jsontext import Number, quote
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Known, Origin, Text, text
from inspector.workspace import EntryKind, Environment, World

_SPELLED = re.compile(r'["\\\x00-\x1f]')
"""What a JSON string spells otherwise."""


def shows(environment: Environment) -> bool:
    """Whether files that are mentioned are shown at once."""
    switches = ("CLAUDE_CODE_DISABLE_FILE_MENTIONS", "CLAUDE_CODE_DISABLE_ATTACHMENTS")
    return not any(on(environment, name) for name in switches)


def unread(profile: Profile, environment: Environment, body: str) -> Text | None:
    """What stands for files that are not shown at once (rules_switches)."""
    names = spelled(body)
    if not names or not on(environment, "CLAUDE_CODE_DISABLE_FILE_MENTIONS"):
        return None
    said = text(", ".join(names), Origin(Kind.PROMPT, "mention"))
    return phrase(profile, "mention.unread", names=said)


def files(profile: Profile, world: World, body: str) -> list[list[Block]]:
    """Two blocks for each file mentioned: the call and its result."""
    out: list[list[Block]] = []
    for mention in asked_for(profile, world, body):
        pair = shown(profile, world, mention)
        if pair is not None:
            out.extend([[text_block(pair[0])], [text_block(pair[1])]])
    return out


def asked_for(profile: Profile, world: World, body: str) -> Iterator[Mention]:
    """What a text mentions, with the lines that are asked for."""
    for mention in mentions(body, world.environment.cwd, world.environment.home):
        plain = not mention.lettered and profile.switches["mention.lines"] == "lettered"
        yield Mention(mention.path) if plain else mention


def shown(profile: Profile, world: World, mention: Mention) -> tuple[Text, Text] | None:
    """The call and the result for one mention; None for a file that is not there."""
    try:
        if world.tree.read(mention.path) is None:
            return _listed(profile, world, mention.path)
        made = readfile.read(profile, world, mention.path, lines_of(mention))
    except NotKept:
        return None
    if made is None or made.error or not isinstance(made.content, Text):
        return None
    told = mention if profile.switches["mention.input"] == "lines" else Mention(mention.path)
    called = phrase(profile, "mention.called", input=_input(told))
    return called, phrase(profile, "mention.result", text=_written(profile, made.content))


def _listed(profile: Profile, world: World, path: str) -> tuple[Text, Text] | None:
    """A folder, as if somebody had listed it; a link to one is not (`mix_mentions`)."""
    entries = None if _is_link(world, path) else world.tree.list(path)
    if entries is None:
        return None
    most = profile.limits["mention.entries"]
    listing = Origin(Kind.LISTING, path)
    names = [text(entry.name, listing) for entry in entries[:most]]
    if len(entries) > most:
        left = computed(str(len(entries) - most), "entries")
        names.append(phrase(profile, "mention.entries", left=left))
    given = {"command": f"ls {shlex.quote(path)}", "description": f"Lists files in {path}"}
    members = ",".join(f"{quote(name)}:{quote(value)}" for name, value in given.items())
    called = phrase(profile, "mention.listed", input=computed(f"{{{members}}}", "mention"))
    return called, phrase(profile, "mention.listing", text=_written(profile, lines(names)))


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


def named(world: World, body: str) -> list[str]:
    """The paths a text mentions, in order."""
    environment = world.environment
    return [mention.path for mention in mentions(body, environment.cwd, environment.home)]


def touched(profile: Profile, world: World, body: str) -> list[str]:
    """The files a text touches by mentioning them; a folder is none."""
    paths = [path for path in dict.fromkeys(named(world, body)) if not _is_folder(world, path)]
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


def agents(profile: Profile, known: Collection[str], body: str) -> list[Text]:
    """What is said of agents that a prompt asks for."""
    origin = Origin(Kind.PROMPT, "mention")
    return [
        phrase(profile, "agent.asked", name=text(name, origin))
        for name in asked(body)
        if name in known or name in profile.lists["agents"]
    ]


def _is_link(world: World, path: str) -> bool:
    """Whether a path inside the working directory is itself a link."""
    folder, _, name = path.rpartition("/")
    if not path.startswith(f"{world.environment.cwd}/"):
        return False
    found = (entry for entry in world.tree.list(folder) or () if entry.name == name)
    return any(entry.kind is EntryKind.LINK for entry in found)


def lines_of(mention: Mention) -> dict[str, object]:
    """The lines of a file that a mention asks for, as Read takes them; empty for all."""
    if mention.first is None or mention.last is None:
        return {}
    return {
        "offset": Number(str(mention.first)),
        "limit": Number(str(mention.last - mention.first + 1)),
    }


def _input(mention: Mention) -> Text:
    chosen = ""
    if mention.first is not None and mention.last is not None:
        chosen = f',"offset":{mention.first},"limit":{mention.last - mention.first + 1}'
    # The path stands in JSON inside the text; it is quoted there.
    return computed(f'{{"file_path":{quote(mention.path)}{chosen}}}', "mention")
