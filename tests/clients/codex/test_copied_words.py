"""No word of the client's is taken from a capture or its record: whatever changes there shows."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from inspector.named import Found, find, verified
from inspector.turns import Turns

_GOLDENS = Path(__file__).parents[3] / "captures" / "codex" / "0.171.0"

_CHANGES = [
    ("mcp", "Script completed", "Script finished"),
    ("mcp", "Wall time 0", "Wall clock 0"),
    ("mcp", "isError", "isFault"),
    ("conv3", "chunk_id", "chunk_no"),
    ("conv3", "original_token_count", "original_words_count"),
    ("conv3", '\\"exit_code\\":3', '\\"exit_code\\":x'),
    ("classic", "Chunk ID", "Chunk No"),
    ("classic", "Wall time", "Wall clock"),
    ("classic", "Process exited with code", "Process went away with"),
    ("classic", "Original token count: 1", "Original token count: 2"),
    ("stdin", "<stdin>", "<piped>"),
    ("stdin", "</stdin>", "</piped>"),
    ("tools", "Script running with cell ID", "Script going on in cell"),
    ("tools", "Script error:", "Script fault:"),
    ("tools", "apply_patch verification failed", "apply_patch was not possible"),
    ("tools", "Warning: truncated output", "Warning: shortened output"),
    ("tools", "Total output lines: 1\\n", "Total output lines: 2\\n"),
    ("tools", "37251 tokens truncated", "37252 tokens truncated"),
    ("tools_classic", "Process running with session ID", "Process goes on in session"),
    ("tools_classic", "Success. Updated the following", "Success. Changed the following"),
    ("tools_classic", "A new.txt", "B new.txt"),
    ("tools_classic", "unsupported call: nosuchtool", "unsupported call: nosuchtoll"),
    ("tools_classic", "at line 1 column 9", "at line 1 column 8"),
    ("tools_classic", "Unknown process id 1", "Unknown process id 2"),
    ("tools_classic", "Total output lines: 6500", "Total output rows: 6500"),
    ("tools_classic", "12674 tokens truncated", "12673 tokens truncated"),
    ("mcp_results_classic", "Output:", "Result:"),
    ("mcp_results_classic", "tokens truncated", "tokens left out"),
    ("mcp_results_classic", "[omitted 1 text items ...]", "[omitted 1 texts ...]"),
]
_AS_A_SERVER_MIGHT_SAY = [
    ("mcp_results_classic", "tool call error", "tool call fault"),
    ("mcp_results_classic", "Mcp error", "MCP error"),
    ("mcp_results_classic", "audio content omitted", "audio content left out"),
]
"""In a user's session nobody can tell these from a server's own words; a golden has its log."""

_NAMES = ("golden", "words", "other")


@cache
def _golden(name: str) -> Found:
    return find(str(_GOLDENS / name / "r0"), Path("unused"))


def _changed(found: Found, words: str, other: str) -> tuple[Found, bool]:
    """The recording with other words in its captured requests, and whether there were any."""
    exchanges = tuple(
        replace(item, request=item.request.replace(words.encode(), other.encode()))
        for item in found.recording.exchanges
    )
    changed = exchanges != found.recording.exchanges
    return Found(replace(found.recording, exchanges=exchanges), found.earlier), changed


@pytest.mark.parametrize(_NAMES, _CHANGES)
def test_a_users_session_reports_words_that_changed(golden: str, words: str, other: str) -> None:
    found = _golden(golden)
    own = Found(replace(found.recording, turns=None), found.earlier)
    changed, there = _changed(own, words, other)
    assert (there, verified(own, {}).exact) == (True, True)
    assert not verified(changed, {}).exact


@pytest.mark.parametrize(_NAMES, [*_CHANGES, *_AS_A_SERVER_MIGHT_SAY])
def test_a_record_that_says_the_same_makes_no_golden_exact(
    golden: str, words: str, other: str
) -> None:
    found = _golden(golden)
    assert found.recording.turns is not None
    changed, _ = _changed(found, words, other)
    spelled = found.recording.turns.model_dump_json().replace(words, other)
    turns = Turns.model_validate(json.loads(spelled), strict=False)
    both = Found(replace(changed.recording, turns=turns), found.earlier)
    assert verified(found, {}).exact
    assert not verified(both, {}).exact
