"""`build` and `verify` say which workspace files the client refuses, one line each."""

import json
from pathlib import Path

from inspector import folder
from tests import made
from tests.commands import Run

_SKILLS = Path(__file__).parents[1] / "captures/codex/0.171.0/skills/r0"


def test_verify_names_a_refused_skill_in_its_document_and_on_stderr(run: Run) -> None:
    _, out, err = run("verify", _SKILLS, "--json")
    (fault,) = json.loads(out)["sessions"][0]["faults"]
    path, _, reason = fault.partition(": ")
    assert Path(path).parts[-3:] == ("skills", "nodesc", "SKILL.md")
    assert reason == "no description; the client leaves this skill out"
    assert f"inspector: {fault}\n" in err


def test_build_names_a_refused_skill_on_stderr(run: Run, tmp_path: Path) -> None:
    folder.write(made.recording(tmp_path), tmp_path / "kept")
    bad = tmp_path / "ws/.agents/skills/bad/SKILL.md"
    bad.parent.mkdir(parents=True)
    bad.write_text("no frontmatter\n", encoding="utf-8")
    facts = tmp_path / "environment.yaml"
    facts.write_text(made.environment(tmp_path).model_dump_json(), "utf-8")
    words = ["build", "--client", "codex", "--workspace", tmp_path / "ws"]
    words += ["--home", tmp_path / "home", "--turns", tmp_path / "kept" / "turns.yaml"]
    code, _, err = run(*words, "--environment", facts, "--out", tmp_path / "built")
    assert (code, err.count("\n")) == (0, 1)
    assert err.startswith(f"inspector: {bad}: ")
