"""The table of mechanisms, docs/mechanisms.md: which recordings show each, and how exactly they are rebuilt.

usage: python -m tests.golden.table     writes the page anew (the recorder and the ratchet do so too)

Nothing in it is typed by hand but the rows' wording (`mechanisms.yaml`) and the scenarios' `rows`: host and
model generation come from each recording's snapshot, the state from its turns and `gaps.yaml`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from inspector import clients, folder, profiles
from inspector.snapshot import SnapshotTree
from inspector.workspace import World
from tests.golden import gaps
from tests.golden.scenario import ROOT, Case, cases

FOLDERS = ("claude-code", "codex", "codex@0.116.0")
"""Whose scenarios the tables count: Claude Code as it is now, Codex as it is now and in March 2026."""
PAGE = ROOT / "docs/mechanisms.md"
ROWS = Path(__file__).with_name("mechanisms.yaml")
COLUMNS = tuple((host, one) for host in ("custom", "default") for one in ("current", "classic"))
ORDINARY = tuple((host, "ordinary") for host in ("custom", "default"))
"""Recordings with no traffic switched off, of both generations."""
CODEX = tuple((one, entry) for one in ("0.116.0", "0.171.0") for entry in ("exec", "terminal"))
_ENTRIES = {"exec": "exec", "tui": "terminal"}
_CONTEXT = {"system": "current", "reminder": "classic"}
"""The generation of models by where the client puts its briefing."""
_HEAD = f"""\
# Mechanisms, and the recordings that show them

Written by `python -m tests.golden.table` from the goldens in `captures/`, first of Claude Code, then of Codex. A cell counts the main requests of
the recordings that witness a row, under one host and one generation of models: *exact* of *all*; each that is not exact is
named beside its recording (`gaps.yaml`). `–`: no recording.

Host: *custom* is `ANTHROPIC_BASE_URL`, *default* the client's own. Generation: *classic* models get reminders where *current*
ones get system-role messages. *ordinary*: those of either generation whose client asks its flag service, as users' clients do; the
rest has `CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC` set. What M7 and M13 show in interactive mode alone is in no recording yet.

| row | mechanism | {" | ".join(", ".join(column) for column in (*COLUMNS, *ORDINARY))} | scenarios |
|{"---|" * (len(COLUMNS + ORDINARY) + 3)}
"""
_CODEX_HEAD = f"""\

Codex, by version and by how it was run: `codex exec`, or on a terminal.

| row | mechanism | {" | ".join(", ".join(column) for column in CODEX)} | scenarios |
|{"---|" * (len(CODEX) + 3)}
"""


@dataclass(frozen=True, slots=True)
class Shown:
    """One recording: what it witnesses, where it belongs in the table, and its state."""

    scenario: str
    rows: tuple[str, ...]
    column: tuple[str, str]
    exact: int
    requests: int
    ordinary: bool = False
    """Whether the client asked its flag service."""

    def stands(self, column: tuple[str, str]) -> bool:
        """Whether it belongs in a column."""
        return column == self.column or (self.ordinary and column == (self.column[0], "ordinary"))


def mechanisms() -> dict[str, dict[str, str]]:
    """The rows: id → `what`, and `shows` or `later`."""
    loaded: dict[str, dict[str, str]] = yaml.safe_load(ROWS.read_text(encoding="utf-8"))
    return loaded


def goldens(case: Case) -> list[Path]:
    """The recordings of a scenario, one a run."""
    return sorted((ROOT / "captures" / case.golden).glob("r*"))


def everything() -> Iterator[Shown]:
    """All recordings of these scenarios that witness a row."""
    for case in cases(FOLDERS):
        if case.scenario.rows:
            yield from (_shown(case, path) for path in goldens(case))


def page(found: Iterable[Shown]) -> str:
    """The whole page."""
    recordings = list(found)
    rows = mechanisms().items()
    claude = [(row, facts, (*COLUMNS, *ORDINARY)) for row, facts in rows if "client" not in facts]
    codex = [(row, facts, CODEX) for row, facts in rows if "client" in facts]
    tables = [
        "".join(
            f"| {row} | {facts['what']} | {' | '.join(_cells(row, facts, columns, recordings))} |\n"
            for row, facts, columns in part
        )
        for part in (claude, codex)
    ]
    return _HEAD + tables[0] + _CODEX_HEAD + tables[1]


def write() -> None:
    """Put the present state on the page."""
    PAGE.write_text(page(everything()), encoding="utf-8")


def _shown(case: Case, path: Path) -> Shown:
    recording = folder.read(path)
    snapshot, turns = recording.snapshot, recording.turns
    assert snapshot is not None
    assert turns is not None
    world = World(SnapshotTree(snapshot, ""), snapshot.environment, snapshot.listings)
    axes = clients.client(case.client).axes(world)
    version = recording.session.version
    if case.client == "codex":
        column = version, _ENTRIES[axes["entry"]]
    else:
        profile = profiles.resolve(profiles.find(case.client, version), axes)
        column = axes["host"], _CONTEXT[profile.switches["context"]]
    inexact = {gap.request for gap in gaps.read(path / "gaps.yaml")}
    total = len(turns.turns)
    ordinary = axes.get("flags") == "asked"
    rows = tuple(case.scenario.rows)
    return Shown(case.name, rows, column, total - len(inexact), total, ordinary)


def _cells(
    row: str,
    facts: dict[str, str],
    columns: tuple[tuple[str, str], ...],
    recordings: list[Shown],
) -> Iterator[str]:
    witnesses = [one for one in recordings if row in one.rows]
    for column in columns:
        here = [one for one in witnesses if one.stands(column)]
        exact, total = sum(one.exact for one in here), sum(one.requests for one in here)
        yield (facts.get("later") and "later") or (f"{exact} of {total}" if total else "–")
    names = ", ".join(f"`{name}`" for name in dict.fromkeys(one.scenario for one in witnesses))
    yield facts.get("later") or names


if __name__ == "__main__":
    write()
