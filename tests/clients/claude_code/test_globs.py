"""`paths:` values; matches are those of the npm packages `ignore` and `picomatch`."""

import pytest

from inspector.clients.claude_code.globs import matches, patterns, picomatch


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("", None),
        (7, None),
        ([], None),
        ("**", None),
        ("**/*", ("**/*",)),
        ("src/**", ("src",)),
        ("a, b/{c,d}/**, {e,f}", ("a", "b/c", "b/d", "e", "f")),
        (["x.ts", "y/**"], ("x.ts", "y")),
        ("{a,b}{1,2}", ("a1", "a2", "b1", "b2")),
    ],
)
def test_a_value_becomes_patterns_or_no_condition(
    value: object, expected: tuple[str, ...] | None
) -> None:
    assert patterns(value) == expected


@pytest.mark.parametrize(
    ("globs", "path", "expected"),
    [
        (("*.ts",), "deep/a.ts", True),
        (("src",), "src/deep/x.ts", True),
        (("/src",), "lib/src/x.ts", False),
        (("SRC",), "src/a.ts", True),
        (("./src",), "src/a.ts", False),
        (("!src",), "src/a.ts", False),
        (("a/**/c",), "a/x/y/c", True),
        (("docs/*.md",), "docs/x/a.md", False),
        (("É.md",), "é.md", True),
    ],
)
def test_matching_is_gitignores_without_regard_to_case(
    globs: tuple[str, ...], path: str, expected: bool
) -> None:
    assert matches(globs, f"/base/{path}", "/base") is expected


def test_nothing_outside_the_base_matches() -> None:
    assert not matches(("*.ts",), "/other/a.ts", "/base")


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("**/CLAUDE.md", "/w/a/CLAUDE.md", True),
        ("**/.claude/CLAUDE.md", "/w/.claude/CLAUDE.md", True),
        ("CLAUDE.md", "/w/CLAUDE.md", False),
        ("/w/*/CLAUDE.md", "/w/a/b/CLAUDE.md", False),
        ("/w/{a,b}/CLAUDE.md", "/w/b/CLAUDE.md", True),
        ("/w/[ab]/CLAUDE.md", "/w/a/CLAUDE.md", True),
        ("!**/a/CLAUDE.md", "/w/a/CLAUDE.md", False),
        ("!**/a/CLAUDE.md", "/w/CLAUDE.md", True),
    ],
)
def test_excludes_match_whole_absolute_paths(pattern: str, path: str, expected: bool) -> None:
    assert picomatch(pattern, path) is expected
