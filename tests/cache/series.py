"""Usage that others reported of real APIs, rebuilt: `python -m tests.cache.series` writes docs/cache-series.md.

A series is the shape that its reporter states: which blocks, which marks, what changed. A block has the
size that the first request in which it stands gives it; how a request splits into read, written and
plain tokens is predicted. A token is four bytes here.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector import wire
from inspector.cache import Sent, report

PAGE = Path(__file__).resolve().parents[2] / "docs/cache-series.md"
TOKEN = 4
CLOSE, SHARE = 8, 0.005
"""Tokens, or a share of the prompt, that a prediction may be off: framing is not modelled."""

type Block = tuple[str, int, bool]
"""A block of its own words: name, tokens, marked. A name that begins with `sys` is a system block."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: its blocks, and what was reported (read, written, plain)."""

    blocks: tuple[Block, ...]
    reported: tuple[int, int, int] | None
    minute: float = 0
    """Since the first request."""


@dataclass(frozen=True, slots=True)
class Series:
    """Requests in order; of the first some set up what is there already and were not reported."""

    name: str
    source: str
    asked: tuple[Asked, ...]
    model: str = "claude-opus-5"
    ttl: str = "5m"
    why: str = ""
    """Why what was reported is another thing than what the rules say; empty: it is not."""


def s(name: str, tokens: int, mark: int = 0) -> Block:
    return name, tokens, bool(mark)


def a(reported: tuple[int, int, int] | None, *blocks: Block, minute: float = 0) -> Asked:
    return Asked(blocks, reported, minute)


_FLOOR = s("sys", 25_400, 1)
_MANY = tuple(s(f"result {number}", 300) for number in range(30))

