"""The mutation law on the side of the workspace.

One character changed in a file that an origin names changes the build at exactly those places. A
file no origin names leaves the build equal, or it is one of the steering files ARCHITECTURE.md lists.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from inspector.jsontext import parse
from inspector.named import Found, verified
from inspector.session import FileVersion, Recording
from inspector.text import Kind
from inspector.verify import Place, RequestReport, places
from tests.golden.mutation import Tally

STEERING = re.compile(
    r"/(settings(\.local)?\.json|managed-settings\.json|\.claude\.json|\.?mcp\.json|managed-mcp\.json"
    r"|config\.toml|requirements\.toml|openai\.yaml|\.git(/.*)?)$"
)
"""Files that change a request without a character of theirs in it."""

_LETTER = re.compile("[a-z]")


@dataclass(frozen=True, slots=True)
class _Change:
    path: str
    at: int
    """Code point in the file's decoded text."""
    letter: str


def hold(found: Found, requests: Sequence[RequestReport], tally: Tally) -> None:
    """Put every file of a session's snapshot to the law."""
    snapshot = found.recording.snapshot
    assert snapshot is not None
    built = [request for request in requests if request.built is not None]
    named = _named(built)
    for path, versions in snapshot.files.items():
        text = _text(versions)
        if text is None or not _LETTER.search(text):
            continue
        runs = named.get(path, [])
        change = _inside(path, text, runs) if runs else _middle(path, text)
        if change is not None:
            tally.tried += 1
            tally.missed.extend(_judge(found, built, change, named=bool(runs)))


def _named(requests: Sequence[RequestReport]) -> dict[str, list[Place]]:
    named: dict[str, list[Place]] = {}
    for request in requests:
        assert request.built is not None
        for place in places(request.built):
            if place.origin.kind is Kind.FILE:
                named.setdefault(place.origin.name, []).append(place)
    return named


def _text(versions: Sequence[FileVersion]) -> str | None:
    data = next((version.data for version in versions if version.data), None)
    try:
        return data.decode() if data is not None else None
    except UnicodeDecodeError:
        return None


def _inside(path: str, text: str, runs: Sequence[Place]) -> _Change | None:
    """A letter in the middle of the longest run."""
    run = max(runs, key=lambda place: place.end - place.start)
    end = run.at + run.end - run.start
    letters = [match.start() for match in _LETTER.finditer(text, run.at, end)]
    return _change(path, text, letters)


def _middle(path: str, text: str) -> _Change | None:
    """A letter in the last third, past any frontmatter."""
    letters = [match.start() for match in _LETTER.finditer(text)]
    return _change(path, text, letters[len(letters) * 2 // 3 :])


def _change(path: str, text: str, letters: Sequence[int]) -> _Change | None:
    if not letters:
        return None
    at = letters[len(letters) // 2]
    return _Change(path, at, "q" if text[at] != "q" else "k")


def _judge(
    found: Found, before: Sequence[RequestReport], change: _Change, *, named: bool
) -> Iterator[str]:
    recording = _changed(found.recording, change)
    earlier = tuple(_changed(item, change) for item in found.earlier)
    after = verified(Found(recording, earlier), {})
    for old in before:
        new = next(item for item in after.requests if item.exchange == old.exchange)
        where = f"#{old.number} after a change in {change.path} at {change.at}"
        if new.built is None:
            if named or not STEERING.search(change.path):
                yield f"{where}: {new.reason}"
            continue
        assert old.built is not None
        if not named:
            if old.built.body != new.built.body and not STEERING.search(change.path):
                yield f"{where}: the build changed and no origin names the file"
            continue
        yield from (f"{where}: {line}" for line in _places(old, new, change))


def _changed(recording: Recording, change: _Change) -> Recording:
    snapshot = recording.snapshot
    if snapshot is None or change.path not in snapshot.files:
        return recording
    versions = tuple(
        FileVersion(version.at, _apply(version.data, change))
        for version in snapshot.files[change.path]
    )
    return replace(
        recording,
        snapshot=replace(snapshot, files={**snapshot.files, change.path: versions}),
    )


def _apply(data: bytes | None, change: _Change) -> bytes | None:
    if not data:
        return data
    text = data.decode()
    if change.at >= len(text):
        return data
    return (text[: change.at] + change.letter + text[change.at + 1 :]).encode()


def _places(old: RequestReport, new: RequestReport, change: _Change) -> Iterator[str]:
    """Where the two builds differ otherwise than in the changed character."""
    assert old.built is not None
    assert new.built is not None
    expected: dict[str, list[int]] = {}
    for place in places(old.built):
        offset = change.at - place.at
        ours = place.origin.kind is Kind.FILE and place.origin.name == change.path
        if ours and 0 <= offset < place.end - place.start:
            expected.setdefault(place.path, []).append(place.start + offset)
    left = dict(parse(old.built.body).walk())
    right = dict(parse(new.built.body).walk())
    if list(left) != list(right):
        yield "the structure changed"
        return
    for path, node in left.items():
        other = right[path]
        if node.kind == "string" and other.kind == "string":
            if _replaced(node.string, expected.get(path, []), change.letter) != other.string:
                yield f"{path} is not what the changed character makes it"
        elif node.kind not in {"object", "array"} and node.raw != other.raw:
            yield f"{path} changed"


def _replaced(text: str, offsets: Sequence[int], letter: str) -> str:
    letters = list(text)
    for offset in offsets:
        letters[offset] = letter
    return "".join(letters)
