"""No long run of a client's own words is in the repository (design 5).

Strategy: both sides are reduced to letters and digits, so that escapes, wrapping and JSON do not hide a run. The
known words are cut into blocks a third of the forbidden length; every stretch of a tracked file of that
length is looked up, and a hit is grown in both directions. The profiles' literals are also looked at joined,
so that a text cut into several literals is found.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from inspector import words

LIMIT = 300
"""Characters of client text that may stand in a row."""
DENSE = 240
"""The same run in letters and digits only; prose has about four of them in five characters."""
BLOCK = DENSE // 3
_DROPPED = bytes(code for code in range(256) if not chr(code).isalnum() or code > 127)
_ESCAPES = (rb"\n", rb"\t", rb"\r")
_NOT_OURS = {"LICENSE"}
"""The licence text is everybody's; clients carry it too."""


def _dense(data: bytes) -> bytes:
    for escape in _ESCAPES:
        data = data.replace(escape, b" ")
    return data.translate(None, _DROPPED)


def _blocks(dense: bytes) -> Iterator[tuple[int, int]]:
    for at in range(0, len(dense) - BLOCK + 1, BLOCK):
        yield hash(dense[at : at + BLOCK]), at


def _common(ours: bytes, here: int, theirs: bytes, there: int) -> int:
    """Length of the common run around two equal blocks; 0 where only the hashes are equal."""
    if ours[here : here + BLOCK] != theirs[there : there + BLOCK]:
        return 0
    low = 0
    while low < min(here, there) and ours[here - low - 1] == theirs[there - low - 1]:
        low += 1
    high = BLOCK
    end = min(len(ours) - here, len(theirs) - there)
    while high < end and ours[here + high] == theirs[there + high]:
        high += 1
    return low + high


def runs(ours: bytes, theirs: bytes, blocks: dict[int, int]) -> list[str]:
    """The runs of `theirs` over the limit that stand in `ours`, each by its beginning."""
    found: list[str] = []
    at = 0
    while at + BLOCK <= len(ours):
        there = blocks.get(hash(ours[at : at + BLOCK]))
        length = _common(ours, at, theirs, there) if there is not None else 0
        if length > DENSE:
            found.append(ours[at : at + 60].decode())
        at += max(1, length)
    return found


def _tracked(root: Path) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    paths = [root / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file() and path.name not in _NOT_OURS]


def _against(root: Path, theirs: bytes) -> list[str]:
    blocks = dict(_blocks(theirs))
    assert blocks, "nothing to compare with"
    texts = [(str(path.relative_to(root)), path.read_bytes()) for path in _tracked(root)]
    texts += list(_joined_literals(root))
    return [f"{name}: {run}…" for name, text in texts for run in runs(_dense(text), theirs, blocks)]


def _joined_literals(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted((root / "inspector/profiles/data").glob("*/*.yaml")):
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        yield f"{path.name}, literals joined", "\n".join(_strings(data)).encode()


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:  # pyright: ignore[reportUnknownVariableType]
                yield from _strings(item)  # pyright: ignore[reportUnknownArgumentType]
        case dict():
            for item in value.values():  # pyright: ignore[reportUnknownVariableType]
                yield from _strings(item)  # pyright: ignore[reportUnknownArgumentType]
        case _:
            return


def test_a_client_text_is_found_in_whatever_form_it_was_copied() -> None:
    prose = " ".join(f"You should weigh point {number} with care." for number in range(30))
    theirs = _dense(prose.encode())
    blocks = dict(_blocks(theirs))
    copied = prose[200:520].replace(" ", "\\n\n  ")
    assert runs(_dense(b"ours " + copied.encode() + b" ours"), theirs, blocks)
    assert not runs(_dense(prose[200:430].encode()), theirs, blocks)
    halves = f'a: "{prose[200:360]}"\nb: "{prose[360:520]}"'
    assert runs(_dense("\n".join(_strings(yaml.safe_load(halves))).encode()), theirs, blocks)


def test_no_profile_literal_is_longer_than_the_limit(root: Path) -> None:
    long = [
        f"{path.name}: {string[:60]}"
        for path in sorted((root / "inspector/profiles/data").glob("*/*.yaml"))
        for string in _strings(yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
        if len(string) > LIMIT
    ]
    assert long == []


@pytest.mark.client
def test_no_long_run_of_the_clients_own_words_is_in_the_repository(
    root: Path, binaries: dict[str, Path]
) -> None:
    texts = "\0".join(text for text in words.load().values() if len(text) > LIMIT)
    found: list[str] = []
    for source in (texts.encode(), *(path.read_bytes() for path in binaries.values())):
        dense = _dense(source)
        if len(dense) >= BLOCK:
            found += _against(root, dense)
    assert found == []
