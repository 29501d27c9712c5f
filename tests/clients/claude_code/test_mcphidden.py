"""What the client takes out of an error of an MCP server."""

from typing import Any

import pytest

from inspector.clients.claude_code import mcphidden
from inspector.clients.claude_code.servers import Written
from inspector.text import Kind, Origin, text

SAID = Origin(Kind.LISTING, "server")


def hidden(words: str, entry: dict[str, Any], *, filed: bool = False, **authored: Any) -> str:
    written = Written({**entry, **authored}, entry, (), filed)
    return str(mcphidden.hidden(text(words, SAID), written))


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("no answer", "no answer"),
        ("cannot POST /longer/path", "cannot POST [redacted]"),
        ("PATH and longer", "[redacted] and [redacted]"),
        ("at http://h.test:9", "at http://h.test:9"),
        ("%2Flonger%2Fpath", "[redacted]"),
        ("ａ lo\u0301nger way", "ａ [redacted] way"),
        ("a token of key", "a token of key"),
        ("value of secretvalue", "value of [redacted]"),
    ],
)
def test_an_address_is_taken_out_but_for_its_origin(words: str, left: str) -> None:
    url = "http://h.test:9/longer/path?token=secretvalue"
    assert hidden(words, {"type": "http", "url": url}) == left


def test_a_program_is_named_as_its_file_names_it() -> None:
    entry = {"command": "/nowhere/server", "args": ["some words", "abc"]}
    assert hidden("spawn '/nowhere/server' some words", entry) == "spawn 'stdio' [redacted]"
    assert hidden("spawn '/nowhere/server' abc", entry, filed=True) == "spawn '/nowhere/server' abc"
    named = hidden("spawn '/nowhere/server'", entry, filed=True, command="${A:-/b}")
    assert named == "spawn '${A}'"


def test_a_program_with_a_plain_name_is_a_word_of_its_own() -> None:
    entry = {"command": "nowhere"}
    assert hidden("nowhere nowhere-else not.nowhere", entry) == "stdio nowhere-else not.nowhere"


def test_digests_of_values_are_taken_out() -> None:
    assert hidden(f"said sha256:{'0' * 64}!", {"url": "http://h"}) == "said [redacted]!"


def test_runs_that_overlap_go_as_one() -> None:
    entry = {"command": "x", "args": ["abcd", "cdef"]}
    assert hidden("abcdef", entry) == "[redacted]"
