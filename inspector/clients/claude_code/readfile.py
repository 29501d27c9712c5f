"""What the Read tool says of a file."""

import base64
import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass

from inspector.clients.claude_code import nofile, notebook, readlong
from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.phrase import computed, fact, lines, paragraphs, phrase, template
from inspector.clients.claude_code.readlong import Counted
from inspector.jsontext import Number
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, Value, text
from inspector.workspace import World

_IMAGES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
_RETURNS = re.compile(r"\r\n")


@dataclass(frozen=True, slots=True)
class Read:
    """A read's content; an error's is a text."""

    content: Value
    error: bool = False
    said: Text | None = None
    """What the model is told of a page of the file."""


def counted(profile: Profile, world: World, path: str, values: Mapping[str, object]) -> Text | None:
    """The text whose tokens the client has counted before it shows it; None for most."""
    data = world.tree.read(path)
    # With `allow_large` the limit is the room that is left, which no text of this size comes near.
    if not data or not is_plain(profile, path) or values.get("allow_large") is True:
        return None
    first, count = _number(values.get("offset")), _number(values.get("limit"))
    if len(data) > profile.limits["read.bytes"] and count is None:
        return None
    # No text has more UTF-16 units than bytes: most files are too short to be counted.
    if len(data) / 2 + 1 <= readlong.most(profile, world.environment) / 4:
        return None
    content = lines(_selected(_every(data, path), first, count))
    asks = readlong.asks(profile, world.environment, str(content), path, whole=_whole(first, count))
    return content if asks else None


def is_plain(profile: Profile, path: str) -> bool:
    """Whether a file is read as lines of text, as its name goes."""
    return _extension(path) not in {*_IMAGES, ".pdf", ".ipynb", *profile.lists["read.binary"]}


def _extension(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :].lower() if "." in name else ""


def read(
    profile: Profile,
    world: World,
    path: str,
    values: Mapping[str, object],
    tokens: Counted | None = None,
) -> Read | None:
    """The result of reading a file; None where this model does not know what the client says.

    `tokens` are those of the text that was counted before.
    """
    # The working directory is one, and nobody looks whether it is a file.
    data = None if path == world.environment.cwd else world.tree.read(path)
    if data is None:
        return _absent(profile, world, path)
    extension = _extension(path)
    if extension in _IMAGES:
        return Read([_image(data, path, _IMAGES[extension])])
    if extension == ".pdf":
        return Read(_document(profile, data, path))
    if extension in profile.lists["read.binary"]:
        said = phrase(profile, "read.binary", extension=computed(extension, "extension"))
        return Read(said, error=True)
    if extension == ".ipynb":
        cells = notebook.content(profile, data, path)
        return Read(cells) if cells is not None else None
    over = tokens is not None and tokens.tokens > readlong.most(profile, world.environment)
    long = _long(profile, world, path, values, tokens) if over and tokens else None
    return long or _plain(profile, data, path, values)


def _long(
    profile: Profile, world: World, path: str, values: Mapping[str, object], tokens: Counted
) -> Read:
    """A text of too many tokens: its first page, or an error for a part of the file."""
    environment, data = world.environment, world.tree.read(path) or b""
    if not _whole(_number(values.get("offset")), _number(values.get("limit"))):
        return Read(readlong.error(profile, environment, tokens), error=True)
    page = readlong.page(profile, environment, _every(data, path), path, tokens)
    shown = _marked(profile, data, _numbered(profile, page.shown.split("\n"), 1))
    return Read(shown, said=page.said)


def _whole(first: int | None, count: int | None) -> bool:
    """Whether a read asks for the file from its beginning to its end."""
    return (1 if first is None else first) <= 1 and count is None


def _plain(profile: Profile, data: bytes, path: str, values: Mapping[str, object]) -> Read | None:
    first, count = _number(values.get("offset")), _number(values.get("limit"))
    limit = profile.limits["read.bytes"]
    if len(data) > limit and count is None and first is None:
        if values.get("allow_large") is True:
            return None
        sizes = {"size": size(len(data)), "limit": size(limit)}
        return Read(template(profile, "read.large", **sizes), error=True)
    return Read(_marked(profile, data, _text(profile, data, path, first, count)))


