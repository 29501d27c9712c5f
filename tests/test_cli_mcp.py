"""`inspector mcp`: listings kept for `build`, and what a server's author is told."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from inspector.cli import main
from inspector.clients.claude_code.service import FLAGS
from inspector.folder import read_listings

FIXTURE = Path(__file__).parents[1] / "fixtures" / "mcp" / "server.py"
OBJECT = {"type": "object"}
# A server whose list is another one each time it is asked, as its file says.
FICKLE = r"""
import json, sys
from pathlib import Path
lists, count = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[1] + ".count")
for line in sys.stdin:
    message = json.loads(line)
    result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "f", "version": "1"}}
    if message.get("method") == "tools/list":
        asked = int(count.read_text()) if count.exists() else 0
        count.write_text(str(asked + 1))
        result = {"tools": lists[asked % len(lists)]}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


# A server whose pages never end: each names the same one, or a new one.
ENDLESS = r"""
import json, sys
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "f", "version": "1"}}
    if message.get("method") == "tools/list":
        asked += 1
        tool = {"name": "a", "description": f"D{asked}", "inputSchema": {"type": "object"}}
        result = {"tools": [tool], "nextCursor": "c" if sys.argv[1] == "same" else f"c{asked}"}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@pytest.fixture(autouse=True)
def _unasked(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of its own, whose client does not ask its flag service."""
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")


def _tool(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "D", "inputSchema": OBJECT, **more}


def _server(root: Path, spec: dict[str, Any]) -> str:
    file = root / "spec.json"
    file.write_text(json.dumps(spec))
    return f"{sys.executable} {FIXTURE} {file}"


def _check(
    capsys: pytest.CaptureFixture[str], command: str, *more: str
) -> tuple[int, list[tuple[str, str | None, str]]]:
    code = main(["mcp", "check", "--command", command, "--json", *more])
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == 1
    rows = document["servers"][0]["findings"]
    return code, [(row["rule"], row["tool"], row["path"]) for row in rows]


def test_a_plain_server_is_fine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = _server(tmp_path, {"tools": [_tool("a")]})
    assert _check(capsys, command) == (0, [("MCP-DEFERRED", None, ""), ("MCP-SIZE", None, "")])


