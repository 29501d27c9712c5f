"""The prompt's own message: images first, then the text, standard input appended."""

from inspector.clients.codex.config import Config
from inspector.clients.codex.items import Part
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Piece, Text
from inspector.workspace import World


def prompt_parts(prompt: str, config: Config, world: World, profile: Profile) -> tuple[Part, ...]:
    """The content parts of a prompt."""
    del config, world  # images given with -i are a known gap
    return (Part("prompt", worded(prompt, profile)),)


def worded(prompt: str, profile: Profile) -> Text:
    """The prompt with the client's words around piped input named as the profile's."""
    opened, closed = profile.literals["stdin.open"], profile.literals["stdin.close"]
    typed = Origin(Kind.PROMPT, "prompt")
    start = prompt.find(opened)
    if start < 0 or not prompt.endswith(closed):
        return Text((Piece(prompt, typed),))
    inner, end = start + len(opened), len(prompt) - len(closed)
    return Text(
        (
            Piece(prompt[:start], typed),
            Piece(opened, Origin(Kind.LITERAL, "stdin.open")),
            Piece(prompt[inner:end], Origin(Kind.PROMPT, "stdin")),
            Piece(closed, Origin(Kind.LITERAL, "stdin.close")),
        )
    )
