"""`build` names what is bad in a workspace and in turns, file by file, and builds the rest."""

import json
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from tests.commands import Run

_ADVICE = "so it is left out; `inspector mcp snapshot` asks it, --listings gives the answer"


class Bench:
    """A workspace of Claude Code with one good rule, and turns that begin with one prompt."""

    def __init__(self, root: Path, run: Run) -> None:
        self.root, self.ws, self.home, self._run = root, root / "ws", root / "home", run
        self.events: list[Sequence[Mapping[str, object]]] = [
            [{"type": "prompted", "text": "hello"}]
        ]
        self.facts: dict[str, object] = {}
        self.listings: object = None
        self.home.mkdir()
        self.put("CLAUDE.md", "Say CANARY in every answer.\n")

    def put(self, path: str, words: str) -> Path:
        place = self.ws / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(words, encoding="utf-8")
        return place

    def link(self, path: str, target: str) -> Path:
        place = self.ws / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)
        return place

    def said(self) -> list[str]:
        """What a build says on stderr; the rest is built each time."""
        code, err = self.build()
        assert code == 0
        built = sorted((self.root / "built").iterdir())
        assert len(built) == len(self.events)
        assert all("Say CANARY in every answer." in path.read_text("utf-8") for path in built)
        return [line.removeprefix("inspector: ") for line in err.splitlines()]

    def build(self) -> tuple[int, str]:
        """The exit code of a build, and what it says on stderr."""
        facts: dict[str, object] = {"cwd": str(self.ws), "home": str(self.home)}
        facts |= {"argv": ["-p", "hello"], "config_home": f"{self.home}/.claude"}
        facts |= {"date": "2026-01-02"} | self.facts
        turns = {"client": "claude-code", "version": "2.1.332"}
        given = {"turns": [{"events": events} for events in self.events]}
        (self.root / "environment.yaml").write_text(json.dumps(facts), "utf-8")
        (self.root / "turns.yaml").write_text(json.dumps(turns | given), "utf-8")
        words = ["build", "--client", "claude-code", "--workspace", self.ws, "--home", self.home]
        words += ["--turns", self.root / "turns.yaml", "--out", self.root / "built"]
        words += ["--environment", self.root / "environment.yaml"]
        if self.listings is not None:
            said = json.dumps({"listings": self.listings})
            (self.root / "listings.yaml").write_text(said, "utf-8")
            words += ["--listings", self.root / "listings.yaml"]
        code, _, err = self._run(*words)
        return code, err


@pytest.fixture
def bench(tmp_path: Path, run: Run) -> Bench:
    return Bench(tmp_path, run)


def test_nothing_is_said_of_a_good_workspace(bench: Bench) -> None:
    bench.put(".claude/rules/kind.md", "be kind\n")
    assert bench.said() == []


def _unreadable(bench: Bench) -> str:
    (bench.home / ".credentials.json").write_text("{}", "utf-8")
    return f"{bench.link('.claude/rules/a.md', str(bench.home / '.credentials.json'))}"


def _dangling(bench: Bench) -> str:
    return f"{bench.link('.claude/commands/gone.md', 'nowhere.md')}"


def _circle(bench: Bench) -> str:
    bench.link(".claude/agents/one.md", "two.md")
    return f"{bench.link('.claude/agents/two.md', 'one.md')}"


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (_unreadable, "it cannot be read; left out by the client"),
        (_dangling, "it leads nowhere or is no file; left out by the client"),
        (_circle, "its links lead in a circle; left out by the client"),
    ],
)
def test_files_that_cannot_be_read_are_named(
    bench: Bench, made: Callable[[Bench], str], words: str
) -> None:
    assert f"{made(bench)}: {words}" in bench.said()


def test_a_circle_of_links_is_named_at_each_of_them(bench: Bench) -> None:
    two = Path(_circle(bench))
    words = "its links lead in a circle; left out by the client"
    assert sorted(bench.said()) == [
        f"{two.with_name(name)}: {words}" for name in ("one.md", "two.md")
    ]


def test_a_folder_that_leads_back_to_one_above_it_is_named(bench: Bench) -> None:
    loop = bench.link(".claude/rules/loop", ".")
    assert bench.said() == [f"{loop}: its links lead in a circle; left out by the client"]


def test_frontmatter_that_is_no_yaml_is_named(bench: Bench) -> None:
    skill = bench.put(".claude/skills/odd/SKILL.md", "---\n- [a\n---\nwords\n")
    assert bench.said() == [
        f"{skill}: its frontmatter is no YAML (line 3: while parsing a flow sequence, expected ','"
        " or ']', but got '<stream end>'); read by the client without it"
    ]


