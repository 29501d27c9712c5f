"""The page of reports names each that is a test, and no other."""

import re
from pathlib import Path


def test_every_report_on_the_page_is_a_test_and_the_other_way_round(root: Path) -> None:
    page = (root / "docs" / "reports.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| R(\d+) \|", page, re.MULTILINE))
    tests = "".join(
        path.read_text(encoding="utf-8") for path in (root / "tests/reports").glob("*.py")
    )
    assert told == set(re.findall(r"def test_r(\d+)_", tests))
