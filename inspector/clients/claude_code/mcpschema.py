"""The schema of an MCP tool as the client sends it: alternatives flattened, refusals foreseen.

The API takes no `oneOf`, `anyOf` or `allOf` at the top of a schema: the client merges the branches'
properties and says in words what they asked for. What the API would refuse all the same is left out
and told to the model (Claude Code 2.1.332, `mcp_schemas`, `mcp_odd_tools`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from inspector.clients.claude_code import metaschema
from inspector.clients.claude_code.javascript import SPACE, cut, units
from inspector.clients.claude_code.phrase import computed, phrase
from inspector.clients.claude_code.plain import is_mapping, items, mapping
from inspector.jsontext import JSON, dumps, javascript_order, quote
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text

_KEY = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_COMBINERS = ("anyOf", "oneOf", "allOf")
_KEPT = ("$defs", "definitions", "$schema", "additionalProperties", "description", "title")
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_DEFINED = re.compile(r"#/(\$defs|definitions)/([^/]+)")
_SHOWN = 80
_DEEPEST = 64
_QUOTES = re.compile(r'[<>";\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb]')
_SPACES = re.compile(f"[{SPACE}]+")
_TOLD = 200


@dataclass(frozen=True, slots=True)
class Judged:
    """What is sent of a schema, what is said of it, or why its tool is left out."""

    schema: dict[str, JSON]
    said: Text | None = None
    """What stands before the description."""
    dropped: bool = False
    reason: Text | None = None
    """Why the API would refuse it; of a tool that is left out the model is told so."""


def judged(
    profile: Profile,
    schema: dict[str, JSON],
    origin: Origin,
    named: AbstractSet[str] = frozenset(),
) -> Judged:
    """The verdict on a cleaned schema; `named` are the flags that name its server's host."""
    combiners = profile.switches["mcp.combiners"]
    if combiners == "hosts":
        combiners = "flat" if "combiners" in named else "refused"
    schemas = profile.switches["mcp.schemas"]
    if schemas == "hosts":
        schemas = "judged" if "schemas" in named else "any"
    judge = _Judge(profile, flat=combiners == "flat", strict=schemas == "judged")
    alternatives = "anyOf" in schema or "oneOf" in schema
    found = judge.judged(schema, origin, every=alternatives)
    if alternatives and (found.dropped or _mixed(found.schema)):
        return judge.judged(schema, origin, every=False)
    return found


@dataclass(frozen=True, slots=True)
class _Judge:
    profile: Profile
    flat: bool
    """Whether alternatives are flattened rather than refused."""
    strict: bool
    """Whether what the API would refuse is left out."""

    def judged(self, schema: dict[str, JSON], origin: Origin, *, every: bool) -> Judged:
        combiners = [name for name in _COMBINERS if name in schema]
        if any(not isinstance(schema[name], list) for name in combiners):
            return Judged(schema, dropped=True)
        if combiners and not self.flat:
            return Judged(schema, dropped=True)
        said = _said(self.profile, schema, combiners, origin) if combiners else None
        sent = _flat(schema, combiners, every=every) if combiners else schema
        reason = _refused(self.profile, sent, origin)
        if reason is not None and not every and not self.strict:
            return Judged(sent, said, reason=reason)
        return Judged(sent, said, dropped=reason is not None, reason=reason)


def _flat(schema: dict[str, JSON], combiners: Sequence[str], *, every: bool) -> dict[str, JSON]:
    """One object schema with the properties of all branches."""
    properties: dict[str, JSON] = {}
    several: dict[str, list[JSON]] = {}
    _take(properties, schema.get("properties"))
    for name in combiners:
        for branch in _branches(schema, name):
            each = several if every and name != "allOf" else None
            _take(properties, mapping(branch).get("properties"), each)
    for key, found in several.items():
        different = list({dumps(value): value for value in found}.values())
        if len(different) > 1:
            strings = [value for value in different if mapping(value).get("type") == "string"]
            rest = [value for value in different if mapping(value).get("type") != "string"]
            properties[key] = {"anyOf": [*strings, *rest]}
    required = dict.fromkeys(_required(schema, every=every))
    needed: list[JSON] = [name for name in required if name in properties]
    out: dict[str, JSON] = {"type": "object", "properties": properties, "required": needed}
    out |= {name: schema[name] for name in _KEPT if name in schema}
    return out if "additionalProperties" in out else {**out, "additionalProperties": True}


