"""The prompt's own message: images first, then the text, standard input appended."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from inspector.clients.codex.config import Config
from inspector.clients.codex.fill import computed, fact, fill
from inspector.clients.codex.items import Part
from inspector.clients.codex.paths import join
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Piece, Text, text
from inspector.workspace import Tree

_PNG = b"\x89PNG\r\n\x1a\n"


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


def prompt_parts(prompt: str, given: Sequence[Image], profile: Profile) -> tuple[Part, ...]:
    """The content parts of a prompt."""
    parts: list[Part] = []
    for number, image in enumerate(given, 1):
        holes = {"number": computed("image", str(number)), "path": fact("argv", image.given)}
        parts.append(Part("image_tag", fill(profile.literal("image.open"), holes)))
        parts.append(_image(image, profile))
        parts.append(Part("image_tag", profile.literal("image.close")))
    return (*parts, Part("prompt", worded(prompt, profile)))


def _image(image: Image, profile: Profile) -> Part:
    size = _png_size(image.data or b"")
    if size is None:
        # Other kinds are decoded and written again as PNG, which this model cannot do.
        known = (image.data or b"")[:3] in {b"GIF", b"\xff\xd8\xff", b"RIF"}
        if not known:
            return Part("image_error", profile.literal("image.error"))
    if size is None or max(size) > profile.limits["image.side"]:
        reason = f"the client writes {image.given} again as another image"
        return Part("image", text("⟦adopted⟧", Origin(Kind.ADOPTED, reason)), image=True)
    head = fill(profile.literal("image.data"), {"kind": computed("image", "png")})
    body = b64encode(image.data or b"").decode()
    return Part("image", head + text(body, Origin(Kind.FILE, image.path)), image=True)


def _png_size(data: bytes) -> tuple[int, int] | None:
    if not data.startswith(_PNG) or len(data) < 24:
        return None
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


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
