"""No long run of a client's own words is in the repository (design 5).

Strategy: both sides are reduced to letters and digits, so that escapes and wrapping do not hide a run. The known
words are cut into blocks; every stretch of our texts of that length is looked up, and a hit is grown in
both directions and measured in the characters it has with us. Our texts are the strings of JSON and YAML
files, whole other files, and the profiles' literals joined, so that a text cut into pieces is found.
"""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from inspector import words

LIMIT = 300
"""Characters of client text that may stand in a row."""
BLOCK = 80
"""Letters and digits looked up at once; prose of LIMIT characters holds more than twice as many."""
_DROPPED = bytes(code for code in range(256) if not chr(code).isalnum() or code > 127)
_ESCAPES = (rb"\n", rb"\t", rb"\r")
_NOT_OURS = {"LICENSE"}
"""The licence text is everybody's; clients carry it too."""


def _dense(data: bytes) -> bytes:
    for escape in _ESCAPES:
        data = data.replace(escape, b" ")
    return data.translate(None, _DROPPED)


def _blocks(dense: bytes) -> dict[int, int]:
    last = len(dense) - BLOCK + 1
    return {hash(dense[at : at + BLOCK]): at for at in range(0, last, BLOCK)}


def _grown(ours: bytes, here: int, theirs: bytes, there: int) -> tuple[int, int]:
    """The common run around two equal blocks; empty where only the hashes are equal."""
    if ours[here : here + BLOCK] != theirs[there : there + BLOCK]:
        return here, here
    low = high = 0
    while low < min(here, there) and ours[here - low - 1] == theirs[there - low - 1]:
        low += 1
    most = min(len(ours) - here, len(theirs) - there)
    while high < most and ours[here + high] == theirs[there + high]:
        high += 1
    return here - low, here + high


def runs(ours: str, theirs: bytes, blocks: dict[int, int]) -> list[str]:
    """The runs of `theirs` over the limit that stand in `ours`, each by its beginning."""
    dense = _dense(ours.encode("utf-8", "replace"))
    found: list[str] = []
    at = 0
    while at + BLOCK <= len(dense):
        there = blocks.get(hash(dense[at : at + BLOCK]))
        start, end = (at, at) if there is None else _grown(dense, at, theirs, there)
        if end > start and len(raw := _raw(ours, dense[start:end].decode())) > LIMIT:
            found.append(raw[:60])
        at = max(at + 1, end)
    return found


def _raw(ours: str, dense: str) -> str:
    """The characters of ours that these letters and digits stand for."""
    pattern = "(?:[^0-9A-Za-z]|(?<=\\\\)[ntr])*".join(dense)
    match = re.search(pattern, ours)
    return match[0] if match else dense


def _ours(root: Path) -> Iterator[tuple[str, str]]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    for name in listed.stdout.decode().split("\0"):
        path = root / name
        if name and path.is_file() and path.name not in _NOT_OURS:
            yield from ((name, text) for text in _texts(path) if len(text) > LIMIT)


def _texts(path: Path) -> Iterator[str]:
    text = path.read_bytes().decode("utf-8", "replace")
    if path.suffix in (".yaml", ".yml"):
        yield from _strings(yaml.load(text, Loader=yaml.CSafeLoader))
    elif path.suffix in (".json", ".request", ".response") and text[:1] in ("{", "["):
        yield from _strings(json.loads(text))
    else:
        yield text


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
            if value[:1] in ("{", "["):
                yield from _inner(value)
        case list():
            for item in value:  # pyright: ignore[reportUnknownVariableType]
                yield from _strings(item)  # pyright: ignore[reportUnknownArgumentType]
        case dict():
            for item in value.values():  # pyright: ignore[reportUnknownVariableType]
                yield from _strings(item)  # pyright: ignore[reportUnknownArgumentType]
        case _:
            return


def _inner(text: str) -> Iterator[str]:
    try:
        yield from _strings(json.loads(text))
    except ValueError:
        return


def _literals(root: Path) -> Iterator[tuple[str, str]]:
    for path in sorted((root / "inspector/profiles/data").glob("*/*.yaml")):
        strings = _strings(yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
        yield f"{path.name}, literals joined", "\n".join(strings)


def _found(texts: Iterator[tuple[str, str]], theirs: bytes) -> list[str]:
    blocks = _blocks(theirs)
    return [f"{name}: {run}…" for name, text in texts for run in runs(text, theirs, blocks)]


def test_a_client_text_is_found_in_whatever_form_it_was_copied() -> None:
    prose = " ".join(f"You should weigh point {number} with care." for number in range(30))
    theirs = _dense(prose.encode())
    blocks = _blocks(theirs)
    copied = f"ours {prose[200:520]} ours"
    assert runs(copied, theirs, blocks)
    assert runs(copied.replace(" ", "\\n\n  "), theirs, blocks)
    assert not runs(f"ours {prose[200:490]} ours", theirs, blocks)
    halves = yaml.safe_load(f'a: "{prose[200:360]}"\nb: "{prose[360:520]}"')
    assert runs("\n".join(_strings(halves)), theirs, blocks)


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
    known = (string for text in words.load().values() for string in _strings(text))
    learned = _dense("\0".join(text for text in known if len(text) > LIMIT).encode())
    found = [*_found(_ours(root), learned), *_found(_literals(root), learned)]
    for path in binaries.values():
        found += _found(_ours(root), _dense(path.read_bytes()))
    assert found == []
