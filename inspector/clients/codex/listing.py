"""The skills block of the developer message: roots, lines, and the budget that shortens them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from inspector.clients.codex.config import Config
from inspector.clients.codex.fill import computed, fact, fill
from inspector.clients.codex.frontmatter import head
from inspector.clients.codex.shorten import TOKEN
from inspector.clients.codex.skills import Root, Skill
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Known, Origin, Text, text
from inspector.text import join as joined


@dataclass(frozen=True, slots=True)
class _Line:
    skill: Skill
    path: str

    def minimum(self, profile: Profile) -> Text:
        """The line without its description."""
        return self.render(EMPTY, profile)

    def render(self, description: Text, profile: Profile) -> Text:
        """The line with a description, or as much of one as fits."""
        template = "skills.line" if description else "skills.line_bare"
        holes = {
            "name": self.skill.name,
            "description": description,
            "path": computed("skill.path", self.path),
        }
        return fill(profile.literal(template), holes)


def block(skills: Sequence[Skill], roots: Sequence[Root], profile: Profile) -> Text:
    """The whole skills block; empty where nothing is listed."""
    numbers, lines = _lines(skills, roots, profile)
    if not lines:
        return EMPTY
    table: list[Text] = []
    if _aliased(profile):
        table = [_root_line(number, root, profile) for root, number in numbers.items()]
        table.insert(0, profile.literal("skills.roots_head"))
    fitted = [line for line in _within_budget(lines, profile) if line is not None]
    usage = EMPTY
    if profile.switches["skills.usage"] == "shown":
        usage = profile.literal("skills.usage_head") + profile.known("skills.usage")
        usage += profile.literal("newline")
    return joined(
        EMPTY,
        [
            profile.literal("skills.open"),
            profile.known("skills.intro"),
            *table,
            profile.literal("skills.lines_head"),
            *(line + profile.literal("newline") for line in fitted),
            usage,
            profile.literal("skills.close"),
        ],
    )


def windowed(config: Config, profile: Profile) -> Profile:
    """The profile with the context window that the user's configuration gives, if it does."""
    window = config.integer("model_context_window", profile.limits["context_window"])
    return profile.model_copy(update={"limits": {**profile.limits, "context_window": window}})


def shortened(
    skills: Sequence[Skill], roots: Sequence[Root], profile: Profile
) -> Iterator[tuple[Skill, str]]:
    """The skills that the budget cuts, and what is left of each."""
    lines = _lines(skills, roots, profile)[1]
    for line, fitted in zip(lines, _within_budget(lines, profile), strict=True):
        whole = _chars(line.render(line.skill.description, profile))
        least = _chars(line.minimum(profile))
        size = whole if fitted is None else _chars(fitted)
        if fitted is None:
            yield line.skill, "it is left out"
        elif size == least < whole:
            yield line.skill, "only its name is told"
        elif size < whole:
            said = len(_plain(line.skill))
            yield line.skill, f"{said - whole + size:,} of {said:,} characters are told"


def asked(skills: Sequence[Skill], roots: Sequence[Root], profile: Profile) -> tuple[int, int, str]:
    """What the whole lines cost, how much they may, and in which unit."""
    lines = _lines(skills, roots, profile)[1]
    limit, unit = _budget(lines, profile)
    whole = [line.render(line.skill.description, profile) for line in lines]
    return sum(_cost(_chars(line), _bytes(line), unit) for line in whole), limit, unit


