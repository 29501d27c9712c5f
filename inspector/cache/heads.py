"""How texts begin that a client makes of its own parts; from its profile."""

from collections.abc import Mapping

from inspector import profiles

type Heads = Mapping[str, tuple[str, ...]]
"""By the rule that tells a change of such a text."""

_LITERALS: Mapping[str, tuple[str, ...]] = {
    "RULE-CHANGED": ("memory", "memory.nested", "memory.changed", "agents.head", "agents.replaced"),
    "SKILL-LISTING": ("skills", "skill.discovered", "skills.open"),
    "MCP-INSTRUCTIONS": ("mcp.instructions", "mcp.gone"),
    "GITSTATUS": ("git", "account.git"),
}
WORDS: Mapping[str, str] = {
    "RULE-CHANGED": "the rules say something else",
    "SKILL-LISTING": "the list of skills changed",
    "MCP-INSTRUCTIONS": "what servers say of themselves changed",
    "GITSTATUS": "the state of git changed",
}
LONGEST = 60
SHORTEST = 12
"""Characters of a head that is told from the user's own words."""


def heads(client: str, version: str) -> Heads:
    """The heads of one client version, or of the nearest known one."""
    profile = profiles.resolve(profiles.find(client, version), {})
    return {
        rule: tuple(
            head
            for name in names
            if (literal := profile.literals.get(name)) is not None
            and len(head := literal.partition("{")[0][:LONGEST]) >= SHORTEST
        )
        for rule, names in _LITERALS.items()
    }


def part(heads: Heads, text: str, at: int) -> str:
    """The rule of the text that a place in `text` is in; empty: of none."""
    before = text[: at + LONGEST]
    found = {
        before.rfind(head): rule
        for rule, known in heads.items()
        for head in known
        if head in before
    }
    return found[max(found)] if found else ""
