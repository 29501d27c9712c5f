"""Skills that touching files brings into reach, and what the model is told of them."""

from collections.abc import Sequence
from dataclasses import replace

from inspector.clients.claude_code import dynamic, listing
from inspector.clients.claude_code.phrase import lines, phrase
from inspector.clients.claude_code.skills import Skill
from inspector.clients.claude_code.state import State
from inspector.errors import NotKept
from inspector.text import Text
from inspector.workspace import Tree, World


def touched(state: State, paths: Sequence[str], world: World) -> tuple[State, list[Text]]:
    """The state with the skills that files bring, and what is said of folders that hold some."""
    process, cwd = state.process, world.environment.cwd
    if not paths or not process.pool.has("Skill") or "project" not in process.settings.sources:
        return state, []
    found = dynamic.discover(state.profile, world.tree, cwd, state.opened, process.ignored, paths)
    awake = {skill.path for skill in state.found}
    asleep = [skill for skill in process.skills if skill.globs and skill.path not in awake]
    state = replace(
        state,
        found=(*state.found, *found.skills, *dynamic.reached(asleep, cwd, paths)),
        opened=state.opened | frozenset(found.folders),
    )
    known = listing.visible(process.settings, state.late)
    said = dynamic.announced(state.profile, world.tree, cwd, found.folders, known)
    return state, said


def news(state: State) -> tuple[State, list[Text]]:
    """The listing of skills the model was not told of yet."""
    fresh = unknown(state)
    if not fresh or not state.process.pool.has("Skill"):
        return state, []
    entries = [
        listing.line(state.profile, state.process.settings, skill, state.skills) for skill in fresh
    ]
    state = replace(state, told=state.told | {skill.name for skill in fresh})
    return state, [phrase(state.profile, "skills", skills=lines(entries))]


def unknown(state: State) -> list[Skill]:
    """Skills at hand that the model was not told of."""
    every = listing.visible(state.process.settings, state.skills)
    return [skill for skill in every if skill.name not in state.told]


def there(tree: Tree, paths: Sequence[str]) -> list[str]:
    """The paths at which there is a file."""
    out: list[str] = []
    for path in paths:
        try:
            out += [path] if tree.read(path) is not None else []
        except NotKept:
            continue
    return out
