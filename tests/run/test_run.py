"""`inspector run` around small programs: what passes through, what is kept, how it ends."""

import contextlib
import json
import os
import pty
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from inspector.session import Recording
from inspector.store import Store

LIMIT = 60
AGENT = "claude-cli/2.1.332 (external, sdk-cli)"
ASK = """
import json, sys, urllib.request
def ask(path="/v1/messages", body={"tools": [{}], "stream": True}, host="api.anthropic.com", **headers):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(f"https://{host}{path}", data, headers)
    return urllib.request.urlopen(request, timeout=20).read()
"""


def run(
    tmp_path: Path,
    program: str,
    *options: str,
    replies: object = (),
    env: dict[str, str] | None = None,
    stdin: bytes = b"",
) -> subprocess.CompletedProcess[bytes]:
    """Run a Python program under `inspector run --mock`."""
    command = words(tmp_path, program, options, replies)
    return subprocess.run(
        command,
        env=environ(tmp_path, env),
        input=stdin,
        capture_output=True,
        timeout=LIMIT,
        check=False,
        cwd=tmp_path,
    )


def words(
    tmp_path: Path, program: str, options: Sequence[str] = (), replies: object = ()
) -> list[str]:
    script, source = tmp_path / "script.json", tmp_path / "agent.py"
    script.write_text(json.dumps(replies or [{"text": "hello"}]))
    source.write_text(ASK + program)
    ours = [
        sys.executable,
        "-m",
        "inspector",
        "run",
        "--store",
        str(tmp_path / "s.db"),
        "--mock",
        str(script),
    ]
    return [*ours, *options, "--", sys.executable, str(source)]


def environ(tmp_path: Path, more: dict[str, str] | None = None) -> dict[str, str]:
    root = str(Path(__file__).resolve().parents[2])
    kept = {name: os.environ[name] for name in ("PATH", "INSPECTOR_DATA") if name in os.environ}
    return {**kept, "HOME": str(tmp_path), "PYTHONPATH": root, **(more or {})}


def recorded(tmp_path: Path, session: str = "last") -> Recording:
    with Store.open(tmp_path / "s.db", create=False) as store:
        return store.recording(store.find(session).id)


def said(ended: subprocess.CompletedProcess[bytes]) -> list[str]:
    return ended.stderr.decode().splitlines()


def test_input_output_and_exit_code_are_the_childs_own(tmp_path: Path) -> None:
    program = "ask(); sys.stdout.buffer.write(sys.stdin.buffer.read() + b'\\xff\\n'); sys.stderr.write('E\\n'); sys.exit(7)"
    ended = run(tmp_path, program, stdin=b"\x00in")
    session = recorded(tmp_path).session
    assert (ended.returncode, ended.stdout) == (7, b"\x00in\xff\n")
    assert said(ended) == [
        "E",
        f"inspector: session {session.id}: other, route tls, 1 model call in 1 exchange; next: inspector show {session.id}",
    ]
    assert (session.exit_code, session.client, session.route) == (7, "other", "tls")


def test_the_child_gets_our_terminal_itself(tmp_path: Path) -> None:
    program = "import os; ask(); print([os.isatty(n) for n in range(3)], os.ttyname(0), os.tcgetpgrp(0) == os.getpgrp())"
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0) as screen:
        name = os.ttyname(theirs)
        child = subprocess.Popen(
            ["setsid", "--ctty", *words(tmp_path, program)],
            env=environ(tmp_path),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=tmp_path,
        )
        os.close(theirs)
        shown = b""
        try:
            while data := screen.read(4096):
                shown += data
        except OSError:  # Linux: the last writer has gone
            pass
        assert child.wait(LIMIT) == 0, shown
    assert f"[True, True, True] {name} True".encode() in shown


