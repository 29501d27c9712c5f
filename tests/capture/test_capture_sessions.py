"""Sorting one stream of exchanges into sessions, with a real store and no clients."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from inspector import redact
from inspector.capture.agent import Agent
from inspector.capture.intake import Origin, now
from inspector.capture.process import Process, owner
from inspector.capture.sessions import Sessions, Ways
from inspector.session import Exchange, FileVersion, Session, Snapshot
from inspector.store import Store
from inspector.workspace import Environment

CLAUDE = "claude-cli/2.1.332 (external, sdk-cli)"
TYPED = "claude-cli/2.1.332 (external, cli)"
CODEX = "codex_exec/0.171.0 (Debian 12.0.0; x86_64) xterm (codex_exec; 0.171.0)"
BODY = b'{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"hi"}]}'


@dataclass
class Desk:
    """Sessions of a store, fed by hand."""

    sessions: Sessions
    origins: dict[str, Origin] = field(default_factory=dict[str, Origin])
    processes: dict[int, Process] = field(default_factory=dict[int, Process])
    count: int = 0

    def send(
        self, agent: str = "", path: str = "/v1/messages", port: int = 0, **headers: str
    ) -> str:
        """One exchange from start to end; the id of the session it went to."""
        self.count += 1
        name = f"x{self.count}"
        self.origins[name] = Origin(port, "tls")
        told = {
            "user-agent": agent,
            **{key.replace("_", "-"): value for key, value in headers.items()},
        }
        body = BODY if path.startswith("/v1/") else b"{}"
        sent = Exchange(
            name, "", self.count, "POST", f"https://api.anthropic.com{path}",
            tuple((key, value) for key, value in told.items() if value), body, body, "", "", started=now(),
        )  # fmt: skip
        self.sessions.put(sent, complete=False)
        self.sessions.put(sent, complete=True)
        kept = self.sessions.store.get(name)
        return kept.session

    def listed(self) -> list[tuple[str, str, str | None, list[int]]]:
        store = self.sessions.store
        return [
            (
                item.client,
                item.version,
                item.conversation,
                [one.number for one in store.exchanges(item.id)],
            )
            for item in store.sessions()
        ]


def nothing(_process: Process | None, _seen: Agent, _route: str) -> None:
    """No facts: these clients are made up."""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    origins: dict[str, Origin] = {}
    processes: dict[int, Process] = {}
    ways = Ways("proxy", origins.__getitem__, processes.get, nothing)
    with Store.open(tmp_path / "s.db") as store:
        made = Desk(Sessions(store, redact.NOTHING_GIVEN, ways), origins, processes)
        yield made
        made.sessions.close(0)


def own(desk: Desk, client: str) -> None:
    session = Session(Store.new_id(), client, "2.1.332" if client != "other" else "", "tls", now())
    desk.sessions.own = desk.sessions.begin(session, None)


def test_clients_that_take_turns_keep_a_session_each_by_their_own_ids(desk: Desk) -> None:
    for turn in range(2):
        for name in ("a", "b"):
            desk.send(CLAUDE, x_claude_code_session_id=name)
        desk.send(CODEX, "/v1/responses", thread_id="t")
        assert turn in (0, 1)
    assert desk.listed() == [
        ("claude-code", "2.1.332", "a", [1, 2]),
        ("claude-code", "2.1.332", "b", [1, 2]),
        ("codex", "0.171.0", "t", [1, 2]),
    ]


def test_what_comes_before_the_first_conversation_belongs_to_it(desk: Desk) -> None:
    early = desk.send(CLAUDE, "/api/claude_code/settings")
    assert desk.send(CLAUDE, x_claude_code_session_id="a") == early
    assert desk.send("", "/api/hello") == early
    assert desk.send(CLAUDE, "/api/claude_code/policy_limits") == early


def test_a_sub_agents_thread_joins_the_thread_that_asked_for_it(desk: Desk) -> None:
    first = desk.send(CODEX, "/v1/responses", thread_id="t")
    assert desk.send(CODEX, "/v1/responses", thread_id="u", x_codex_parent_thread_id="t") == first
    assert desk.send(CODEX, "/v1/responses", thread_id="u") == first


def test_model_calls_of_another_program_are_no_part_of_a_clients_session(desk: Desk) -> None:
    own(desk, "claude-code")
    theirs = desk.send(CLAUDE, x_claude_code_session_id="a")
    sdk = desk.send("Anthropic/Python 2.14.0")
    assert sdk != theirs
    assert desk.send("Anthropic/Python 2.14.0") == sdk
    assert [row[0] for row in desk.listed()] == ["claude-code", "other"]


def test_a_client_a_shell_starts_after_a_script_gets_a_session_of_its_own(desk: Desk) -> None:
    own(desk, "other")
    script = desk.send("Anthropic/Python 2.14.0")
    assert desk.send(CLAUDE, x_claude_code_session_id="a") != script
    assert [row[0] for row in desk.listed()] == ["other", "claude-code"]


def test_a_person_who_clears_the_chat_stays_in_the_session(desk: Desk) -> None:
    own(desk, "claude-code")
    first = desk.send(TYPED, x_claude_code_session_id="a")
    assert desk.send(TYPED, x_claude_code_session_id="b") == first
    assert desk.send(CLAUDE, x_claude_code_session_id="c") != first


def test_a_title_of_a_terminal_client_that_calls_itself_by_two_names_stays_in_the_session(
    desk: Desk,
) -> None:
    """What opened the connection is not always found: a refused WebSocket is closed at once."""
    own(desk, "codex")
    tui = "codex-tui/0.171.0 (Debian 12.0.0; x86_64) xterm (codex-tui; 0.171.0)"
    first = desk.send("codex_cli_rs/0.171.0 (Debian 12.0.0; x86_64) xterm", "/models")
    assert desk.send(tui, "/v1/responses", thread_id="a") == first
    assert desk.send(tui, "/v1/responses", thread_id="b") == first
    assert desk.send(CODEX, "/v1/responses", thread_id="c") != first


def test_a_process_is_one_session_where_the_system_tells_it(desk: Desk) -> None:
    desk.processes.update(
        {5: Process(77, (), "/", {}), 6: Process(77, (), "/", {}), 7: Process(8, (), "/", {})}
    )
    first = desk.send(CLAUDE, port=5, x_claude_code_session_id="a")
    assert desk.send(CLAUDE, port=6, x_claude_code_session_id="b") == first
    assert desk.send(CLAUDE, port=7, x_claude_code_session_id="c") != first


def test_a_call_put_again_after_a_fault_keeps_its_place(desk: Desk) -> None:
    first = desk.send(CLAUDE, x_claude_code_session_id="a")
    again = desk.sessions.store.get("x1")
    desk.sessions.put(again, complete=True)
    assert desk.send(CLAUDE, x_claude_code_session_id="a") == first
    assert desk.listed() == [("claude-code", "2.1.332", "a", [1, 2])]


def test_the_process_behind_a_connection_is_found_with_what_it_was_started_with(
    tmp_path: Path,
) -> None:
    import socket
    import subprocess
    import sys

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        program = f"import socket, sys; s = socket.create_connection(('127.0.0.1', {port})); sys.stdin.read()"
        with subprocess.Popen(
            [sys.executable, "-c", program, "a b"],
            cwd=tmp_path,
            env={"NAME": "va=lue"},
            stdin=subprocess.PIPE,
        ) as child:
            connection, (_, theirs) = server.accept()
            with connection:
                found = owner(theirs)
            assert child.stdin is not None
            child.stdin.close()
    assert found is not None
    assert (found.pid, found.argv[1:], found.cwd) == (
        child.pid,
        ("-c", program, "a b"),
        str(tmp_path),
    )
    assert found.env["NAME"] == "va=lue"
    assert owner(1) is None


def test_exchanges_are_kept_while_a_process_is_looked_at_and_what_they_named_is_looked_at_then(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.py").write_text("here", "utf-8")
    facts = Environment(
        client="claude-code",
        version="2.1.332",
        cwd=str(tmp_path),
        home="/h",
        config_home="/h",
        date="2026-11-29",
    )
    looked = threading.Event()

    def slow(_process: Process | None, _seen: Agent, _route: str) -> Snapshot:
        assert looked.wait(20)
        return Snapshot(facts, {str(tmp_path / "b"): (FileVersion("", None),)})

    call = {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "a.py"}}
    answer = json.dumps({"type": "message", "content": [call]}).encode()
    process = Process(7, ("claude",), str(tmp_path), {})
    ways = Ways("proxy", lambda _: Origin(1, "tls"), {1: process}.get, slow)
    headers = (("user-agent", CLAUDE), ("x-claude-code-session-id", "a"))
    with Store.open(tmp_path / "s.db") as store:
        sessions = Sessions(store, redact.NOTHING_GIVEN, ways)
        for number in (1, 2):
            sent = Exchange(
                f"x{number}", "", number, "POST", "https://h/v1/messages", headers, BODY, BODY, "", "",
                started=now(), status=200, response=answer, ended=now(),
            )  # fmt: skip
            sessions.put(sent, complete=True)
        (session,) = store.sessions()
        assert [item.id for item in store.exchanges(session.id)] == ["x1", "x2"]
        assert store.snapshot(session.id) is None
        looked.set()
        sessions.close(0)
        snapshot = store.snapshot(session.id)
    assert snapshot is not None
    assert [one.data for one in snapshot.files[str(tmp_path / "a.py")]] == [b"here"]
