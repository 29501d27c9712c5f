"""What the cache's rules say of real recordings: healthy clients are silent, a known fault is found."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.named import recordings
from tests.commands import Run

CAPTURES = "captures/claude-code"
HEALTHY = ("cache_6turn", "conv3", "results_round", "rules_nested", "mcp_basic", "classic_rounds")


def cached(run: Run, path: Path) -> tuple[int, dict[str, Any]]:
    code, out, err = run("cache", str(path), "--json")
    assert out, err
    return code, json.loads(out)


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_session_has_no_finding(run: Run, root: Path, name: str) -> None:
    found = [path for path in recordings(root / "captures") if path.parent.name == name]
    new = [path for path in found if "2.1.332" in str(path) or "codex" in str(path)]
    assert new
    for path in new:
        code, document = cached(run, path)
        assert (path, code, document["findings"]) == (path, 0, [])
        assert {turn["verdict"] for turn in document["turns"]} <= {
            *("first write", "hit", "extended"),
        }


@pytest.mark.parametrize("version", ["2.1.78", "2.1.88"])
def test_old_versions_lose_the_history_when_they_resume_and_the_new_one_does_not(
    run: Run, root: Path, version: str
) -> None:
    # Reported of 2.1.69 on: a resumed `-p` session writes all its history anew.
    code, document = cached(run, root / CAPTURES / version / "cache_6turn/r1")
    (finding,) = document["findings"]
    assert (code, finding["rule"], finding["path"]) == (1, "RESUME", "/messages/0/content/0")
    broken = next(turn for turn in document["turns"] if turn["first_change"])
    assert broken["first_change"]["origin"] is not None
    assert cached(run, root / CAPTURES / "2.1.332/cache_6turn/r1")[1]["findings"] == []


def test_a_tool_that_came_is_told_with_its_server(run: Run, root: Path) -> None:
    _, document = cached(run, root / CAPTURES / "2.1.332/mcp_changing/r0")
    (finding,) = document["findings"]
    broken = next(turn for turn in document["turns"] if turn["first_change"])
    assert finding["rule"] == "TOOLS-CHANGED"
    assert broken["first_change"]["origin"].startswith("listing:m")


def test_a_requests_on_a_websocket_is_judged_by_what_it_stands_for(run: Run, root: Path) -> None:
    code, document = cached(run, root / "captures/codex/0.171.0/websocket/r0")
    assert (code, document["upstream"]) == (0, "openai")
    assert [item["rule"] for item in document["findings"]] == ["COMPACTION"]


def test_the_table_has_a_line_a_turn_and_the_findings_below(run: Run, root: Path) -> None:
    code, out, _ = run("cache", str(root / CAPTURES / "2.1.332/tool_search_words/r0"))
    lines = out.splitlines()
    told = [line for line in lines if line.startswith("warning LOOKBACK")]
    assert (code, len(told)) == (1, 7)
    assert any("█" in line and "▒" in line for line in lines)
    assert lines[-1] == "7 findings, 7 of them warnings"


def test_a_session_without_a_main_request_is_refused_in_one_line(run: Run, tmp_path: Path) -> None:
    code, out, err = run("cache", "--store", str(tmp_path / "none.db"))
    assert (code, out, err.count("\n")) == (2, "", 1)


# --- in CI --------------------------------------------------------------------------------------


def test_a_baseline_accepts_what_it_names_with_a_reason_and_the_rest_still_fails(
    run: Run, root: Path, tmp_path: Path
) -> None:
    session, file = root / CAPTURES / "2.1.332/mcp_changing/r0", tmp_path / "baseline.yaml"
    assert run("cache", session, "--write-baseline", file)[0] == 1
    code, _, err = run("cache", session, "--baseline", file)
    assert (code, "no reason; say why" in err) == (2, True)
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("say why this is accepted", "the server grows"), encoding="utf-8")
    code, out, _ = run("cache", session, "--baseline", file, "--json")
    assert (code, [item["accepted"] for item in json.loads(out)["findings"]]) == (0, [True])
    code, _, err = run("cache", root / CAPTURES / "2.1.332/mcp_basic/r0", "--baseline", file)
    assert (code, "holds for nothing" in err) == (0, True)


def test_findings_become_annotations_a_summary_and_sarif(
    run: Run, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    session, sarif = root / CAPTURES / "2.1.332/mcp_changing/r0", tmp_path / "out.sarif"
    code, out, _ = run("cache", session, "--github", "--sarif", sarif)
    assert (code, out.count("\n"), out.startswith("::warning title=TOOLS-CHANGED::")) == (
        1,
        1,
        True,
    )
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith("### inspector cache\n\n1 finding\n")
    assert "| warning | `TOOLS-CHANGED` | `request /tools/" in summary
    (found,) = json.loads(sarif.read_text(encoding="utf-8"))["runs"][0]["results"]
    (place,) = found["locations"][0]["logicalLocations"]
    assert (found["ruleId"], place["fullyQualifiedName"][:15]) == (
        "TOOLS-CHANGED",
        "request /tools/",
    )
