"""The client's own answers to calls it refuses or cannot serve: its sentences, holes computed.

Every hole is made from the call itself; only which sentence it was is a fact of the turn.
"""

import re
from collections.abc import Mapping

from inspector.clients.codex import templates
from inspector.clients.codex.calls import Call
from inspector.clients.codex.fill import computed, fill
from inspector.clients.codex.loose import word
from inspector.clients.codex.paths import join
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text

_PATCHED = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+?)\s*$", re.MULTILINE)
_MOVED = re.compile(r"^\*\*\* Move to: (.+?)\s*$", re.MULTILINE)
_LETTERS = {"Add": "A", "Update": "M", "Delete": "D"}


def sentence(string: str, profile: Profile) -> str | None:
    """The name of the client's sentence that a text is, if it is one."""
    for name in profile.lists["told"]:
        if templates.holes(profile.literals[f"told.{name}"], string) is not None:
            return name
    return None


def told(name: str, call: Call, cwd: str, profile: Profile) -> Text:
    """The sentence; adopted where the call does not tell what stands in its holes."""
    literal = profile.literals.get(f"told.{name}")
    holes = _holes(name, call, cwd, profile)
    if literal is None or holes is None:
        reason = f"what the client says here ({name}) does not follow from the call"
        return text("⟦adopted⟧", Origin(Kind.ADOPTED, reason))
    made = {hole: computed(f"told.{name}", value) for hole, value in holes.items()}
    return fill(profile.literal(f"told.{name}"), made)


def _holes(name: str, call: Call, cwd: str, profile: Profile) -> Mapping[str, str] | None:
    given = call.arguments
    if name == "missing":
        return _missing(call, profile)
    if name == "no_lines":
        return _expected(call.input, cwd)
    # Witness: no separator between a namespace and a name.
    return {
        "name": f"{call.namespace or ''}{call.name}",
        "session": str(given.get("session_id")),
        "path": join(cwd, word(given.get("path"))),
        "cell": word(given.get("cell_id")),
        "task": word(given.get("task_name")),
    }


def _missing(call: Call, profile: Profile) -> Mapping[str, str] | None:
    wanted = profile.lists.get(f"arguments.{call.name}", ())
    field = next((name for name in wanted if name not in call.arguments), None)
    if field is None or "\n" in call.input:
        return None
    # serde counts bytes, and stops at the last one.
    return {"field": field, "column": str(len(call.input.rstrip().encode()))}


def _expected(patch: str, cwd: str) -> Mapping[str, str] | None:
    """The lines a patch of one file and one hunk looks for; others do not tell which failed."""
    files = _PATCHED.findall(patch)
    hunks = re.split(r"^@@.*$", patch, flags=re.MULTILINE)
    if len(files) != 1 or len(hunks) != 2:
        return None
    lines = hunks[1].split("\n")
    wanted = [line[1:] for line in lines if line[:1] in {" ", "-"}]
    return {"path": join(cwd, files[0][1]), "expected": "\n".join(wanted)}


def patched(patch: str, profile: Profile) -> Text:
    """The files a patch changed, as the client lists them: added, modified, deleted."""
    files = [(_LETTERS[kind], path) for kind, path in _PATCHED.findall(patch)]
    moved = _MOVED.findall(patch)
    if len(moved) == len(files) == 1:
        files = [("M", moved[0])]
    made = Text()
    for wanted in "AMD":
        for letter, path in files:
            if letter == wanted:
                holes = {"letter": computed("patch", letter), "path": computed("patch", path)}
                made += fill(profile.literal("output.patched.file"), holes)
    return made
