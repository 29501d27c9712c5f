"""A conversation told to models of two generations, and back (2.1.332, `generation_to_classic`)."""

import json
from pathlib import Path
from typing import Any

from inspector.turns import Prompted
from tests.clients.claude_code.place import Place, said


def _told(place: Place, session: Any, model: str, *events: Any) -> tuple[Any, list[Any]]:
    place.argv = ("-p", "x", "--continue", "--model", model)
    resumed = place.begin(session.state)
    return resumed, place.body(resumed, *events)["messages"]


def _plain(messages: list[Any]) -> list[Any]:
    """Messages without their cache mark, which turns a text into a list of one block."""
    out: list[Any] = []
    for message in messages:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        kept = [{k: v for k, v in block.items() if k != "cache_control"} for block in blocks]
        out.append({**message, "content": kept})
    return out


def test_what_was_told_changes_its_form_with_the_generation_and_back(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "x", "--model", "sonnet")).write(
        {"ws/CLAUDE.md": "be kind"}
    )
    session = place.begin()
    first = _plain(place.body(session, Prompted(text="one"))["messages"])
    assert [message["role"] for message in first] == ["user", "system"]
    session, old = _told(place, session, "claude-opus-4-6", said(1, "ok"), Prompted(text="two"))
    assert [message["role"] for message in old] == ["user", "assistant", "user"]
    told = "\n\n".join(
        block["text"].removeprefix("<system-reminder>\n").split("\n</system-reminder>")[0]
        for block in old[0]["content"]
    )
    for part in first[1]["content"][0]["text"].split("\n\n"):
        assert part in told
    session, new = _told(place, session, "sonnet", said(2, "ok"), Prompted(text="three"))
    assert json.dumps(_plain(new[:2])) == json.dumps(first)
    assert [message["role"] for message in new] == [
        *["user", "system", "assistant"] * 2,
        "user",
        "system",
    ]


def test_an_effort_that_was_never_told_is_told_at_the_beginning(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "x", "--model", "claude-opus-4-6")).write({})
    session = place.begin()
    place.body(session, Prompted(text="one"))
    _, new = _told(place, session, "sonnet", said(1, "ok"), Prompted(text="two"))
    efforts = [message.get("output_config") for message in new if message["role"] == "system"]
    assert efforts == [{"effort": "medium"}, None]
