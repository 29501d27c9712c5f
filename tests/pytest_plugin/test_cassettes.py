"""Cassettes in tests of users, tested by pytest inside pytest."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.bare import bare

LIMIT = 240
TEST = """
import os

def test_greeting(play_cassette, tmp_path):
    made = {**os.environ, "HOME": str(tmp_path / "home"), "INSPECTOR_DATA": str(tmp_path / "data")}
    played = play_cassette(
        "greeting", @CLIENT@, @WORDS@, script="script.yaml", cwd="ws", env=made, @MORE@
    )
    assert played.exit_code == 0
    assert played.stdout == "well done\\n"
"""


class Inner:
    """A folder with one test of a user's, run by a pytest of its own without a network."""

    def __init__(self, root: Path, client: Path) -> None:
        self.root, self.client = root, client
        (root / "ws").mkdir()
        (root / "ws/CLAUDE.md").write_text("Speak plainly.\n")
        (root / "script.yaml").write_text("- text: well done\n")
        self.write()

    def write(self, words: str = "'-p', 'hello'", more: str = "") -> None:
        client = repr(str(self.client))
        text = TEST.replace("@CLIENT@", client).replace("@WORDS@", words).replace("@MORE@", more)
        (self.root / "test_it.py").write_text(text)

    @property
    def cassette(self) -> Path:
        return self.root / "cassettes/greeting"

    def run(self, *words: str) -> tuple[int, str]:
        apart = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
        plugin = ["-p", "inspector.pytest_plugin", "-p", "no:cacheprovider", "-q"]
        command = [*apart, sys.executable, "-m", "pytest", *plugin, *words]
        ended = subprocess.run(
            command, cwd=self.root, env=bare(self.root), stdin=subprocess.DEVNULL,
            capture_output=True, timeout=LIMIT, check=False, text=True,
        )  # fmt: skip
        return ended.returncode, ended.stdout + ended.stderr


@pytest.fixture
def inner(tmp_path: Path, binaries: dict[str, Path]) -> Inner:
    return Inner(tmp_path, binaries["claude-code"])


@pytest.mark.client
def test_a_cassette_is_recorded_once_replayed_and_stale_when_a_rule_changes(inner: Inner) -> None:
    code, said = inner.run()
    assert code == 1
    assert f"{inner.cassette}: no such cassette; record it: --inspector-record once" in said

    code, said = inner.run("--inspector-record", "once")
    assert code == 0, said
    written = (inner.cassette / "cassette.json").read_bytes()
    requests = [path.read_text() for path in inner.cassette.glob("exchanges/*.request")]
    assert requests
    assert max(map(longest_sealed, requests)) <= 300

    for words in ([], ["--inspector-record", "once"]):
        code, said = inner.run(*words)
        assert code == 0, said
    assert (inner.cassette / "cassette.json").read_bytes() == written

    rule = inner.root / "ws/CLAUDE.md"
    rule.write_text("Speak loudly.\n")
    code, said = inner.run()
    assert code == 1
    assert f"{inner.cassette}: the cassette is stale: a file of the workspace changed" in said
    assert f"file not as recorded: {rule}: changed in line 1" in said
    assert "run pytest with --inspector-record all" in said

    code, said = inner.run("--inspector-record", "all")
    assert code == 0, said
    assert inner.run()[0] == 0


@pytest.mark.client
def test_a_new_episode_is_added_and_an_edited_cassette_refused(inner: Inner) -> None:
    assert inner.run("--inspector-record", "once")[0] == 0
    before = len(list(inner.cassette.glob("exchanges/*.request")))
    inner.write("'-p', 'another prompt'")
    code, said = inner.run("--inspector-record", "new_episodes")
    assert code == 0, said
    assert len(list(inner.cassette.glob("exchanges/*.request"))) == before + 1
    code, said = inner.run()
    assert code == 0, said

    answer = next(iter(sorted(inner.cassette.glob("exchanges/*.response"))))
    answer.write_bytes(answer.read_bytes().replace(b"well done", b"well, done"))
    code, said = inner.run()
    assert code == 1
    name = answer.relative_to(inner.cassette)
    assert f"{inner.cassette}: {name} is not as it was recorded (its digest differs)" in said


@pytest.mark.client
def test_nothing_is_recorded_in_ci_nor_without_something_that_answers(inner: Inner) -> None:
    inner.write(more="mode='all'")
    text = (inner.root / "test_it.py").read_text()
    (inner.root / "test_it.py").write_text(text.replace('script="script.yaml"', "script=None"))
    code, said = inner.run()
    assert code == 1
    assert f"{inner.cassette}: nothing to record from; give script= or upstream=" in said
    inner.write(more="mode='sometimes'")
    assert "mode 'sometimes': choose one of none, once, new_episodes, all" in inner.run()[1]


def test_the_option_is_refused_where_ci_is_set(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    ended = pytester.runpytest("-p", "inspector.pytest_plugin", "--inspector-record", "all")
    assert ended.ret == pytest.ExitCode.USAGE_ERROR
    ended.stderr.fnmatch_lines(
        ["*--inspector-record: CI is set; record and write snapshots where*"]
    )


def longest_sealed(text: str) -> int:
    """The longest run of what is no seal, no workspace text and no JSON, roughly: one sentence."""
    import re

    plain = re.sub("⟦[^⟧]*⟧", "\n", text)
    return max((len(run) for run in re.findall(r"[A-Za-z ,.']+", plain)), default=0)
