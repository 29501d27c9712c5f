"""The mutation law on the side of the workspace.

One character changed in a file that an origin names changes the build at exactly those places. A
file no origin names leaves the build equal, or it is one of the steering files ARCHITECTURE.md lists.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from inspector.jsontext import parse
from inspector.named import Found
from inspector.session import FileVersion, Recording
from inspector.text import Kind
from inspector.verify import RequestReport, places
from tests.golden.mutation import Tally
from tests.golden.rebuilt import Rebuilder

STEERING = re.compile(
    r"/(settings(\.local)?\.json|managed-settings\.json|managed-settings\.d/[^/]+\.json|\.claude\.json|\.?mcp\.json|managed-mcp\.json"
    r"|([^/]+\.)?config\.toml|requirements\.toml|[^/]+\.rules|models_cache\.json|openai\.yaml|\.gitignore|\.git(/.*)?)$"
)
"""Files that change a request without a character of theirs in it."""

_LETTER = re.compile("[a-z]")
_FRONTMATTER = re.compile(r"---\r?\n.*?\n---\s*(?:\n|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Change:
    path: str
    at: int
    """Code point in the file's decoded text."""
    letter: str


def hold(found: Found, requests: Sequence[RequestReport], tally: Tally) -> None:
    """Put every file of a session's snapshot to the law."""
    built = [request for request in requests if request.built is not None]
    texts = _texts(found)
    runs = _runs(built, texts)
    again = Rebuilder(requests)
    for path in found.recording.snapshot.files if found.recording.snapshot else ():
        change = _change(path, texts.get(path, ()), runs.get(path, ()))
        if change is not None:
            tally.tried += 1
            complaints = list(_judge(again, found, built, change, runs.get(path, ())))
            if complaints:
                more = f" (and {len(complaints) - 1} more)" if len(complaints) > 1 else ""
                tally.missed.append(complaints[0] + more)


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of a built string that holds file text, with the place it has in the file."""

    request: int
    path: str
    start: int
    size: int
    at: int


def _texts(found: Found) -> dict[str, tuple[str, ...]]:
    """Every version of every file, the current session's first."""
    texts: dict[str, list[str]] = {}
    for recording in (found.recording, *found.earlier):
        for path, versions in recording.snapshot.files.items() if recording.snapshot else ():
            for version in versions:
                try:
                    texts.setdefault(path, []).append((version.data or b"").decode())
                except UnicodeDecodeError:
                    continue
    return {path: tuple(filter(None, found)) for path, found in texts.items()}


def _runs(
    requests: Sequence[RequestReport], texts: Mapping[str, Sequence[str]]
) -> dict[str, list[_Run]]:
    """Runs by file. Text that is not the file's own (a name that its path spells) is left out.

    A value of a configuration or of frontmatter may count from its own start; it is looked for.
    """
    exact: dict[str, list[_Run]] = {}
    found: dict[str, list[_Run]] = {}
    for request in requests:
        assert request.built is not None
        root = parse(request.built.body)
        for place in places(request.built):
            if place.origin.kind is not Kind.FILE:
                continue
            node = root.find(place.path)
            assert node is not None
            words = node.string[place.start : place.end] if node.kind == "string" else node.text
            versions = texts.get(place.origin.name, ())
            run = _Run(request.number, place.path, place.start, len(words), place.at)
            at = next((at for text in versions for at in _ats(place.at, text, words)), None)
            if at is not None:
                exact.setdefault(place.origin.name, []).append(replace(run, at=at))
            elif words not in place.origin.name and versions and versions[0].count(words) == 1:
                run = replace(run, at=versions[0].index(words))
                found.setdefault(place.origin.name, []).append(run)
    return {**found, **exact}


def _ats(at: int, text: str, words: str) -> Iterator[int]:
    """Where in the file a run stands; a client that drops a byte order mark counts without it."""
    for offset in (at, at + 1) if text.startswith("\ufeff") else (at,):
        if text[offset : offset + len(words)] == words:
            yield offset


def _change(path: str, texts: Sequence[str], runs: Sequence[_Run]) -> _Change | None:
    """A letter in the middle of the longest run, or of the body of a file no origin names."""
    if not texts:
        return None
    text = texts[0]
    head = _FRONTMATTER.match(text)
    body = head.end() if head else 0
    start, end = 0, len(text)
    if runs:
        run = max(runs, key=lambda item: item.size)
        start, end = run.at, run.at + run.size
    # A changed key of the frontmatter steers; a changed letter of the body is just a letter.
    start = max(start, body) if end > body or not runs else start
    letters = [found.start() for found in _LETTER.finditer(text, start, end)]
    if not letters:
        return None
    at = letters[len(letters) // 2]
    return _Change(path, at, "q" if text[at] != "q" else "k")


def _judge(
    again: Rebuilder,
    found: Found,
    before: Sequence[RequestReport],
    change: _Change,
    runs: Sequence[_Run],
) -> Iterator[str]:
    recording = _changed(found.recording, change)
    earlier = tuple(_changed(item, change) for item in found.earlier)
    after = {item.exchange: item for item in again.requests(Found(recording, earlier))}
    for old in before:
        new = after[old.exchange]
        where = f"#{old.number} after a change in {change.path} at {change.at}"
        if not runs and (STEERING.search(change.path) or change.path in _given(found)):
            continue
        if new.built is None:
            yield f"{where}: {new.reason}"
            continue
        mine = [run for run in runs if run.request == old.number]
        yield from (f"{where}: {line}" for line in _places(old, new, change, mine))


def _given(found: Found) -> tuple[str, ...]:
    """The file of settings that the command line names."""
    argv = found.recording.snapshot.environment.argv if found.recording.snapshot else ()
    return tuple(value for flag, value in pairwise(argv) if flag == "--settings")


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


def _places(
    old: RequestReport, new: RequestReport, change: _Change, runs: Sequence[_Run]
) -> Iterator[str]:
    """Where the two builds differ otherwise than in the changed character."""
    assert old.built is not None
    assert new.built is not None
    expected: dict[str, list[int]] = {}
    for run in runs:
        if 0 <= change.at - run.at < run.size:
            expected.setdefault(run.path, []).append(run.start + change.at - run.at)
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
