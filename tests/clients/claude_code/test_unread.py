"""Why a rule is not in the request."""

from pathlib import Path

from inspector.clients.claude_code.unread import unread
from tests.clients.claude_code.place import Place

OUTSIDE = "it lies outside the working directory, and nobody allowed that"


def _told(place: Place) -> dict[str, str]:
    found = unread(place.world(), place.profile())
    assert {item.name for item in found} == {item.path.rpartition("/")[2] for item in found}
    return {item.path.removeprefix(f"{place.root}/"): item.words for item in found}


def test_each_rule_that_did_not_land_says_why(tmp_path: Path) -> None:
    place = Place(tmp_path).write(
        {
            "ws/CLAUDE.md": "root\n@gone.md\n@../beside.md\n@pic.png\n@CLAUDE.md\n",
            "ws/AGENTS.md": "agents\n",
            "ws/pic.png": b"\x89PNG",
            "ws/.claude/CLAUDE.local.md": "inner local\n",
            "ws/.claude/rules/empty.md": "<!-- nothing -->\n",
            "ws/.claude/rules/cond.md": "---\npaths: src/**, *.py\n---\nwhen touched\n",
            "ws/.claude/rules/notes.txt": "text\n",
            "ws/.claude/rules/skip.md": "skipped\n",
            "ws/.claude/rules/big.md": "x" * 4194305,
            "ws/.claude/rules/held.md": "held\n",
            "ws/.claude/settings.json": (
                '{"claudeMdExcludes":["**/skip.md"],"permissions":{"deny":["Read(**/held.md)"]}}'
            ),
            "beside.md": "beside\n",
            "far/out.md": "out\n",
        }
    )
    (tmp_path / "ws/.claude/rules/linked.md").symlink_to("../../../far/out.md")
    (tmp_path / "ws/.claude/rules/broken.md").symlink_to("nowhere.md")
    (tmp_path / "ws/.claude/rules/twice.md").symlink_to("../../CLAUDE.md")
    assert _told(place) == {
        "ws/gone.md": "there is no such file",
        "beside.md": OUTSIDE,
        "ws/pic.png": "its name does not end like a text file's",
        "ws/AGENTS.md": "the client reads CLAUDE.md; import this file there with @AGENTS.md",
        "ws/.claude/CLAUDE.local.md": "the client reads CLAUDE.local.md beside .claude, not in it",
        "ws/.claude/rules/empty.md": "there is no text in it",
        "ws/.claude/rules/cond.md": "it waits until a file is touched that matches src, *.py",
        "ws/.claude/rules/notes.txt": "its name does not end in .md",
        "ws/.claude/rules/skip.md": "the setting claudeMdExcludes names it",
        "ws/.claude/rules/big.md": "it is larger than 4194304 bytes",
        "ws/.claude/rules/held.md": "a permission rule denies reading it",
        "ws/.claude/rules/linked.md": f"it is a link, and {OUTSIDE}",
        "ws/.claude/rules/broken.md": "it leads nowhere or is no file",
        "ws/.claude/rules/twice.md": f"the same file was reached as {place.root}/ws/CLAUDE.md",
    }


def test_imports_end_after_four_files(tmp_path: Path) -> None:
    files = {f"ws/{n}.md": f"level {n}\n@{n + 1}.md\n" for n in range(1, 7)}
    place = Place(tmp_path).write({"ws/CLAUDE.md": "@1.md\n", **files})
    assert _told(place) == {"ws/5.md": "it is imported through more than four files"}


def test_a_session_without_memory_says_so_of_each_file(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "hello", "--safe-mode")).write({"ws/CLAUDE.md": "root\n"})
    assert _told(place) == {"ws/CLAUDE.md": "memory is switched off for this session"}


def test_sources_that_are_not_read_are_named(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "hello", "--setting-sources", "user")).write(
        {"ws/CLAUDE.md": "root\n", "ws/CLAUDE.local.md": "local\n", "home/.claude/CLAUDE.md": "u\n"}
    )
    assert _told(place) == {
        "ws/CLAUDE.md": "settings and memory of the source project are not read",
        "ws/CLAUDE.local.md": "settings and memory of the source local are not read",
    }
