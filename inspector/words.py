"""The clients' long texts as learned from the user's own clients, one file a digest.

Rule: a text is used only when its bytes have the digest it is filed under, so a damaged file counts
as not at hand.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from inspector import paths

_HEX = frozenset("0123456789abcdef")


class Words(Mapping[str, str]):
    """Digest → text, read from the folder when asked for."""

    def __init__(self, folder: Path) -> None:
        """Look in a folder, which need not exist."""
        self._folder = folder
        self._read: dict[str, str | None] = {}

    def __getitem__(self, digest: str) -> str:
        if digest not in self._read:
            self._read[digest] = _load(self._folder / digest) if _is_digest(digest) else None
        text = self._read[digest]
        if text is None:
            raise KeyError(digest)
        return text

    def __iter__(self) -> Iterator[str]:
        """The digests on file; a damaged file is left out."""
        names = (
            sorted(file.name for file in self._folder.iterdir()) if self._folder.is_dir() else []
        )
        return (name for name in names if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def load(folder: Path | None = None) -> Words:
    """The learned texts of the data folder."""
    return Words(folder or paths.texts_folder())


def save(texts: Iterable[str], folder: Path | None = None) -> tuple[str, ...]:
    """File texts under their digests, each whole or not at all; the digests."""
    folder = folder or paths.texts_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return tuple(_save(text.encode("utf-8", "surrogatepass"), folder) for text in texts)


def _save(data: bytes, folder: Path) -> str:
    digest = sha256(data).hexdigest()
    if _load(folder / digest) is None:
        paths.write(folder / digest, data)
    return digest


def _load(file: Path) -> str | None:
    try:
        data = file.read_bytes()
    except OSError:
        return None
    return data.decode("utf-8", "surrogatepass") if sha256(data).hexdigest() == file.name else None


def _is_digest(name: str) -> bool:
    return len(name) == 64 and _HEX.issuperset(name)
