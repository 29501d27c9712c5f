"""What is the user's in a session, so that none of it is ever learned as the client's words.

Strategy: the user's are paths, dates, names, lines of files, what servers offer, what was said.
Long ones may stand in no learned text at all. Short ones (`main`, `src`, `README.md`) are refused
where all sessions that show the text have them, unless texts known to be the client's have them.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import cast

from inspector.session import Recording
from inspector.turns import Turn
from inspector.workspace import Environment, Listing

LONG = 20
"""Characters from which on a line is nobody else's by chance."""
SHORT = 3
"""Characters from which on a name says something."""
_OURS = frozenset({"type", "form", "event", "stop", "status", "state", "what"})
"""Members of an event whose values are words of ours."""


@dataclass(frozen=True, slots=True)
class Own:
    """The user's words of one session."""

    long: frozenset[str]
    short: frozenset[str]
    days: frozenset[str]
    """The day, in the ways people write it."""

    @classmethod
    def of(cls, recording: Recording, turns: Sequence[Turn]) -> "Own":
        """All that a session has; `turns` are what was said and done in it."""
        snapshot = recording.snapshot
        assert snapshot is not None
        found = set(_environment(snapshot.environment))
        for path, versions in snapshot.files.items():
            # Where nothing is, the client looked by itself: such a name is the client's.
            for version in versions:
                if version.data is not None:
                    found |= {path, *path.split("/")}
                    found |= set(_lines(version.data.decode("utf-8", "replace")))
        for path, listed in snapshot.folders.items():
            entries = [one.name for item in listed for one in item.entries or ()]
            found |= {path, *path.split("/"), *entries} if entries else set()
        for listing in snapshot.listings:
            found |= set(_listing(listing))
        for turn in turns:
            found |= {line for text in _strings(turn.model_dump()) for line in _lines(text)}
        found.add(snapshot.environment.date[:4])
        found = {word for word in map(_flat, found) if len(word) >= SHORT}
        paths = {word for word in found if word.startswith("/") and word.count("/") > 1}
        long = {word for word in found if len(word) >= LONG} | paths
        days = _days(snapshot.environment.date)
        return cls(frozenset(long), frozenset(found - long), frozenset(days))


@dataclass(frozen=True)
class Vocabulary:
    """Words of texts that are known to be the client's."""

    texts: tuple[str, ...]

    @cached_property
    def whole(self) -> str:
        """All of it."""
        return _flat("\n".join(self.texts))


def stolen(text: str, owners: Sequence[Own], vocabulary: Vocabulary, *, prose: bool) -> str:
    """A word of the user's that stands in a text of the client's; empty where there is none.

    `owners` are the sessions that show it; a name (no `prose`) may have a day in it.
    """
    flat = _flat(text)
    for owner in owners:
        for word in sorted(owner.long | owner.days if prose else owner.long):
            if word in flat:
                return word
    shared = frozenset[str]().union(*(one.short for one in owners))
    for one in owners:
        shared &= one.short
    found = (word for word in sorted(shared) if holds(flat, word))
    return next((word for word in found if not holds(vocabulary.whole, word)), "")


def holds(text: str, word: str) -> bool:
    """Whether a text has a word or a line in it, not as a part of a longer word."""
    return word in text and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def _flat(text: str) -> str:
    return " ".join(text.split())


def _environment(around: Environment) -> Iterator[str]:
    folders = [around.cwd, around.home, around.config_home, around.temp]
    git = around.git
    if git is not None:
        folders += [git.root, git.common_root or ""]
        yield from filter(None, (git.user_name, git.user_mailbox, git.default_branch, git.commit))
        yield git.head.removeprefix("ref: refs/heads/")
        yield from (line[3:] for line in git.status.splitlines())
        for line in git.log.splitlines():
            commit, _, subject = line.partition(" ")
            yield from (commit, subject)
        yield from git.remotes.values()
    for folder in folders:
        yield folder
        yield from folder.split("/")
    yield from (around.os_version, around.timezone, around.base_url or "")
    yield from (word for word in around.argv if not word.startswith("-"))
    yield from around.env.values()


def _days(day: str) -> set[str]:
    """A day as texts write it, the month and the year alone, too."""
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return {day} if day else set()
    month, year, number = f"{found:%B}", f"{found.year}", f"{found.day}"
    return {
        day,
        day.replace("-", "/"),
        f"{found:%Y-%m}",
        f"{found:%m/%d/%Y}",
        f"{month} {year}",
        f"{month} {number}",
        f"{number} {month}",
        f"{found:%b} {number}",
        f"{number} {found:%b}",
        f"{found:%b} {year}",
    }


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        stripped = line.strip().lstrip("#*-> ").strip()
        yield from (line.strip(), stripped)


def _listing(listing: Listing) -> Iterator[str]:
    """All that a server says of itself and of what it offers."""
    yield listing.server
    said = (listing.initialize, listing.tools, listing.prompts, listing.resources)
    for raw in (*said, listing.templates):
        value = _json(raw)
        for string in (*_strings(value), *_names(value)):
            yield from _lines(string)


def _json(raw: str | None) -> object:
    try:
        return json.loads(raw) if raw else None
    except ValueError:
        return None


def _names(value: object) -> Iterable[str]:
    """The names of members, such as parameters."""
    members = _members(value)
    yield from members
    for item in (*members.values(), *_items(value)):
        yield from _names(item)


def _strings(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    said = [item for name, item in _members(value).items() if name not in _OURS]
    for item in (*said, *_items(value)):
        yield from _strings(item)


def _members(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _items(value: object) -> Sequence[object]:
    return cast("Sequence[object]", value) if isinstance(value, list | tuple) else ()
