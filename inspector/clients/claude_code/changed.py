"""Files that changed on disk after the client wrote them: the model is told, with the lines around.

Only a file whose last copy the client made itself (Write, Edit) is watched; one it read is not.
Witness: `results_edit`. Where several edits explain a change, the lines shown may be others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from inspector.clients.claude_code import readfile
from inspector.clients.claude_code.javascript import cut, decode, units
from inspector.clients.claude_code.phrase import computed, lines, phrase, template
from inspector.clients.claude_code.state import State
from inspector.errors import NotKept
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, join, text
from inspector.turns import Called
from inspector.workspace import World

_AROUND = 8
_WRITERS = frozenset({"Write", "Edit"})


def told(
    state: State, done: Sequence[tuple[Called, str]], world: World
) -> tuple[State, list[Text]]:
    """What is said of files that changed; `done` are the calls that worked, with their files."""
    own = {path for call, path in done if call.name in _WRITERS}
    out: list[Text] = []
    kept: dict[str, str] = {}
    for path, before in state.written.items():
        now = _content(world, path)
        if now is None or path in own:
            continue
        if now == before:
            kept[path] = before
        else:
            out.append(_note(state.profile, path, before, now))
    for call, path in done:
        kept.pop(path, None)
        content = _content(world, path) if call.name in _WRITERS else None
        if content is not None:
            kept[path] = content
    return replace(state, written=kept), out


def _content(world: World, path: str) -> str | None:
    try:
        data = world.tree.read(path)
    except NotKept:
        return None
    return None if data is None else decode(data).replace("\r\n", "\n")


def _note(profile: Profile, path: str, before: str, now: str) -> Text:
    shown = _snippet(profile, path, before.split("\n"), now.split("\n"))
    where = computed(path, "path")
    return template(profile, "file.changed", path=where, lines=shown)


def _snippet(profile: Profile, path: str, before: Sequence[str], now: Sequence[str]) -> Text:
    """The new lines around each change, numbered from where the change began in the old file."""
    parts: list[Text] = []
    for first, start, end in _hunks(before, now):
        numbered = [
            readfile.numbered(profile, first + place) + text(line, Origin(Kind.FILE, path))
            for place, line in enumerate(now[start:end])
        ]
        parts.append(lines(numbered))
    whole = join(computed("\n...\n", "hunks"), parts)
    limit = profile.limits["file.changed"]
    if units(str(whole)) <= limit:
        return whole
    shown = cut(whole, limit)
    last = str(shown).rfind("\n")
    shown = shown[:last] if last > 0 else shown
    left = str(whole)[len(shown) + 1 :].count("\n") + 1
    return shown + phrase(profile, "file.changed.cut", count=computed(str(left), "lines"))


def _hunks(before: Sequence[str], now: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Line number in the old file, and the stretch of the new one, of each change."""
    matcher = SequenceMatcher(None, _whole(before), _whole(now), autojunk=False)
    for group in matcher.get_grouped_opcodes(_AROUND):
        yield group[0][1] + 1, group[0][3], group[-1][4]


def _whole(split: Sequence[str]) -> Sequence[str]:
    """Lines without the empty one behind a final newline."""
    return split[:-1] if split and split[-1] == "" else split
