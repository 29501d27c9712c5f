"""The task list, as its tools change it and tell of it (`tasks`)."""

import json
from pathlib import Path
from typing import Any

from inspector.clients.claude_code.tasklist import Tasks, done
from inspector.turns import Called, Prompted, Replayed, Returned, Turn
from tests.clients.claude_code.place import Place, called, said

type _Call = tuple[str, dict[str, Any]]


def _told(root: Path, *calls: _Call) -> list[str]:
    profile, tasks, out = Place(root).write({}).profile(), Tasks(), list[str]()
    for name, given in calls:
        tasks, words = done(profile, tasks, Called(id="t", name=name, input=json.dumps(given)))
        out.append(str(words))
    return out


def _create(subject: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "TaskCreate", {"subject": subject, "description": "d", **more}


def _update(number: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "TaskUpdate", {"taskId": number, **more}


def test_a_number_never_comes_again(tmp_path: Path) -> None:
    listed: _Call = ("TaskList", {})
    calls = (_create("a"), _update("1", status="deleted"), _create("b"), listed)
    assert _told(tmp_path, *calls) == [
        "Task #1 created successfully: a",
        "Updated task #1 deleted",
        "Task #2 created successfully: b",
        "#2 [pending] b",
    ]


def test_what_an_update_changes_is_named_in_its_own_order(tmp_path: Path) -> None:
    more: dict[str, Any] = {
        "addBlockedBy": ["1"],
        "metadata": {},
        "status": "in_progress",
        "owner": "me",
    }
    calls = (_create("a"), _create("b"), _update("2", **more, subject="b", activeForm="x"))
    assert _told(tmp_path, *calls)[-1] == (
        "Updated task #2 activeForm, owner, metadata, status, blockedBy"
    )


def test_a_task_waits_for_those_before_it_until_they_are_done(tmp_path: Path) -> None:
    made = (_create("a"), _create("b"), _update("1", addBlocks=["2", "9"]))
    told = _told(tmp_path, *made, ("TaskGet", {"taskId": "1"}), ("TaskList", {}))
    assert told[-2:] == [
        "Task #1: a\nStatus: pending\nDescription: d\nBlocks: #2",
        "#1 [pending] a\n#2 [pending] b [blocked by #1]",
    ]
    ended = _told(tmp_path, *made, _update("1", status="completed"), ("TaskGet", {"taskId": "2"}))
    assert ended[-1] == "Task #2: b\nStatus: pending\nDescription: d"


def test_there_may_be_nothing_to_tell(tmp_path: Path) -> None:
    hidden = _create("a", metadata={"_internal": True})
    calls: tuple[_Call, ...] = (
        hidden,
        ("TaskList", {}),
        ("TaskGet", {"taskId": "4"}),
        _update("4"),
    )
    assert _told(tmp_path, *calls)[1:] == ["No tasks found", "Task not found", "Task not found"]


def test_a_list_that_nobody_saw_grow_is_not_guessed(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "x", "--continue", "--model", "claude-opus-4-6")).write({})
    session = place.begin()
    first = (Replayed(messages="[]"), said(1, "ok"), Prompted(text="x"))
    session.step(Turn(events=first), place.world())
    reply = called(2, "TaskList")
    call = next(block.id for block in reply.blocks if isinstance(block, Called))
    asked = Turn(events=(reply, Returned(call=call, text="#7 [pending] x")))
    built = session.step(asked, place.world())
    assert b"No tasks found" not in built.body
