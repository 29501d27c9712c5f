"""Calls whose input the client refuses before anything runs, and the words it refuses them with.

Witness: `input_errors`. The parameters of each tool are profile data (`tool.inputs`): name, type,
and `!` for one that is required; kinds of faults beyond these are not modelled.
"""

from collections.abc import Mapping

from inspector.clients.claude_code import echo
from inspector.clients.claude_code.phrase import computed, lines, phrase
from inspector.jsontext import Number
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.turns import Called


def refusal(profile: Profile, call: Called) -> Text | None:
    """The error for an input that does not fit the tool; None for one that does."""
    wanted: Mapping[str, str] | None = profile.values["tool.inputs"].get(call.name)
    if wanted is None:
        return None
    given = echo.arguments(call)
    tool = text(call.name, Origin(Kind.REPLY, call.id))
    faults = _faults(profile, wanted, given, Origin(Kind.REPLY, call.id))
    if not faults:
        return None
    name = "input.refused" if len(faults) == 1 else "input.refused.several"
    return phrase(profile, name, tool=tool, faults=lines(faults))


def _faults(
    profile: Profile, wanted: Mapping[str, str], given: Mapping[str, object], reply: Origin
) -> list[Text]:
    missing = [name for name, kind in wanted.items() if kind.endswith("!") and name not in given]
    odd = [name for name in given if name not in wanted]
    out = [phrase(profile, "input.missing", name=computed(name, "parameter")) for name in missing]
    out += [phrase(profile, "input.unexpected", name=text(name, reply)) for name in odd]
    for name, kind in wanted.items():
        expected, found = kind.rstrip("!"), _kind(given.get(name))
        if name in given and not _fits(expected, found, given[name]):
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
    if isinstance(value, str) and expected == "number":
        return value.strip().replace(".", "", 1).lstrip("-").isdigit()
    if isinstance(value, str) and expected == "boolean":
        return value in {"true", "false"}
    return expected == found
