"""The pytest plugin, tested by pytest inside pytest."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

CAPTURES = "captures/claude-code/2.1.332"
PLUGIN = ("-p", "inspector.pytest_plugin", "-p", "no:cacheprovider")

type Inner = Callable[..., pytest.RunResult]


@pytest.fixture
def inner(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Inner:
    """Runs pytest in a folder of its own with the plugin."""
    monkeypatch.delenv("CI", raising=False)
    return lambda *words: pytester.runpytest(*PLUGIN, *map(str, words))


@pytest.fixture
def workspace(pytester: pytest.Pytester) -> Path:
    """A small workspace with its facts beside it, the same on every machine."""
    place = pytester.path / "ws"
    (place / ".claude/rules").mkdir(parents=True)
    (place / "CLAUDE.md").write_text("Be brief.\n", encoding="utf-8")
    (pytester.path / "home").mkdir()
    facts = {
        "cwd": "/ws",
        "home": "/home/u",
        "config_home": "/home/u/.claude",
        "date": "2026-01-31",
    }
    (pytester.path / "facts.yaml").write_text(json.dumps(facts), encoding="utf-8")
    return place


def wanted(pytester: pytest.Pytester, **document: Any) -> None:
    text = json.dumps(document)
    (pytester.path / "inspector.yaml").write_text(text, encoding="utf-8")


OF_WORKSPACE = {
    "path": "ws",
    "home": "home",
    "environment": "facts.yaml",
    "client_version": "2.1.332",
}
BUILD = """
import pytest

def built(build_requests, **more):
    return build_requests("ws", home="home", environment="facts.yaml", client_version="2.1.332", **more)
"""


# --- without code ---------------------------------------------------------------------------------


def test_a_folder_of_recordings_becomes_a_test_each(root: Path, inner: Inner) -> None:
    done = inner("-v", "--inspector-captures", root / CAPTURES / "mcp_basic")
    done.assert_outcomes(passed=len(list((root / CAPTURES / "mcp_basic").iterdir())))
    done.stdout.fnmatch_lines(["*prefix?*mcp_basic/r0? PASSED*"])


def test_a_break_is_told_with_place_window_source_cause_cost_and_how_to_accept_it(
    root: Path, inner: Inner
) -> None:
    done = inner("--inspector-captures", root / CAPTURES / "mcp_changing/r0")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        [
            "the cached prefix moved: TOOLS-CHANGED",
            "  request  3 of 4 (*)",
            "  path     /tools/*",
            "  byte     *,*",
            '  now      {"name":"mcp__m__new"*',
            "  source   listing:m*",
            "  cause    TOOLS-CHANGED: the tools are with mcp__m__new; * bytes behind it are sent anew",
            "  cost     about * tokens, $* to $* at list prices",
            '  accept   @pytest.mark.moves_cache_prefix(reason="*"), or in the baseline: {rule: TOOLS-CHANGED, *',
        ]
    )
    assert "Traceback" not in done.stdout.str()


def test_a_file_names_recordings_workspaces_and_a_baseline(
    root: Path, pytester: pytest.Pytester, inner: Inner, workspace: Path
) -> None:
    shutil.copytree(root / CAPTURES / "mcp_changing/r0", pytester.path / "sessions/one")
    accepted = {"rule": "TOOLS-CHANGED", "path": "request /tools/23", "reason": "it grows"}
    (pytester.path / "known.yaml").write_text(json.dumps({"accepted": [accepted]}))
    wanted(pytester, captures=["sessions"], workspaces=[OF_WORKSPACE], baseline="known.yaml")
    assert workspace.exists()
    done = inner("-v", "--inspector-update")
    names = [line.split("::")[1].split(" PASSED")[0] for line in done.outlines if "PASSED" in line]
    assert names == [
        "prefix[sessions/one]",
        "ws[grows]",
        "ws[the same again]",
        "ws[lists in another order]",
        "ws[shape]",
    ]


def test_a_change_that_may_not_move_the_prefix_fails_where_it_does(
    pytester: pytest.Pytester, inner: Inner, workspace: Path
) -> None:
    assert workspace.exists()
    keeps = ["the next day", "the moon is full"]
    wanted(pytester, workspaces=[{**OF_WORKSPACE, "keeps": keeps, "shape": False}])
    done = inner()
    done.assert_outcomes(passed=1, failed=2)
    done.stdout.fnmatch_lines(
        [
            "*source   fact:date",
            "*cause    DATE: a date changed;*",
            "the moon is full: no such change*",
        ]
    )


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"captures": ["none"]}, "*none: no recording in it; name a folder of recordings"),
        ({"capture": ["x"]}, "*inspector.yaml: capture: Extra inputs are not permitted*"),
    ],
)
def test_a_file_that_is_wrong_is_refused_in_one_line(
    pytester: pytest.Pytester, inner: Inner, document: dict[str, Any], message: str
) -> None:
    wanted(pytester, **document)
    done = inner()
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines([message])


# --- with code --------------------------------------------------------------------------------------


def test_built_requests_are_bodies_and_hold_their_prefix(
    pytester: pytest.Pytester, inner: Inner, workspace: Path
) -> None:
    assert workspace.exists()
    pytester.makepyfile(
        BUILD
        + """
