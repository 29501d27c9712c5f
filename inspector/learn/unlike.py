"""How unlike the workspaces of sessions are: text that is equal on all of them comes from none.

Rule: a text counts as the client's own only where it was seen equal on sessions among which path,
date, git state, names and files each have two values or more (design 5).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256

from inspector.errors import BadInput
from inspector.session import Recording, Snapshot
from inspector.workspace import Environment


@dataclass(frozen=True, slots=True)
class Likeness:
    """What makes a workspace the one it is."""

    path: str
    date: str
    git: tuple[object, ...]
    names: frozenset[str]
    """Of the workspace's folder, its user and its files."""
    files: frozenset[str]
    """Digests of the files' contents."""

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Likeness":
        """Of one session."""
        around = snapshot.environment
        kept = dict(_project(snapshot))
        folders = [around.cwd, around.home]
        names = {path.rpartition("/")[2] for path in (*kept, *folders)}
        if around.git is not None and around.git.user_name:
            names.add(around.git.user_name)
        digests = frozenset(sha256(data).hexdigest() for data in kept.values())
        return cls(around.cwd, around.date, _git(around), frozenset(names), digests)


_SAID = {
    "path": "folder",
    "date": "day",
    "git": "git state",
    "names": "names",
    "files": "files",
}


def _git(around: Environment) -> tuple[object, ...]:
    """The state of the repository, wherever it lies."""
    git = around.git
    return () if git is None else (git.head, git.status, git.log, git.commit)


def _project(snapshot: Snapshot) -> Mapping[str, bytes]:
    """The files of the workspace, as they were first."""
    around = snapshot.environment
    top = around.git.root if around.git is not None else around.cwd
    return {
        path: versions[0].data
        for path, versions in snapshot.files.items()
        if path.startswith(f"{top}/") and versions and versions[0].data is not None
    }


def alike(found: Sequence[Likeness]) -> list[str]:
    """In what all of these are the same, in words."""
    return [
        _SAID[item.name]
        for item in fields(Likeness)
        if len({getattr(one, item.name) for one in found}) < 2
    ]


def likeness(recording: Recording) -> Likeness:
    """Of a session. Raises `BadInput` where its workspace was not kept."""
    if recording.snapshot is None:
        raise BadInput(
            f"{recording.session.id}: no snapshot was kept, so nobody knows which text is its"
            " workspace's; take sessions of `inspector run`"
        )
    return Likeness.of(recording.snapshot)


def demand(recordings: Sequence[Recording]) -> None:
    """Raises `BadInput` where the workspaces are not unlike enough, with what is missing."""
    same = alike([likeness(one) for one in recordings])
    if not same:
        return
    names = " and ".join(one.session.id for one in recordings[:3])
    other = [f"other {one}" if one in {"names", "files"} else f"another {one}" for one in same]
    raise BadInput(
        f"{names}: they have the same {_and(same)}, so text of a workspace could pass for the"
        f" client's; add a session with {_and(other)}"
    )


def _and(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if words[1:] else words[0]
