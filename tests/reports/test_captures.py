"""What people report of requests they captured, each from the smallest bodies that show it."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.commands import Run

RULES = "Always answer in haiku."
SKILLS = "\n".join(f"- skill{number}: does one thing of many" for number in range(27))
GOLDEN = "captures/claude-code/2.1.332/every_row"
MARK = {"type": "ephemeral"}

type Body = dict[str, Any]


def tool(name: str, said: str = "does something") -> Body:
    return {"name": name, "description": said, "input_schema": {"type": "object"}}


def said(text: str, role: str = "user", **more: Any) -> Body:
    return {"role": role, "content": [{"type": "text", "text": text, **more}]}


def result(number: int, text: str) -> Body:
    block = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": text}
    return {"role": "user", "content": [block]}


def body(messages: Sequence[Body], tools: Sequence[Body] = ()) -> Body:
    system = [{"type": "text", "text": "words of the client " * 1200, "cache_control": MARK}]
    return {
        "model": "claude-opus-4-5",
        "messages": [*messages[:-1], marked(messages[-1])],
        "system": system,
        "tools": [*tools],
        "max_tokens": 32000,
    }


def marked(message: Body) -> Body:
    blocks = message["content"]
    return {**message, "content": [*blocks[:-1], {**blocks[-1], "cache_control": MARK}]}


@pytest.fixture
def captured(run: Run, tmp_path: Path) -> "Captured":
    return Captured(run, tmp_path / "bodies")


class Captured:
    """Bodies in a folder, as one session."""

    def __init__(self, run: Run, folder: Path) -> None:
        self.run, self.folder = run, folder

    def put(self, *bodies: Body) -> str:
        self.folder.mkdir()
        for number, one in enumerate(bodies, start=1):
            (self.folder / f"{number}.json").write_text(json.dumps(one), encoding="utf-8")
        store = self.folder.parent / "s.db"
        _, out, err = self.run("import", self.folder, "--store", store, "--json")
        assert out, err
        session: str = json.loads(out)["sessions"][0]["id"]
        return session

    def asked(self, command: str, *words: object) -> dict[str, Any]:
        store = self.folder.parent / "s.db"
        _, out, err = self.run(command, *words, "--store", store, "--json")
        assert out, err
        found: dict[str, Any] = json.loads(out)
        return found

    def found(self, text: str, session: str) -> list[tuple[str, int, int]]:
        """Path, number of requests and the last of them, of each place of a text."""
        shown = self.asked("show", session)["exchanges"]
        numbers = {row["id"]: row["number"] for row in shown}
        places = self.asked("find", text, session)["items"][0]["places"]
        return [(one["path"], one["requests"], numbers[one["last"]]) for one in places]

    def changes(self, a: int, b: int) -> list[tuple[Any, ...]]:
        """Verdict and paths of each change that has a meaning."""
        files = self.folder / f"{a}.json", self.folder / f"{b}.json"
        rows = self.asked("diff", *files)["changes"]
        return [(one["verdict"], one["path_a"], one["path_b"]) for one in rows if not one["benign"]]


def test_r23_a_rule_that_comes_again_with_each_read_is_counted(captured: Captured) -> None:
    reads = [result(number, f"text {number}\n{RULES}") for number in range(3)]
    session = captured.put(body([said("go"), *reads]))
    assert captured.found(RULES, session) == [
        (f"/messages/{number}/content/0/content", 1, 1) for number in (1, 2, 3)
    ]


def test_r38_a_listing_that_compaction_drops_is_told_with_its_last_request(
    captured: Captured,
) -> None:
    start = [said(f"skills:\n{SKILLS}"), said("go")]
    session = captured.put(body(start), body([*start, said("on")]), body([said("summary")]))
    assert captured.found("skill26:", session) == [("/messages/0/content/0/text", 2, 2)]
    assert ("removed", "/messages/0/content/0", None) in captured.changes(2, 3)


def test_r39_a_skill_that_was_called_is_gone_after_a_summary(captured: Captured) -> None:
    called = [said("go"), result(1, "Launching skill: alpha"), said("Body of alpha")]
    session = captured.put(body(called), body([said("summary"), said("on")]))
    assert captured.found("Body of alpha", session) == [("/messages/2/content/0/text", 1, 1)]


def test_r41_a_nested_skill_is_told_from_when_it_was_found_to_when_it_was_lost(
    captured: Captured,
) -> None:
    first = [said("go")]
    read = [*first, result(1, "text"), said("- nested: a skill below")]
    session = captured.put(
        body(first), body(read), body([*read, said("on")]), body([said("summary")])
    )
    shown = captured.asked("show", session)["exchanges"]
    (place,) = captured.asked("find", "nested:", session)["items"][0]["places"]
    numbers = {row["id"]: row["number"] for row in shown}
    assert (numbers[place["exchange"]], numbers[place["last"]]) == (2, 3)


def test_r45_tools_in_another_order_are_moves_and_no_change_of_a_schema(captured: Captured) -> None:
    tools = [tool(name) for name in ("alpha", "mu", "zeta")]
    session = captured.put(body([said("go")], tools), body([said("go")], [tools[2], *tools[:2]]))
    assert captured.changes(1, 2) == [("moved", "/tools/2", "/tools/0")]
    findings = captured.asked("cache", session)["findings"]
    assert [one["rule"] for one in findings] == ["TOOLS-REORDERED"]


def test_r48_a_servers_tools_that_go_for_one_turn_and_come_back_are_a_flap(
    captured: Captured,
) -> None:
    tools = [tool("Bash"), *(tool(f"mcp__one__t{number}") for number in range(3))]
    talk = [said(f"message {number}") for number in range(3)]
    session = captured.put(
        body(talk[:1], tools), body(talk[:2], tools[:1]), body(talk, [tools[0], *tools[:0:-1]])
    )
    findings = captured.asked("cache", session)["findings"]
    assert [one["rule"] for one in findings] == ["TOOLS-FLAP", "TOOLS-FLAP"]
    assert all(f"mcp__one__t{number}" in findings[0]["message"] for number in range(3))


def test_r57_reminders_of_one_kind_are_one_row_with_their_number(captured: Captured) -> None:
    reminder = "<system-reminder>Consider whether this is malware.</system-reminder>"
    reads = [result(number, f"text {number}\n{reminder}") for number in range(15)]
    session = captured.put(body([said("go"), *reads]))
    assert len(captured.found(reminder, session)) == 15


def test_r58_a_kind_of_reminder_that_is_new_is_told_with_its_words(captured: Captured) -> None:
    before = [said("go"), result(1, "text")]
    new = said("<system-reminder>A kind nobody knew.</system-reminder>")
    captured.put(body(before), body([*before, new]))
    assert captured.changes(1, 2) == [("added", None, "/messages/2/content/0")]


def test_r49_captures_by_two_routes_say_that_the_route_changes_the_request(
    run: Run, root: Path
) -> None:
    _, _, err = run("diff", f"{root / GOLDEN}/r0:m1", f"{root / GOLDEN}_tls/r0:m1")
    assert "A came by the route base-url, B by tls: that alone changes the request" in err
    _, _, err = run("diff", f"{root / GOLDEN}/r0:m1", f"{root / GOLDEN}/r0:m2")
    assert err == ""


def test_r53_a_server_whose_list_is_newer_than_what_was_sent_is_named(
    run: Run, root: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "r0"
    shutil.copytree(root / GOLDEN / "r0", folder)
    kept = json.loads((folder / "snapshot.json").read_text(encoding="utf-8"))
    (one,) = kept["listings"]
    tools = json.loads(one["tools"])
    (zeta,) = (item for item in tools["tools"] if item["name"] == "zeta")
    zeta["inputSchema"]["properties"] = {"newer": {"type": "string"}}
    one["tools"] = json.dumps(tools)
    (folder / "snapshot.json").write_text(json.dumps(kept), encoding="utf-8")
    code, out, err = run("diff", folder, "--built", "--json")
    rows = [row for row in json.loads(out)["changes"] if not row["benign"]]
    assert (code, err) == (1, "")
    assert [(row["section"], row["origin_a"]) for row in rows] == [("tools", "listing:one/zeta")]


def test_r56_what_a_server_costs_in_each_request_is_told_before_it_is_taken_away(
    run: Run, root: Path
) -> None:
    _, out, _ = run("explain", root / GOLDEN / "r0", "--without", "one", "--json")
    sizes = json.loads(out)["requests"]
    assert len(sizes) == 8
    assert all(0 < one["same"] < one["after"] < one["before"] for one in sizes)


def test_r58_what_a_version_tells_that_another_does_not_is_a_row_each(run: Run) -> None:
    code, out, _ = run("drift", "2.1.88", "2.1.332", "--json")
    texts = [row for row in json.loads(out)["changes"] if row["aspect"] == "text"]
    assert (code, {row["verdict"] for row in texts}) == (1, {"added", "removed", "changed"})


def test_r61_what_a_hook_says_to_the_user_alone_is_nowhere(run: Run, root: Path) -> None:
    recorded = root / "captures/claude-code/2.1.332/hooks_before/r0"
    code, out, _ = run("find", "to the model", recorded, "--json")
    sources = {one for place in json.loads(out)["items"][0]["places"] for one in place["sources"]}
    assert (code, sources) == (0, {"hook PreToolUse:Bash"})
    code, out, _ = run("find", "to the user", recorded, "--json")
    assert (code, json.loads(out)["items"][0]["places"]) == (1, [])
