"""Findings from the client model's own reasons: what the client leaves out, cuts or refuses."""

import re
from collections.abc import Iterator, Mapping

from inspector.clients import Missing
from inspector.lint.finding import Finding, Severity
from inspector.lint.surveyed import Surveyed

_INFO, _WARNING, _ERROR = Severity.INFO, Severity.WARNING, Severity.ERROR
_SKILLS = ("skill", "command", "agent")

BY_REASON: Mapping[tuple[str, str], tuple[str, Severity]] = {
    ("rule", "circle"): ("RULE-NO-FILE", _WARNING),
    ("rule", "cut"): ("AGENTS-CUT", _WARNING),
    ("rule", "denied"): ("RULE-DENIED", _WARNING),
    ("rule", "duplicate"): ("RULE-DUPLICATE", _INFO),
    ("rule", "empty"): ("RULE-EMPTY", _INFO),
    ("rule", "excluded"): ("RULE-EXCLUDED", _INFO),
    ("rule", "folder"): ("RULE-NO-FILE", _WARNING),
    ("rule", "frontmatter"): ("RULE-FRONTMATTER", _WARNING),
    ("rule", "hidden"): ("AGENTS-HIDDEN", _INFO),
    ("rule", "leads-nowhere"): ("RULE-NO-FILE", _WARNING),
    ("rule", "link-outside"): ("RULE-EXTERNAL", _WARNING),
    ("rule", "misplaced"): ("RULE-MISPLACED", _WARNING),
    ("rule", "name-refused"): ("RULE-NAME", _WARNING),
    ("rule", "no-file"): ("RULE-NO-FILE", _WARNING),
    ("rule", "no-markdown"): ("RULE-NAME", _WARNING),
    ("rule", "outside"): ("RULE-EXTERNAL", _WARNING),
    ("rule", "repeated"): ("RULE-DUPLICATE", _INFO),
    ("rule", "too-large"): ("RULE-REFUSED", _WARNING),
    ("rule", "unreadable"): ("RULE-NO-FILE", _WARNING),
    ("import", "absent"): ("RULE-IMPORT-MISSING", _WARNING),
    ("import", "denied"): ("RULE-DENIED", _WARNING),
    ("import", "duplicate"): ("RULE-DUPLICATE", _INFO),
    ("import", "empty"): ("RULE-EMPTY", _INFO),
    ("import", "excluded"): ("RULE-EXCLUDED", _INFO),
    ("import", "leads-nowhere"): ("RULE-IMPORT-MISSING", _WARNING),
    ("import", "link-outside"): ("RULE-IMPORT-UNAPPROVED", _WARNING),
    ("import", "no-text-file"): ("RULE-IMPORT-TYPE", _WARNING),
    ("import", "outside"): ("RULE-IMPORT-UNAPPROVED", _WARNING),
    ("import", "repeated"): ("RULE-DUPLICATE", _INFO),
    ("import", "too-deep"): ("RULE-IMPORT-DEEP", _WARNING),
    ("import", "too-large"): ("RULE-REFUSED", _WARNING),
    **{
        (kind, code): found
        for kind in _SKILLS
        for code, found in {
            "beside-a-pack": ("SKILL-SHADOWED", _WARNING),
            "circle": ("SKILL-NO-FILE", _WARNING),
            "cut": ("SKILL-DESCRIPTION-CUT", _WARNING),
            "duplicate": ("SKILL-DUPLICATE", _INFO),
            "frontmatter": ("SKILL-FRONTMATTER", _WARNING),
            "folder": ("SKILL-NO-FILE", _WARNING),
            "leads-nowhere": ("SKILL-NO-FILE", _WARNING),
            "name-refused": ("SKILL-NAME", _WARNING),
            "name-reserved": ("SKILL-NAME", _WARNING),
            "name-taken": ("SKILL-SHADOWED", _WARNING),
            "no-file": ("SKILL-NO-FILE", _WARNING),
            "no-skill-file": ("SKILL-NO-FILE", _WARNING),
            "not-in-a-folder": ("SKILL-NO-FILE", _WARNING),
            "over-budget": ("SKILL-BUDGET", _WARNING),
            "refused": ("SKILL-FRONTMATTER", _WARNING),
            "unreadable": ("SKILL-NO-FILE", _WARNING),
        }.items()
    },
    ("style", "circle"): ("RULE-NO-FILE", _WARNING),
    ("style", "frontmatter"): ("RULE-FRONTMATTER", _WARNING),
    ("style", "leads-nowhere"): ("RULE-NO-FILE", _WARNING),
    ("style", "no-file"): ("RULE-NO-FILE", _WARNING),
    ("style", "unreadable"): ("RULE-NO-FILE", _WARNING),
    ("file", "frontmatter"): ("RULE-FRONTMATTER", _WARNING),
    ("file", "name-refused"): ("RULE-NAME", _WARNING),
    ("server", "failed"): ("MCP-FAILED", _ERROR),
    ("server", "malformed"): ("MCP-CONFIG", _ERROR),
    ("server", "name-taken"): ("MCP-SHADOWED", _INFO),
    ("server", "no-json"): ("MCP-CONFIG", _ERROR),
    **{
        (kind, code): (rule, _ERROR)
        for kind, rule in (("server", "MCP-CONFIG"), ("settings", "SETTINGS-JSON"))
        for code in ("circle", "folder", "leads-nowhere", "no-file", "unreadable")
    },
    ("settings", "no-json"): ("SETTINGS-JSON", _ERROR),
    ("settings", "no-toml"): ("SETTINGS-TOML", _ERROR),
    ("permission", "malformed"): ("SETTINGS-PERMISSION", _WARNING),
    ("permission", "names-nothing"): ("SETTINGS-PERMISSION", _WARNING),
}
"""By kind of thing and code of the reason. Reasons that somebody meant are in `MEANT`."""

MEANT = frozenset(
    {
        "deferred",
        "for-people-only",
        "kept-back",
        "listing",
        "memory-off",
        "name-only-by-setting",
        "people-only-by-setting",
        "source-off",
        "switched-off",
        "taken-away",
        "untrusted",
        "waits-for-a-file",
    }
)
"""Codes that are no findings: somebody wants it so, or a rule of its own says it."""

_LINE = re.compile(r"\bline (\d[\d,]*)")


def reasons(seen: Surveyed) -> Iterator[Finding]:
    """A finding for each thing that is left out without anybody wanting it so."""
    for item in seen.missing:
        found = BY_REASON.get((item.kind, item.code))
        if found is not None:
            path, line = _place(seen, item)
            yield Finding(found[0], found[1], _said(item), path, line, item.name)


def _said(item: Missing) -> str:
    named = item.kind in {"permission", "server", "import"} and item.code != "no-json"
    what = item.name if named else ""
    return f"{item.kind} {what}: {item.words}" if what else item.words


def _place(seen: Surveyed, item: Missing) -> tuple[str, int | None]:
    """The file to look into, and the line, where one is meant."""
    if item.kind == "import":
        for path, text in seen.memory().items():
            for number, line in enumerate(text.splitlines(), start=1):
                if "@" in line and item.name in line:
                    return path, number
    told = _LINE.search(item.words)
    if told is None and item.kind in {"permission", "server"}:
        return item.path, seen.line(item.path, item.name)
    return item.path, int(told[1].replace(",", "")) if told else None
