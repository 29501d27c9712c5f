"""Folders as node lists them (Claude Code 2.1.88)."""

from dataclasses import dataclass, replace
from pathlib import Path

from inspector import profiles
from inspector.clients.claude_code import sorting
from inspector.workspace import Entry, EntryKind
from tests.clients.claude_code.place import Place

NAMES = ("b.md", "A.md", "a.md")


@dataclass(frozen=True)
class Listed:
    """A tree of one folder, in an order of its own."""

    def read(self, path: str) -> bytes | None:
        del path
        return None

    def list(self, path: str) -> tuple[Entry, ...] | None:
        del path
        return tuple(Entry(name=name, kind=EntryKind.FILE) for name in NAMES)


def test_only_an_era_whose_runtime_sorts_sees_folders_by_the_bytes_of_their_names(
    tmp_path: Path,
) -> None:
    world = replace(Place(tmp_path).world(), tree=Listed())
    seen: dict[str, list[str]] = {}
    for version in ("2.1.88", "2.1.332"):
        profile = profiles.resolve(profiles.find("claude-code", version), {})
        found = sorting.seen(world, profile).tree.list("/ws") or ()
        seen[version] = [entry.name for entry in found]
    assert seen == {"2.1.88": ["A.md", "a.md", "b.md"], "2.1.332": list(NAMES)}
