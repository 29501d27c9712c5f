"""What ToolSearch finds: deferred tools asked for by name, or ranked by words.

Witness: Claude Code 2.1.332, `tool_search` and `tool_search_words` (75 searches).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from inspector.clients.claude_code import echo
from inspector.clients.claude_code.javascript import SPACE, cut_string, trim_string
from inspector.clients.claude_code.mcp import part_of_name
from inspector.clients.claude_code.tools import Pool
from inspector.jsontext import Number
from inspector.profiles import Profile
from inspector.turns import Called

_SELECT = re.compile(r"select:([^\n\r\u2028\u2029]+)", re.IGNORECASE)
_SPACES = re.compile(f"[{SPACE}]+")
_PARTS = re.compile(f"[{SPACE}_.]+")
_HUMP = re.compile("([a-z])([A-Z])")
_SERVERS = "mcp__"


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome of a search."""

    names: tuple[str, ...]
    at_hand: tuple[str, ...] = ()
    """Tools of that name that need no search."""
    known: bool = True
    """Whether the ranking is certain: the words of every tool's description are known."""


def found(profile: Profile, pool: Pool, call: Called) -> Found:
    """What a call of ToolSearch finds."""
    query = _cut(profile, echo.argument(call, "query") or "")
    candidates = _candidates(profile, pool)
    selected = _SELECT.fullmatch(query)
    if selected is not None:
        names = [trim_string(name) for name in selected[1].split(",")]
        several = [match for name in names if name for match in _named(profile, pool, name)]
        return Found(tuple(dict.fromkeys(several)))
    most = _most(profile, echo.arguments(call).get("max_results"))
    exact = _exact([*(one.name for one in candidates), *_every(pool)], trim_string(query))
    if exact is not None:
        return Found((exact,))
    ranked, known = _ranked(candidates, trim_string(query).lower(), most)
    return Found(ranked, _at_hand(profile, pool, trim_string(query), candidates), known)


@dataclass(frozen=True)
class _Candidate:
    """A deferred tool as the ranking sees it."""

    name: str
    parts: tuple[str, ...]
    coarse: tuple[str, ...]
    server: bool
    hint: str
    text: str | None
    """The description; None where only its words are known."""
    words: frozenset[str] | None
    """The words of the description, and its runs without a blank that hold several; None where
    they are not known."""

    @cached_property
    def full(self) -> str:
        return " ".join(self.parts)

    def says(self, term: str) -> bool:
        """Whether the description holds a term between the borders of words."""
        if self.text is not None:
            return _bounded(term, self.text)
        # A term holds no blank, so it stands within one run without blanks or nowhere.
        return any(_bounded(term, run) for run in self.words or () if term in run)

    @property
    def certain(self) -> bool:
        """Whether it is known what `says` says."""
        return self.text is not None or self.words is not None

    def fits(self, term: str) -> bool:
        """Whether a term that must be there is."""
        named = any(term in part for part in (*self.parts, *self.coarse))
        return named or self.says(term) or _bounded(term, self.hint)

    def score(self, terms: Iterable[str]) -> int:
        total = 0
        for term in terms:
            if term in self.parts:
                total += 12 if self.server else 10
            elif any(term in part for part in self.parts):
                total += 6 if self.server else 5
            if term in self.coarse:
                total += 12 if self.server else 10
            elif any(term in part for part in self.coarse):
                total += 4 if self.server else 3
            if term in self.full and not total:
                total += 3
            total += 4 if _bounded(term, self.hint) else 0
            total += 2 if self.says(term) else 0
        return total


def _bounded(term: str, string: str) -> bool:
    return re.search(rf"\b{re.escape(term)}\b", string, re.ASCII) is not None


