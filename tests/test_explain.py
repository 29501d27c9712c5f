"""`inspector explain`: where the user's files are in the requests, and why others are not."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector import named
from inspector.clients import Called, Missing
from inspector.explain import Item, Landing, chosen, explain
from inspector.jsontext import parse
from inspector.text import Kind, Origin, encode, text
from tests.commands import Run

GOLDEN = "captures/claude-code/2.1.332/every_row/r0"
CODEX = "captures/codex/0.171.0/skills/r0"
RULE, SKILL = "/w/CLAUDE.md", "/w/.claude/skills/s/SKILL.md"


def called(path: str) -> Called:
    return Called("rule" if path.endswith("CLAUDE.md") else "skill", path.rpartition("/")[2])


def message(words: str, kind: Kind, name: str) -> Any:
    return text(words, Origin(kind, name))


def test_a_place_that_stays_is_listed_once_and_counted_for_each_request() -> None:
    rule = message("be brief", Kind.FILE, RULE)
    first = encode({"messages": [{"content": rule}, {"content": message("x", Kind.REPLY, "m")}]})
    blocks = {"content": [{"text": rule}]}
    second = encode({"messages": [blocks, {"content": message("x", Kind.REPLY, "m")}]})
    (item,) = explain([("e1", first), ("e2", second)], (), called)
    place = Landing("e1", "/messages/0/content", 0, 8)
    assert item == Item("rule", "CLAUDE.md", RULE, [place], requests=2, chars=8)


def test_servers_tools_and_hooks_are_items_and_prompts_are_none() -> None:
    parts = [
        message("says", Kind.LISTING, "srv"),
        message("does", Kind.LISTING, "srv/tool"),
        message("hooked", Kind.HOOK, "Stop"),
        message("hello", Kind.PROMPT, "prompt"),
    ]
    items = explain([("e", encode({"system": [{"text": part} for part in parts]}))], (), called)
    assert [(item.kind, item.name, item.path, item.chars) for item in items] == [
        ("server", "srv", "mcp srv", 4),
        ("tool", "srv/tool", "mcp srv/tool", 4),
        ("hook", "Stop", "hook Stop", 6),
    ]


def test_a_reason_stands_by_what_landed_or_makes_an_item_of_its_own() -> None:
    body = encode({"system": message("be brief", Kind.FILE, RULE)})
    cut = Missing("rule", "CLAUDE.md", RULE, "its end is left out")
    taken = Missing("skill", "s", SKILL, "another one has its name")
    servers = [Missing("server", name, "/w/.mcp.json", "no object") for name in "ab"]
    items = explain([("e", body)], [cut, taken, *servers], called)
    assert [(item.name, item.landed, item.reasons) for item in items] == [
        ("CLAUDE.md", True, ["its end is left out"]),
        ("s", False, ["another one has its name"]),
        ("a", False, ["no object"]),
        ("b", False, ["no object"]),
    ]


@pytest.mark.parametrize("wanted", [RULE, "CLAUDE.md", "./CLAUDE.md", "w/CLAUDE.md"])
def test_an_item_is_meant_by_its_path_the_end_of_it_or_its_name(wanted: str) -> None:
    items = [Item("rule", "CLAUDE.md", RULE), Item("skill", "s", SKILL)]
    assert chosen(items, wanted) == items[:1]
    assert chosen(items, "AUDE.md") == []


def document(run: Run, *words: str) -> tuple[int, list[dict[str, Any]]]:
    code, out, _ = run("explain", *words, "--json")
    return code, json.loads(out)["items"]


def test_every_place_of_a_golden_holds_what_the_capture_holds_there(run: Run, root: Path) -> None:
    code, items = document(run, str(root / GOLDEN))
    found = named.find(str(root / GOLDEN), Path("unused"))
    bodies = {exchange.id: exchange.request for exchange in found.recording.exchanges}
    files = {item["path"].rpartition("/ws/")[2]: item for item in items}
    texts = {
        name: [_text(bodies, place) for place in files[name]["places"][:1]]
        for name in ("CLAUDE.md", "docs/more.md", ".claude/rules/cond.md", "src/f.txt")
    }
    assert code == 0
    assert texts == {
        "CLAUDE.md": ["project memory\n@docs/more.md"],
        "docs/more.md": ["imported"],
        ".claude/rules/cond.md": ["when src is touched\n"],
        "src/f.txt": ["one"],
    }


def _text(bodies: dict[str, bytes], place: dict[str, Any]) -> str:
    node = parse(bodies[place["exchange"]]).find(place["path"])
    assert node is not None
    return node.string[place["start"] : place["end"]]


def test_of_two_skills_of_one_name_the_one_that_lost_says_to_whom(run: Run, root: Path) -> None:
    code, items = document(run, str(root / GOLDEN), "greet")
    home = "/tmp/inspector-golden/claude-code-every_row/home/.claude/skills/greet/SKILL.md"
    assert code == 1
    assert [(item["path"] == home, item["landed"]) for item in items] == [
        (True, True),
        (False, False),
    ]
    assert items[1]["reason"] == f"another one has its name: {home}"


def test_a_skill_that_codex_refuses_is_told_with_the_reason(run: Run, root: Path) -> None:
    code, items = document(run, str(root / CODEX), "nodesc")
    reasons = [(item["kind"], item["landed"], item["reason"]) for item in items]
    assert code == 1
    assert reasons == [("skill", False, "no description; the client leaves this skill out")]


def test_any_text_is_found_with_its_sources_or_is_nowhere(run: Run, root: Path) -> None:
    code, (found, absent) = document(run, str(root / GOLDEN), "project memory", "xyzzy plugh")
    assert code == 1
    assert (found["kind"], found["landed"], absent["landed"]) == ("text", True, False)
    assert [
        (place["path"], place["sources"][0].startswith("file ")) for place in found["places"]
    ] == [("/messages/0/content/0/text", True)]


def test_a_workspace_is_explained_without_a_session(run: Run, tmp_path: Path) -> None:
    skill = tmp_path / "ws/.claude/skills/two/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(
        "---\nname: two\ndescription: the second\ndisable-model-invocation: true\n---\n"
    )
    (tmp_path / "ws/CLAUDE.md").write_text("Always be brief.\n")
    (tmp_path / "ws/NOTES.md").write_text("nobody reads this\n")
    (tmp_path / "home").mkdir()
    places = ("--workspace", str(tmp_path / "ws"), "--home", str(tmp_path / "home"))
    code, items = document(run, *places, "CLAUDE.md", "two", "NOTES.md", "be brief")
    assert code == 1
    assert [(item["kind"], item["landed"], item["chars"]) for item in items] == [
        ("rule", True, 16),
        ("skill", False, 0),
        ("file", False, 0),
        ("text", True, 8),
    ]
    assert items[1]["reason"] == "disable-model-invocation keeps it from the model"
    assert items[2]["reason"].startswith("the client does not look for a file of this name there")


def test_the_table_says_where_and_how_many_requests_hold_it(run: Run, root: Path) -> None:
    code, out, _ = run("explain", str(root / GOLDEN), "src/f.txt", "no such words")
    lines = out.splitlines()
    row = next(line for line in lines if "f.txt" in line)
    assert code == 1
    assert row.split()[:8] == [
        "file",
        "f.txt",
        "yes",
        "3",
        "1",
        "6/8",
        "#3",
        "/messages/5/content/0/content",
    ]
    assert "'no such words': nowhere in the requests" in lines


def test_without_a_session_or_workspace_one_line_says_what_to_name(run: Run) -> None:
    code, _, err = run("explain")
    assert (code, err.count("\n")) == (2, 1)
    assert "name a session (`last`) or a --workspace" in err


def test_every_tool_of_a_server_landed_or_has_its_reason(run: Run, root: Path) -> None:
    _, items = document(run, str(root / "captures/claude-code/2.1.332/mcp_schemas/r0"))
    tools = [item for item in items if item["kind"] == "tool"]
    assert {item["name"]: item["reason"] for item in tools if not item["landed"]} == {
        "combine/no_array": "left out: oneOf, anyOf or allOf stands at the top of its schema",
        "same/a b": "gets the name mcp__same__a_b, as a.b does: not sent",
        "untyped/untyped": "inputSchema is of another type than MCP says: the client loses the whole"
        " list of tools",
    }
    assert sum(item["landed"] for item in tools) == 16


def test_a_tool_whose_name_alone_is_told_says_so_until_it_is_loaded(run: Run, root: Path) -> None:
    words = "only its name is told, until the model searches for it"
    code, (zeta, alpha) = document(run, str(root / GOLDEN), "one/zeta", "one/alpha")
    assert code == 1
    assert [(item["landed"], item["requests"], item["reason"]) for item in (zeta, alpha)] == [
        (True, 4, words),
        (False, 0, words),
    ]


def test_a_server_that_failed_says_why(run: Run, root: Path) -> None:
    code, (item,) = document(run, str(root / "captures/claude-code/2.1.332/mcp_failing/r0"), "dead")
    reason = "no lists: the server ended (exit code 3) before it answered initialize"
    assert (code, item["landed"], item["reason"]) == (1, False, reason)


def test_the_inventory_of_a_folder_holds_what_waits_below_it_and_the_order(
    run: Run, tmp_path: Path
) -> None:
    files = {
        "CLAUDE.md": "first\n",
        ".claude/rules/a.md": "second\n",
        "sub/CLAUDE.md": "below\n",
        "sub/.claude/skills/far/SKILL.md": "---\ndescription: far away\n---\n",
        "sub/notes.md": "of no interest\n",
    }
    for name, words in files.items():
        (tmp_path / "ws" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "ws" / name).write_text(words)
    (tmp_path / "home").mkdir()
    ws = str(tmp_path / "ws")
    code, items = document(run, ws, "--all", "--home", str(tmp_path / "home"))
    assert code == 0
    assert [(item["path"].removeprefix(f"{ws}/"), item["order"]) for item in items] == [
        ("CLAUDE.md", 1),
        (".claude/rules/a.md", 2),
        ("sub/CLAUDE.md", None),
        ("sub/.claude/skills/far/SKILL.md", None),
    ]
    waits = f"it waits until a file below {ws}/sub is touched"
    assert [item["reason"] for item in items] == ["", "", waits, waits]


def test_all_takes_no_name_beside_it(run: Run, root: Path) -> None:
    code, _, err = run("explain", "--all", str(root / GOLDEN), "CLAUDE.md")
    assert (code, err.count("\n"), "leave out CLAUDE.md or --all" in err) == (2, 1, True)


def test_another_version_of_the_client_is_a_what_if_of_a_session(run: Run, root: Path) -> None:
    given = (str(root / GOLDEN), "--client-version", "2.1.88", "--json")
    code, out, _ = run("explain", *given)
    sizes = json.loads(out)["requests"]
    assert code == 0
    assert sizes[0]["before"] != sizes[0]["after"]


def test_a_session_that_kept_no_text_of_a_hidden_file_still_says_what_hides_it(
    run: Run, root: Path
) -> None:
    _, items = document(run, str(root / "captures/codex/0.171.0/mix_chain/r0"))
    assert {Path(item["path"]).name: item["reason"] for item in items if not item["landed"]} == {
        "AGENTS.md": "AGENTS.override.md beside it is read in its place",
        "AGENTS.override.md": "there is no text in it",
    }


def test_a_session_whose_snapshot_lacks_files_that_were_switched_off_is_explained(
    run: Run, root: Path
) -> None:
    code, items = document(run, str(root / "captures/claude-code/2.1.332/rules_switches/r0"))
    assert (code, [item["name"] for item in items]) == (0, [".claude.json", "x.txt"])


def test_a_folder_that_a_prompt_mentions_is_no_tool_of_a_server(run: Run, root: Path) -> None:
    mention = str(root / "captures/claude-code/2.1.332/mention_forms/r2")
    _, (item,) = document(run, mention, "dir")
    assert (item["kind"], item["name"], item["landed"]) == ("folder", "dir", True)


def test_a_folder_of_recordings_is_no_workspace(run: Run, root: Path) -> None:
    code, out, err = run("explain", str(root / "captures/codex/0.171.0/mix_chain"))
    assert (code, out) == (2, "")
    assert "not a recording's folder; name one such as" in err
