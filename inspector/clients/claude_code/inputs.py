"""Calls whose input the client refuses before anything runs, and the words it refuses them with.

Witness: `input_errors`. The parameters of each tool are profile data (`tool.inputs`): name, type,
and `!` for one that is required; kinds of faults beyond these are not modelled.
"""

import re
import unicodedata
from collections.abc import Mapping

from inspector.clients.claude_code import echo, recast
from inspector.clients.claude_code.javascript import trim_string, units
from inspector.clients.claude_code.phrase import computed, lines, phrase, template
from inspector.clients.claude_code.plain import mapping
from inspector.jsontext import Number, javascript_order
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.turns import Called
from inspector.workspace import World

_SPELLED = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?")
_CALLED = {"int": "number"}
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_BLANKS = frozenset(
    {0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFFA0}
    | {*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9)}
    | {*range(0xE0000, 0xE1000)}
)
_LOOKALIKES = {"`": "'", "<": "\u2039", ">": "\u203a"}


def recasted(profile: Profile, call: Called, world: World) -> Called:
    """The call with its input as the client writes it from then on."""
    wanted: Mapping[str, str] = profile.values["tool.inputs"].get(call.name, {})
    value = recast.value(profile, call, world, lambda given: not _wrong(wanted, given))
    return call.model_copy(update={"input": recast.written(value)})


def refusal(profile: Profile, call: Called) -> Text | None:
    """The error for an input that does not fit the tool; None for one that does."""
    tool = text(call.name, Origin(Kind.REPLY, call.id))
    given = echo.arguments(call)
    if recast.UNPARSED in given:
        return _unparsed(profile, tool, given[recast.UNPARSED], call)
    wanted: Mapping[str, str] | None = profile.values["tool.inputs"].get(call.name)
    if wanted is None:
        return None
    faults = _faults(profile, wanted, given, Origin(Kind.REPLY, call.id))
    if not faults:
        return None
    name = "input.refused" if len(faults) == 1 else "input.refused.several"
    return phrase(profile, name, tool=tool, faults=lines(faults))


def _unparsed(profile: Profile, tool: Text, found: object, call: Called) -> Text:
    """The error for an input that is no JSON; some of its characters stand for others."""
    kept = mapping(found)
    raw, length = str(kept.get("raw", "")), getattr(kept.get("len"), "text", "")
    shown, taken = "", 0
    for char in raw:
        made = _visible(char)
        if units(shown) + units(made) > profile.limits["input.shown"]:
            break
        shown, taken = shown + made, taken + units(char)
    origin = Origin(Kind.REPLY, call.id)
    return template(
        profile,
        "input.unparsed",
        tool=tool,
        taken=computed(str(taken), "taken"),
        length=computed(length, "length"),
        shown=text(shown, origin),
    )


def _visible(char: str) -> str:
    """A character as an error shows it."""
    if unicodedata.category(char) in _HIDDEN or ord(char) in _BLANKS:
        return f"\\u{{{ord(char):X}}}"
    return _LOOKALIKES.get(char, char)


def _named(name: str) -> str:
    """A parameter's name as an error shows it: blanks around it are made visible."""
    inner = trim_string(name)
    start = name.find(inner) if inner else len(name)
    edges = [f"\\u{{{ord(c):X}}}" for c in name[:start]]
    tail = [f"\\u{{{ord(c):X}}}" for c in name[start + len(inner) :]]
    return "".join([*edges, *map(_visible, inner), *tail])


def _wrong(wanted: Mapping[str, str], given: Mapping[str, object]) -> bool:
    missing = any(kind.endswith("!") and name not in given for name, kind in wanted.items())
    odd = any(name not in wanted for name in given)
    return missing or odd or bool(_misfits(wanted, given))


def _misfits(wanted: Mapping[str, str], given: Mapping[str, object]) -> list[tuple[str, str, str]]:
    """Name, kind expected and kind found of each value of a wrong kind."""
    out: list[tuple[str, str, str]] = []
    for name, kind in wanted.items():
        if name in given:
            expected, found = kind.rstrip("!"), _kind(given[name])
            if not _fits(expected, found, given[name]):
                fraction = expected == "int" and found == "number"
                out.append((name, expected if fraction else _CALLED.get(expected, expected), found))
    return out


def _faults(
    profile: Profile, wanted: Mapping[str, str], given: Mapping[str, object], reply: Origin
) -> list[Text]:
    missing = [name for name, kind in wanted.items() if kind.endswith("!") and name not in given]
    odd = [name for name in javascript_order(given) if name not in wanted]
    out = [phrase(profile, "input.missing", name=computed(name, "parameter")) for name in missing]
    out += [phrase(profile, "input.unexpected", name=text(_named(name), reply)) for name in odd]
    for name, expected, found in _misfits(wanted, given):
        holes = {"name": name, "expected": expected, "found": found}
        made = {key: computed(value, "parameter") for key, value in holes.items()}
        out.append(phrase(profile, "input.type", **made))
    return out


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    names = {str: "string", Number: "number", list: "array", dict: "object"}
    return next((name for kind, name in names.items() if isinstance(value, kind)), "unknown")


def _fits(expected: str, found: str, value: object) -> bool:
    """Whether a value is taken; one written as a string is, where it spells the type."""
    if isinstance(value, str) and expected in {"number", "int"}:
        spelled = _SPELLED.fullmatch(value.strip())
        return spelled is not None and (expected == "number" or float(value) == int(float(value)))
    if isinstance(value, Number) and expected == "int":
        return float(value.text) == int(float(value.text))
    if isinstance(value, str) and expected == "boolean":
        return value in {"true", "false"}
    return expected == found