def _marked(profile: Profile, data: bytes, shown: Text) -> Text:
    """What is said of bytes that are no text."""
    if profile.switches["read.bytes"] != "noted" or data.startswith(codecs.BOM_UTF16_LE):
        return shown
    if data.startswith(codecs.BOM_UTF16_BE):
        return paragraphs([shown, phrase(profile, "read.big_endian")])
    if b"\0" in data[:8192]:
        return paragraphs([shown, profile.known("read.nul")])
    if "\ufffd" in str(shown) and not _is_utf8(data):
        return paragraphs([shown, profile.known("read.legacy")])
    return shown


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def size(count: int) -> Text:
    """A size as the client shows one: no decimal where it is zero."""
    value, unit = (count / 1024, "KB") if count < 1024 * 1024 else (count / 1024 / 1024, "MB")
    return computed(f"{value:.1f}".removesuffix(".0") + unit, "size")


def _absent(profile: Profile, world: World, path: str) -> Read | None:
    where = text(path, Origin(Kind.FACT, "path"))
    if path in profile.lists["read.devices"]:
        return Read(phrase(profile, "read.device", path=where), error=True)
    if world.tree.list(path) is not None:
        return Read(phrase(profile, "read.folder", path=where), error=True)
    if nofile.circular(world, path):
        return Read(phrase(profile, "read.circular", path=where), error=True)
    if nofile.below_a_file(world, path):
        return Read(phrase(profile, "read.no_folder", path=where), error=True)
    cwd, meant = fact("cwd", world.environment.cwd), nofile.meant(profile, world, path)
    return Read(phrase(profile, "read.missing", cwd=cwd) + meant, error=True)


def _every(data: bytes, path: str) -> Text:
    """A file's text, each line ended as the client ends it."""
    return text(_decoded(data), Origin(Kind.FILE, path)).sub(_RETURNS, lambda _: "\n")


def _decoded(data: bytes) -> str:
    """UTF-16 behind its mark, or else UTF-8 (`results_errors`)."""
    if data.startswith(codecs.BOM_UTF16_LE):
        return data[2:].decode("utf-16-le", "replace")
    return decode(data)


def _selected(whole: Text, first: int | None, count: int | None) -> list[Text]:
    """The lines that a read asks for."""
    every = whole.split("\n")
    # From line 0 is from the first one, but the count starts at 0 (results_read).
    start = max((1 if first is None else first) - 1, 0)
    return every[start : len(every) if count is None else start + count]


def _numbered(profile: Profile, shown: list[Text], first: int) -> Text:
    made = lines([numbered(profile, first + n) + line for n, line in enumerate(shown)])
    return template(profile, "read", text=made)


def shown(profile: Profile, file: Mapping[str, object], origin: Origin) -> Text:
    """A result that somebody put in the place of a file's own text."""
    first = _number(file.get("startLine"))
    lines_ = text(str(file.get("content", "")), origin).split("\n")
    return _numbered(profile, lines_, 1 if first is None else first)


def numbered(profile: Profile, number: int) -> Text:
    """What stands before a line."""
    shown = str(number).rjust(profile.limits["read.line"])
    return computed(profile.literals["read.line"].replace("{number}", shown), "line")


def _text(profile: Profile, data: bytes, path: str, first: int | None, count: int | None) -> Text:
    whole, start = _every(data, path), 1 if first is None else first
    blank = profile.switches["read.blank"] == "warned"
    if not whole and not blank:
        return phrase(profile, "read.empty")
    total, shown = len(whole.split("\n")), _selected(whole, first, count)
    if start > total or (blank and list(map(str, shown)) == [""]):
        offset, every = computed(str(start), "offset"), computed(str(total), "lines")
        return phrase(profile, "read.short", offset=offset, lines=every)
    return _numbered(profile, shown, start)


def _number(value: object) -> int | None:
    return int(float(value.text)) if isinstance(value, Number) else None


def _image(data: bytes, path: str, kind: str) -> Value:
    return {
        "type": "image",
        "source": {"type": "base64", "data": _base64(data, path), "media_type": kind},
    }


def _document(profile: Profile, data: bytes, path: str) -> Value:
    said = phrase(
        profile,
        "read.pdf",
        path=text(path, Origin(Kind.FACT, "path")),
        size=computed(f"{len(data)} bytes", "size"),
    )
    source: Value = {"type": "base64", "media_type": "application/pdf", "data": _base64(data, path)}
    return [{"type": "text", "text": said}, {"type": "document", "source": source}]


def _base64(data: bytes, path: str) -> Text:
    return text(base64.b64encode(data).decode(), Origin(Kind.FILE, path))
