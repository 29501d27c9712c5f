"""Text functions against the client's own, run in its own runtime (`judge.js`) on generated inputs.

Where ours and the client's differ, `gaps.py` names the class of inputs.
"""

import base64
import math
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from inspector.clients.claude_code import (
    comments,
    core_yaml,
    globs,
    imports,
    javascript,
    mcp,
)
from inspector.clients.claude_code.columns import width
from inspector.clients.claude_code.frontmatter import document
from inspector.clients.claude_code.ignored import ignores
from inspector.clients.claude_code.plain import is_list, is_mapping, items, mapping
from inspector.clients.claude_code.shown import shown
from inspector.installed import installed
from inspector.jsontext import javascript as written
from tests.clients.claude_code import gaps, hostile
from tests.clients.claude_code.judge import HOME, Judge
from tests.clients.claude_code.place import literal

pytestmark = pytest.mark.client

_MANY = 2000
_ENOUGH = 1000


@pytest.fixture(scope="module")
def judge() -> Judge:
    program = installed("claude-code")
    assert program is not None, "claude-code: not installed; see `inspector demo --install-clients`"
    return Judge(program)


def judged(
    judge: Judge,
    question: str,
    asked: Sequence[Any],
    ours: Callable[[Any], object],
    named: Mapping[str, gaps.Gap] | None = None,
) -> None:
    """Every answer is equal, but for inputs of a named gap, and each named gap is still one."""
    known = named or {}
    examples = [gap.example for gap in known.values()]
    compared = [one for one in asked if not any(_told(gap, one) for gap in known.values())]
    assert len(compared) >= _ENOUGH
    answers = judge(question, [*compared, *examples])
    for one, answer in zip(compared, answers, strict=False):
        assert ours(one) == answer, repr(one)
    for (name, gap), answer in zip(known.items(), answers[len(compared) :], strict=True):
        assert _told(gap, gap.example), name
        assert ours(gap.example) != answer, f"{name}: no gap any more"


def _told(gap: gaps.Gap, one: Any) -> bool:
    return any(map(gap.tells, _strings(one)))


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value.replace("\r\n", "\n").replace("\r", "\n")]
    return [part for item in items(value) for part in _strings(item)]


def _pairs(parts: Sequence[str], seed: int) -> list[Any]:
    made = list(hostile.joined(seed, parts, 2 * _MANY, 5))
    return [list(pair) for pair in zip(made[::2], made[1::2], strict=True)]


