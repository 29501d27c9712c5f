"""What `explain` asks of this client: what a file is to it, and what it left out."""

from collections.abc import Iterable, Sequence

from inspector.clients import Called, Missing

_MEMORY = ("AGENTS.md", "AGENTS.override.md")


def called(path: str) -> Called:
    """What a file is to the client, by where it stands."""
    *folders, file = path.split("/")
    if file == "SKILL.md" and folders:
        return Called("skill", folders[-1])
    if folders and folders[-1] == "prompts":
        return Called("command", file.removesuffix(".md"))
    return Called("rule" if file in _MEMORY else "file", file)


def missing(faults: Iterable[str]) -> Sequence[Missing]:
    """Each line `PATH: reason` as what it says."""
    parts = [line.partition(": ") for line in faults]
    return [Missing(called(path).kind, called(path).name, path, why) for path, _, why in parts]
