"""Sessions with one planted break each, and the healthy ones: `python -m tests.cache.planted`.

The first are recorded sessions with one edit; what is found first must be what was planted. The second
are all recordings with three or more main requests in which nothing is found at warning or above.
The command writes both lists to docs/cache-sessions.md.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from inspector import named, wire
from inspector.cache import Report, Sent, Usage, report
from inspector.session import ExchangeKind
from inspector.views.conversations import known_heads, requests
from tests.cache import edits
from tests.cache.edits import Edit, behind, in_system, later

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/cache-sessions.md"
CAPTURES = ROOT / "captures"
NO_STORE = ROOT / "captures/none.db"
LEAST, MANY = 3, 10

NEW = "claude-code/2.1.332/every_row/r0"
TLS = "claude-code/2.1.332/every_row_tls/r0"
CLASSIC = "claude-code/2.1.332/every_row_classic/r0"
TLS_CLASSIC = "claude-code/2.1.332/every_row_tls_classic/r0"
CODEX = "codex/0.171.0/conv3/r2"
CODEX_PARTS = "codex/0.171.0/builtin_parts/r1"
CLAUDE = (NEW, TLS, CLASSIC, TLS_CLASSIC)
EVERY = (*CLAUDE, CODEX)

type Told = Callable[[Sequence[Sent]], list[Sent]]
"""Changes what is known of requests besides their bodies."""


@dataclass(frozen=True, slots=True)
class Planted:
    """One break."""

    rule: str
    words: str
    base: str
    edit: Edit
    told: Told | None = None

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.rule}: {self.words}, {self.base}"


def usages(of: Callable[[int, int], Usage]) -> Told:
    """The API's usage, from the place of a request and half its bytes."""
    return lambda sent: [
        replace(item, usage=of(at, len(item.prompt.body) // 2)) for at, item in enumerate(sent)
    ]


def plateau(at: int, tokens: int) -> Usage:
    return Usage(4096 if at else 0, tokens - (4096 if at else 0), 3)


def resumed(sent: Sequence[Sent]) -> list[Sent]:
    half = len(sent) // 2
    return [replace(item, process=f"run {at >= half}") for at, item in enumerate(sent)]


def compacted(sent: Sequence[Sent]) -> list[Sent]:
    half = len(sent) // 2
    return [replace(item, compacted=at == half) for at, item in enumerate(sent)]


def diagnosed(sent: Sequence[Sent]) -> list[Sent]:
    half = len(sent) // 2
    return [
        replace(item, diagnosis="system_changed" if at == half else "")
        for at, item in enumerate(sent)
    ]


_ROWS: tuple[tuple[str, str, tuple[str, ...], Edit, Told | None], ...] = (
    ("TOOLS-CHANGED", "a tool goes", (NEW, CLASSIC), later(edits.tool_gone), None),
    ("TOOLS-CHANGED", "a tool comes", EVERY, later(edits.tool_come), None),
    ("TOOLS-CHANGED", "a description", (TLS, CODEX), later(edits.tool_said), None),
    ("TOOLS-FLAP", "a tool goes and comes back", EVERY, edits.tools_flap, None),
    ("TOOLS-REORDERED", "two change places", EVERY, later(edits.tools_turned), None),
    ("SCHEMA-KEY-ORDER", "of a schema", CLAUDE, edits.schema_turned, None),
    ("SCHEMA-KEY-ORDER", "of a tool's input", CLAUDE, edits.input_turned, None),
    ("SYSTEM-CHANGED", "a sentence", EVERY, in_system("Be kind.", "Be brief."), None),
    (
        "DATE",
        "in the system prompt",
        EVERY,
        in_system("It is 2026-01-01.", "It is 2026-01-02."),
        None,
    ),
    ("DATE", "as the client tells it", (*CLAUDE, CODEX, CODEX_PARTS), later(edits.day), None),
    ("VOLATILE-TEXT", "a clock", EVERY, in_system("It is 10:30:00.", "It is 10:31:07."), None),
    ("VOLATILE-TEXT", "a folder", (NEW, CODEX), in_system("In /tmp/a1b2.", "In /tmp/c3d4."), None),
    ("GITSTATUS", "a file edited", CLAUDE, later(edits.edited_file), None),
    (
        "RULE-CHANGED",
        "a sentence in CLAUDE.md",
        CLAUDE,
        later(behind("Codebase and user instructions are shown below.", " Sing.")),
        None,
    ),
    (
        "RULE-CHANGED",
        "AGENTS.md",
        (CODEX_PARTS,),
        later(behind("# AGENTS.md instructions for ", "/here")),
        None,
    ),
    (
        "SKILL-LISTING",
        "a new skill",
        CLAUDE,
        later(behind("skills are available for use with the Skill tool:\n", "\n- new: does it")),
        None,
    ),
    (
        "SKILL-LISTING",
        "a new skill",
        (CODEX, CODEX_PARTS),
        later(behind("<skills_instructions>\n## Skills\n", "- new: does it\n")),
        None,
    ),
    (
        "MCP-INSTRUCTIONS",
        "of a server",
        CLAUDE,
        later(behind("# MCP Server Instructions\n", "\nAsk twice.")),
        None,
    ),
    ("REMINDER-MOVED", "to a later message", CLAUDE, later(edits.reminder_moved), None),
    ("REINJECTED", "in an earlier message", CLAUDE, later(edits.reinjected), None),
    ("HISTORY-EDITED", "a prompt", (NEW, CLASSIC, CODEX), later(edits.answer_edited), None),
    ("HISTORY-EDITED", "a line feed at its end", (TLS, CODEX), later(edits.blank_added), None),
    ("HISTORY-EDITED", "an answer gone", (NEW, TLS_CLASSIC), later(edits.message_gone), None),
    (
        "RESUME",
        "an edited prompt in another process",
        (NEW, CLASSIC),
        later(edits.answer_edited),
        resumed,
    ),
    ("COMPACTION", "said by the session", (NEW, CODEX), later(edits.answer_edited), compacted),
    ("COMPACTION", "seen in the messages", (TLS, CLASSIC), later(edits.summed_up), None),
    ("MODEL-CHANGED", "", (*CLAUDE, CODEX), later(edits.param("model", "another-model")), None),
    (
        "PARAMS-CHANGED",
        "tool_choice",
        (NEW, CLASSIC),
        later(edits.param("tool_choice", {"type": "any"})),
        None,
    ),
    (
        "PARAMS-CHANGED",
        "thinking",
        (TLS, TLS_CLASSIC),
        later(edits.param("thinking", {"type": "disabled"})),
        None,
    ),
    ("PARAMS-CHANGED", "effort", (NEW, TLS, CODEX), later(edits.effort), None),
    (
        "CACHE-KEY",
        "",
        (CODEX, CODEX_PARTS),
        later(edits.param("prompt_cache_key", "another")),
        None,
    ),
    ("BREAKPOINT-MISSING", "from a request on", CLAUDE, later(edits.unmarked), None),
    ("LOOKBACK", "forty blocks in one message", CLAUDE, edits.many_results, None),
    ("TAIL-UNCACHED", "marks on the system prompt alone", CLAUDE, edits.tail, None),
    ("TTL-CHANGED", "from an hour to five minutes", CLAUDE, edits.shorter, None),
    ("PLATEAU", "of the API's usage", (NEW, TLS), edits.nothing, usages(plateau)),
    (
        "WRITE-ONLY",
        "of the API's usage",
        (NEW, TLS),
        edits.nothing,
        usages(lambda _, tokens: Usage(0, tokens, 3)),
    ),
    ("USAGE-DISAGREES", "the API's diagnosis", (NEW, CLASSIC), edits.nothing, diagnosed),
)

PLANTED = tuple(
    Planted(rule, words, base, edit, told)
    for rule, words, bases, edit, told in _ROWS
    for base in bases
)


@cache
def recorded(base: str) -> tuple[named.Found, tuple[Sent, ...]]:
    """A recording and its main requests, times and usage left out."""
    found = named.find(str(CAPTURES / base), NO_STORE)
    sent = [item for one in (*found.earlier, found.recording) for item in requests(one)]
    return found, tuple(replace(item, usage=None, started="", process="") for item in sent)


@cache
def judged(planted: Planted) -> Report:
    """What is said of a session with its break."""
    found, sent = recorded(planted.base)
    docs = [json.loads(item.prompt.body) for item in sent]
    planted.edit(docs, len(docs) // 2)
    made = [
        replace(item, prompt=wire.split(json.dumps(doc, ensure_ascii=False).encode()))
        for item, doc in zip(sent, docs, strict=True)
    ]
    told = planted.told(made) if planted.told is not None else made
    return report(told, known_heads(found.recording, told))


def silent(path: Path) -> int:
    """The main requests of a recording in which nothing is found; 0 where something is."""
    found = named.find(str(path), NO_STORE)
    sent = [item for one in (*found.earlier, found.recording) for item in requests(one)]
    if len(sent) < LEAST:
        return 0
    said = report(sent, known_heads(found.recording, sent))
    aside = report(list(requests(found.recording, ExchangeKind.SUBAGENT)))
    loud = any(item.severity != "info" for item in (*said.findings, *aside.findings))
    return 0 if loud else len(sent)


def healthy() -> Iterator[tuple[str, int]]:
    """Recordings in which nothing is found, with their main requests."""
    for path in named.recordings(CAPTURES):
        if count := silent(path):
            yield path.relative_to(CAPTURES).as_posix(), count


def page() -> str:
    """docs/cache-sessions.md."""
    quiet = list(healthy())
    many = sum(count >= MANY for _, count in quiet)
    lines = [
        "# Sessions that the cache rules are held to",
        "",
        "Written by `python -m tests.cache.planted`. The sessions are the recordings of this repository. The breaks are edits of a few of",
        "them, written along with the rules: they guard the rules against change and say little of breaks nobody thought of.",
        "",
        *planted_rows(),
        "",
        "## Healthy",
        "",
        f"{len(quiet)} sessions of {LEAST} or more main requests, {many} of them of {MANY} or more;"
        " no finding at warning or above in any.",
        "",
        "| session | main requests |",
        "|---|---|",
        *(f"| {name} | {count} |" for name, count in quiet),
    ]
    return "\n".join(lines) + "\n"


def planted_rows() -> list[str]:
    """The first part of the page."""
    rows = [(planted, judged(planted).findings[:1]) for planted in PLANTED]
    right = sum(bool(found) and found[0].rule == planted.rule for planted, found in rows)
    lines = [
        "## One planted break each",
        "",
        f"{len(rows)} sessions, {right} with the right first cause.",
        "",
        "| planted | what | session | found first | at |",
        "|---|---|---|---|---|",
    ]
    for planted, found in rows:
        first = found[0] if found else None
        told = (f"`{first.rule}`", f"`{first.path}`" if first.path else "") if first else ("", "")
        lines.append(
            f"| `{planted.rule}` | {planted.words} | {planted.base} | {told[0]} | {told[1]} |"
        )
    return lines


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