def _take(
    properties: dict[str, JSON], found: object, several: dict[str, list[JSON]] | None = None
) -> None:
    """Add a branch's properties: the first of a name is kept, all of them are noted."""
    offered = mapping(found)
    for key in javascript_order(offered):
        value = offered[key]
        if not _KEY.fullmatch(key) or not is_mapping(value):
            continue
        if key not in properties:
            properties[key] = value
            if several is not None:
                several[key] = [value]
        elif several is not None and key in several:
            several[key].append(value)


def _required(schema: dict[str, JSON], *, every: bool) -> Iterator[str]:
    yield from _names(schema.get("required"))
    for branch in _branches(schema, "allOf"):
        yield from _names(mapping(branch).get("required"))
    for name in ("anyOf", "oneOf") if every else ():
        branches = _branches(schema, name)
        lists = [
            list(dict.fromkeys(_names(mapping(branch).get("required")))) for branch in branches
        ]
        counts: dict[str, int] = {}
        for index, names in enumerate(lists):
            for needed in names:
                if counts.get(needed, 0) == index:
                    counts[needed] = index + 1
        yield from (needed for needed, count in counts.items() if count == len(lists))


def _names(value: object) -> list[str]:
    return [name for name in items(value) if isinstance(name, str)]


def _branches(schema: dict[str, JSON], name: str) -> list[JSON]:
    """The branches of a combiner, each that only names a definition replaced by it."""
    found = schema.get(name)
    out: dict[int, JSON] = {}
    for branch in found if isinstance(found, list) else []:
        resolved = _resolved(schema, branch)
        out.setdefault(id(resolved), resolved)
    return list(out.values())


def _resolved(schema: dict[str, JSON], branch: JSON) -> JSON:
    named = mapping(branch).get("$ref")
    match = _DEFINED.fullmatch(named) if isinstance(named, str) else None
    found = mapping(schema.get(match[1])).get(match[2]) if match else None
    return found if is_mapping(found) else branch


def _said(
    profile: Profile, schema: dict[str, JSON], combiners: Sequence[str], origin: Origin
) -> Text:
    name = next((one for one in ("oneOf", "anyOf") if one in combiners), None)
    if name is None:
        return phrase(profile, "mcp.flat.all")
    groups = [group for branch in _branches(schema, name) if (group := _group(branch))]
    if not groups:
        return phrase(profile, f"mcp.flat.{name}.some")
    listed = " or ".join(f"({group})" for group in dict.fromkeys(groups))
    return phrase(profile, f"mcp.flat.{name}", groups=text(listed, origin))


def _group(branch: JSON) -> str | None:
    """The parameters of one branch: those it requires, else those it describes."""
    needed = items(mapping(branch).get("required"))
    names = _names(needed)
    if names and len(names) == len(needed):
        return ", ".join(names)
    described = mapping(mapping(branch).get("properties"))
    return ", ".join(javascript_order(described)) or None


def _mixed(schema: Mapping[str, JSON]) -> bool:
    """Whether a list that should hold names holds something else, or the schema is too deep."""
    waiting: list[tuple[object, int]] = [(schema, 1)]
    while waiting:
        value, depth = waiting.pop()
        lists = [items(mapping(value).get(name)) for name in ("required", "type")]
        if depth > _DEEPEST or any(1 < len(one) != len(_names(one)) for one in lists):
            return True
        inside = [*mapping(value).values(), *items(value)]
        waiting += [(entry, depth + 1) for entry in inside if isinstance(entry, dict | list)]
    return False


def _refused(profile: Profile, schema: dict[str, JSON], origin: Origin) -> Text | None:
    """Why the API would refuse a schema, in the client's words."""
    for key in javascript_order(mapping(schema.get("properties"))):
        if not _KEY.fullmatch(key):
            return phrase(profile, "mcp.refused.key", key=text(quote(key[:_SHOWN]), origin))
    draft = schema.get("$schema")
    if draft is not None and draft not in {_DRAFT, f"{_DRAFT}#"}:
        return None
    found = metaschema.fault(metaschema.members(schema))
    if found is None:
        return None
    path, name, detail = found
    fault = phrase(profile, f"mcp.refused.{name}", detail=computed(detail, "schema"))
    return phrase(profile, "mcp.refused", path=text(path, origin), fault=fault)


def tidied(said: Text, most: int = _TOLD) -> Text:
    """A text somebody else wrote, as the client quotes it: one line, no quotes, cut."""
    origin = Origin(Kind.COMPUTED, "quoted")
    blank = text(" ", origin)
    plain = said.sub(_QUOTES, lambda _: blank).sub(_SPACES, lambda _: blank).strip(" ")
    return plain if units(str(plain)) <= most else cut(plain, most) + text("…", origin)
