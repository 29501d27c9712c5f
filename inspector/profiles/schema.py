"""The profile schema."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from inspector.text import Kind, Known, KnownJson, Mask, Origin, Piece, Text, text

type Region = Literal["told", "context", "reminder", "system", "tool", "own", "none"]
"""Where the text of a mechanism stands.

`told` with what the model is told besides a prompt · `context` a section of the block of memory
files · `reminder` a block of its own before the prompt · `system` in the system prompt · `tool` in
a tool's description · `own` a message of its own · `none` nowhere.
"""


CHOICES: dict[str, tuple[Region, ...]] = {"mention": ("own", "told"), "nested": ("own", "told")}
"""Regions that a mechanism may have and that no bundled profile gives it."""


class _Ours(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class KnownText(_Ours):
    """A long client text, by digest and measures."""

    sha256: str
    bytes: int
    chars: int
    utf16: int
    width: int


class MaskRule(_Ours):
    """A value nobody can rebuild."""

    pattern: str
    limit: int
    recurs: bool = False
    shared: bool = False
    """Whether two masks may have one value; random ids may not."""


class Slot(_Ours):
    """A place in the request and what must hold for it to be filled."""

    part: str
    when: tuple[str, ...] = ()


class Profile(_Ours):
    """The resolved values for one client version and one set of axes."""

    client: str
    version: str
    literals: dict[str, str] = Field(default_factory=dict)
    """Short wire literals: wrappers, headings, separators."""
    lists: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Orders and closed sets of names."""
    limits: dict[str, int] = Field(default_factory=dict)
    switches: dict[str, str] = Field(default_factory=dict)
    """Named variants of behaviour; one small function behind each value."""
    texts: dict[str, KnownText] = Field(default_factory=dict)
    templates: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Texts with holes: `text:NAME` a known text, `literal:NAME` a literal, `{hole}` a value."""
    masks: dict[str, MaskRule] = Field(default_factory=dict)
    slots: dict[str, tuple[Slot, ...]] = Field(default_factory=dict)
    regions: dict[str, Region] = Field(default_factory=dict)
    """Where each mechanism stands that versions put in different places."""
    params: dict[str, Any] = Field(default_factory=dict)
    """JSON constants of the request, keys in wire order."""
    values: dict[str, Any] = Field(default_factory=dict)
    """JSON constants and templates by name; a client module says how it reads each."""
    unordered: tuple[str, ...] = ()
    """JSON pointers of objects whose key order is random on the wire."""

    def told(self, mechanism: str) -> bool:
        """Whether a mechanism stands with what the model is told besides a prompt."""
        return self.regions.get(mechanism, "told") == "told"

    def literal(self, name: str, **holes: str) -> Text:
        """A wire literal as text; `{hole}` is filled from the keyword."""
        string = self.literals[name]
        for key, value in holes.items():
            string = string.replace("{" + key + "}", value)
        return text(string, Origin(Kind.LITERAL, name))

    def known(self, name: str) -> Text:
        """A long client text, sealed."""
        known = self.digest(name)
        return Text((Piece(known.placeholder, known),))

    def known_json(self, name: str) -> KnownJson:
        """A whole JSON value of the client's, sealed."""
        return KnownJson(self.digest(name))

    def digest(self, name: str) -> Known:
        """The origin that names a long client text."""
        entry = self.texts[name]
        return Known(Kind.KNOWN, name, entry.sha256, entry.chars)

    def mask(self, name: str, stand_in: str = "") -> Text:
        """A value nobody can rebuild; the stand-in marks its place until it is matched."""
        rule = self.masks[name]
        origin = Mask(Kind.MASK, name, rule.pattern, rule.limit, rule.recurs, rule.shared)
        return Text((Piece(stand_in or f"⟦mask {name}⟧", origin),))