def test_it(build_requests, assert_prefix_stable):
    found = built(build_requests)
    assert "Be brief." in found.bodies[0].decode()
    assert found.documents[0]["stream"] is True
    assert_prefix_stable(found)
"""
    )
    inner().assert_outcomes(passed=1)


def test_bodies_are_judged_as_a_conversation(pytester: pytest.Pytester, inner: Inner) -> None:
    pytester.makepyfile(
        BODIES + "\ndef test_it(assert_prefix_stable):\n    assert_prefix_stable(moved())\n"
    )
    done = inner()
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*cause    DATE: a date changed;*"])


BODIES = """
import pytest

def body(day):
    mark = {"type": "ephemeral"}
    words = "words that are many; " * 400 + day
    return {
        "model": "claude-sonnet-4-6",
        "max_tokens": 1,
        "system": [{"type": "text", "text": words, "cache_control": mark}],
        "messages": [{"role": "user", "content": "hello"}],
    }

def moved():
    return [body("2026-01-01"), body("2026-01-02")]
"""


@pytest.mark.parametrize(
    ("marker", "subject", "outcome", "message"),
    [
        ('reason="the day is told"', "moved()", {"passed": 1}, None),
        ('"the day is told"', "moved()", {"passed": 1}, None),
        (
            'reason="the day is told"',
            "moved()[:1] * 2",
            {"failed": 1},
            "*marked to move the cached prefix (the day is told), and nothing moves it",
        ),
        ("", "moved()", {"errors": 1}, "*moves_cache_prefix: no reason; write *"),
        ('reason=" "', "moved()", {"errors": 1}, "*moves_cache_prefix: no reason; write *"),
    ],
)
def test_a_deliberate_break_is_marked_with_its_reason(
    pytester: pytest.Pytester,
    inner: Inner,
    marker: str,
    subject: str,
    outcome: dict[str, int],
    message: str | None,
) -> None:
    test = f"@pytest.mark.moves_cache_prefix({marker})\ndef test_it(assert_prefix_stable):\n    assert_prefix_stable({subject})\n"
    pytester.makepyfile(f"{BODIES}\n{test}")
    done = inner()
    done.assert_outcomes(**outcome)
    if message is not None:
        done.stdout.fnmatch_lines([message])


def test_the_bare_marker_fails_with_no_call_at_all(pytester: pytest.Pytester, inner: Inner) -> None:
    pytester.makepyfile(
        "import pytest\n\n@pytest.mark.moves_cache_prefix\ndef test_it():\n    pass\n"
    )
    inner().assert_outcomes(errors=1)


# --- shapes -------------------------------------------------------------------------------------


SHAPE = BODIES + "\ndef test_it(assert_request_shape):\n    assert_request_shape(moved())\n"


def test_a_shape_is_written_on_request_and_then_held(
    pytester: pytest.Pytester, inner: Inner
) -> None:
    file = pytester.makepyfile(SHAPE)
    done = inner()
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*no snapshot yet; --inspector-update writes it"])
    inner("--inspector-update").assert_outcomes(passed=1)
    kept = pytester.path / f"__shapes__/{file.stem}-test_it.yaml"
    one = {
        "model": "claude-sonnet-4-6",
        "params": ["max_tokens", "model"],
        "tools": [],
        "system": ["text marked"],
        "messages": ["user string"],
    }
    assert yaml.safe_load(kept.read_text(encoding="utf-8")) == [one, one]
    inner().assert_outcomes(passed=1)
    file.write_text(SHAPE.replace('"content": "hello"', '"content": [{"type": "image"}]'))
    done = inner()
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        ["*-  - user string", "*+  - user image", "*--inspector-update accepts it"]
    )


def test_new_snapshots_are_refused_in_ci(
    pytester: pytest.Pytester, inner: Inner, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile(SHAPE)
    monkeypatch.setenv("CI", "true")
    done = inner("--inspector-update")
    assert done.ret is pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["*--inspector-update: CI is set; *"])
    assert not (pytester.path / "__shapes__").exists()


# --- with other plugins -------------------------------------------------------------------------


def test_workers_of_xdist_share_the_tests(
    root: Path, pytester: pytest.Pytester, inner: Inner, workspace: Path
) -> None:
    assert workspace.exists()
    shutil.copytree(root / CAPTURES / "mcp_basic/r0", pytester.path / "sessions/one")
    wanted(pytester, captures=["sessions"], workspaces=[OF_WORKSPACE])
    pytester.makepyfile(SHAPE)
    inner("-n", "2", "--inspector-update").assert_outcomes(passed=6)
    inner("-n", "2").assert_outcomes(passed=6)


def test_results_are_in_junit_too(root: Path, pytester: pytest.Pytester, inner: Inner) -> None:
    inner("--inspector-captures", root / CAPTURES / "mcp_changing/r0", "--junitxml", "out.xml")
    text = (pytester.path / "out.xml").read_text(encoding="utf-8")
    assert ('failures="1"' in text, "the cached prefix moved: TOOLS-CHANGED" in text) == (
        True,
        True,
    )


# --- a client against the mock --------------------------------------------------------------------


AGENT = """
import json, urllib.request