SERIES: tuple[Series, ...] = (
    Series(
        "U01 B",
        "motiful/cc-cache-audit, other prompts, no billing line",
        (
            a(None, s("sys tools", 11_272, 1), s("sys", 12_203, 1), s("p0", 3)),
            a((23_475, 0, 3), s("sys tools", 11_272, 1), s("sys", 12_203, 1), s("p1", 3)),
            a((11_272, 12_197, 3), s("sys tools", 11_272, 1), s("sys", 12_203, 1), s("p2", 3)),
            a((23_475, 0, 3), s("sys tools", 11_272, 1), s("sys", 12_203, 1), s("p3", 3)),
        ),
        why="one of four equal prefixes was read to its first entry only: no promise (`no-promise`)",
    ),
    Series(
        "U01 A",
        "the same with the client's billing line",
        (
            a(None, s("sys tools", 11_272, 1), s("sys", 12_206, 1), s("p0", 3)),
            a((11_272, 12_206, 3), s("sys tools", 11_272, 1), s("sys", 12_206, 1), s("p1", 3)),
            a((11_272, 12_202, 3), s("sys tools", 11_272, 1), s("sys", 12_206, 1), s("p2", 3)),
        ),
        why="the line seems to count across sessions; contested (`billing`), so it is not held to",
    ),
    Series(
        "U03",
        "anthropics/claude-cookbooks#155, a book in the first message",
        (
            a((0, 187_354, 4), s("book", 187_354, 1), s("end 1", 4)),
            a((187_354, 36, 4), s("book", 187_354), s("turn 2", 36, 1), s("end 2", 4)),
            a(
                (187_390, 308, 4),
                s("book", 187_354),
                s("turn 2", 36),
                s("turn 3", 308, 1),
                s("end 3", 4),
            ),
        ),
    ),
    Series(
        "U04",
        "can1357/oh-my-pi#12318, marks on the head alone",
        (
            a((0, 94_772, 2), s("sys", 94_772, 1), s("m1", 2)),
            a((94_772, 0, 6_553), s("sys", 94_772, 1), s("m1", 2), s("m2", 6_551)),
            a((94_772, 0, 11_345), s("sys", 94_772, 1), s("m1", 2), s("m2", 6_551), s("m3", 4_792)),
        ),
    ),
    Series(
        "U05",
        "Piebald-AI/piebald-issues#68, a sub-agent's frozen read",
        (
            a(None, s("sys", 5_327, 1), s("h0", 11_000, 1), s("e0", 2)),
            a((5_327, 11_682, 2), s("sys", 5_327, 1), s("h1", 11_682, 1), s("e1", 2)),
            a((5_327, 12_517, 2), s("sys", 5_327, 1), s("h2", 12_517, 1), s("e2", 2)),
            a((5_327, 22_698, 2), s("sys", 5_327, 1), s("h3", 22_698, 1), s("e3", 2)),
            a((5_327, 50_688, 2), s("sys", 5_327, 1), s("h4", 50_688, 1), s("e4", 2)),
        ),
    ),
    Series(
        "U06",
        "anthropics/claude-agent-sdk-python#1241, a process a turn",
        (
            a(None, s("sys", 53_896, 1), s("h", 58_321, 1)),
            a((112_217, 4_345, 0), s("sys", 53_896, 1), s("h", 58_321), s("h+", 4_345, 1)),
            a((53_896, 60_635, 0), s("sys", 53_896, 1), s("h other", 60_635, 1)),
            a((53_896, 65_755, 0), s("sys", 53_896, 1), s("h third", 65_755, 1)),
        ),
    ),
    Series(
        "U07",
        "anthropics/claude-code#63930, many parallel tool calls",
        (
            a(None, _FLOOR, s("h", 778_700, 1)),
            a((25_400, 787_700, 0), _FLOOR, s("h", 778_700), *_MANY[:-1], ("result 29", 300, True)),
        ),
    ),
    Series(
        "U09",
        "diegosouzapw/OmniRoute#9436, a mark hoisted into the system prompt",
        (
            a(None, s("sys", 42_237, 1), s("h", 125_197, 1)),
            a((167_434, 518, 2), s("sys", 42_237, 1), s("h", 125_197), s("m", 518, 1), s("e", 2)),
            a(
                (42_237, 404, 126_156),
                s("sys", 42_237, 1),
                s("sys hoisted", 404, 1),
                s("h", 125_197),
                s("m", 518),
                s("e3", 441),
            ),
        ),
    ),
    Series(
        "U10",
        "maximhq/bifrost#5929, the tail's mark dropped",
        (
            a(None, s("sys", 18_018, 1), s("h", 18_097, 1)),
            a((36_115, 0, 2), s("sys", 18_018, 1), s("h", 18_097, 1), s("e", 2)),
            a((18_018, 0, 18_116), s("sys", 18_018, 1), s("h", 18_097), s("e2", 19)),
        ),
    ),
    Series(
        "U11",
        "adamjmurray/producer-pal#886, system and last message marked",
        (
            a((0, 11_977, 3), s("sys", 11_000, 1), s("m1", 977, 1), s("e1", 3)),
            a(
                (11_977, 13_090, 1),
                s("sys", 11_000, 1),
                s("m1", 977),
                s("m2", 13_090, 1),
                s("e2", 1),
            ),
        ),
    ),
    Series(
        "U12",
        "goruck/home-generative-agent#617, a call, then its result",
        (
            a((0, 4_565, 3), s("sys", 4_000, 1), s("m1", 565, 1), s("e1", 3)),
            a((4_565, 167, 1), s("sys", 4_000, 1), s("m1", 565), s("m2", 167, 1), s("e2", 1)),
        ),
        model="claude-sonnet-4-6",
    ),
    Series(
        "U13",
        "UKGovernmentBEIS/inspect_ai#5451, a fixed rubric, another item each time",
        (
            a(None, s("sys", 4_209, 1), s("i0", 21, 1)),
            a((4_209, 21, 0), s("sys", 4_209, 1), s("i1", 21, 1)),
            a((4_209, 21, 0), s("sys", 4_209, 1), s("i2", 21, 1)),
        ),
        model="claude-haiku-4-5",
    ),
    Series(
        "U14",
        "rossoctl/context-guru#137, marks off and on",
        (
            a(None, s("sys", 29_780, 1), s("e0", 1_481)),
            a((0, 0, 31_226), s("sys", 29_780), s("e0", 1_481)),
            a((29_780, 0, 1_481), s("sys", 29_780, 1), s("e1", 1_481)),
        ),
    ),
    Series(
        "U15",
        "cortexkit/anthropic-auth#157, byte-identical, an hour's entries",
        (
            a(None, s("sys", 372_687, 1), s("e0", 2)),
            a((372_687, 0, 2), s("sys", 372_687, 1), s("e0", 2), minute=10.2),
            a((0, 377_673, 2), s("sys", 372_687, 1), s("m", 4_986, 1), s("e", 2), minute=17.2),
        ),
        ttl="1h",
        why="an equal prefix missed within its time: no promise (`no-promise`)",
    ),
    Series(
        "U18",
        "anthropics/claude-code#48734, a line feed in one old message",
        (
            a(None, s("sys", 19_000, 1), s("old", 2_000), s("h", 498_000, 1)),
            a(
                (19_000, 500_000, 0),
                s("sys", 19_000, 1),
                s("old with a line feed", 2_000),
                s("h", 498_000, 1),
            ),
        ),
    ),
    Series(
        "V02",
        "HKUDS/nanobot#5632, Codex backend",
        (
            a((0, 0, 5_549), s("sys", 5_000), s("m", 549)),
            a((4_608, 0, 966), s("sys", 5_000), s("m", 549), s("n", 25)),
        ),
        model="gpt-5.5",
        why="points at intervals, rounded down to 128: up to 2,048 tokens are not read (`everywhere`)",
    ),
    Series(
        "V03",
        "crystal-autobot/autobot#143, a clock of minutes in the system prompt",
        (
            a(None, s("sys 10:30", 2_700), s("m", 85)),
            a((2_688, 0, 97), s("sys 10:30", 2_700), s("m", 85)),
            a((0, 0, 2_785), s("sys 10:31", 2_700), s("m", 85)),
        ),
        model="gpt-5.4-mini",
        why="rounded down to a multiple of 128",
    ),
    Series(
        "V01",
        "openai/codex#30425, a stable key and prefix",
        (
            a(None, s("sys", 20_000), s("h", 44_026)),
            a((64_000, 0, 4_026), s("sys", 20_000), s("h", 44_026), s("m", 4_000)),
            a((0, 0, 74_311), s("sys", 20_000), s("h", 44_026), s("m", 4_000), s("n", 6_285)),
            a(
                (0, 0, 74_371),
                s("sys", 20_000),
                s("h", 44_026),
                s("m", 4_000),
                s("n", 6_285),
                s("o", 60),
            ),
        ),
        model="gpt-5.5",
        why="equal prefixes that missed: other machines, no promise (`no-promise`)",
    ),
    Series(
        "V05",
        "tmustier/pine-of-glass#63, a frozen read",
        (
            a(None, s("sys", 20_000), s("h", 118_134)),
            a((137_728, 0, 406), s("sys", 20_000), s("h", 118_134)),
            a((137_728, 0, 994), s("sys", 20_000), s("h", 118_134), s("m", 588)),
        ),
        model="gpt-5.5",
    ),
    Series(
        "V07",
        "openai/codex#35300, a fixed prefix, other users' text",
        (
            a(None, s("sys", 9_000), s("u0", 60)),
            a((0, 0, 9_060), s("sys", 9_000), s("u1", 60)),
        ),
        model="gpt-5.6-sol",
    ),
)

