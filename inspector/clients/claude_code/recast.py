"""A call's input as the client writes it again: its own member order, values of the right kind.

The client reads each input as its tool would and keeps what it read, so that is what the model is
shown of its own words from the next request on. Witness: `echo_shapes`.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from inspector.clients.claude_code.javascript import SPACE, cut, units
from inspector.clients.claude_code.plain import items, mapping
from inspector.errors import NotKept
from inspector.jsontext import JSON, Number, dumps, javascript_number, javascript_order, loads
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Raw, Value, text
from inspector.turns import Called
from inspector.workspace import World

UNPARSED = "__unparsedToolInput"
"""The one member of an input that is no JSON."""

_SHORT = {"old_str": "old_string", "new_str": "new_string"}
_INTEGER = re.compile(r"[-+]?[0-9]+")
_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?")
_TRAILING = re.compile(rf"(?:(?![\r\n])[{SPACE}])+(?=\r\n|\n|\r|\Z)")
_FOLDER = re.compile(r"(?:/|[A-Za-z]:[\\/])[^\s\"'`$;&|<>*?(){}\[\]!#]{0,1023}")
_VERBATIM = (".md", ".mdx")
_KEPT = 2048


def written(value: JSON) -> str:
    """A value as JavaScript writes it."""
    return dumps(value, number=javascript_number, order=javascript_order)


def shown(call: Called, source: str) -> Value:
    """The input of a call as it is sent back; what its model did not write so is computed.

    `source` is the model's own text.
    """
    made, origin = parsed(call.input), Origin(Kind.REPLY, call.id)
    said = set(_strings(parsed(source)))
    names = set(_names_in(made))
    if names <= said and all(_is_said(item, source, said) for item in _scalars(made)):
        return Raw(written(made), origin)
    return _told_apart(made, source, said, origin)


def _told_apart(made: JSON, source: str, said: set[str], origin: Origin) -> Value:
    if isinstance(made, dict):
        order = javascript_order(made)
        return {name: _told_apart(made[name], source, said, origin) for name in order}
    if isinstance(made, list):
        return [_told_apart(item, source, said, origin) for item in made]
    if isinstance(made, str):
        if made in said or made in source:
            return text(made, origin)
        for whole in said:
            if _trimmed(whole) == made:
                return text(whole, origin).sub(_TRAILING, lambda _: "")
        return text(made, Origin(Kind.COMPUTED, "recast"))
    kind = origin if _is_said(made, source, said) else Origin(Kind.COMPUTED, "recast")
    return Raw(written(made), kind)


def _is_said(item: JSON, source: str, said: set[str]) -> bool:
    """Whether a value stands in the model's own text as it is written again."""
    return item in said if isinstance(item, str) else written(item) in source


def _scalars(value: JSON) -> Iterator[JSON]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _scalars(item)
    else:
        yield value


def _names_in(value: JSON) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for item in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from _names_in(item)


def _strings(value: JSON) -> Iterator[str]:
    """Every name and string."""
    yield from _names_in(value)
    yield from (item for item in _scalars(value) if isinstance(item, str))


def value(
    profile: Profile, call: Called, world: World, fits: Callable[[Mapping[str, object]], bool]
) -> JSON:
    """The input as plain values; one that does not fit its tool stays as the model wrote it."""
    given = parsed(call.input)
    if not isinstance(given, dict):
        return given
    if call.name == "Read":
        return _with_offset(given)
    rule: Mapping[str, object] | None = profile.values["tool.echo"].get(call.name)
    if call.name == "Edit":
        given = _renamed(given, _SHORT)
    if rule is None or UNPARSED in given or not fits(given):
        return parsed(call.input)
    kinds: Mapping[str, str] = profile.values["tool.inputs"][call.name]
    given = {name: _cast(item, kinds.get(name, "")) for name, item in given.items()}
    made = {**_defaults(rule), **given}
    made = {name: made[name] for name in _names(rule) if name in made}
    if call.name == "Bash":
        return _command(made, world.environment.cwd)
    return _edited(profile, made, world) if call.name == "Edit" else _written(made)


def coerced(call: Called) -> Called:
    """The call as its tool takes it: a few slips of models are put right, but never echoed so."""
    given = parsed(call.input)
    if not isinstance(given, dict) or UNPARSED in given:
        return call
    made = dict(given)
    if call.name == "Read":
        made = _readable(made)
    elif call.name == "Edit":
        made = _renamed(made, {**_SHORT, "path": "file_path"})
        if "replace_name" in made:
            named = made.pop("replace_name")
            made.setdefault("replace_all", named is True or named == "true")
    elif call.name == "Bash":
        made = _renamed(made, {"timeout_ms": "timeout", "command_description": "description"})
    return call if made == given else call.model_copy(update={"input": written(made)})


