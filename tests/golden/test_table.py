"""docs/mechanisms.md is what the goldens say."""

import json
import re
from pathlib import Path

import pytest

from tests.golden import table
from tests.golden.scenario import Case, cases, written
from tests.golden.table import Shown

TAGGED = [case for case in cases() if case.scenario.rows]


def bodies(case: Case) -> str:
    files = [file for path in table.goldens(case) for file in path.glob("exchanges/*.request")]
    return "\n".join(file.read_bytes().decode("utf-8", "replace") for file in sorted(files))


def test_the_page_is_the_one_that_the_command_writes() -> None:
    assert table.PAGE.read_text(encoding="utf-8") == table.page(table.everything())


@pytest.mark.parametrize("case", TAGGED, ids=lambda case: case.label)
def test_a_scenario_names_only_rows_that_its_requests_show(case: Case) -> None:
    known = table.mechanisms()
    assert [row for row in case.scenario.rows if "shows" not in known.get(row, {})] == []
    sent = bodies(case)
    assert [row for row in case.scenario.rows if not re.search(known[row]["shows"], sent)] == []


def test_a_cell_counts_the_exact_requests_of_its_host_and_generation_alone() -> None:
    found = [
        Shown("one", ("M1", "M2"), ("custom", "current"), 3, 4),
        Shown("one", ("M1", "M2"), ("default", "classic"), 1, 1, ordinary=True),
        Shown("two", ("M1",), ("custom", "current"), 2, 2),
    ]
    rows = {line.split(" | ")[0]: line.split(" | ")[2:] for line in table.page(found).splitlines()}
    assert rows["| M1"] == ["5 of 6", "–", "–", "1 of 1", "–", "1 of 1", "`one`, `two` |"]
    assert rows["| M2"] == ["3 of 4", "–", "–", "1 of 1", "–", "1 of 1", "`one` |"]
    assert rows["| M3"] == ["–", "–", "–", "–", "–", "–", " |"]
    assert rows["| M11"] == ["later"] * 6 + ["with sub-agents |"]


def test_a_scenario_like_another_has_its_keys_but_for_its_own(tmp_path: Path) -> None:
    base = {"about": "a", "files": {"ws/a": "x"}, "argv": ["--x"], "rows": ["M1"]}
    (tmp_path / "base.yaml").write_text(json.dumps(base), encoding="utf-8")
    (tmp_path / "other.yaml").write_text("like: base\nroute: tls\nargv: [--y]\n", encoding="utf-8")
    wanted = base | {"like": "base", "route": "tls", "argv": ["--y"]}
    assert written(tmp_path / "other.yaml") == wanted