def test_configuration_that_is_no_json_is_named(bench: Bench) -> None:
    settings = bench.put(".claude/settings.json", "{")
    servers = bench.put(".mcp.json", "[]")
    where = "(line 1: expecting property name enclosed in double quotes)"
    words = "the client goes on without it"
    assert bench.said() == [
        f"{settings}: no JSON object {where}; {words}",
        f"{servers}: no JSON object; {words}",
    ]


def test_a_server_of_which_nobody_knows_the_tools_is_named(bench: Bench) -> None:
    config = bench.put(".mcp.json", '{"mcpServers": {"shop": {"command": "shop"}}}')
    assert bench.said() == [f"{config}: MCP server shop: nothing tells what it offers, {_ADVICE}"]


def test_turns_that_speak_of_another_workspace_are_named(bench: Bench) -> None:
    gone = str(bench.ws / "gone.txt")
    call = {"type": "called", "id": "c1", "name": "Read", "input": json.dumps({"file_path": gone})}
    bench.events += [
        [{"type": "replied", "blocks": [call]}, {"type": "returned", "call": "c9", "text": "x"}],
        [
            {"type": "replied", "blocks": [{"type": "said", "text": "done"}]},
            {"type": "server", "server": "shop", "state": "ready"},
            {"type": "moved", "cwd": "/not/here"},
            {"type": "prompted", "text": "again"},
        ],
    ]
    assert bench.said() == [
        f"{bench.root}/turns.yaml: turns.1.events.1: no reply before it makes the call 'c9', so"
        " this result is left out",
        f"turns.1: a call reads {gone}, which is not there: an error is built",
        "turns.2.events.1: no MCP server shop is configured in the workspace",
        "turns.2.events.2: the shell stands in /not/here, which is no folder",
    ]


def test_a_result_that_turns_do_not_have_is_named_with_its_place(bench: Bench) -> None:
    call = {"type": "called", "id": "c1", "name": "Bash", "input": '{"command":"ls"}'}
    bench.events.append([{"type": "replied", "blocks": [call]}])
    (said,) = bench.said()
    assert said.startswith(f"{bench.root}/built/002.json /messages/")


_BROKEN: list[Mapping[str, object]] = [{"server": "shop", "tools": "{bad"}]


def test_a_listing_that_is_no_json_is_one_line_with_its_place(bench: Bench) -> None:
    bench.facts = {"listings": _BROKEN}
    assert bench.build() == (
        2,
        f"inspector: {bench.root}/environment.yaml: no environment file (listings.0.tools: no"
        " JSON); see `inspector turns --environment`\n",
    )
    bench.facts, bench.listings = {}, _BROKEN
    assert bench.build() == (
        2,
        f"inspector: {bench.root}/listings.yaml: no listings file (listings.0.tools: no JSON);"
        " see `inspector mcp snapshot`\n",
    )


@pytest.mark.parametrize("schema", ["{bad", "[1]"])
def test_a_schema_of_the_command_line_that_is_none_is_one_line(bench: Bench, schema: str) -> None:
    bench.facts = {"argv": ["-p", "hello", "--json-schema", schema]}
    assert bench.build() == (
        2,
        f"inspector: {bench.root}/environment.yaml: argv: --json-schema: no JSON object, at which"
        " the client ends; mend it\n",
    )


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    here = os.open(path.parent, os.O_RDONLY)
    try:  # by a short name: a socket's path is 108 bytes at most
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(f"/proc/self/fd/{here}/{path.name}")
    finally:
        os.close(here)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("made", [_pipe, _socket, _device, Path.mkdir])
@pytest.mark.parametrize(
    "name", ["rules/a.md", "skills/sk/SKILL.md", "agents/a.md", "settings.json", "../.mcp.json"]
)
def test_what_is_no_file_is_named_and_never_waited_for(
    bench: Bench, name: str, made: Callable[[Path], None]
) -> None:
    path = bench.ws / ".claude" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    (bench.ws / ".claude").mkdir(exist_ok=True)
    made(path)
    where = os.path.normpath(path)
    if made is Path.mkdir:
        words = [] if name.endswith("a.md") else [f"{where}: a folder, not a file"]
    else:
        words = [f"{where}: a pipe, socket or device, not a file"]
    assert bench.said() == [f"{line}; left out by the client" for line in words]


