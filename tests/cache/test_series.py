"""Usage that others reported of real APIs: as the rules say, or the page says why not."""

from pathlib import Path

import pytest

from tests.cache import series


@pytest.mark.parametrize("one", series.SERIES, ids=lambda one: one.name)
def test_what_was_reported_is_what_the_rules_say_or_has_its_reason(one: series.Series) -> None:
    assert all(series.agrees(one)) == (not one.why)


def test_the_page_is_what_the_command_writes(root: Path) -> None:
    assert (root / "docs/cache-series.md").read_text(encoding="utf-8") == series.page()
