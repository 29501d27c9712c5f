"""What files and folders hold from one moment of a conversation on."""

from inspector.turns.base import Ours


class HeldFile(Ours):
    """A file's bytes; with neither of the two there is no readable file."""

    path: str
    text: str | None = None
    base64: str | None = None
    """Bytes that are no UTF-8."""


class HeldFolder(Ours):
    """A folder's entries as the file system orders them."""

    path: str
    entries: tuple[tuple[str | None, ...], ...] | None = None
    """Name and kind (`file`, `directory`, `link`, `other`); of a link where it points, as written
    in it, and the kind of what it leads to in the end. None: no folder is there."""
