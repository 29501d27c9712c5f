"""The prompt's own message: images first, then the text, standard input appended."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.clients.codex.config import Config
from inspector.clients.codex.fill import computed, fact, fill
from inspector.clients.codex.items import Part
from inspector.clients.codex.paths import join
from inspector.clients.codex.pictures import address, readable
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.turns import Prompted
from inspector.workspace import Tree


@dataclass(frozen=True, slots=True)
class Image:
    """An image given with the command."""

    given: str
    """The path as the command line has it."""
    path: str
    data: bytes | None


def images(tree: Tree, config: Config) -> tuple[Image, ...]:
    """The images on the command line."""
    paths = [(given, join(config.cwd, given)) for given in config.command.all("image")]
    return tuple(Image(given, path, tree.read(path)) for given, path in paths)


def prompt_parts(prompt: Prompted, given: Sequence[Image], profile: Profile) -> tuple[Part, ...]:
    """The content parts of a prompt."""
    parts: list[Part] = []
    for number, image in enumerate(given, 1):
        holes = {"number": computed("image", str(number)), "path": fact("argv", image.given)}
        parts.append(Part("image_tag", fill(profile.literal("image.open"), holes)))
        parts.append(_image(image, profile))
        parts.append(Part("image_tag", profile.literal("image.close")))
    return (*parts, Part("prompt", worded(prompt, profile)))


def _image(image: Image, profile: Profile) -> Part:
    if not readable(image.data or b""):
        return Part("image_error", profile.literal("image.error"))
    return Part("image", address(image.data, image.path, None, profile), image=True)


def worded(prompt: Prompted, profile: Profile) -> Text:
    """The prompt, and what was piped in beside it between the client's words."""
    typed = text(prompt.text, Origin(Kind.PROMPT, "prompt"))
    if prompt.stdin is None:
        return typed
    # The words after it stand on a line of their own (witness: stdin).
    piped = prompt.stdin.removesuffix("\n")
    inside = text(piped, Origin(Kind.PROMPT, "stdin"))
    return typed + profile.literal("stdin.open") + inside + profile.literal("stdin.close")


def said(string: str, typed: str | None, profile: Profile) -> Prompted:
    """A prompt as it was sent, read: what follows the command line's words is what was piped in."""
    if typed is None or typed == "-" or not string.startswith(typed):
        return Prompted(text=string)
    opened, closed = profile.literals["stdin.open"], profile.literals["stdin.close"]
    start = typed + opened
    if not string.startswith(start) or not string.endswith(closed):
        return Prompted(text=typed)
    return Prompted(text=typed, stdin=string[len(start) : len(string) - len(closed)] + "\n")