def test_a_session_holds_what_went_over_the_wire_and_where(tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    program = f"ask('/v1/messages?beta=true', **{{'user-agent': {AGENT!r}, 'x-claude-code-session-id': 'conv-1'}})"
    ended = run(
        tmp_path, program, "--report", str(report), env={"MY_API_KEY": "secret-value-of-mine"}
    )
    assert ended.returncode == 0, ended.stderr
    recording = recorded(tmp_path)
    session, (exchange,) = recording.session, recording.exchanges
    assert (session.client, session.version, session.conversation) == (
        "claude-code",
        "2.1.332",
        "conv-1",
    )
    assert (exchange.number, exchange.url, exchange.status) == (
        1,
        "https://api.anthropic.com/v1/messages?beta=true",
        200,
    )
    assert exchange.request == b'{"tools": [{}], "stream": true}'
    assert exchange.response.endswith(b'data: {"type":"message_stop"}\n\n')
    assert recording.snapshot is not None
    assert recording.snapshot.environment.version == "2.1.332"
    assert recording.snapshot.environment.cwd == str(tmp_path)
    listed = {
        "id": session.id, "client": "claude-code", "version": "2.1.332", "route": "tls", "exchanges": 1,
        "model_calls": 1, "started": session.started, "continues": None,
    }  # fmt: skip
    assert json.loads(report.read_text()) == {
        "schema": 1,
        "sessions": [listed],
        "exit_code": 0,
        "faults": [],
    }


def test_what_a_client_sends_to_probe_is_no_model_call_anywhere(tmp_path: Path) -> None:
    quota = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "quota"}]}
    agent = f"**{{'user-agent': {AGENT!r}}}"
    report = tmp_path / "r.json"
    ended = run(tmp_path, f"ask(body={quota!r}, {agent}); ask({agent})", "--report", str(report))
    name = recorded(tmp_path).session.id
    assert f"session {name}: claude-code 2.1.332, route tls, 1 model call in 2 exchanges" in said(ended)[-1]  # fmt: skip
    (row,) = json.loads(report.read_text())["sessions"]
    ours = [sys.executable, "-m", "inspector"]
    listed = subprocess.run(
        [*ours, "ls", "--json", "--store", str(tmp_path / "s.db")],
        env=environ(tmp_path), capture_output=True, timeout=LIMIT, check=True,
    )  # fmt: skip
    assert json.loads(listed.stdout)["sessions"] == [row]
    assert (row["model_calls"], row["exchanges"]) == (1, 2)
    ended = run(tmp_path, f"ask(body={quota!r}, {agent})")
    assert ended.returncode == 0  # it reached us: that is no fault of the route
    assert ", 0 model calls in 1 exchange;" in said(ended)[-1]


def test_a_later_process_of_the_same_conversation_continues_the_newest_session(
    tmp_path: Path,
) -> None:
    program = f"ask(**{{'user-agent': {AGENT!r}, 'x-claude-code-session-id': 'conv-1'}})"
    for _ in range(3):
        assert run(tmp_path, program).returncode == 0
    with Store.open(tmp_path / "s.db") as store:
        first, second, third = store.sessions()
        ids = [
            store.recording(session.id).exchanges[0].response.split(b'"id":"')[1][:28]
            for session in (first, second, third)
        ]
    assert [first.continues, second.continues, third.continues] == [None, first.id, second.id]
    assert ids == [b"msg_000%d00000000000000000001" % number for number in range(3)]


def test_nothing_captured_is_exit_3_with_the_reason_and_the_next_command(tmp_path: Path) -> None:
    ended = run(tmp_path, "print('no call')")
    assert (ended.returncode, ended.stdout) == (3, b"no call\n")
    (line,) = said(ended)
    assert line.startswith("inspector: python")
    assert line.endswith(
        ": no request reached us; it must honour HTTPS_PROXY and SSL_CERT_FILE; or run claude or codex"
    )


def test_a_child_that_failed_keeps_its_code_though_nothing_was_captured(tmp_path: Path) -> None:
    ended = run(tmp_path, "sys.exit(9)")
    assert ended.returncode == 9
    assert said(ended)[-1].endswith(
        "no request reached us; it must honour HTTPS_PROXY and SSL_CERT_FILE; or run claude or codex"
    )