def _plain(value: Any) -> object:
    """A value as JSON carries it."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"number {javascript.number_text(value)}"
    if is_mapping(value):
        return {key: _plain(item) for key, item in mapping(value).items()}
    return [_plain(item) for item in items(value)] if is_list(value) else value


def _order(key: Callable[[str], Any]) -> Callable[[Any], object]:
    def compared(pair: Any) -> object:
        left, right = map(key, pair)
        return (left > right) - (left < right)

    return compared


def test_ascii_names_sort_as_the_client_sorts_them(judge: Judge) -> None:
    printable = [chr(code) for code in range(0x20, 0x7F)]
    judged(judge, "compare", _pairs(printable, 1), _order(javascript.locale_key))


def test_names_of_any_script_sort_as_the_client_sorts_them(judge: Judge) -> None:
    asked = _pairs(hostile.NAMES, 2) + _pairs(hostile.LETTERS, 3)
    judged(judge, "compare", asked, _order(javascript.locale_key), gaps.NAMES)


def test_agents_sort_as_the_client_sorts_them(judge: Judge) -> None:
    judged(judge, "agents", _pairs(hostile.NAMES, 4), _order(javascript.ascii_first_key))


def test_strings_take_the_columns_the_client_counts(judge: Judge) -> None:
    asked = list(hostile.joined(5, hostile.WORDS, _MANY))
    judged(judge, "width", asked, lambda one: width(str(one)), gaps.WIDTHS)


def test_strings_are_trimmed_and_measured_as_javascript_does(judge: Judge) -> None:
    def ours(one: Any) -> object:
        string = str(one)
        trimmed = str(javascript.trim_end(literal(string)))
        return [javascript.trim_string(string), trimmed, javascript.units(string)]

    judged(judge, "strings", list(hostile.joined(6, hostile.WORDS, _MANY)), ours)


def test_bytes_are_decoded_as_the_client_decodes_them(judge: Judge) -> None:
    asked = [base64.b64encode(data).decode() for data in hostile.data(7, _MANY)]
    judged(judge, "decode", asked, lambda one: javascript.decode(base64.b64decode(str(one))))


def test_json_is_written_as_the_client_writes_it(judge: Judge) -> None:
    asked = list(hostile.documents(8, _MANY))
    judged(judge, "json", asked, lambda one: written(str(one)))


def test_mcp_schemas_are_cleaned_as_the_client_cleans_them(judge: Judge) -> None:
    words = list(hostile.joined(9, hostile.WORDS, 2 * _MANY))
    asked = [{key: [value]} for key, value in zip(words[::2], words[1::2], strict=True)]
    judged(judge, "clean", asked, lambda one: {"value": mcp.cleaned(one)})


def test_descriptions_are_shown_as_the_client_shows_them(judge: Judge) -> None:
    asked = list(hostile.joined(10, hostile.WORDS, _MANY))
    judged(judge, "described", asked, lambda one: shown(str(one)), gaps.DESCRIPTIONS)


def test_frontmatter_is_read_as_the_client_reads_it(judge: Judge) -> None:
    def ours(one: Any) -> object:
        found = document(literal(str(one)))
        return {"value": {"values": _plain(dict(found.values)), "body": str(found.body)}}

    asked = [f"---\n{front}\n---\nbody\n" for front in hostile.joined(11, hostile.YAML, _MANY)]
    judged(judge, "frontmatter", asked, ours, gaps.FRONTMATTER)


def test_single_yaml_values_are_read_as_the_client_reads_them(judge: Judge) -> None:
    def ours(one: Any) -> object:
        try:
            return {"value": _plain(core_yaml.load(str(one)))}
        except core_yaml.YAMLError:
            return {"failed": True}

    asked = [f"a: {value}" for value in hostile.numbers(12, _MANY)]
    judged(judge, "yaml", asked, ours)


def test_paths_values_become_the_patterns_the_client_makes(judge: Judge) -> None:
    asked = list(hostile.joined(13, hostile.GLOBS, _MANY))
    judged(judge, "patterns", asked, lambda one: {"value": globs.expanded(one)})


def test_patterns_ignore_the_paths_the_client_ignores(judge: Judge) -> None:
    chance = Random(14)
    patterns = list(hostile.joined(14, hostile.GLOBS, _MANY, 6))
    asked: list[Any] = []
    for pattern, path in zip(patterns, hostile.paths(15, _MANY), strict=True):
        more = [chance.choice(patterns)] if chance.random() < 0.3 else []
        asked += [[[pattern, *more], path], [[hostile.like(chance, path), *more], path]]

    def ours(one: Any) -> object:
        rules, path = one
        return {"value": ignores(rules, path)}

    judged(judge, "ignores", asked, ours, gaps.PATTERNS)


def test_excludes_match_the_paths_the_client_matches(judge: Judge) -> None:
    chance = Random(16)
    asked: list[Any] = []
    patterns = hostile.joined(16, hostile.GLOBS, _MANY, 6)
    for pattern, path in zip(patterns, hostile.paths(17, _MANY), strict=True):
        asked += [[pattern, f"/{path}"], [f"**/{hostile.like(chance, path)}", f"/{path}"]]

    def ours(one: Any) -> object:
        pattern, path = one
        return {"value": globs.picomatch(pattern, path)}

    judged(judge, "picomatch", asked, ours, gaps.EXCLUDES)


def test_comments_are_cut_as_the_client_cuts_them(judge: Judge) -> None:
    asked = list(hostile.joined(18, hostile.MARKDOWN, 2 * _MANY))
    judged(
        judge,
        "comments",
        asked,
        lambda one: {"value": str(comments.stripped(literal(str(one))))},
        gaps.COMMENTS,
    )


def test_imports_are_found_as_the_client_finds_them(judge: Judge) -> None:
    asked = list(hostile.joined(19, hostile.MARKDOWN, 2 * _MANY))
    judged(
        judge,
        "imports",
        asked,
        lambda one: {"value": imports.imported(str(one), "/w/p/CLAUDE.md", HOME)},
        gaps.IMPORTS,
    )
