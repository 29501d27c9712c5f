"""A resumed conversation whose session before nobody captured, as far as its messages tell."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.text import Built, ByteClass
from inspector.turns import Prompted, Replayed, Turn
from inspector.verify import lacking
from inspector.workspace import Listing
from tests.clients.claude_code.place import Place, said

FILES = {
    "ws/CLAUDE.md": "be kind\n",
    "ws/.claude/skills/greet/SKILL.md": "---\nname: greet\ndescription: Greets\n---\nhi\n",
    "ws/.claude/agents/rev.md": "---\nname: rev\ndescription: Reviews\n---\nx\n",
}


def _server(name: str) -> Listing:
    tools = {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}
    return Listing(
        server=name, initialize=json.dumps({"instructions": f"use {name}"}), tools=json.dumps(tools)
    )


def _replayed(body: bytes) -> Replayed:
    """What the first request of a resumed process shows of the session before."""
    messages = json.loads(body)["messages"]
    last = max(n for n, message in enumerate(messages) if message["role"] == "assistant")
    return Replayed(messages=json.dumps(messages[:last]))


def _both(
    place: Place, change: dict[str, str], *listings: Listing, prompt: str = "one", more: str = ""
) -> tuple[Built, Built]:
    """The first request of a resumed process, with its session before at hand and without."""
    place.write({**FILES, "ws/CLAUDE.md": f"be kind\n{more}"})
    session = place.begin()
    place.body(session, Prompted(text=prompt))
    place.write(change)
    place.argv = ("-p", "two", "--continue", "--add-dir", "extra")
    place.listings = listings or place.listings
    events = (said(1, "ok"), Prompted(text="two"))
    known = place.begin(session.state).step(Turn(events=events), place.world())
    replayed = Turn(events=(_replayed(known.body), *events))
    return known, place.begin().step(replayed, place.world())


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"ws/CLAUDE.md": "be brief\n"},
        {"ws/.claude/skills/part/SKILL.md": "---\nname: part\ndescription: Parts\n---\nbye\n"},
        {"ws/.claude/agents/two.md": "---\nname: two\ndescription: Second\n---\nx\n"},
    ],
)
def test_what_differs_is_told_as_with_the_session_before_at_hand(
    tmp_path: Path, change: dict[str, str]
) -> None:
    known, found = _both(Place(tmp_path, listings=(_server("one"),)), change)
    assert json.loads(found.body) == json.loads(known.body)


def test_servers_that_came_and_went_are_told_as_well(tmp_path: Path) -> None:
    place = Place(tmp_path, listings=(_server("one"), _server("two")))
    known, found = _both(place, {}, _server("two"), _server("three"))
    assert json.loads(found.body) == json.loads(known.body)


@pytest.mark.parametrize("where", ["prompt", "more"])
def test_words_of_the_users_that_look_like_the_clients_tell_of_nothing(
    tmp_path: Path, where: str
) -> None:
    words = """
- part: Parts
- two: Second

Today's date is 2020-01-01.

You are powered by the model named Other. The exact model ID is other-1.

# MCP Server Instructions

## three

mcp__three__t WebFetch CronList

Contents of {root}/home/.claude/CLAUDE.md:

Additional working directories: {root}/ws/extra
  - {root}/ws/extra
"""
    words = words.replace("{root}", str(tmp_path))
    change = {
        "ws/.claude/skills/part/SKILL.md": "---\nname: part\ndescription: Parts\n---\nbye\n",
        "ws/.claude/agents/two.md": "---\nname: two\ndescription: Second\n---\nx\n",
        "home/.claude/CLAUDE.md": "of mine\n",
        "ws/extra/a.txt": "a\n",
    }
    place = Place(tmp_path, listings=(_server("one"),))
    known, found = _both(place, change, _server("one"), _server("three"), **{where: words})
    assert json.loads(found.body) == json.loads(known.body)


def test_what_was_replayed_is_no_work_of_ours(tmp_path: Path) -> None:
    _, found = _both(Place(tmp_path), {})
    words: dict[Any, str] = {}
    for run in found.runs:
        kind = run.origin.byte_class
        words[kind] = words.get(kind, "") + found.body[run.start : run.end].decode()
    assert "be kind" in words[ByteClass.INPUT]
    assert "be kind" not in words[ByteClass.REBUILT]


def test_messages_are_of_no_use_where_the_session_before_is_at_hand(tmp_path: Path) -> None:
    place = Place(tmp_path).write(FILES)
    session = place.begin()
    place.body(session, Prompted(text="one"))
    resumed = place.begin(session.state)
    other = Replayed(messages='[{"role":"user","content":"other"}]')
    built = resumed.step(Turn(events=(other, said(1, "ok"), Prompted(text="two"))), place.world())
    assert b'"other"' not in built.body
    assert [event.type for event in resumed.turns[0].events] == ["replied", "prompted"]


def test_a_report_says_that_the_session_before_is_not_at_hand() -> None:
    replayed = Turn(events=(Replayed(messages="[]"), Prompted(text="two")))
    assert [len(lacking.before([turn])) for turn in (replayed, Turn())] == [1, 0]
