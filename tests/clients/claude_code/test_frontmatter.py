"""Frontmatter as Claude Code 2.1.332 read it (`rules_bytes`, `rules_paths`, `skills_listing`)."""

import pytest

from inspector.clients.claude_code.frontmatter import document
from tests.clients.claude_code.place import literal


@pytest.mark.parametrize(
    ("source", "body"),
    [
        ("---\ntitle: x\n---\nbody\n", "body\n"),
        ("---\n---\nbody\n", "body\n"),
        ("---\r\npaths: a\r\n---\r\nline\r\n", "line\r\n"),
        ("---\ntitle: x\nunclosed\n", "---\ntitle: x\nunclosed\n"),
        ("---\nname: n\n---\n\n\n  lead body  \n\n", "lead body  \n\n"),
        ("text\n---\na: b\n---\n", "text\n---\na: b\n---\n"),
    ],
)
def test_frontmatter_goes_and_an_unclosed_one_stays(source: str, body: str) -> None:
    assert str(document(literal(source)).body) == body


@pytest.mark.parametrize(
    ("front", "values"),
    [
        ("a: yes\nb: on\nc: 2026-01-02", {"a": "yes", "b": "on", "c": "2026-01-02"}),
        ("a: true\nb: 42\nc: null\nd: ~", {"a": True, "b": 42, "c": None, "d": None}),
        ("description: bad: yaml: here", {"description": "bad: yaml: here"}),
        ("description: [unclosed", {"description": "[unclosed"}),
        ("paths: **/*.ts", {"paths": "**/*.ts"}),
        ('quoted: "a: b"\nbad: x: y', {"quoted": "a: b", "bad": "x: y"}),
        ("list: [a, b]\nbad: x: y", {"list": ["a", "b"], "bad": "x: y"}),
        ("- just\n- a list", {}),
    ],
)
def test_odd_yaml_is_read_the_way_the_client_reads_it(
    front: str, values: dict[str, object]
) -> None:
    assert document(literal(f"---\n{front}\n---\n")).values == values


def test_what_is_wrong_with_the_frontmatter_is_said() -> None:
    assert "mapping values" in document(literal("---\na: b: c\n---\n")).problem
    assert document(literal("---\na: b\n---\n")).problem == ""
