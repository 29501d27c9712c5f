"""What the texts of a request say, where they stand, and how much of a source is in them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from inspector.drift.fact import Aspect, Fact, Subject, known
from inspector.drift.labels import Labels
from inspector.segments import Prompt
from inspector.text import Kind, Known, Mask, Origin
from inspector.verify import Place

_SOURCES = {
    Kind.FILE: "file",
    Kind.LISTING: "MCP server",
    Kind.FACT: "fact",
    Kind.COMPUTED: "computed",
    Kind.PROMPT: "prompt",
    Kind.HOOK: "hook",
    Kind.FILE_NOT_KEPT: "file not kept",
}
_MEASURED = frozenset({Kind.FILE, Kind.LISTING, Kind.HOOK, Kind.FILE_NOT_KEPT})
_NAMELESS = frozenset({Kind.PROMPT, Kind.HOOK})
_SAID = {Kind.LITERAL: "", Kind.COMPUTED: "computed ", Kind.FACT: "fact "}


def told(
    prompt: Prompt, spots: Sequence[Place], labels: Labels, roots: Mapping[str, str]
) -> Iterator[tuple[Subject, Fact]]:
    """The facts of all texts outside the tools; `roots` are folders by what is shown for them."""
    found = _Found(labels, roots)
    walked = prompt.root.walk()
    strings = {path: node.string for path, node in walked if node.kind == "string"}
    for spot in spots:
        found.add(spot, strings.get(spot.path, "")[spot.start : spot.end])
    yield from found.facts()


@dataclass(slots=True)
class _Found:
    labels: Labels
    roots: Mapping[str, str]
    where: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    measured: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    said: dict[str, dict[str, None]] = field(default_factory=dict[str, dict[str, None]])
    joints: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    known: dict[str, Fact] = field(default_factory=dict[str, Fact])

    def add(self, spot: Place, words: str) -> None:
        """Take a run of text in."""
        origin, label = spot.origin, self.labels.label(spot.path)
        if self.labels.segment(spot.path) is None or isinstance(origin, Mask) or _number(origin):
            return
        source = _source(origin, self.roots)
        if source:
            self.where.setdefault(source, set()).add(label)
        if isinstance(origin, Known):
            self.known[origin.name] = known(origin, None if spot.sealed else words)
        elif origin.kind in _MEASURED:
            self.measured.setdefault(f"{source} in {label}", []).append(words)
        elif origin.kind in _SAID:
            said = self.said.setdefault(f"{_SAID[origin.kind]}{origin.name}", {})
            said[shortened(words, self.roots)] = None
        elif origin.kind is Kind.STRUCTURE and not words.strip():
            self.joints.setdefault(f"joints in a {label}", set()).add(repr(words))

    def facts(self) -> Iterator[tuple[Subject, Fact]]:
        """All that was found."""
        for name, fact in self.known.items():
            yield Subject(Aspect.TEXT, name), fact
        for source, found in self.where.items():
            yield Subject(Aspect.PLACEMENT, source), Fact("; ".join(sorted(found)))
        for source, parts in self.measured.items():
            shown = f"{sum(map(len, parts)):,} characters"
            yield Subject(Aspect.BUDGETS, source), Fact(shown, detail="\0".join(parts))
        for name, said in self.said.items():
            joint = ", " if name.startswith(_SAID[Kind.COMPUTED]) else "…"
            yield Subject(Aspect.TEXT, name), Fact(joint.join(said))
        for name, joints in self.joints.items():
            yield Subject(Aspect.TEXT, name), Fact(", ".join(sorted(joints)), shared=True)


def _number(origin: Origin) -> bool:
    """Whether it only tells the version's own number."""
    return (origin.kind, origin.name) == (Kind.FACT, "version")


def _source(origin: Origin, roots: Mapping[str, str]) -> str:
    """Whose text it is: a mechanism of the client by the first word of its name."""
    if origin.kind in {Kind.KNOWN, Kind.LITERAL}:
        return f"mechanism {origin.name.partition('.')[0]}"
    if origin.kind not in _SOURCES:
        return ""
    name = "" if origin.kind in _NAMELESS else shortened(origin.name, roots)
    return f"{_SOURCES[origin.kind]} {name}".strip()


def shortened(words: str, roots: Mapping[str, str]) -> str:
    """A text with paths as seen from the workspace or the home."""
    for folder, shown in roots.items():
        words = words.replace(folder, shown)
    return words
