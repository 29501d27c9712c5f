"""`inspector explain --with --without --set`: what would change in the requests."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.errors import NotKept
from inspector.explain.whatif import Change, ChangedTree
from inspector.workspace import Entry, EntryKind
from tests.commands import Run

GOLDEN = "captures/claude-code/2.1.332/every_row/r0"


class Kept:
    """A tree of one file, whose other folders nobody looked at."""

    def read(self, path: str) -> bytes | None:
        return {"/w/a/one.md": b"1"}.get(path)

    def list(self, path: str) -> tuple[Entry, ...] | None:
        if path == "/w/a":
            return (Entry("one.md", EntryKind.FILE),)
        if path == "/w/a/one.md":
            return None
        raise NotKept(path)


def test_added_files_stand_last_in_folders_that_come_with_them() -> None:
    tree = ChangedTree(Kept(), Change(added={"/w/a/two.md": b"2", "/w/b/c/three.md": b"3"}))
    assert tree.list("/w/a") == (Entry("one.md", EntryKind.FILE), Entry("two.md", EntryKind.FILE))
    assert tree.list("/w/b") == (Entry("c", EntryKind.DIRECTORY),)
    assert tree.list("/w/b/c/") == (Entry("three.md", EntryKind.FILE),)
    assert (tree.read("/w/b/c/three.md"), tree.read("/w/a/one.md")) == (b"3", b"1")


def test_an_added_file_replaces_one_of_its_name_and_keeps_its_place() -> None:
    tree = ChangedTree(Kept(), Change(added={"/w/a/one.md": b"new"}))
    assert (tree.read("/w/a/one.md"), tree.list("/w/a")) == (
        b"new",
        (Entry("one.md", EntryKind.FILE),),
    )


def test_what_is_removed_is_gone_with_all_below_it_and_the_unknown_stays_unknown() -> None:
    tree = ChangedTree(Kept(), Change(removed=frozenset({"/w/a"})))
    assert (tree.read("/w/a/one.md"), tree.list("/w/a")) == (None, None)
    one = ChangedTree(Kept(), Change(removed=frozenset({"/w/a/one.md"})))
    assert one.list("/w/a") == ()
    with pytest.raises(NotKept):
        one.list("/w/elsewhere")


def document(run: Run, *words: str) -> dict[str, Any]:
    code, out, err = run("explain", *words, "--json")
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def changes(found: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [
        (
            item["name"],
            item["before"] and item["before"]["landed"],
            item["after"] and item["after"]["landed"],
        )
        for item in found["changes"]
    ]


def test_without_a_server_its_tools_are_gone_from_every_request(run: Run, root: Path) -> None:
    found = document(run, str(root / GOLDEN), "--without", "one")
    assert changes(found) == [
        ("one", True, None),
        ("one/zeta", True, None),
        ("one/alpha", False, None),
        ("one/secret", False, None),
    ]
    sizes = found["requests"]
    assert [size["exchange"] for size in sizes] == list(dict.fromkeys(s["exchange"] for s in sizes))
    assert (len(sizes), all(size["after"] < size["before"] for size in sizes)) == (8, True)
    assert sizes[0]["path"] == "/messages/1/content/0/text"


def test_without_a_rule_the_next_requests_change_where_it_stood(run: Run, root: Path) -> None:
    found = document(run, str(root / GOLDEN), "--without", ".claude/rules/cond.md")
    assert changes(found) == [("cond.md", True, None)]
    # It came in with the third request, so the first two stay as they are.
    assert len(found["requests"]) == 6


def test_a_setting_and_a_new_skill_change_the_listing(run: Run, tmp_path: Path) -> None:
    skill = "---\nname: {}\ndescription: does what {} does\n---\nbody\n"
    for name in ("one", "two"):
        path = tmp_path / f"ws/.claude/skills/{name}/SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text(skill.format(name, name))
    (tmp_path / "home").mkdir()
    (tmp_path / "draft.md").write_text(skill.format("new", "new"))
    place = ("--workspace", str(tmp_path / "ws"), "--home", str(tmp_path / "home"))
    new = f".claude/skills/new/SKILL.md={tmp_path / 'draft.md'}"
    found = document(run, *place, "--with", new, "--set", "skillOverrides.one=off")
    assert sorted(changes(found)) == [("new", None, True), ("one", True, False)]
    small = document(run, *place, "--set", "env.SLASH_COMMAND_TOOL_CHAR_BUDGET=30")
    assert {item["after"]["reason"] for item in small["changes"]} == {
        "the listing is over its budget: only its name is told"
    }


def test_a_setting_of_codex_is_one_of_its_command_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "ws/.git").mkdir(parents=True)
    (tmp_path / "ws/AGENTS.md").write_text("Be brief, and say why.\n")
    (tmp_path / "home").mkdir()
    place = ("--workspace", str(tmp_path / "ws"), "--home", str(tmp_path / "home"))
    found = document(run, *place, "--client", "codex", "--set", "project_doc_max_bytes=8")
    (item,) = found["changes"]
    assert (item["before"]["chars"], item["after"]["chars"]) == (23, 8)


def test_sizes_are_those_of_the_texts_that_a_sealed_recording_names(run: Run, root: Path) -> None:
    first, *_ = document(run, str(root / GOLDEN), "--client-version", "2.1.88")["requests"]
    # Of the first request 8,114 bytes are kept; the texts named there have 53,363 more.
    assert abs(first["before"] - 8_114 - 53_363) < 100
    assert first["after"] > 90_000


def test_a_change_that_changes_nothing_says_so(run: Run, root: Path) -> None:
    code, out, _ = run("explain", str(root / GOLDEN), "--set", "skillOverrides.nobody=off")
    assert (code, out.splitlines()) == (0, ["no request changes"])


@pytest.mark.parametrize(
    ("option", "value"),
    [("--with", "a=/no/such/file"), ("--without", "nothing-here"), ("--set", "novalue")],
)
def test_what_names_nothing_is_refused_in_one_line(
    run: Run, root: Path, option: str, value: str
) -> None:
    code, out, err = run("explain", str(root / GOLDEN), option, value)
    lines = [line for line in err.splitlines() if option in line]
    assert (code, out, len(lines)) == (2, "", 1)