def _budget(lines: Sequence[_Line], profile: Profile) -> tuple[int, str]:
    """How much the lines may take, and of what.

    What the table of roots has over some bytes is taken from it (witness: mix_window, and five
    more windows with tables of 151 to 221 bytes).
    """
    if not profile.limits["context_window"]:
        return profile.limits["skills.characters"], "characters"
    roots = dict.fromkeys(line.skill.root for line in lines)
    table = sum(_bytes(_root_line(n, root, profile)) for n, root in enumerate(roots))
    over = max(table - profile.limits["skills.table"], 0) // TOKEN if _aliased(profile) else 0
    return max(profile.limits["context_window"] * 2 // 100 - over, 1), "tokens"


def _aliased(profile: Profile) -> bool:
    """Whether paths begin with a root's short name (0.151 on)."""
    return profile.switches["skills.paths"] == "aliased"


def _lines(
    skills: Sequence[Skill], roots: Sequence[Root], profile: Profile
) -> tuple[Mapping[Root, int], Sequence[_Line]]:
    """The roots that are used with their numbers, and the lines before they are made to fit."""
    shown = [skill for skill in skills if skill.listed]
    used = [root for root in roots if any(skill.root == root for skill in shown)]
    numbers = {root: number for number, root in enumerate(used)}
    if not _aliased(profile):
        return numbers, [_Line(s, s.path) for s in shown]
    return numbers, [_Line(s, f"r{numbers[s.root]}/{s.relative}") for s in shown]


def _root_line(number: int, root: Root, profile: Profile) -> Text:
    holes = {"number": computed("skills.root", str(number)), "path": fact("skills.root", root.path)}
    return fill(profile.literal("skills.root_line"), holes)


def _within_budget(lines: Sequence[_Line], profile: Profile) -> Sequence[Text | None]:
    """The lines as they fit into two hundredths of the context window; None: left out.

    Witness: 304 skills in a window of 500,000 tokens came out byte for byte this way (0.171).
    """
    whole = [line.render(line.skill.description, profile) for line in lines]
    limit, unit = _budget(lines, profile)
    if profile.switches["skills.budget"] == "none":
        return whole
    if sum(_cost(_chars(line), _bytes(line), unit) for line in whole) <= limit:
        return whole
    bare = [line.minimum(profile) for line in lines]
    costs = [_cost(_chars(line), _bytes(line), unit) for line in bare]
    if sum(costs) > limit:
        return _bare_lines(bare, costs, limit)
    shares = _shares(lines, bare, limit - sum(costs), unit)
    return [
        line.render(_cut(line.skill, share), profile)
        for line, share in zip(lines, shares, strict=True)
    ]


def _bare_lines(bare: Sequence[Text], costs: Sequence[int], limit: int) -> Sequence[Text | None]:
    kept: list[Text | None] = []
    for line, cost in zip(bare, costs, strict=True):
        fits = cost <= limit
        kept.append(line if fits else None)
        limit -= cost * fits
    return kept


def _shares(lines: Sequence[_Line], bare: Sequence[Text], left: int, unit: str) -> list[int]:
    """How many characters of each description fit: one a round for each skill, in order."""
    strings = [_plain(line.skill) for line in lines]
    given = [0] * len(lines)
    sizes = [(_chars(line), _bytes(line)) for line in bare]
    costs = [_cost(*size, unit) for size in sizes]
    changed = True
    while changed:
        changed = False
        for index, string in enumerate(strings):
            if given[index] >= len(string):
                continue
            chars, size = sizes[index]
            # The space before a description is counted with its first character.
            first = 0 if given[index] else 1
            step = chars + 1 + first, size + len(string[given[index]].encode()) + first
            cost = _cost(*step, unit)
            if cost - costs[index] <= left:
                left -= cost - costs[index]
                given[index], sizes[index], costs[index] = given[index] + 1, step, cost
                changed = True
    return given


def _plain(skill: Skill) -> str:
    """The description's characters; stand-ins of the right number for a sealed one."""
    origin = skill.description.pieces[0].origin if skill.description else None
    return "x" * origin.chars if isinstance(origin, Known) else str(skill.description)


def _cut(skill: Skill, share: int) -> Text:
    origin = skill.description.pieces[0].origin if skill.description else None
    if not isinstance(origin, Known):
        return skill.description[:share]
    if share == origin.chars:
        return skill.description
    if not share:
        return EMPTY
    # Part of a text whose words are not in this repository: the skill's own file has them, where
    # an earlier run of the client left it.
    written = head(skill.written or EMPTY, skill.path)
    if written is not None and len(written.description) == origin.chars:
        return written.description[:share]
    return text("⟦adopted⟧", Origin(Kind.ADOPTED, f"the first {share} characters of {origin.name}"))


def _chars(line: Text) -> int:
    return sum(p.origin.chars if isinstance(p.origin, Known) else len(p.text) for p in line.pieces)


def _bytes(line: Text) -> int:
    # Client descriptions are ASCII in every version seen, so their bytes are their characters.
    return sum(
        p.origin.chars if isinstance(p.origin, Known) else len(p.text.encode()) for p in line.pieces
    )


def _cost(chars: int, size: int, unit: str) -> int:
    return chars + 1 if unit == "characters" else (size + 1 + 3) // 4