def test_a_folder_that_nobody_may_look_into_is_named(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = bench.ws / ".claude/skills/ours"
    ours.mkdir(parents=True)
    monkeypatch.setenv("INSPECTOR_DATA", str(ours))
    assert bench.said() == [f"{ours}: it cannot be read; left out by the client"]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--settings", "{bad}"], "--settings: no JSON object"),
        (["--settings", "gone.json"], "--settings: {ws}/gone.json: no file that can be read"),
        (["--mcp-config", "gone.json"], "--mcp-config: {ws}/gone.json: no file that can be read"),
        (["--mcp-config", "[]"], "--mcp-config: []: no JSON object with `mcpServers`"),
        (["--mcp-config", "a.json"], "--mcp-config: a.json: no JSON object with `mcpServers`"),
        (["--agents", "{bad"], "--agents: {bad: no JSON object of objects"),
        (["--agents", "gone.json"], "--agents: {ws}/gone.json: no file that can be read"),
        (
            ["--setting-sources", "project,zz"],
            "--setting-sources: 'zz' is none of user, project, local",
        ),
        (["--max-turns", "x"], "--max-turns: 'x' is no number"),
        (["--system-prompt-file", "x"], "--system-prompt-file: {ws}/x: no file that can be read"),
        (["--nope"], "--nope: the client has no such option"),
    ],
)
def test_a_command_line_at_which_the_client_ends_is_named(
    bench: Bench, words: list[str], fault: str
) -> None:
    bench.put("a.json", "{bad")
    bench.facts = {"argv": ["-p", "hello", *words]}
    told = fault.replace("{ws}", str(bench.ws))
    assert bench.said() == [f"{told}; the client ends at that and sends nothing of what is built"]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("date", "tomorrow", "'tomorrow' is no date such as 2026-01-02"),
        ("date", "2026-02-30", "'2026-02-30' is no date such as 2026-01-02"),
        ("route", "moon", "'moon' is none of tls, base-url, raw-export"),
        ("cwd", "project", "'project' is no absolute path"),
    ],
)
def test_a_fact_that_no_client_can_have_found_is_one_line(
    bench: Bench, name: str, value: str, words: str
) -> None:
    bench.facts = {name: value}
    place = f"{bench.root}/environment.yaml: {name}"
    assert bench.build() == (2, f"inspector: {place}: {words}; see docs/turns-format.md\n")


def test_a_time_zone_that_is_not_known_is_named(bench: Bench) -> None:
    bench.facts = {"timezone": "Mars/Base"}
    place = f"{bench.root}/environment.yaml: timezone"
    assert bench.said() == [f"{place}: no zone 'Mars/Base' is known here"]


def test_a_listing_without_a_list_of_tools_is_named(bench: Bench) -> None:
    bench.put(".mcp.json", '{"mcpServers": {"shop": {"command": "shop"}}}')
    bench.listings = [{"server": "shop", "tools": '{"tools":5}'}]
    assert bench.said() == [
        "MCP server shop: what it answered holds no list of tools that the client can read; its"
        " tools are left out"
    ]


def test_a_turn_in_which_nothing_happens_and_a_call_made_twice_are_named(bench: Bench) -> None:
    call = {"type": "called", "id": "c1", "name": "Bash", "input": '{"command":"ls"}'}
    given = {"type": "returned", "call": "c1", "text": "x"}
    reply = {"type": "replied", "blocks": [call]}
    bench.events += [[], [reply, given], [reply, given]]
    place = f"{bench.root}/turns.yaml: turns"
    assert bench.said() == [
        f"{place}.1.events: empty, so nothing happens before its request",
        f"{place}.3.events.0: the call id 'c1' is there twice",
    ]


def test_results_that_the_client_makes_otherwise_are_named(bench: Bench) -> None:
    path = str(bench.put("a.txt", "one\n"))
    calls: list[tuple[str, Mapping[str, object], str]] = [
        ("Read", {"file_path": path}, "1\tOTHER"),
        ("Read", {"file_path": path, "limit": 1}, "1\tone\n"),
        ("Skill", {"skill": "gone"}, "Launching skill: gone"),
        ("mcp__ghost__x", {}, "ghost ok"),
        ("Bash", {"command": "ls"}, "a.txt"),
    ]
    blocks = [
        {"type": "called", "id": f"c{place}", "name": name, "input": json.dumps(given)}
        for place, (name, given, _) in enumerate(calls)
    ]
    results: list[dict[str, object]] = [
        {"type": "returned", "call": f"c{place}", "text": said}
        for place, (_, _, said) in enumerate(calls)
    ]
    answer = {"type": "answered", "result": '{"content":[{"type":"text","text":"ghost ok"}]}'}
    results[3] = {"type": "returned", "call": "c3", "outcome": answer}
    bench.events.append([{"type": "replied", "blocks": blocks}, *results])
    assert bench.said() == [
        f"turns.1.events.{place + 1}: what is given for the call 'c{place}' is not what the client"
        " makes of the workspace, so it is left out"
        for place in (0, 2, 3)
    ]
