"""One skill or legacy command: what its file says."""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from inspector.clients.claude_code import globs, skillnames
from inspector.clients.claude_code.core_yaml import key_text
from inspector.clients.claude_code.frontmatter import document
from inspector.clients.claude_code.javascript import cut, decode, trim_string, units
from inspector.clients.claude_code.shown import shown
from inspector.text import EMPTY, Kind, Origin, Text, text

LINE = 100
"""UTF-16 units of a first line that may stand for a description."""
_SHORT = 8
_NONE = Origin(Kind.COMPUTED, "description")
_MARK = Origin(Kind.COMPUTED, "byte-order mark")
_HEADING = re.compile(r"#+\s+(\S.*)")


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill or legacy command."""

    name: str
    path: str
    body: Text
    values: Mapping[str, Any]
    description: Text
    folder: str | None
    """The skill's own directory; None for a legacy command."""
    source: str
    """`managed`, `user`, `project` or `added`."""
    display: str | None = None
    """The frontmatter's name, where it differs from the folder's."""
    globs: tuple[str, ...] | None = None
    base: str = ""
    when: Text = EMPTY
    """`when_to_use`, which the listing puts behind the description."""
    scope: str | None = None
    """For a skill found below the working directory or in an added one: that folder, as told."""

    @property
    def listed(self) -> bool:
        """Whether the model is told of it at start."""
        return self.shown and self.globs is None

    @property
    def shown(self) -> bool:
        """Whether the model may call it."""
        return not truthy(self.values.get("disable-model-invocation"))

    @property
    def typable(self) -> bool:
        """Whether somebody may type it."""
        return "user-invocable" not in self.values or truthy(self.values["user-invocable"])


def truthy(value: object) -> bool:
    """A frontmatter flag, as the client reads one; a list or a table is none."""
    if not isinstance(value, bool | str | int | float):
        return False
    return key_text(value).strip().lower() in {"true", "1", "yes", "on"}


def skill(name: str, path: str, data: bytes, folder: str | None, source: str) -> Skill:
    """Read a skill (`folder` is its directory) or a legacy command."""
    origin = Origin(Kind.FILE, path)
    whole = text(decode(data), origin)
    front = document(whole)
    if len(front.body) == len(whole) and data.startswith(codecs.BOM_UTF8):
        # Only in front of a head is a byte-order mark dropped (mix_crlf_bom).
        front = replace(front, body=text("\ufeff", _MARK) + whole)
        whole = front.body
    values, head = front.values, whole[: len(whole) - len(front.body)]
    own = path.endswith("/SKILL.md") and "/skills/" in path
    display = values.get("name") if own else None
    other = "" if display is None else key_text(display)
    return Skill(
        name=name,
        path=path,
        body=front.body,
        values=values,
        description=_description(values, head, front.body, own),
        folder=folder,
        source=source,
        display=other if other not in {"", name} and units(other) <= skillnames.LONGEST else None,
        globs=globs.patterns(values.get("paths")) if own else None,
        base=path.partition("/.claude/")[0],
        when=_when(values, head),
    )


def as_written(one: Skill) -> Skill:
    """A skill whose words are shown as its file has them, without a name of its own (2.1.88)."""
    origin = one.body.pieces[0].origin if one.body.pieces else Origin(Kind.FILE, one.path)
    given, said = said_of(one.values.get("description")), one.description
    if given is not None and str(said) != given:
        said = text(given, origin)
    return replace(one, description=said, display=None)


def _description(values: Mapping[str, Any], head: Text, body: Text, own: bool) -> Text:
    said = said_of(values.get("description"))
    if said is not None:
        return _placed(said, head, "description")
    line = first_line(str(body))
    if line is None:
        return text("Skill" if own else "Custom command", Origin(Kind.COMPUTED, "description"))
    if units(line) > LINE:
        end = text("...", Origin(Kind.COMPUTED, "description"))
        return _placed(str(cut(text(line, _NONE), LINE - 3)), body) + end
    return _placed(line, body)


def _when(values: Mapping[str, Any], head: Text) -> Text:
    said = values.get("when_to_use")
    return EMPTY if said is None else _placed(key_text(said), head, "when_to_use")


def _placed(said: str, where: Text, key: str = "") -> Text:
    """A description as it is shown; where it stands so in the file, it keeps its place there."""
    line = shown(said)
    string = str(where)
    after = string.find(f"{key}:") + len(key) + 1 if key else 0
    at = string.find(line, after) if line else -1
    if at < 0 and len(line) > _SHORT:
        # An alias stands elsewhere than its anchor.
        at = string.find(line)
    if at >= 0:
        return where[at : at + len(line)]
    # What is re-written (escapes, invisible characters, brackets) has offsets of its own.
    return text(line, where.pieces[0].origin if where.pieces else _NONE)


def said_of(value: object) -> str | None:
    """A description as a head gives it; None where it gives none."""
    if isinstance(value, str):
        return trim_string(value) or None
    return key_text(value) if isinstance(value, bool | int | float) else None


def first_line(body: str) -> str | None:
    """The first line that is not empty; of a heading its words."""
    for line in body.split("\n"):
        stripped = trim_string(line)
        if stripped:
            match = _HEADING.fullmatch(stripped)
            return match[1] if match else stripped
    return None