NOT_REPLAYABLE: tuple[tuple[str, str], ...] = (
    ("U02", "no numbers of single requests"),
    ("U08", "the shape is not stated: what fell out of the prefix is not known"),
    ("U16", "an upstream that compares plain text, behind a relay: not modelled"),
    ("U17, U19", "the API's diagnosis alone, no usage"),
    ("U20, U22, U23, V04, V06, V08, V09", "sums or shares over many requests"),
    ("U21", "no numbers of single requests"),
)


def predicted(series: Series) -> list[tuple[int, int, int]]:
    """What the rules say of each request, in tokens."""
    sent = [
        Sent(f"e{at}", wire.split(_body(series, asked)), _moment(asked.minute))
        for at, asked in enumerate(series.asked)
    ]
    sizes = (turn.predicted for turn in report(sent).turns)
    return [
        (round(one.read / TOKEN), round(one.write / TOKEN), round(one.uncached / TOKEN))
        for one in sizes
    ]


def close(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether a prediction is what was reported, but for framing."""
    most = max(CLOSE, SHARE * sum(other))
    return all(abs(a - b) <= most for a, b in zip(one, other, strict=True))


def agrees(series: Series) -> list[bool]:
    """Of each reported request, whether it is as predicted."""
    pairs = zip(predicted(series), series.asked, strict=True)
    return [close(_shown(series, said), asked.reported) for said, asked in pairs if asked.reported]


def _shown(series: Series, said: tuple[int, int, int]) -> tuple[int, int, int]:
    """As that API counts: OpenAI's older models have no writes."""
    if not series.model.startswith("gpt"):
        return said
    return said[0], 0, said[1] + said[2]


def _moment(minute: float) -> str:
    return f"2026-10-01T10:{int(minute):02}:{round(minute % 1 * 60):02}+00:00"


def _body(series: Series, asked: Asked) -> bytes:
    claude = not series.model.startswith("gpt")
    blocks = [
        _block(name, tokens, series.ttl if mark else "", claude)
        for name, tokens, mark in asked.blocks
    ]
    system = [
        block for block, (name, _, _) in zip(blocks, asked.blocks, strict=True) if name[:3] == "sys"
    ]
    rest = blocks[len(system) :]
    document: dict[str, Any] = {"model": series.model}
    if claude:
        turns = [{"role": "user", "content": [block]} for block in rest]
        document |= {"max_tokens": 1, "system": system, "messages": turns}
    else:
        roles = ["developer"] * len(system) + ["user"] * len(rest)
        document["input"] = [
            {"type": "message", "role": role, "content": [block]}
            for role, block in zip(roles, blocks, strict=True)
        ]
    return json.dumps(document, separators=(",", ":")).encode()


def _block(name: str, tokens: int, ttl: str, claude: bool) -> dict[str, Any]:
    kind = "text" if claude else "input_text"
    frame = len(json.dumps({"type": kind, "text": ""}, separators=(",", ":")))
    words = (f"{name} " * (tokens * TOKEN // (len(name) + 1) + 1))[: max(tokens * TOKEN - frame, 1)]
    mark = {"cache_control": {"type": "ephemeral", "ttl": ttl}} if ttl else {}
    return {"type": kind, "text": words, **mark}


def page() -> str:
    """docs/cache-series.md."""
    rows: list[str] = []
    for series in SERIES:
        for number, (said, asked) in enumerate(
            zip(predicted(series), series.asked, strict=True), start=1
        ):
            if asked.reported is None:
                continue
            ours = _shown(series, said)
            same = close(ours, asked.reported)
            cells = (
                series.name,
                number,
                _row(asked.reported),
                _row(ours),
                "" if same else series.why,
            )
            rows.append(f"| {' | '.join(map(str, cells))} |")
    every = [ok for series in SERIES for ok in agrees(series)]
    return "\n".join(
        [
            "# Reported usage, and what the rules say of it",
            "",
            "Written by `python -m tests.cache.series`. Numbers that others reported of real APIs, each rebuilt in the shape its reporter",
            "states. The sizes are the reporter's totals: what is new in a request is as large as reported. Predicted is how each request",
            "splits into read, written and plain tokens, nothing else. Requests that set up what was there before are not shown.",
            "",
            f"{len(every)} requests of {len(SERIES)} series; {sum(every)} as predicted (within {CLOSE} tokens or {SHARE:.1%} of the prompt).",
            "",
            "| series | # | reported: read, written, plain | predicted | where they differ, why |",
            "|---|---|---|---|---|",
            *rows,
            "",
            "| series | source |",
            "|---|---|",
            *(f"| {one.name} | {one.source} |" for one in SERIES),
            "",
            "## Not replayable",
            "",
            "| series | why |",
            "|---|---|",
            *(f"| {name} | {why} |" for name, why in NOT_REPLAYABLE),
            "",
        ]
    )


def _row(numbers: tuple[int, int, int]) -> str:
    return " · ".join(f"{number:,}" for number in numbers)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
