"""What the Read tool says of a file."""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass

from inspector.clients.claude_code import notebook
from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.phrase import computed, fact, lines, paragraphs, phrase, template
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


def read(profile: Profile, world: World, path: str, values: Mapping[str, object]) -> Read | None:
    """The result of reading a file; None where this model does not know what the client says."""
    data = world.tree.read(path)
    if data is None:
        return _absent(profile, world, path)
    name = path.rpartition("/")[2]
    extension = name[name.rfind(".") :].lower() if "." in name else ""
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
    return _plain(profile, data, path, values)


def _plain(profile: Profile, data: bytes, path: str, values: Mapping[str, object]) -> Read | None:
    first, count = _number(values.get("offset")), _number(values.get("limit"))
    limit = profile.limits["read.bytes"]
    if len(data) > limit and count is None and first is None:
        if values.get("allow_large") is True:
            return None
        sizes = {"size": _size(len(data)), "limit": _size(limit)}
        return Read(template(profile, "read.large", **sizes), error=True)
    shown = _text(profile, data, path, 1 if first is None else first, count)
    if profile.switches["read.bytes"] != "noted":
        return Read(shown)
    if b"\0" in data[:8192]:
        shown = paragraphs([shown, profile.known("read.nul")])
    elif "\ufffd" in str(shown) and not _is_utf8(data):
        shown = paragraphs([shown, profile.known("read.legacy")])
    return Read(shown)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _size(count: int) -> Text:
    """A size as the client shows one: no decimal where it is zero."""
    value, unit = (count / 1024, "KB") if count < 1024 * 1024 else (count / 1024 / 1024, "MB")
    return computed(f"{value:.1f}".removesuffix(".0") + unit, "size")


def _absent(profile: Profile, world: World, path: str) -> Read | None:
    where = text(path, Origin(Kind.FACT, "path"))
    if path in profile.lists["read.devices"]:
        return Read(phrase(profile, "read.device", path=where), error=True)
    if world.tree.list(path) is not None:
        return Read(phrase(profile, "read.folder", path=where), error=True)
    cwd = fact("cwd", world.environment.cwd)
    return Read(phrase(profile, "read.missing", cwd=cwd), error=True)


def _text(profile: Profile, data: bytes, path: str, first: int, count: int | None) -> Text:
    whole = text(decode(data), Origin(Kind.FILE, path)).sub(_RETURNS, lambda _: "\n")
    if not whole and profile.switches["read.blank"] != "warned":
        return phrase(profile, "read.empty")
    every = whole.split("\n")
    if first > len(every):
        return _short(profile, first, len(every))
    # From line 0 is from the first one, but the count starts at 0 (results_read).
    start = max(first - 1, 0)
    shown = every[start : len(every) if count is None else start + count]
    if profile.switches["read.blank"] == "warned" and list(map(str, shown)) == [""]:
        return _short(profile, first, len(every))
    made = lines([computed(f"{first + n}\t", "line") + line for n, line in enumerate(shown)])
    return template(profile, "read", text=made)


def _short(profile: Profile, first: int, count: int) -> Text:
    """The warning that there is nothing from a line on."""
    offset, every = computed(str(first), "offset"), computed(str(count), "lines")
    return phrase(profile, "read.short", offset=offset, lines=every)


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
