"""Healthy sessions are silent, a planted break is found with its cause; docs/cache-sessions.md lists both."""

import re
from pathlib import Path

import pytest

from inspector.cache.about import ABOUT
from tests.cache import planted

PAGE = "docs/cache-sessions.md"
ELSEWHERE = {"STALE-SCHEMA"}
"""Planted in tests/cache/test_stale.py: it takes a server's list, which no request holds."""


@pytest.mark.parametrize("one", planted.PLANTED, ids=lambda one: one.name)
def test_a_planted_break_is_found_first(one: planted.Planted) -> None:
    assert [item.rule for item in planted.judged(one).findings[:1]] == [one.rule]


def test_every_rule_is_planted() -> None:
    assert {one.rule for one in planted.PLANTED} == set(ABOUT) - ELSEWHERE


def test_the_page_lists_the_planted_breaks(root: Path) -> None:
    assert "\n".join(planted.planted_rows()) in (root / PAGE).read_text(encoding="utf-8")


def test_every_session_that_the_page_calls_healthy_is_silent(root: Path) -> None:
    # New recordings join the page when it is written anew; those in it have to stay silent.
    part = (root / PAGE).read_text(encoding="utf-8").partition("## Healthy")[2]
    listed = re.findall(r"^\| (\S+/r\d+) \| (\d+) \|$", part, re.MULTILINE)
    loud = [name for name, _ in listed if not planted.silent(planted.CAPTURES / name)]
    clients = {name.partition("/")[0] for name, _ in listed}
    long = sum(int(count) >= planted.MANY for _, count in listed)
    assert (loud, clients) == ([], {"claude-code", "codex"})
    assert (len(listed) >= 60, long >= 20) == (True, True)