def _ranked(
    candidates: Sequence[_Candidate], query: str, most: int
) -> tuple[tuple[str, ...], bool]:
    if query.startswith(_SERVERS) and len(query) > len(_SERVERS):
        named = [one.name for one in candidates if one.name.lower().startswith(query)][:most]
        if named:
            return tuple(named), True
    words = [word for word in _SPACES.split(query) if word]
    needed = [word[1:] for word in words if word.startswith("+") and len(word) > 1]
    others = [word for word in words if not (word.startswith("+") and len(word) > 1)]
    terms = [*needed, *others] if needed else words
    known = all(one.certain for one in candidates)
    chosen = [one for one in candidates if all(one.fits(term) for term in needed)]
    scored = [(one.score(terms), one.name) for one in chosen]
    ranked = sorted((entry for entry in scored if entry[0]), key=lambda entry: -entry[0])
    return tuple(name for _, name in ranked[:most]), known


def _candidates(profile: Profile, pool: Pool) -> list[_Candidate]:
    """The deferred tools: the client's own first, then those of servers, each by name."""
    own = sorted(name for name in pool.deferred if not name.startswith(_SERVERS))
    return [*(_own(profile, name) for name in own), *_offered(profile, pool)]


def _own(profile: Profile, name: str) -> _Candidate:
    parts = _SPACES.split(_HUMP.sub(r"\1 \2", name).replace("_", " ").lower())
    words = profile.values.get(f"search.words.{name}")
    return _Candidate(
        name,
        parts=tuple(part for part in parts if part),
        coarse=(name.lower(),),
        server=False,
        hint=profile.values["search.hints"].get(name, "").lower(),
        text=None,
        words=frozenset(" ".join(words).split()) if words is not None else None,
    )


def _offered(profile: Profile, pool: Pool) -> Iterable[_Candidate]:
    limit = profile.limits["search.hint"]
    for tool in pool.servers:
        if tool.name not in pool.deferred:
            continue
        coarse = (tool.server.lower(), tool.tool.lower())
        yield _Candidate(
            tool.name,
            parts=tuple(part for name in coarse for part in _PARTS.split(name) if part),
            coarse=coarse,
            server=True,
            hint=cut_string(tool.hint, limit).lower(),
            text=str(tool.described).lower(),
            words=None,
        )


def _cut(profile: Profile, query: str) -> str:
    """The query as far as it is read: so many characters, so many words or names."""
    query = cut_string(query, profile.limits["search.query"])
    selected = _SELECT.fullmatch(query)
    if selected is None:
        words = _SPACES.split(trim_string(query))
        most = profile.limits["search.words"]
        return query if len(words) <= most else " ".join(words[:most])
    names = selected[1].split(",")[: profile.limits["search.names"]]
    return query[: len(query) - len(selected[1])] + ",".join(names)


def _most(profile: Profile, given: object) -> int:
    """How many are shown, as JavaScript's `slice` takes the number."""
    return int(Decimal(given.text)) if isinstance(given, Number) else profile.limits["search.most"]


def _every(pool: Pool) -> list[str]:
    return [*pool.builtin, *(tool.name for tool in pool.servers)]


def _exact(names: Sequence[str], query: str) -> str | None:
    if query in names:
        return query
    return next((name for name in names if name.lower() == query.lower()), None)


def _named(profile: Profile, pool: Pool, name: str) -> list[str]:
    """Tools of a name: whole, by another name of the client's own, or without the server's."""
    other: Mapping[str, str] = profile.values["search.aliases"]
    if pool.has(name):
        return [name]
    if pool.has(other.get(name, "")):
        return [other[name]]
    return [tool.name for tool in pool.servers if name in {tool.tool, part_of_name(tool.tool)}]


def _at_hand(
    profile: Profile, pool: Pool, query: str, candidates: Sequence[_Candidate]
) -> tuple[str, ...]:
    """Tools that the whole query, or a word of it, names although they are not deferred."""
    words = [word.removeprefix("+") for word in _SPACES.split(query)]
    asked = [query, "_".join(words), *(word for word in words if "_" in word)]
    names = [name for one in asked for name in _named(profile, pool, one)]
    deferred = {one.name for one in candidates}
    return tuple(name for name in dict.fromkeys(names) if name not in deferred)