def _renamed(given: dict[str, JSON], names: Mapping[str, str]) -> dict[str, JSON]:
    out = dict(given)
    for short, whole in names.items():
        if short in out:
            found = out.pop(short)
            out.setdefault(whole, found)
    return out


def _readable(given: dict[str, JSON]) -> dict[str, JSON]:
    """A read without an offset or a count that says nothing."""
    made = {name: item for name, item in given.items() if name not in ("length", "description")}
    for name in ("offset", "limit"):
        item = made.get(name)
        if isinstance(item, list) and len(item) == 1:
            made[name] = item[0]
    if "length" in given and "limit" not in made and (_whole(given["length"]) or 0) > 0:
        made["limit"] = given["length"]
    offset, limit = _whole(made.get("offset")), _whole(made.get("limit"))
    if offset is not None and offset < 0:
        del made["offset"]
    if limit is not None and limit <= 0:
        del made["limit"]
    return made


def _whole(item: JSON) -> float | None:
    if isinstance(item, Number):
        return float(item.text)
    return float(item) if isinstance(item, str) and _INTEGER.fullmatch(item.strip()) else None


def parsed(source: str) -> JSON:
    """An input's JSON; nothing is an empty object, and what is no JSON is kept as text."""
    if not source:
        return {}
    try:
        found = loads(source)
    except ValueError:
        kept = str(cut(text(source, Origin(Kind.COMPUTED, "input")), _KEPT))
        return {UNPARSED: {"raw": kept, "len": Number(str(units(source)))}}
    return {} if found is None else found


def _names(rule: Mapping[str, object]) -> list[str]:
    return [str(name) for name in items(rule["members"])]


def _defaults(rule: Mapping[str, object]) -> dict[str, JSON]:
    return dict(mapping(rule.get("defaults")))


def _cast(item: JSON, kind: str) -> JSON:
    """A number or a truth value that came as a string."""
    kind = kind.rstrip("!")
    if isinstance(item, str) and kind in {"number", "int"}:
        return _number(item)
    if kind == "boolean" and item in ("true", "false"):
        return item == "true"
    return item


def _number(item: str) -> JSON:
    found = item.strip()
    return Number(found.removeprefix("+")) if _NUMBER.fullmatch(found) else item


def _with_offset(given: dict[str, JSON]) -> dict[str, JSON]:
    offset = given.get("offset")
    return {**given, "offset": _number(offset)} if isinstance(offset, str) else given


def _command(made: dict[str, JSON], cwd: str) -> dict[str, JSON]:
    """A command without the way into the folder it is already in."""
    command = str(made["command"])
    if _FOLDER.fullmatch(cwd):
        command = command.removeprefix(f"cd {cwd} && ")
    return {**made, "command": command.replace("\\\\;", "\\;")}


def _written(made: dict[str, JSON]) -> dict[str, JSON]:
    if str(made["file_path"]).lower().endswith(_VERBATIM):
        return made
    return {**made, "content": _trimmed(str(made["content"]))}


def _trimmed(string: str) -> str:
    """Every line without blanks at its end."""
    return _TRAILING.sub("", string)


def _edited(profile: Profile, made: dict[str, JSON], world: World) -> dict[str, JSON]:
    """An edit without blanks at line ends, its old text mended where the file has it otherwise."""
    path, old, new = str(made["file_path"]), str(made["old_string"]), str(made["new_string"])
    tidy = new if path.lower().endswith(_VERBATIM) else _trimmed(new)
    pairs: Mapping[str, str] = profile.values["tool.repairs"]
    mended = old
    used: list[str] = []
    for short, whole in pairs.items():
        used += [short] if short in mended else []
        mended = mended.replace(short, whole)
    if not used and tidy == new:
        return made
    try:
        data = world.tree.read(path)
    except NotKept:
        data = None
    if data is None:
        return made
    content = data.decode("utf-8", "replace").replace("\r\n", "\n")
    if old not in content and mended in content:
        for short in used:
            tidy = tidy.replace(short, pairs[short])
        return {**made, "old_string": mended, "new_string": tidy}
    return {**made, "new_string": tidy}
