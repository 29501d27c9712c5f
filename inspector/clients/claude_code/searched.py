"""What Glob and Grep answer: the client's words around the files and lines they found.

Witness: `results_search`. What was found is the world's to know, as a snapshot does not hold each
file that a search reads: it stands apart, and its counts follow from it.
"""

from collections.abc import Iterator, Mapping
from itertools import product

from inspector.clients.claude_code import echo, shell
from inspector.clients.claude_code.phrase import computed, lines, phrase
from inspector.clients.claude_code.templates import holes
from inspector.jsontext import Number
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.turns import Called, Searched
from inspector.workspace import Environment

NAMES = frozenset({"Glob", "Grep"})


def read(profile: Profile, call: Called, said: str) -> Searched | None:
    """What a recorded answer tells of the world; None where the client's words are not ours."""
    kept = holes(profile.literals["result.saved"], said)
    if kept is not None:
        return Searched(found=kept["beginning"], size=kept["size"])
    for made in _readings(profile, call, said):
        if str(answer(profile, call, made)) == said:
            return made
    return None


def answer(profile: Profile, call: Called, made: Searched) -> Text:
    """The text of a result that is not kept in a file."""
    said = _glob(profile, call, made) if call.name == "Glob" else _grep(profile, call, made)
    if not made.stopped:
        return said
    return phrase(profile, "searched.stopped") + said


def result(
    profile: Profile, environment: Environment, session: Text, call: Called, made: Searched
) -> Text:
    """The text of a result."""
    if made.size is None:
        return answer(profile, call, made)
    found, name = text(made.found, _world(call)), f"{call.id}.txt"
    size = text(made.size, _world(call))
    folder = shell.folder(profile, environment, session)
    return shell.beginning(profile, found, size, folder, name)


def refused(profile: Profile, call: Called, made: Searched) -> Text:
    """The error of a search that never ran, in the searching program's words."""
    return phrase(profile, "searched.rejected", said=text(made.found, _world(call)))


def rejected(profile: Profile, said: str) -> Searched | None:
    """What the searching program said of a pattern it does not take."""
    found = holes(profile.literals["searched.rejected"], said)
    return Searched(found=found["said"]) if found is not None else None


def _world(call: Called) -> Origin:
    """Where what a search found comes from: files whose bytes at that moment were not kept."""
    return Origin(Kind.FILE_NOT_KEPT, call.id)


def _readings(profile: Profile, call: Called, said: str) -> Iterator[Searched]:
    """Everything a recorded answer may mean; which of it holds shows when it is made again."""
    stopped = str(phrase(profile, "searched.stopped"))
    late = said.startswith(stopped)
    rest = said.removeprefix(stopped) if late else said
    if call.name == "Glob":
        yield _globbed(profile, rest, stopped=late)
        return
    before, _, after = rest.rpartition("\n\n")
    parts = ("", before, rest.partition("\n")[2], rest)
    for found, more, beyond in product(parts, (False, True), (False, True)):
        made = Searched(found=found, more=more, beyond=beyond, stopped=late)
        yield made
        yield made.model_copy(update=_sums(profile, after))


def _sums(profile: Profile, tail: str) -> Mapping[str, str]:
    """Both sums of a count, where they speak of more than is shown."""
    tail = tail.partition(profile.literals["searched.counted.paged"].partition("{")[0])[0]
    found = holes(profile.literals["searched.counted"], f"\n\n{tail}")
    if found is None:
        return {}
    times, files = (found[name].partition(" ")[0] for name in ("times", "files"))
    return {"total": times, "files": files}


def _globbed(profile: Profile, said: str, *, stopped: bool) -> Searched:
    rest, _, last = said.rpartition("\n")
    for name in ("searched.some", "searched.floor"):
        found = holes(profile.literals[name], last)
        if found is not None:
            floor = name == "searched.floor"
            return Searched(found=rest, total=found["total"], floor=floor, stopped=stopped)
    return Searched(
        stopped=stopped, found="" if said == profile.literals["searched.none"] else said
    )


def _glob(profile: Profile, call: Called, made: Searched) -> Text:
    if not made.found:
        return phrase(profile, "searched.none")
    origin = _world(call)
    found = text(made.found, origin)
    if made.total is None:
        return found
    total, count = text(made.total, origin), _count(made)
    if made.floor:
        said = phrase(profile, "searched.floor", count=computed(str(count)), total=total)
        return lines([found, said])
    rest = str(int(made.total) - count) if made.total.isdigit() else ""
    told = {"count": computed(str(count)), "total": total, "rest": computed(rest)}
    return lines([found, phrase(profile, "searched.some", **told)])


def _grep(profile: Profile, call: Called, made: Searched) -> Text:
    given = echo.arguments(call)
    mode = given.get("output_mode", "files_with_matches")
    page = _page(profile, given, made)
    found = text(made.found, _world(call))
    if mode == "content":
        said = found or phrase(profile, "searched.beyond" if made.beyond else "searched.no_lines")
        return said + (phrase(profile, "searched.paged", page=page) if page else EMPTY)
    if mode == "count":
        return _counted(profile, call, made, page)
    if not made.found:
        if made.beyond:
            said = phrase(profile, "searched.beyond")
            return phrase(profile, "searched.beyond.files", said=said, page=page)
        return phrase(profile, "searched.none")
    holes = {
        "files": _several(profile, "searched.file", computed(str(_count(made)))),
        "found": found,
    }
    if page:
        return phrase(profile, "searched.files.paged", page=page, **holes)
    return phrase(profile, "searched.files", **holes)


def _counted(profile: Profile, call: Called, made: Searched, page: Text) -> Text:
    """Files with how often each has it, and both sums."""
    numbers = [line.rpartition(":")[2] for line in made.found.split("\n") if line]
    total = str(sum(int(number) for number in numbers if number.isdigit()))
    origin = _world(call)
    files = computed(str(len(numbers))) if made.files is None else text(made.files, origin)
    times = computed(total) if made.total is None else text(made.total, origin)
    found = text(made.found, origin)
    said = found or phrase(profile, "searched.beyond" if made.beyond else "searched.no_lines")
    tail = phrase(
        profile,
        "searched.counted",
        times=_several(profile, "searched.time", times),
        files=_several(profile, "searched.file", files),
    )
    paged = phrase(profile, "searched.counted.paged", page=page) if page else EMPTY
    return said + tail + paged


def _page(profile: Profile, given: Mapping[str, object], made: Searched) -> Text:
    """Which part of what was found is shown, where it is a part."""
    limit, offset = _number(given.get("head_limit")), _number(given.get("offset"))
    parts: list[Text] = []
    if made.more:
        most = computed(str(profile.limits["searched.most"] if limit is None else limit))
        parts.append(phrase(profile, "searched.limit", limit=most))
    if offset:
        parts.append(phrase(profile, "searched.offset", offset=computed(str(offset))))
    if len(parts) == 2:
        return phrase(profile, "searched.both", first=parts[0], second=parts[1])
    return parts[0] if parts else EMPTY


def _several(profile: Profile, name: str, count: Text) -> Text:
    """So many of something, in the word for one or for several."""
    word = phrase(profile, name if str(count) == "1" else f"{name}.several")
    return phrase(profile, "searched.number", count=count, word=word)


def _count(made: Searched) -> int:
    return len(made.found.split("\n")) if made.found else 0


def _number(value: object) -> int | None:
    return int(float(value.text)) if isinstance(value, Number) else None
