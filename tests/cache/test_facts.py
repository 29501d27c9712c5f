"""The table of facts is what docs/cache.md shows, and every fact the code cites is in it."""

import re
from pathlib import Path

from inspector.cache.about import ABOUT
from inspector.cache.facts import FACTS, LEAST, least


def test_every_fact_and_rule_is_documented(root: Path) -> None:
    lines = (root / "docs/cache.md").read_text(encoding="utf-8").splitlines()
    rules = [f"| `{name}` | {said} |" for name, said in ABOUT.items()]
    rows = [
        f"| `{name}` | {fact.words} | {fact.source} | {fact.strength} |"
        for name, fact in FACTS.items()
    ]
    assert [line for line in lines if line.startswith("| `")] == [*rows, *rules]


def test_every_fact_that_is_cited_is_in_the_table(root: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (root / "inspector/cache").glob("*.py")]
    cited = {
        name for text in texts for name in re.findall(r"\(`([a-z-]+)`(?: is contested)?\)", text)
    }
    cited |= {name for text in texts for name in re.findall(r'contested = "([a-z-]+)"', text)}
    assert cited
    assert cited - set(FACTS) == set()


def test_the_longest_beginning_of_a_models_name_decides_its_minimum() -> None:
    assert [least(name) for name in ("claude-opus-4-6", "claude-opus-4-8", "claude-opus-5-5")] == [
        *(4096, 1024, 512),
    ]
    for at, (start, _) in enumerate(LEAST):
        assert not any(start.startswith(other) for other, _ in LEAST[:at])