@pytest.mark.parametrize(
    ("tools", "finding"),
    [
        ([_tool("a", title=5)], ("MCP-LIST-LOST", "a", "/title")),
        ([_tool("a", inputSchema={**OBJECT, "required": ["x", "x"]})], ("MCP-SCHEMA-REFUSED", "a", "/inputSchema")),
        ([_tool("a.b"), _tool("a b")], ("MCP-NAME-COLLISION", "a b", "")),
        ([_tool("a", description="x" * 4097)], ("MCP-CAP-DESCRIPTION", "a", "/description")),
        ([_tool("a", inputSchema={**OBJECT, "properties": {"x": {"enum": ["\u200b"]}}})], ("MCP-UNICODE", "a", "/inputSchema/properties/x/enum/0")),
        ([_tool("a", inputSchema={**OBJECT, "x": 12345678901234567890})], ("MCP-NUMBERS", "a", "/inputSchema/x")),
    ],
)  # fmt: skip
def test_what_the_client_loses_or_changes_is_a_finding(
    tools: list[dict[str, Any]],
    finding: tuple[str, str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, found = _check(capsys, _server(tmp_path, {"tools": tools}))
    assert code == 1
    assert finding in found


@pytest.mark.parametrize("kind", ["same", "new"])
def test_pages_that_do_not_end_are_told_once(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "endless.py"
    file.write_text(ENDLESS)
    code, found = _check(capsys, f"{sys.executable} {file} {kind}")
    assert code == 1
    assert [row for row in found if not row[0].startswith(("MCP-SIZE", "MCP-DEFERRED"))] == [
        ("MCP-ENDLESS", None, ""),
        ("MCP-NAME-COLLISION", "a", ""),
    ]


def test_what_the_client_only_writes_otherwise_is_told_without_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = {**OBJECT, "oneOf": [{"required": ["q"], "properties": {"q": {"maximum": 1.50e3}}}]}
    tool = _tool("a.b", inputSchema=schema, _meta={"anthropic/alwaysLoad": True})
    assert _check(capsys, _server(tmp_path, {"tools": [tool]})) == (
        0,
        [
            ("MCP-NAME-CHANGED", "a.b", "/name"),
            ("MCP-SCHEMA-REWRITTEN", "a.b", "/inputSchema"),
            ("MCP-NUMBERS-WRITTEN", "a.b", "/inputSchema/oneOf/0/properties/q/maximum"),
            ("MCP-SIZE", None, ""),
        ],
    )


@pytest.mark.parametrize(
    ("hosts", "findings"),
    [
        (None, ["left out: oneOf", "sent all the same, and the API refuses it: "]),
        (["*"], ["left out: "]),
        (["example.com"], ["left out: oneOf", "sent all the same, and the API refuses it: "]),
    ],
)
def test_the_flags_of_the_users_own_client_decide_what_is_left_out(
    hosts: list[str] | None,
    findings: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")
    kept = (
        {} if hosts is None else {"cachedGrowthBookFeatures": dict.fromkeys(FLAGS.values(), hosts)}
    )
    (Path(os.environ["HOME"]) / ".claude.json").write_text(json.dumps(kept))
    merged: dict[str, Any] = {**OBJECT, "oneOf": [{"properties": {}}]}
    tools = [
        _tool("a", inputSchema=merged),
        _tool("b", inputSchema={**OBJECT, "required": ["x", "x"]}),
    ]
    main(["mcp", "check", "--command", _server(tmp_path, {"tools": tools}), "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["flag_service"] == "asked"
    said = [
        row["message"]
        for row in document["servers"][0]["findings"]
        if row["rule"] == "MCP-SCHEMA-REFUSED"
    ]
    assert [message.startswith(start) for message, start in zip(said, findings, strict=True)] == [
        True
    ] * len(findings)


def test_long_instructions_are_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = _server(tmp_path, {"tools": [], "instructions": "x" * 4097})
    assert _check(capsys, command) == (1, [("MCP-CAP-INSTRUCTIONS", None, "/instructions")])


@pytest.mark.parametrize(
    ("lists", "findings"),
    [
        ([["a", "b"], ["b", "a"], ["a", "b"]], [("MCP-UNSTABLE-ORDER", "a", "")]),
        ([["a"], ["a"], ["a", "b"]], [("MCP-UNSTABLE-ENTRIES", "b", "")]),
    ],
)
def test_a_list_that_changes_by_itself_is_told(
    lists: Sequence[Sequence[str]],
    findings: list[tuple[str, str, str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "server.py").write_text(FICKLE)
    file = tmp_path / "lists.json"
    file.write_text(json.dumps([[_tool(name) for name in names] for names in lists]))
    code, found = _check(capsys, f"{sys.executable} {tmp_path / 'server.py'} {file}")
    assert code == 1
    assert [entry for entry in found if "UNSTABLE" in entry[0]] == findings


def test_bytes_that_change_are_told_by_their_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "server.py").write_text(FICKLE)
    file = tmp_path / "lists.json"
    lists = [
        [_tool("a", inputSchema={**OBJECT, "properties": {"x": {"default": n}}})] for n in (1, 2, 1)
    ]
    file.write_text(json.dumps(lists))
    _, found = _check(
        capsys, f"{sys.executable} {tmp_path / 'server.py'} {file}", "--client", "codex"
    )
    assert found == [("MCP-UNSTABLE-BYTES", "a", "/inputSchema/properties/x/default")]


@pytest.mark.parametrize(
    ("last", "findings"),
    [(2, []), (3, [("MCP-UNSTABLE-BYTES", "a", "/description")])],
)
def test_two_tools_of_one_name_are_compared_each_with_itself(
    last: int,
    findings: list[tuple[str, str, str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "server.py").write_text(FICKLE)
    file = tmp_path / "lists.json"
    lists = [[_tool("a", description=f"{n}") for n in (1, second)] for second in (2, 2, last)]
    file.write_text(json.dumps(lists))
    _, found = _check(
        capsys, f"{sys.executable} {tmp_path / 'server.py'} {file}", "--client", "codex"
    )
    assert [entry for entry in found if "UNSTABLE" in entry[0]] == findings


def test_a_server_that_fails_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert _check(capsys, f"{sys.executable} -c 1") == (1, [("MCP-FAILED", None, "")])


def test_a_snapshot_keeps_what_there_is_and_names_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = _server(tmp_path, {"tools": [_tool("a")]}).split()
    good, bad = {"command": words[0], "args": words[1:]}, {"command": "/nowhere/server"}
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / ".mcp.json").write_text(json.dumps({"mcpServers": {"good": good}}))
    (tmp_path / ".claude.json").write_text(json.dumps({"mcpServers": {"bad": bad}}))
    where = ["--workspace", str(tmp_path / "ws"), "--home", str(tmp_path)]
    assert main(["mcp", "snapshot", *where, "--out", str(tmp_path / "kept")]) == 0
    assert "good (project): 1 tools, 0 prompts, 0 resources" in capsys.readouterr().out
    kept = {item.server: item for item in read_listings(tmp_path / "kept" / "listings.yaml")}
    assert (kept["bad"].state, kept["good"].state) == ("failed", "ready")
    assert kept["good"].tools == json.dumps({"tools": [_tool("a")]})


def test_a_list_of_another_type_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "server.py").write_text(FICKLE)
    file = tmp_path / "lists.json"
    file.write_text(json.dumps(["none"]))
    _, found = _check(capsys, f"{sys.executable} {tmp_path / 'server.py'} {file}")
    assert found == [("MCP-LIST-LOST", None, "")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--mcp-config", "nowhere.json"], "{0}/nowhere.json: no such file or directory; give a file"),
        (["--mcp-config", "{"], "--mcp-config: no JSON; mend it"),
        (["--mcp-config", '{"mcpServers": []}'], "--mcp-config: it has no object mcpServers; give one"),
        (["--seconds", "0"], "Invalid value for '--seconds': 0.0 is not in the range x>0; see `inspector mcp check --help`"),
        (["--url", "nowhere"], "nowhere: no address of a server; give one with http:// or https://"),
    ],
)  # fmt: skip
def test_what_names_no_server_is_bad_input(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--workspace", str(tmp_path), "--home", str(tmp_path)]
    assert main(["mcp", "check", *where, *words]) == 2
    assert capsys.readouterr().err == f"inspector: {said.format(tmp_path)}\n"


def test_a_configuration_that_is_no_json_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".mcp.json").write_text("[]")
    assert main(["mcp", "snapshot", "--workspace", str(tmp_path), "--home", str(tmp_path)]) == 0
    assert capsys.readouterr().err.splitlines()[0] == (
        f"inspector: {tmp_path}/.mcp.json: no JSON object; the client goes on without it"
    )


def test_a_server_nobody_configured_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--workspace", str(tmp_path), "--home", str(tmp_path)]
    assert main(["mcp", "snapshot", *where, "--server", "x"]) == 2
    assert capsys.readouterr().err == "inspector: --server x: not configured; there are: none\n"


def test_build_takes_a_snapshot(tmp_path: Path) -> None:
    command = _server(tmp_path, {"tools": [_tool("a")]}).split()
    config = {"mcpServers": {"s": {"command": command[0], "args": command[1:]}}}
    where = ["--workspace", str(tmp_path), "--home", str(tmp_path)]
    file = str(tmp_path / "listings.yaml")
    assert main(["mcp", "snapshot", *where, "--mcp-config", json.dumps(config), "--out", file]) == 0
    turns = tmp_path / "turns.yaml"
    turns.write_text(
        "schema_version: 1\nclient: claude-code\nversion: 2.1.332\n"
        "turns:\n  - events:\n      - {type: prompted, text: hi}\n"
    )
    built = ["--turns", str(turns), "--out", str(tmp_path / "out"), "--listings", file]
    assert main(["build", "--client", "claude-code", *where, *built]) == 0
    assert "mcp__s__a" in (tmp_path / "out" / "001.json").read_text()
