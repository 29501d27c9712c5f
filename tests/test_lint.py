"""`inspector lint`: what a client would leave out, cut or misread, with its file and line."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict

from inspector.clients.claude_code.left_out import Reason
from inspector.clients.claude_code.mcprules import Rules
from inspector.clients.mcpstable import RULES
from inspector.lint import Finding, Severity, annotations, sarif
from inspector.lint.about import ABOUT
from inspector.lint.reasons import BY_REASON, MEANT
from inspector.profiles import find, names, resolve
from tests.commands import Run

_WRONG = {
    "CLAUDE.md": "Be brief.\n@nowhere.md\n",
    "AGENTS.md": "hi\n",
    ".claude/rules/big.md": "x" * 45_000,
    ".claude/rules/never.md": '---\npaths: ["nope/**"]\n---\nrule\n',
    ".claude/rules/one.md": "the same text for both of them\n",
    ".claude/rules/two.md": "the same text for both of them\n",
    ".claude/skills/a/SKILL.md": "---\nname: a\ndescription: x: y\n---\nb\n",
    ".claude/skills/loose.md": "x\n",
    ".claude/settings.json": '{\n"permissions": {"deny": ["Bahs(ls)"]}}\n',
    ".mcp.json": '{"mcpServers":\n{"srv": {"command": 5}}}\n',
}


def put(root: Path, files: Mapping[str, str]) -> tuple[str, ...]:
    """A workspace and an empty home, as options of the command."""
    for path, text in files.items():
        (root / "ws" / path).parent.mkdir(parents=True, exist_ok=True)
        (root / "ws" / path).write_text(text, encoding="utf-8")
    (root / "ws").mkdir(exist_ok=True)
    (root / "home").mkdir(exist_ok=True)
    return str(root / "ws"), "--home", str(root / "home")


def found(run: Run, *words: str) -> tuple[int, list[dict[str, Any]]]:
    code, out, err = run("lint", *words, "--json")
    assert out, err
    return code, json.loads(out)["findings"]


def test_each_mistake_is_told_with_its_file_and_line(run: Run, tmp_path: Path) -> None:
    code, findings = found(run, *put(tmp_path, _WRONG))
    assert code == 1
    assert [(item["rule"], item["path"], item["line"]) for item in findings] == [
        ("RULE-LARGE", ".claude/rules/big.md", None),
        ("RULE-PATHS-NEVER", ".claude/rules/never.md", 2),
        ("RULE-TWICE", ".claude/rules/one.md", None),
        ("SETTINGS-PERMISSION", ".claude/settings.json", 2),
        ("SKILL-FRONTMATTER", ".claude/skills/a/SKILL.md", 3),
        ("SKILL-NO-FILE", ".claude/skills/loose.md", None),
        ("MCP-CONFIG", ".mcp.json", 2),
        ("RULE-MISPLACED", "AGENTS.md", None),
        ("RULE-IMPORT-MISSING", "CLAUDE.md", 2),
    ]


def test_configuration_that_is_no_json_is_told_with_the_line(run: Run, tmp_path: Path) -> None:
    files = {".claude/settings.json": '{\n"a": 1\n"b": 2}', ".mcp.json": "{\n\n]"}
    where = put(tmp_path, files)
    _, findings = found(run, *where)
    said = {(item["rule"], item["path"], item["line"], item["message"]) for item in findings}
    quotes = "expecting property name enclosed in double quotes"
    assert said == {
        (
            "SETTINGS-JSON",
            ".claude/settings.json",
            3,
            "no JSON object (line 3: expecting ',' delimiter)",
        ),
        ("MCP-CONFIG", ".mcp.json", 3, f"no JSON object (line 3: {quotes})"),
    }


def test_a_recording_is_no_workspace(run: Run, root: Path) -> None:
    for name in ("captures/codex/0.171.0/skills/r0", "captures/codex/0.171.0/skills"):
        code, _, err = run("lint", str(root / name))
        assert (code, err) == (
            2,
            f"inspector: {root / name}: a recording's folder; name a workspace\n",
        )


def test_a_workspace_in_order_has_no_finding_and_ends_with_0(run: Run, tmp_path: Path) -> None:
    files = {
        "CLAUDE.md": "Be brief.\n@docs/more.md\n",
        "docs/more.md": "More.\n",
        ".claude/rules/src.md": '---\npaths: ["src/**"]\n---\nOnly there.\n',
        "src/x.py": "x = 1\n",
        ".claude/skills/a/SKILL.md": "---\nname: a\ndescription: does it\n---\nb\n",
    }
    assert found(run, *put(tmp_path, files)) == (0, [])


def test_codex_has_rules_of_its_own(run: Run, tmp_path: Path) -> None:
    (tmp_path / "ws/.git").mkdir(parents=True)
    files = {
        "AGENTS.md": "r" * 40_000,
        "sub/AGENTS.md": "lost\n",
        ".agents/skills/bare/SKILL.md": "# Title\n",
    }
    place = put(tmp_path, files)
    code, findings = found(run, f"{place[0]}/sub", *place[1:], "--client", "codex")
    told = {(item["rule"], Path(item["path"]).name, item["severity"]) for item in findings}
    assert code == 1
    assert told == {
        ("AGENTS-CUT", "AGENTS.md", "warning"),
        ("SKILL-FRONTMATTER", "SKILL.md", "warning"),
    }


def test_what_a_server_says_is_judged_where_its_lists_are_given(run: Run, tmp_path: Path) -> None:
    tools = [{"name": "a b", "inputSchema": {"type": "object"}}, {"name": "c", "inputSchema": 5}]
    listings = [{"server": "srv", "initialize": "{}", "tools": json.dumps({"tools": tools})}]
    (tmp_path / "listings.json").write_text(json.dumps({"listings": listings}))
    place = (*put(tmp_path, {}), "--listings", str(tmp_path / "listings.json"))
    code, findings = found(run, *place)
    assert code == 1
    assert {(item["rule"], item["path"]) for item in findings if item["severity"] != "info"} == {
        ("MCP-LIST-LOST", "mcp srv/c")
    }
    assert ("MCP-NAME-CHANGED", "mcp srv/a b") in {
        (item["rule"], item["path"]) for item in findings
    }


def test_a_baseline_accepts_what_it_names_and_says_what_it_no_longer_holds_for(
    run: Run, tmp_path: Path
) -> None:
    place = put(tmp_path, {"CLAUDE.md": "@nowhere.md\n"})
    file = tmp_path / "lint.yaml"
    code, _, err = run("lint", *place, "--write-baseline", str(file))
    assert (code, "give each its reason" in err) == (1, True)
    code, _, err = run("lint", *place, "--baseline", str(file))
    assert (code, "no reason; say why" in err) == (2, True)
    written = yaml.safe_load(file.read_text())
    written["accepted"][0]["reason"] = "made by the build"
    file.write_text(json.dumps(written))
    code, findings = found(run, *place, "--baseline", str(file))
    assert (code, [item.get("accepted") for item in findings]) == (0, [True])
    (tmp_path / "ws/nowhere.md").write_text("there now\n")
    code, _, err = run("lint", *place, "--baseline", str(file))
    assert (code, "holds for nothing; take it out" in err) == (0, True)


@pytest.mark.parametrize("text", ["[]", "accepted: 5", "accepted: [{rule: 5}]", "a: [", "\xff"])
def test_a_baseline_that_is_none_is_refused_in_one_line(
    run: Run, tmp_path: Path, text: str
) -> None:
    (tmp_path / "lint.yaml").write_bytes(text.encode("latin-1"))
    code, _, err = run("lint", *put(tmp_path, {}), "--baseline", str(tmp_path / "lint.yaml"))
    (line,) = [line for line in err.splitlines() if "no --environment" not in line]
    assert (code, str(tmp_path / "lint.yaml") in line) == (2, True)


def test_annotations_escape_what_would_end_a_field() -> None:
    odd = Finding("R", Severity.ERROR, "100 %\nmore", "a,b:c.md", 3)
    assert list(annotations([odd])) == ["::error file=a%2Cb%3Ac.md,line=3,title=R::100 %25%0Amore"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Text(_Strict):
    text: str


class _Rule(_Strict):
    id: str
    shortDescription: _Text  # noqa: N815 - as SARIF has it


class _Driver(_Strict):
    name: str
    semanticVersion: str  # noqa: N815
    rules: list[_Rule]


class _Tool(_Strict):
    driver: _Driver


class _Artifact(_Strict):
    uri: str


class _Region(_Strict):
    startLine: int  # noqa: N815


class _Physical(_Strict):
    artifactLocation: _Artifact  # noqa: N815
    region: _Region | None = None


class _Logical(_Strict):
    fullyQualifiedName: str  # noqa: N815
    kind: str


class _Location(_Strict):
    physicalLocation: _Physical | None = None  # noqa: N815
    logicalLocations: list[_Logical] = []  # noqa: N815


class _Result(_Strict):
    ruleId: str  # noqa: N815
    ruleIndex: int  # noqa: N815
    level: Literal["none", "note", "warning", "error"]
    message: _Text
    locations: list[_Location]
    partialFingerprints: dict[str, str]  # noqa: N815
    properties: dict[str, list[str]]


class _Run(_Strict):
    tool: _Tool
    columnKind: Literal["utf16CodeUnits", "unicodeCodePoints"]  # noqa: N815
    results: list[_Result]


class _Log(BaseModel):
    """The part of the SARIF 2.1.0 schema that we write; the whole schema accepts it, too."""

    model_config = ConfigDict(strict=True)
    version: Literal["2.1.0"]
    runs: list[_Run]


def test_sarif_is_of_the_form_that_its_schema_asks_for(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out.sarif"
    run("lint", *put(tmp_path, _WRONG), "--sarif", str(out))
    (log,) = _Log.model_validate_json(out.read_bytes()).runs
    rules = [rule.id for rule in log.tool.driver.rules]
    assert [rules[item.ruleIndex] for item in log.results] == [item.ruleId for item in log.results]
    assert len({item.partialFingerprints["finding/v1"] for item in log.results}) == 9
    assert {(*item.properties["clientVersions"],) for item in log.results} == {("2.1.332",)}
    odd = sarif([Finding("R", Severity.INFO, "m", "mcp srv/t")], "1", {})
    assert _Log.model_validate(odd).runs[0].results[0].level == "note"


def test_every_reason_has_a_rule_or_is_meant_so() -> None:
    ruled = {code for _, code in BY_REASON}
    assert {str(reason) for reason in Reason} - ruled - MEANT == set()
    assert ruled & MEANT == set()


def test_every_rule_is_described_and_documented(root: Path) -> None:
    profile = resolve(find("claude-code", "2.1.332"), {})
    named = {name for name, _, _ in (*RULES, *Rules(profile).table())}
    named |= {name for name, _ in BY_REASON.values()}
    source = (root / "inspector/lint/rules.py").read_text(encoding="utf-8")
    named |= set(re.findall(r'"((?:RULE|SKILL|MCP|AGENTS)-[A-Z-]+)"', source))
    assert named == set(ABOUT)
    rows = [f"| `{name}` | {about} |" for name, about in sorted(ABOUT.items())]
    docs = (root / "docs/lint.md").read_text(encoding="utf-8")
    assert docs.splitlines()[-len(rows) :] == rows


def test_every_version_is_judged_and_a_finding_names_those_it_holds_for(
    run: Run, tmp_path: Path
) -> None:
    rules = tmp_path / "ws/.claude/rules"
    rules.mkdir(parents=True)
    (rules / "big.md").write_text("word " * 9_000)
    (tmp_path / "home").mkdir()
    given = (str(tmp_path / "ws"), "--home", str(tmp_path / "home"), "--every-version", "--json")
    (row,) = json.loads(run("lint", *given)[1])["findings"]
    assert (row["rule"], row["chars"], row["tokens_estimate"]) == ("RULE-LARGE", 45_000, 11_250)
    assert row["versions"] == names("claude-code")
