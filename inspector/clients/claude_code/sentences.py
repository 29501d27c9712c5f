"""The client's own short answers to a call, each under its name in the profile.

An answer is read by trying every sentence with everything the call may put into it; the builder
then makes it again from the name alone and which of the call's parts it speaks of.
"""

import re
from collections.abc import Iterator
from itertools import takewhile
from urllib.parse import urlsplit

from inspector.clients.claude_code import echo, links, nofile, refusals, templates
from inspector.clients.claude_code.phrase import computed, fact, phrase, template
from inspector.clients.claude_code.settings import absolute
from inspector.profiles import Profile
from inspector.text import Kind, Known, Origin, Text, text
from inspector.turns import Called, Returned, Told
from inspector.workspace import World

_CELL = re.compile(r"cell-([0-9]+)")


def told(
    profile: Profile, call: Called, outcome: Returned, world: World, start: World
) -> Told | None:
    """Which sentence a recorded result is; None where it is none of them.

    `world` is as the shell stands, `start` as the client started.
    """
    if outcome.text is None:
        return None
    names = profile.lists["results.errors" if outcome.error else "results.successes"]
    for name in names:
        for about in _about(profile, name, call, world, outcome.text):
            made = Told(name=name, about=about)
            if _is(profile, made, said(profile, made, call, world, start), outcome.text):
                return made
    return None


def _is(profile: Profile, sentence: Told, made: Text, string: str) -> bool:
    """Whether a result is a sentence: one with a long text in it is known by what stands before."""
    if sentence.name in profile.templates:
        before = takewhile(lambda piece: not isinstance(piece.origin, Known), made.pieces)
        return string.startswith("".join(piece.text for piece in before))
    return str(made) == string


def said(
    profile: Profile, sentence: Told, call: Called, world: World, start: World | None = None
) -> Text:
    """The words of a sentence."""
    holes = _holes(profile, call, world)
    holes["matches"] = computed("".join(map(str, sentence.about)), "matches")
    if call.name == "Bash":
        holes |= refusals.holes(profile, sentence, call, world, start or world)
    if sentence.name in profile.templates:
        return template(profile, sentence.name, **holes)
    return phrase(profile, sentence.name, **holes)


def _about_a_path(profile: Profile, path: str, world: World) -> dict[str, Text]:
    """What a sentence about a file may tell: itself, one like it, where a link leads."""
    where = Origin(Kind.FACT, "path")
    found = {"path": text(path, where), "meant": nofile.meant(profile, world, path)}
    target = links.leads_to(world.tree, path, (world.environment.cwd,))
    return found | ({"target": text(target, where)} if target is not None else {})


def _about(
    profile: Profile, name: str, call: Called, world: World, string: str
) -> Iterator[tuple[int, ...]]:
    words = profile.literals.get(name, "")
    if "{matches}" in words:
        found = templates.holes(words, string)
        if found is not None and found["matches"].isdigit():
            yield (int(found["matches"]),)
        return
    yield ()
    if call.name == "Bash":
        yield from refusals.about(profile, name, call, world.environment, string)


def _holes(profile: Profile, call: Called, world: World) -> dict[str, Text]:
    reply = Origin(Kind.REPLY, call.id)
    holes = {
        name: text(value, reply)
        for name, value in echo.arguments(call).items()
        if isinstance(value, str)
    }
    if "command" in holes:
        holes["command"] = holes["command"].strip()
    if "url" in holes:
        holes["host"] = text(urlsplit(str(holes["url"])).hostname or "", reply)
    holes["cwd"] = fact("cwd", world.environment.cwd)
    holes["tool"] = text(call.name, reply)
    if isinstance(path := echo.arguments(call).get("file_path"), str):
        holes |= _about_a_path(profile, absolute(path, world.environment.cwd), world)
    if (cell := _CELL.fullmatch(str(holes.get("cell_id", "")))) is not None:
        holes["cell"] = text(cell[1], reply)
    return holes
