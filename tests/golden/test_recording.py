"""Goldens and the scenarios that made them; the recorder's own rules."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from inspector import folder
from inspector.session import ExchangeKind
from inspector.text import Built, Kind, Origin
from inspector.verify import Comparison, Counts, Difference, RequestReport
from inspector.verify.headers import HeaderReport
from tests.golden import gaps, place
from tests.golden.inside import command_line
from tests.golden.keep import Outcome
from tests.golden.record import RACES, again
from tests.golden.scenario import FIXTURES, ROOT, Case, Run, Scenario, cases

CAPTURES = ROOT / "captures"


def _report(*differences: Difference) -> RequestReport:
    body = Built(b"{}", ())
    comparison = Comparison(Counts(different=2), differences, (), (), {}, body, ())
    return RequestReport(
        "x", 3, ExchangeKind.MAIN, False, False, "", comparison, HeaderReport(), b"{}", body
    )


def test_every_scenario_has_its_goldens_and_every_golden_its_scenario() -> None:
    wanted = {
        f"{case.golden}/r{number}" for case in cases() for number in range(len(case.scenario.runs))
    }
    there = {"/".join(path.parts[-5:-1]) for path in CAPTURES.glob("*/*/*/*/session.json")}
    assert there == wanted


def test_a_resumed_run_continues_the_run_before_it() -> None:
    for case in cases():
        for number, run in enumerate(case.scenario.runs):
            found = list(CAPTURES.glob(f"{case.golden}/r{number}"))
            assert len(found) == 1
            continues = folder.read(found[0]).session.continues
            before = found[0].with_name(f"r{number - 1}")
            expected = folder.read(before).session.id if run.resume else None
            assert (case.name, continues) == (case.name, expected)


def test_the_fixtures_readme_names_every_key_of_a_scenario() -> None:
    text = (FIXTURES / "README.md").read_text(encoding="utf-8")
    assert [key for key in Scenario.model_fields if f"`{key}`" not in text] == []


def test_no_golden_keeps_a_key_or_a_side_call() -> None:
    for path in CAPTURES.glob("*/*/*/*/exchanges/*.json"):
        facts = json.loads(path.read_text(encoding="utf-8"))
        kinds = {"main", "subagent", "title", "compaction", "warmup", "count_tokens"}
        assert facts["kind"] in kinds
        headers = {name.lower(): value for name, value in facts["request_headers"]}
        for name in ("authorization", "x-api-key"):
            assert "fake" not in headers.get(name, "")


def test_a_workspace_is_built_the_same_each_time() -> None:
    case = next(cases(("claude-code/git_state",)))
    logs: list[bytes] = []
    for _ in range(2):
        place.build(case)
        git = ["git", "-C", str(case.root / "ws"), "log", "--format=%H %an %aI"]
        logs.append(subprocess.run(git, capture_output=True, check=True).stdout)
    assert logs[0] == logs[1] != b""


@pytest.mark.parametrize(
    ("client", "run", "expected"),
    [
        ("claude-code", Run(prompt="p", argv=["--x"]), ["b", "-p", "p", "--x"]),
        ("claude-code", Run(prompt="p", resume=True), ["b", "-p", "p", "--continue"]),
        (
            "codex",
            Run(prompt="p", argv=["-c", "a=1"], resume=True),
            ["b", "exec", "--skip-git-repo-check", "-c", "a=1", "resume", "--last", "p"],
        ),
    ],
)
def test_a_client_is_called_as_its_users_call_it(
    client: str, run: Run, expected: list[str]
) -> None:
    assert command_line(client, "b", run) == expected


def test_a_difference_without_a_gap_and_a_gap_that_closed_are_both_told() -> None:
    here = Difference("/a", "changed", Origin(Kind.FACT, "date"), 0, "x", "y")
    named = [gaps.Gap(request=3, path="/b", verdict="missing", reason="why")]
    found = list(gaps.of(_report(here, here)))
    assert list(gaps.unnamed(found, named)) == [
        "request 3: changed at /a: not said yet: built 'x', captured 'y'",
        "request 3: the gap at /b (missing) has closed; delete it",
    ]
    assert list(gaps.unnamed(found, found)) == []


def test_a_gap_keeps_what_was_said_of_it_and_goes_when_it_closes(tmp_path: Path) -> None:
    path = tmp_path / "gaps.yaml"
    found = list(gaps.of(_report(Difference("/a", "changed"))))
    said = [found[0].model_copy(update={"reason": "because", "issue": 7})]
    gaps.write(found, said, path)
    assert gaps.read(path) == said
    gaps.write([], said, path)
    assert not path.exists()
    assert gaps.read(path) == []


@pytest.mark.parametrize(
    ("odd", "second", "asked", "fine"),
    [
        (1, [], 1, True),
        (1, ["the same"], 1, False),
        (RACES, [], RACES, True),
        (RACES + 1, [], 0, False),
    ],
)
def test_a_few_that_differ_are_recorded_once_more(
    odd: int, second: list[str], asked: int, fine: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = list(cases(("claude-code",)))[: RACES + 2]
    first = [
        Outcome(case, complaints=["a difference"] if number < odd else [])
        for number, case in enumerate(chosen)
    ]
    seen: list[Case] = []

    def recorded(case: Case) -> Outcome:
        seen.append(case)
        return Outcome(case, complaints=second)

    outcomes = again(first, recorded)
    assert (len(seen), all(outcome.fine for outcome in outcomes)) == (asked, fine)
    assert capsys.readouterr().out.count("once more, alone; at first a difference") == asked


@pytest.mark.client
def test_fresh_recordings_of_both_clients_are_as_their_goldens_say(
    root: Path, binaries: dict[str, Path]
) -> None:
    assert set(binaries) == {"claude-code", "codex"}
    names = ["claude-code/rules_nested", "codex/agents_change"]
    ended = subprocess.run(
        [sys.executable, "-m", "tests.golden.record", "--check", *names],
        cwd=root,
        env={**os.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines()[-2:] == [
        "claude-code: 7 of 7 main requests exact, 1 scenarios",
        "codex: 3 of 3 main requests exact, 1 scenarios",
    ]