def test_a_client_that_does_not_trust_us_is_told_from_one_that_never_called(tmp_path: Path) -> None:
    program = "import ssl\ntry: urllib.request.urlopen('https://api.anthropic.com/', context=ssl.create_default_context(cadata=open(sys.argv[0] + '.pem').read()))\nexcept OSError as e: print(type(e.reason).__name__)"
    from inspector.capture import ca

    other = ca.authority(tmp_path / "other", {}).folder / "mitmproxy-ca-cert.pem"
    (tmp_path / "agent.py.pem").write_bytes(other.read_bytes())
    ended = run(tmp_path, program)
    assert (ended.returncode, ended.stdout) == (3, b"SSLCertVerificationError\n")
    assert said(ended)[-1].endswith(
        "it does not trust our certificate for api.anthropic.com; it must honour HTTPS_PROXY and SSL_CERT_FILE; or run claude or codex"
    )


def test_requests_that_are_no_model_calls_are_listed_as_near_misses(tmp_path: Path) -> None:
    ended = run(tmp_path, "ask('/api/hello', b'{}')")
    session = recorded(tmp_path).session
    assert ended.returncode == 3
    assert said(ended)[-1].endswith(
        f"1 request reached a model host, none was a model call; see `inspector show {session.id}`"
    )


def test_a_model_call_on_an_unusual_path_is_known_by_its_body(tmp_path: Path) -> None:
    body = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "hi"}]}
    ended = run(tmp_path, f"ask('/custom/gateway/invoke', {body!r})")
    assert (ended.returncode, recorded(tmp_path).exchanges[0].status) == (0, 200)


def test_a_truncated_stream_and_a_body_that_is_no_json_are_kept_and_said_and_change_no_exit_code(
    tmp_path: Path,
) -> None:
    program = "try: ask()\nexcept Exception as e: print(type(e).__name__)\ntry: ask(body=b'\\xff{')\nexcept Exception as e: print(e.code)"
    ended = run(tmp_path, program, replies=[{"text": "hello", "cut": 2}])
    truncated, broken = recorded(tmp_path).exchanges
    assert (ended.returncode, ended.stdout) == (0, b"IncompleteRead\n400\n")
    assert truncated.response.count(b"event:") == 2
    assert (broken.request, broken.status) == (b"\xff{", 400)
    assert said(ended)[0] == f"inspector: exchange 1 ({truncated.id}): {truncated.error}"
    assert "incomplete" in truncated.error


def test_a_script_that_was_not_played_out_as_expected_is_exit_1(tmp_path: Path) -> None:
    ended = run(tmp_path, "ask()", replies={"replies": [{"text": "a"}], "expect": 2})
    assert ended.returncode == 1
    assert said(ended)[-1] == "inspector: the script expects 2 main requests, the client made 1"


def test_a_script_that_ends_early_is_said_once(tmp_path: Path) -> None:
    ended = run(tmp_path, "ask(); ask(); ask()", replies=[{"text": "a"}])
    assert ended.returncode == 0
    assert [line for line in said(ended) if "script" in line] == [
        "inspector: the script ended early (3 main requests, 1 in the script);"
        " what came after it got `done`"
    ]


def test_a_run_without_an_exchange_leaves_no_session_and_last_is_the_one_before(
    tmp_path: Path,
) -> None:
    run(tmp_path, "ask()")
    before = recorded(tmp_path).session
    assert run(tmp_path, "print('no call')").returncode == 3
    with Store.open(tmp_path / "s.db", create=False) as store:
        assert store.sessions() == [before]


