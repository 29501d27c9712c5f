"""The facts of two versions held against each other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from inspector.drift.fact import Aspect, Fact, Subject
from inspector.drift.facts import Facts, count, facts
from inspector.drift.making import Material, conversation, profile_of
from inspector.drift.rules import rules
from inspector.text import Built


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that changed."""

    aspect: Aspect
    name: str
    verdict: str
    """`added`, `removed`, `changed` or `reordered`."""
    host: str
    """`default`, `custom`, or `both`."""
    requests: tuple[int, ...]
    """The requests that show it; none for a rule that this workspace may not show."""
    a: str | None
    b: str | None
    """As the first of these requests shows it."""
    words_a: str | None = None
    words_b: str | None = None


@dataclass(frozen=True, slots=True)
class Size:
    """The bytes of one section of one request in both versions."""

    host: str
    request: int
    section: str
    a: int
    b: int
    estimated: bool
    """Whether words are not at hand, so that the bytes of their escapes are not in it."""


@dataclass(frozen=True, slots=True)
class Drift:
    """What changed between two versions."""

    rows: tuple[Row, ...]
    sizes: tuple[Size, ...]


def drift(
    material: Material, versions: tuple[str, str], hosts: Sequence[str], roots: Mapping[str, str]
) -> Drift:
    """Build both versions on each host and compare them."""
    rows: list[Row] = []
    sizes: list[Size] = []
    for host in hosts:
        a, b = (Sent(conversation(material, version, host), roots) for version in versions)
        found = compare(a, b, host)
        rows += found.rows
        sizes += found.sizes
        told = [dict(rules(profile_of(material, version, host))) for version in versions]
        rows += _changes(told[0], told[1], host, ())
    return Drift(tuple(merged(rows)), tuple(sizes))


@dataclass(frozen=True, slots=True)
class Sent:
    """The requests of a conversation in one version."""

    requests: Sequence[Built]
    roots: Mapping[str, str]
    """Folders by what is shown for them."""

    def facts(self) -> Iterator[Facts]:
        """The facts of each request."""
        before = 0
        for built in self.requests:
            yield facts(built, self.roots, before)
            before = count(built)


def compare(a: Sent, b: Sent, host: str) -> Drift:
    """What two conversations show differently."""
    rows: dict[tuple[Subject, str], Row] = {}
    sizes: list[Size] = []
    pairs = zip_longest(a.facts(), b.facts())
    for number, (one, other) in enumerate(pairs, start=1):
        if one is None or other is None:
            verdict = "added" if one is None else "removed"
            name = f"request {number}"
            row = Row(Aspect.SHAPE, name, verdict, host, (number,), None, None)
            rows[Subject(Aspect.SHAPE, name), verdict] = row
            continue
        changes = _changes(one.values, other.values, host, (number,))
        for row in (*changes, *_orders(one, other, host, number)):
            key = Subject(row.aspect, row.name), row.verdict
            before = rows.get(key)
            rows[key] = row if before is None else _also(before, number)
        sizes += _sizes(one, other, host, number)
    return Drift(tuple(rows.values()), tuple(sizes))


def _also(row: Row, number: int) -> Row:
    return replace(row, requests=(*row.requests, number))


def _changes(
    a: Mapping[Subject, Fact], b: Mapping[Subject, Fact], host: str, requests: tuple[int, ...]
) -> Iterator[Row]:
    for subject in sorted({*a, *b}):
        old, new = a.get(subject), b.get(subject)
        if old is not None and new is not None:
            if not old.same(new):
                yield _row(subject, "changed", host, requests, (old, new))
        elif not (old or new or Fact("")).shared:
            verdict = "removed" if new is None else "added"
            yield _row(subject, verdict, host, requests, (old, new))


def _row(
    subject: Subject,
    verdict: str,
    host: str,
    requests: tuple[int, ...],
    pair: tuple[Fact | None, Fact | None],
) -> Row:
    shown = [None if fact is None else fact.shown for fact in pair]
    words = [None if fact is None else fact.words for fact in pair]
    return Row(subject.aspect, subject.name, verdict, host, requests, *shown, *words)


def _orders(a: Facts, b: Facts, host: str, number: int) -> Iterator[Row]:
    """Names that both have and that stand in another order."""
    for subject, old in a.orders.items():
        new = b.orders.get(subject, ())
        left = [name for name in old if name in new]
        right = [name for name in new if name in old]
        if left != right:
            shown = ", ".join(left), ", ".join(right)
            yield Row(subject.aspect, subject.name, "reordered", host, (number,), *shown)


def _sizes(a: Facts, b: Facts, host: str, number: int) -> Iterator[Size]:
    for section in dict.fromkeys((*a.sizes, *b.sizes)):
        both = a.sizes.get(section, 0), b.sizes.get(section, 0)
        yield Size(host, number, section, *both, a.estimated or b.estimated)


def merged(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows in order; what holds on both hosts is one row."""
    order = list(Aspect)
    found: dict[Row, list[str]] = {}
    for row in rows:
        found.setdefault(replace(row, host=""), []).append(row.host)
    for row in sorted(found, key=lambda one: (order.index(one.aspect), one.name, one.verdict)):
        hosts = found[row]
        yield replace(row, host="both" if len(hosts) > 1 else hosts[0])
