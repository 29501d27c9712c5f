"""Files that a text mentions, shown as if a tool had read them."""

from inspector.clients.claude_code import readfile
from inspector.clients.claude_code.mentions import Mention, mentions, spelled
from inspector.clients.claude_code.message import Block, text_block
from inspector.clients.claude_code.options import on
from inspector.clients.claude_code.phrase import phrase
from inspector.errors import NotKept
from inspector.jsontext import Number
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import Environment, World


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
    for mention in mentions(body, world.environment.cwd):
        pair = shown(profile, world, mention)
        if pair is not None:
            out.extend([[text_block(pair[0])], [text_block(pair[1])]])
    return out


def shown(profile: Profile, world: World, mention: Mention) -> tuple[Text, Text] | None:
    """The call and the result for one mention; None for a file that is not there."""
    try:
        if world.tree.read(mention.path) is None:
            return None
        made = readfile.read(profile, world, mention.path, _lines(mention))
    except NotKept:
        return None
    if made is None or made.error or not isinstance(made.content, Text):
        return None
    called = phrase(profile, "mention.called", input=_input(mention))
    return called, phrase(profile, "mention.result", text=made.content)


def _lines(mention: Mention) -> dict[str, object]:
    if mention.first is None or mention.last is None:
        return {}
    return {
        "offset": Number(str(mention.first)),
        "limit": Number(str(mention.last - mention.first + 1)),
    }


def _input(mention: Mention) -> Text:
    lines = ""
    if mention.first is not None and mention.last is not None:
        lines = f',"offset":{mention.first},"limit":{mention.last - mention.first + 1}'
    # The path stands in JSON inside the text; it is quoted there.
    from inspector.jsontext import quote

    return text(f'{{"file_path":{quote(mention.path)}{lines}}}', Origin(Kind.COMPUTED, "mention"))