def test_in_a_folder_that_is_gone_a_run_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "script.json").write_text("[]")
    ours = f"{sys.executable} -m inspector run --store {tmp_path}/s.db -- true"
    ended = subprocess.run(
        ["/bin/sh", "-c", f"mkdir gone && cd gone && rmdir ../gone && exec {ours}"],
        env=environ(tmp_path), capture_output=True, timeout=LIMIT, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert ended.returncode == 2
    assert said(ended) == ["inspector: the current folder: it is gone; change to one that exists"]


def test_a_store_deleted_during_a_run_is_said_and_what_is_gone_is_not_counted_as_kept(
    tmp_path: Path,
) -> None:
    gone = "import glob, os\nask()\nask()\nfor n in glob.glob('s.db*'): os.remove(n)"
    ended = run(tmp_path, gone, replies=[{"text": "a"}, {"text": "b"}])
    with Store.open(tmp_path / "s.db") as store:
        there = sum(store.number_of(session.id) for session in store.sessions())
    assert ended.returncode == 0
    missing = {0: "inspector: nothing kept of 2 exchanges", 1: "1 of 2 exchanges kept"}
    assert any(missing[there] in line for line in said(ended))


def test_a_disk_that_is_full_is_said_once_and_the_childs_code_is_ours(tmp_path: Path) -> None:
    resource = "import subprocess\nask()\nprint('done')\nsys.exit(0)"
    (tmp_path / "small").mkdir()
    inner = " ".join(map(shlex.quote, words(tmp_path, resource, ["--no-mcp"])))
    inner = inner.replace(str(tmp_path / "s.db"), str(tmp_path / "small" / "s.db"))
    fill = "import sys; f=open(sys.argv[1],'wb',0)\ntry:\n while 1: f.write(b'x'*512)\nexcept OSError: pass"
    program = (tmp_path / "agent.py").read_text()
    (tmp_path / "agent.py").write_text(
        f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {fill!r}, 'small/fill'])\n{program}"
    )
    mounted = f"mount -t tmpfs -o size=512k none small && exec {inner}"
    ended = subprocess.run(
        ["unshare", "-rm", "/bin/sh", "-c", mounted],
        env=environ(tmp_path), capture_output=True, timeout=LIMIT, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (0, b"done\n")
    assert len([line for line in said(ended) if "storing failed" in line]) == 1


BEFORE = {
    "read-only and empty": "mount -t tmpfs none st; mount -o remount,ro st",
    "read-only with a store": "mount --bind st st; mount -o remount,ro,bind st",
    "full": "mount -t tmpfs -o size=64k none st; head -c 99999 /dev/zero >st/f 2>/dev/null",
    "no data folder": "mount -t tmpfs none st; mount -o remount,ro st; export INSPECTOR_DATA=st",
}


@pytest.mark.parametrize("kind", BEFORE)
def test_where_nothing_can_be_stored_the_command_runs_and_that_is_said_once(
    tmp_path: Path, kind: str
) -> None:
    (tmp_path / "st").mkdir()
    Store.open(tmp_path / "st" / "s.db").close()
    report = str(tmp_path / "r.json")
    program = "ask(); ask(); print('done'); sys.exit(6)"
    options = ["--store", "st/s.db", "--report", report]
    inner = words(tmp_path, program, options, [{"text": "a"}, {"text": "b"}])
    ended = subprocess.run(
        ["unshare", "-rm", "/bin/sh", "-c", f"{BEFORE[kind]}; exec {shlex.join(inner)}"],
        env=environ(tmp_path), capture_output=True, timeout=LIMIT, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (6, b"done\n")
    ours = said(ended)
    assert [line.split(" (")[0] for line in ours if "CA cannot be kept" not in line] == [
        "inspector: storing failed",
        "inspector: nothing kept of 2 exchanges",
    ]
    assert ours[-2].endswith("; the command runs all the same")
    assert json.loads((tmp_path / "r.json").read_text()) == {
        "schema": 1, "sessions": [], "exit_code": 6, "faults": ["nothing kept of 2 exchanges"],
    }  # fmt: skip


def test_a_run_that_could_keep_nothing_is_no_run_without_a_model_call(tmp_path: Path) -> None:
    command = words(tmp_path, "ask()", ["--store", "st/s.db"])
    (tmp_path / "st").mkdir()
    ended = subprocess.run(
        ["unshare", "-rm", "/bin/sh", "-c", f"{BEFORE['full']}; exec {shlex.join(command)}"],
        env=environ(tmp_path), capture_output=True, timeout=LIMIT, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert (ended.returncode, said(ended)[-1]) == (0, "inspector: nothing kept of 1 exchange")


def test_after_a_kill_of_ours_the_client_is_refused_at_once(tmp_path: Path) -> None:
    program = (
        "import os; ask(); print(os.environ['HTTPS_PROXY'], flush=True)\n"
        "sys.stdin.read()\n"
        "try: ask()\n"
        "except OSError as e: print(e.reason.strerror, flush=True)"
    )
    with subprocess.Popen(
        words(tmp_path, program), env=environ(tmp_path), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, cwd=tmp_path,
    ) as ours:  # fmt: skip
        assert ours.stdout is not None
        assert ours.stdin is not None
        assert ours.stdout.readline().startswith(b"http://127.0.0.1:")
        ours.kill()
        assert ours.wait(LIMIT) == -signal.SIGKILL
        ours.stdin.close()
        assert ours.stdout.readline() == b"Connection refused\n"


def test_with_a_mock_no_other_host_is_reached(tmp_path: Path) -> None:
    ended = run(tmp_path, "ask()\ntry: ask(host='example.com')\nexcept OSError as e: print(e)")
    assert ended.stdout == b"<urlopen error Tunnel connection failed: 403 Forbidden>\n"
    assert len(recorded(tmp_path).exchanges) == 1


def test_a_term_signal_reaches_the_child_and_its_code_comes_back(tmp_path: Path) -> None:
    program = "import signal\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(5))\nask(); print('ready', flush=True)\nwhile True: signal.pause()"
    with subprocess.Popen(
        words(tmp_path, program), env=environ(tmp_path), stdout=subprocess.PIPE, cwd=tmp_path
    ) as ours:
        assert ours.stdout is not None
        assert ours.stdout.readline() == b"ready\n"
        ours.send_signal(signal.SIGTERM)
        assert ours.wait(LIMIT) == 5
    assert recorded(tmp_path).session.exit_code == 5


def test_an_interrupt_of_the_group_is_the_childs_to_answer(tmp_path: Path) -> None:
    # A shell that starts us in the background has interrupts ignored.
    program = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\nask()\ntry:\n  print('ready', flush=True)\n  while True: signal.pause()\nexcept KeyboardInterrupt: print('asked to stop'); sys.exit(4)"
    with subprocess.Popen(
        words(tmp_path, program),
        env=environ(tmp_path),
        stdout=subprocess.PIPE,
        cwd=tmp_path,
        start_new_session=True,
    ) as ours:
        assert ours.stdout is not None
        assert ours.stdout.readline() == b"ready\n"
        os.killpg(ours.pid, signal.SIGINT)
        assert ours.stdout.read() == b"asked to stop\n"
        assert ours.wait(LIMIT) == 4
    assert recorded(tmp_path).session.exit_code == 4


def test_a_child_ended_by_a_signal_gives_the_shells_code(tmp_path: Path) -> None:
    assert run(tmp_path, "import os; ask(); os.kill(os.getpid(), 9)").returncode == 137


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"command": ["no-such-program"]},
            "no-such-program: no such command; install it, or give its full path",
        ),
        (
            {"command": ["./script.json"]},
            "./script.json: not executable; make it so, or name what runs it before it",
        ),
        ({"command": ["{tmp}"]}, "{tmp}: a folder, not a program; name the program in it"),
        ({"command": ["./none"]}, "./none: no such file; check the path"),
        (
            {"--mock-log": "{tmp}/no/log"},
            "{tmp}/no/log: the mock's log cannot be written (No such file or directory); name another",
        ),
        ({"command": []}, "no command: nothing to run; write `inspector run -- CMD …`"),
        (
            {"--mock": "{tmp}/none.yaml"},
            "{tmp}/none.yaml: cannot be read as a script (No such file or directory); give a YAML or JSON file",
        ),
        ({"--store": "{tmp}/text.db"}, "{tmp}/text.db: not a store; give another --store"),
        (
            {"--store": "{tmp}/newer.db"},
            "{tmp}/newer.db: store format 99, this inspector reads up to 4; update it, or give another --store",
        ),
        (
            {"--port": "{port}"},
            "port {port}: the proxy cannot listen (it is in use); choose another port",
        ),
        ({"--upstream": "http://x"}, "--mock and --upstream: both given; choose one"),
        (
            {"--mock": None, "--upstream": "ftp://x"},
            "ftp://x: no http or https URL; give --upstream as one",
        ),
        (
            {"--report": "{tmp}/no/r.json"},
            "{tmp}/no/r.json: its folder does not exist; make it, or give another --report",
        ),
        (
            {"--mock": None, "--route": "raw-export"},
            "{python}: only Claude Code exports its bodies; leave --route",
        ),
        (
            {"--route": "raw-export"},
            "--route raw-export: no proxy, so --mock gets nothing; take another route",
        ),
        ({"--host": "http://"}, "--host http://: no host name; give one like llm.example.com"),
    ],
)
def test_bad_input_is_one_line_and_exit_2_before_the_child_starts(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    (tmp_path / "text.db").write_text("just text, and more than sixteen bytes")
    (tmp_path / "script.json").write_text("[]")
    Store.open(tmp_path / "newer.db").close()
    with contextlib.closing(sqlite3.connect(tmp_path / "newer.db")) as newer:
        newer.execute("PRAGMA user_version = 99")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        names = {
            "{tmp}": str(tmp_path),
            "{port}": str(taken.getsockname()[1]),
            "{python}": sys.executable,
        }
        filled = json.loads(fill(json.dumps(change), names))
        command = filled.pop(
            "command", [sys.executable, "-c", f"open({str(tmp_path / 'ran')!r}, 'w')"]
        )
        options = {
            "--store": str(tmp_path / "s.db"),
            "--mock": str(tmp_path / "script.json"),
            **filled,
        }
        given = [
            word for name, value in options.items() if value is not None for word in (name, value)
        ]
        ended = subprocess.run(
            [sys.executable, "-m", "inspector", "run", *given, "--", *command],
            env=environ(tmp_path), capture_output=True, timeout=LIMIT, check=False, cwd=tmp_path,
        )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert said(ended) == [f"inspector: {fill(message, names)}"]
    assert not (tmp_path / "ran").exists()
    assert (tmp_path / "text.db").read_text() == "just text, and more than sixteen bytes"


def fill(text: str, names: dict[str, str]) -> str:
    for name, value in names.items():
        text = text.replace(name, value)
    return text


def test_an_upstream_receives_every_request_to_an_intercepted_host(tmp_path: Path) -> None:
    from inspector import mock

    with mock.serve(mock.script([{"text": "from upstream"}])) as server:
        command = words(
            tmp_path, "print(b'from upstream' in ask(), ask('/api/hello', host='chatgpt.com'))"
        )
        at = command.index("--mock")
        command[at : at + 2] = ["--upstream", server.url]
        ended = subprocess.run(
            command,
            env=environ(tmp_path),
            capture_output=True,
            timeout=LIMIT,
            check=False,
            cwd=tmp_path,
        )
    assert (ended.returncode, ended.stdout) == (0, b"True b'{}'\n")
    assert [exchange.url for exchange in recorded(tmp_path).exchanges] == [
        "https://api.anthropic.com/v1/messages",
        "https://chatgpt.com/api/hello",
    ]


def test_what_was_stored_before_a_kill_is_still_there(tmp_path: Path) -> None:
    program = "ask(); print('ready', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        words(tmp_path, program),
        env=environ(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
    ) as ours:
        assert ours.stdout is not None
        assert ours.stdout.readline() == b"ready\n"
        path = tmp_path / "s.db"
        with Store.open(path) as store:
            while not any(
                store.exchanges(session.id)[0].ended
                for session in store.sessions()
                if store.exchanges(session.id)
            ):
                assert ours.poll() is None
        ours.kill()
    recording = recorded(tmp_path)
    assert recording.session.exit_code is None
    assert recording.snapshot is not None
    assert [exchange.status for exchange in recording.exchanges] == [200]


def test_versions_of_files_seen_before_a_kill_are_still_there(tmp_path: Path) -> None:
    rules, claude = tmp_path / "CLAUDE.md", tmp_path / "claude"
    rules.write_text("one")
    program = (
        f"ask(**{{'user-agent': {AGENT!r}}}); open('CLAUDE.md', 'w').write('two')\n"
        f"ask(**{{'user-agent': {AGENT!r}}}); print('ready', flush=True); sys.stdin.read()"
    )
    command = words(tmp_path, program, ["--route", "tls", "--no-mcp"], [{"text": "a"}] * 2)
    claude.write_text(f"#!/bin/sh\nexec {shlex.join(command[command.index('--') + 1 :])}\n")
    claude.chmod(0o755)
    command[command.index("--") + 1 :] = [str(claude)]
    with subprocess.Popen(
        command, env=environ(tmp_path), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path
    ) as ours:
        assert ours.stdout is not None
        assert ours.stdout.readline() == b"ready\n"
        with Store.open(tmp_path / "s.db") as store:
            (session,) = store.sessions()
            while len(kept(store, session.id, rules)) < 2:
                assert ours.poll() is None
        ours.kill()
    with Store.open(tmp_path / "s.db", create=False) as store:
        assert kept(store, session.id, rules) == [b"one", b"two"]


def kept(store: Store, session: str, path: Path) -> list[bytes | None]:
    snapshot = store.snapshot(session)
    return [one.data for one in snapshot.files.get(str(path), ())] if snapshot else []


def test_two_first_runs_at_once_share_one_store_and_one_ca(tmp_path: Path) -> None:
    env = environ(tmp_path, {"INSPECTOR_DATA": str(tmp_path / "fresh")})
    command = words(tmp_path, "ask()")
    both = [
        subprocess.Popen(command, env=env, stderr=subprocess.PIPE, cwd=tmp_path) for _ in range(2)
    ]
    ends = [one.communicate(timeout=LIMIT)[1] for one in both]
    assert [one.returncode for one in both] == [0, 0], ends
    with Store.open(tmp_path / "s.db") as store:
        assert [len(store.exchanges(session.id)) for session in store.sessions()] == [1, 1]


def test_options_after_the_command_are_the_commands_with_or_without_dashes(tmp_path: Path) -> None:
    program = "ask(); print(sys.argv[1:])"
    command = [*words(tmp_path, program), "--port", "x", "-p"]
    command.remove("--")
    ended = subprocess.run(
        command,
        env=environ(tmp_path),
        capture_output=True,
        timeout=LIMIT,
        check=False,
        cwd=tmp_path,
    )
    assert (ended.returncode, ended.stdout) == (0, b"['--port', 'x', '-p']\n")


def test_a_known_client_that_sends_nothing_is_pointed_to_the_other_route(tmp_path: Path) -> None:
    claude = tmp_path / "claude"
    claude.write_text("#!/bin/sh\nexit 0\n")
    claude.chmod(0o755)
    for route, other in (("tls", "base-url"), ("base-url", "tls")):
        command = words(tmp_path, "", ["--route", route])
        command[command.index("--") + 1 :] = [str(claude)]
        ended = subprocess.run(
            command,
            env=environ(tmp_path),
            capture_output=True,
            timeout=LIMIT,
            check=False,
            cwd=tmp_path,
        )
        assert ended.returncode == 3
        assert said(ended)[-1] == (
            f"inspector: claude: no request reached us; try --route {other}, or `inspector doctor`"
        )
