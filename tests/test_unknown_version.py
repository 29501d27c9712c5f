"""A client version without a profile is named wherever it counts, with the command that learns it."""

from dataclasses import replace
from pathlib import Path

import pytest

from inspector import folder
from inspector.capture.kept import Kept
from inspector.session import Session
from tests.commands import Run
from tests.conftest import ROOT

SAID = (
    "claude-code 2.1.999: no profile for this version; the nearest older one, 2.1.332, stands in;"
    " `inspector learn --client claude-code --client-version 2.1.999 --install` learns it"
)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A recording of a version that nobody knows."""
    recording = folder.read(ROOT / "captures/claude-code/2.1.332/ctx_min/r0")
    session = replace(recording.session, version="2.1.999")
    folder.write(replace(recording, session=session), tmp_path / "kept")
    return tmp_path / "kept"


@pytest.mark.parametrize("command", ["verify", "show"])
def test_a_command_about_a_session_says_that_its_version_is_not_known(
    run: Run, kept: Path, command: str
) -> None:
    assert f"inspector: {SAID}\n" in run(command, kept)[2]
    assert "no profile" not in run(command, ROOT / "captures/claude-code/2.1.332/ctx_min/r0")[2]


def test_the_proof_is_headed_by_the_profile_that_stood_in(run: Run, kept: Path) -> None:
    assert "claude-code 2.1.999 (NOT KNOWN: profile of 2.1.332)" in run("verify", kept)[1]


def test_a_build_for_an_unknown_version_says_so(run: Run, kept: Path, tmp_path: Path) -> None:
    facts, turns, place = tmp_path / "facts.yaml", tmp_path / "turns.yaml", tmp_path / "ws"
    place.mkdir()
    turns.write_text(run("turns", kept, "--environment", facts)[1])
    words = ("--client", "claude-code", "--workspace", place, "--home", place, "--turns", turns)
    more = ("--client-version", "2.1.999", "--environment", facts, "--out", tmp_path / "out")
    code, _, err = run("build", *words, *more)
    assert (code, f"inspector: {SAID}\n" in err) == (0, True)


@pytest.mark.parametrize(
    ("client", "version", "said"),
    [
        ("claude-code", "2.1.999", [SAID]),
        ("claude-code", "2.1.332", []),
        ("claude-code", "", []),
        ("other", "1.0", []),
        (
            "codex",
            "0.999.0",
            [
                "codex 0.999.0: no profile for this version; the nearest older one, 0.171.0,"
                " stands in"
            ],
        ),
    ],
)
def test_a_capture_says_it_behind_the_line_of_the_session(
    client: str, version: str, said: list[str]
) -> None:
    one = Kept(Session("s1", client, version, "tls", ""), 1, 1, 1)
    assert one.lines == [one.line, *said]
