"""Images as the client sends them: a PNG as it is, other kinds written again (not modelled)."""

from base64 import b64encode

from inspector.clients.codex.fill import computed, fill
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text

_PNG = b"\x89PNG\r\n\x1a\n"
_OTHER_KINDS = frozenset({b"GIF", b"\xff\xd8\xff", b"RIF"})


def readable(data: bytes) -> bool:
    """Whether the client takes the data for an image."""
    return _png_size(data) is not None or data[:3] in _OTHER_KINDS


def address(data: bytes | None, path: str, seen: str | None, profile: Profile) -> Text:
    """The address that holds an image's data, from the file at `path`.

    `seen` is the address a record has: input shown apart where the file's bytes are not at hand.
    """
    if data is None and seen is not None:
        return text(seen, Origin(Kind.FILE_NOT_KEPT, path))
    size = _png_size(data or b"")
    if size is None or max(size) > profile.limits["image.side"]:
        reason = f"the client writes {path} again as another image"
        return text("⟦adopted⟧", Origin(Kind.ADOPTED, reason))
    head = fill(profile.literal("image.data"), {"kind": computed("image", "png")})
    return head + text(b64encode(data or b"").decode(), Origin(Kind.FILE, path))


def _png_size(data: bytes) -> tuple[int, int] | None:
    if not data.startswith(_PNG) or len(data) < 24:
        return None
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
