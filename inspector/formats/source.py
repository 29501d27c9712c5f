"""Finding out by its content what a file or folder is, and reading it."""

import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import BinaryIO

from inspector.errors import BadInput
from inspector.formats import bodies, export, flows, har, tap
from inspector.formats.item import Read, Seen, Skipped

_FLOWS = re.compile(rb"\d{1,12}:")
_NUMBERED = re.compile(r"(.*?)(\d+)(\D*)", re.DOTALL)
_CHUNK = 1024 * 1024


def size(path: Path) -> int:
    """Bytes there are to read, for a progress bar."""
    try:
        if path.is_dir():
            return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
        return path.stat().st_size
    except OSError:
        return 0


def read(path: Path, seen: Seen) -> Iterator[Read]:
    """The exchanges of a file or folder, and what could not be read.

    Raises `BadInput` for a path that is not there.
    """
    if not path.exists():
        raise BadInput(f"{path}: no such file or folder; give what a browser or proxy saved")
    return _folder(path, seen) if path.is_dir() else _file(path, seen)


def _folder(path: Path, seen: Seen) -> Iterator[Read]:
    if (path / "session.json").is_file():
        yield Skipped(str(path), f"a recording already; name it as it is: inspector show {path}")
        return
    files = _files(path)
    if not files:
        yield Skipped(str(path), "an empty folder")
    done = 0
    for folder, inside in groupby(files, key=lambda file: file.parent):
        if export.is_export(folder):
            yield from export.read(folder, unseen)
        else:
            for file in _in_number_order(list(inside)):
                yield from map(_joined(str(folder)), _file(file, unseen))
        done += sum(file.stat().st_size for file in files if file.parent == folder)
        seen(done)


def unseen(_: int) -> None:
    """Nobody watches."""


def _files(path: Path) -> list[Path]:
    """The files at any depth but hidden ones, folder by folder, in the order of names."""
    found = [file for file in path.rglob("*") if file.is_file() and not _hidden(file, path)]
    return sorted(found, key=lambda file: (str(file.parent), file.name))


def _hidden(file: Path, below: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(below).parts)


def _in_number_order(files: list[Path]) -> list[Path]:
    """Names that differ in their last number alone stand in its order: 9.json before 10.json."""
    parts = {file: _NUMBERED.fullmatch(file.name) for file in files}
    numbers = {file: int(part[2]) for file, part in parts.items() if part is not None}
    around = {(file.parent, part[1], part[3]) for file, part in parts.items() if part is not None}
    if len(numbers) < len(files) or len(around) != 1:
        return files
    return sorted(files, key=numbers.__getitem__)


def _joined(folder: str) -> Callable[[Read], Read]:
    """Plain bodies have no addresses and no times: their folder is their session."""

    def join(item: Read) -> Read:
        if isinstance(item, Skipped) or item.started or item.response.data:
            return item
        return replace(item, group=folder)

    return join


def _file(path: Path, seen: Seen) -> Iterator[Read]:
    try:
        with path.open("rb") as file:
            yield from _opened(str(path), file, seen)
    except OSError as error:
        yield Skipped(str(path), f"cannot be read ({error.strerror or error})")


def _opened(path: str, file: BinaryIO, seen: Seen) -> Iterator[Read]:
    head = file.read(512)
    file.seek(0)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if head[:2] == b"\x1f\x8b":
        yield from _packed(path, gzip.GzipFile(fileobj=file), seen)
    elif _is_zlib(head):
        yield from har.read(path, Unpacked(file), seen)
    elif _FLOWS.match(head):
        yield from flows.read(path, file, seen)
    elif start in (b"{", b"["):
        yield from _json(path, file, seen)
    elif not head:
        yield Skipped(path, "an empty file")
    else:
        yield Skipped(path, "no HAR, flow file, request body or JSONL")


def _packed(path: str, file: gzip.GzipFile, seen: Seen) -> Iterator[Read]:
    try:
        yield from _opened(path, file, seen)  # type: ignore[arg-type]
    except (EOFError, zlib.error) as error:
        yield Skipped(path, f"damaged gzip ({error})")


def _json(path: str, file: BinaryIO, seen: Seen) -> Iterator[Read]:
    found = har.is_har(file)
    file.seek(0)
    tapped = file.read(len(tap.MARK)) == tap.MARK
    file.seek(0)
    yield from (har if found else tap if tapped else bodies).read(path, file, seen)


def _is_zlib(head: bytes) -> bool:
    """Whether bytes begin as a zlib stream does (RFC 1950), which mitmproxy calls `.zhar`."""
    return len(head) > 2 and head[0] == 0x78 and int.from_bytes(head[:2]) % 31 == 0


class Unpacked:
    """A zlib file read as what it holds."""

    def __init__(self, file: BinaryIO) -> None:
        """Read from the file's place on."""
        self._file, self._unpack = file, zlib.decompressobj()

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; none at the end, or where it is damaged."""
        while not self._unpack.eof:
            packed = self._unpack.unconsumed_tail or self._file.read(_CHUNK)
            if not packed:
                return b""
            try:
                data = self._unpack.decompress(packed, size)
            except zlib.error:
                return b""
            if data:
                return data
        return b""
