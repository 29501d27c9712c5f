"""What a recorded text may be where it is sent anew: other paths, another day, other ids."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

type Bound = dict[tuple[str, str], str]
"""By the name of an id and its recorded value: the value it has now."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How recorded values read here; ids are bound as they are met."""

    facts: tuple[tuple[str, str], ...] = ()
    """Recorded value and its value here, longest first: folders, the date, the system."""
    fields: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """The same by the fact's name, for values too short to be looked for in every text."""
    changing: tuple[re.Pattern[str], ...] = ()
    """Texts whose group `now` is another each time: how long a command took."""
    bound: Bound = field(default_factory=dict[tuple[str, str], str])

    @classmethod
    def of(
        cls,
        facts: Iterable[tuple[str, str]],
        fields: Mapping[str, tuple[str, str]] | None = None,
        changing: Iterable[re.Pattern[str]] = (),
    ) -> "Terms":
        """Terms with the values that differ, longest first."""
        differing = {old: new for old, new in facts if old and old != new}
        ordered = sorted(differing.items(), key=lambda pair: (-len(pair[0]), pair[0]))
        return cls(tuple(ordered), dict(fields or {}), tuple(changing))

    def trial(self) -> "Terms":
        """The same terms with bindings of their own, to be kept only where a match succeeds."""
        return replace(self, bound=dict(self.bound))

    def bind(self, name: str, old: str, new: str) -> bool:
        """Note what an id is here; whether it agrees with what it was before."""
        return self.bound.setdefault((name, old), new) == new


_HOLE = re.compile(r"\{([a-z_]+)\}")
_CHANGING = {"seconds": r"[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?", "chunk": "[0-9a-f]{4,12}"}
_ENOUGH = 8
"""Fewest letters around a measure that tell a line of the client's."""


def changing(literals: Iterable[str]) -> Iterator[re.Pattern[str]]:
    """The lines of a client's own sentences that measure something, ready to be looked for."""
    lines = {line for literal in literals for line in literal.split("\n")}
    for line in sorted(lines):
        holes = _HOLE.findall(line)
        if len(_HOLE.sub("", line)) >= _ENOUGH and sum(one in _CHANGING for one in holes) == 1:
            parts = _HOLE.split(line)
            texts = [re.escape(text) for text in parts[::2]]
            names = [_spelled(name) for name in parts[1::2]] + [""]
            yield re.compile("".join(a + b for a, b in zip(texts, names, strict=True)))


def _spelled(name: str) -> str:
    return f"(?P<now>{_CHANGING[name]})" if name in _CHANGING else "[^\n]*?"