def ask(*prompts):
    mark = {"type": "ephemeral"}
    turns = [{"role": "user", "content": [{"type": "text", "text": one}]} for one in prompts]
    turns[-1]["content"][0]["cache_control"] = mark
    system = [{"type": "text", "text": "words that are many; " * 400, "cache_control": mark}]
    body = {"model": "claude-sonnet-4-6", "max_tokens": 9, "tools": [{"name": "Bash"}], "system": system}
    data = json.dumps({**body, "messages": turns}).encode()
    urllib.request.urlopen(urllib.request.Request("https://api.anthropic.com/v1/messages", data), timeout=20).read()

ask("one")
ask("one", "two")
"""


def test_a_client_is_captured_against_the_mock(
    root: Path, pytester: pytest.Pytester, inner: Inner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(root))
    monkeypatch.setenv("HOME", str(pytester.path))
    (pytester.path / "agent.py").write_text(AGENT, encoding="utf-8")
    (pytester.path / "script.yaml").write_text("[{text: hi}, {text: bye}]", encoding="utf-8")
    pytester.makepyfile(
        """
import sys

def test_it(capture_session, assert_prefix_stable, pytestconfig):
    session = capture_session(sys.executable, "agent.py", script="script.yaml", cwd=pytestconfig.rootpath)
    assert (session.code, len(session.bodies)) == (0, 2)
    assert session.documents[1]["messages"][0]["content"][0]["text"] == "one"
    assert_prefix_stable(session)

def test_nothing(capture_session):
    capture_session(sys.executable, "-c", "print(1)", script="script.yaml")
"""
    )
    done = inner()
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["no model call was captured (exit code 3)"])
