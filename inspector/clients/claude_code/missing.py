"""What `explain` asks of this client: what a file is to it, and what it left out."""

from collections.abc import Iterator, Sequence

from inspector.clients import Called, Missing
from inspector.clients.claude_code import faults, offered
from inspector.clients.claude_code.left_out import LeftOut, Reason
from inspector.clients.claude_code.who_set import who_set
from inspector.clients.claude_code.why_not import why_not
from inspector.profiles import Profile
from inspector.workspace import World

_FOLDERS = {"commands": "command", "agents": "agent", "rules": "rule", "output-styles": "style"}
_MEMORY = ("CLAUDE.md", "CLAUDE.local.md", "MEMORY.md")


def called(path: str) -> Called:
    """What a file is to the client, by where it stands."""
    *folders, file = path.split("/")
    if file == "SKILL.md" and folders:
        return Called("skill", folders[-1])
    if ".claude" in folders[:-1]:
        kind = _FOLDERS.get(folders[len(folders) - 1 - folders[::-1].index(".claude") + 1], "")
        if kind:
            return Called(kind, file.removesuffix(".md") if kind != "rule" else file)
    return Called("rule" if file in _MEMORY else "file", file)


def missing(world: World, profile: Profile) -> Sequence[Missing]:
    """What configuration, memory, skills and commands ask for and do not get, or in part."""
    told = [_told(world, item) for item in why_not(world, profile)]
    known = {item.path for item in told}
    faulty = (item for item in _faulty(world) if item.path not in known)
    return (*told, *faulty, *offered.untold(world, profile))


def _told(world: World, item: LeftOut) -> Missing:
    waits = item.reason is Reason.WAITS
    return Missing(
        item.kind,
        item.name,
        item.path,
        item.words + who_set(world, item),
        code=item.reason,
        patterns=tuple(item.detail.split(", ")) if waits else (),
    )


def _faulty(world: World) -> Iterator[Missing]:
    for line in faults.faults(world):
        path, _, words = line.partition(": ")
        code = "frontmatter" if words.startswith("its frontmatter") else "name-refused"
        yield Missing(called(path).kind, called(path).name, path, words, code=code)
