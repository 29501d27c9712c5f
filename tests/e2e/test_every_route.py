"""Every route, login, transport and kind of terminal of both real clients: kept as it was sent.

The judge is the fake model server: it logs the sha256 of each decoded body it received.
"""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspector import clients
from inspector.session import WEBSOCKET, Exchange, ExchangeKind, Recording
from inspector.store import Store
from tests.e2e.places import SECRETS, files_of_ours, log_in, terminal
from tests.e2e.test_capture_clients import ARGUMENTS, SCRIPTS, Place, place

pytestmark = pytest.mark.client

MAIN, WARMUP = ExchangeKind.MAIN, ExchangeKind.WARMUP
MODELS = (MAIN, WARMUP)
POST = "POST"

# client, route, login, WebSocket, method of the model calls, their content-encoding.
# ChatGPT through `tls` and OAuth through `tls`: test_websocket_clients.py.
HEADLESS = [
    ("claude-code", "tls", "key", "refuse", POST, None),
    ("claude-code", "base-url", "key", "refuse", POST, None),
    ("claude-code", "base-url", "oauth", "refuse", POST, None),
    ("claude-code", "raw-export", "key", "refuse", POST, None),
    ("claude-code", "raw-export", "oauth", "refuse", POST, None),
    ("codex", "tls", "key", "refuse", POST, None),
    ("codex", "base-url", "key", "accept", WEBSOCKET, None),
    ("codex", "base-url", "key", "refuse", POST, None),
    ("codex", "base-url", "chatgpt", "accept", WEBSOCKET, None),
    ("codex", "base-url", "chatgpt", "refuse", POST, "zstd"),
]
TERMINAL = [
    ("claude-code", "tls", "oauth", "refuse", POST),
    ("claude-code", "base-url", "key", "refuse", POST),
    ("claude-code", "raw-export", "key", "refuse", POST),
]


def lines(here: Place, route: str, script: object, arguments: list[str]) -> list[str]:
    """A whole command line; around `raw-export` another run, for its mock and the bytes on the wire."""
    if route != "raw-export":
        return here.command(route, script, arguments)
    ours = ["-m", "inspector", "run", "--route", route, "--store", str(here.root / "inner.db")]
    inner = [*ours, "--", str(here.program), *arguments]
    return replace(here, program=Path(sys.executable)).command("auto", script, inner)


def kept(here: Place, name: str) -> Recording:
    """The one session of a store, its exchanges labelled."""
    with Store.open(here.root / name, create=False) as store:
        (session,) = store.sessions()
        return clients.labelled(store.recording(session.id))


def sampled(recording: Recording) -> list[Exchange]:
    return [item for item in recording.exchanges if item.kind in MODELS]


def received(here: Place) -> list[tuple[str, str]]:
    found = map(json.loads, (here.root / "mock.jsonl").read_text().splitlines())
    return [(line["kind"], line["sha256"]) for line in found if line["kind"] != "socket"]


def as_received(here: Place, route: str) -> list[Exchange]:
    """The session's model calls, after their bytes were compared with what the server received."""
    calls = sampled(kept(here, "s.db"))
    assert [(item.kind.value, item.request_sha256) for item in calls] == received(here)
    if route != "raw-export":
        return calls
    export = sampled(kept(here, "inner.db"))
    assert [unsigned(item.request) for item in export] == [unsigned(item.request) for item in calls]
    assert {item.request.count(b"cch=00000;") for item in export} == {1}
    assert [item.header("anthropic-beta") for item in export] == [
        item.header("anthropic-beta") for item in calls
    ]
    return calls


def unsigned(body: bytes) -> bytes:
    """A body without the value of `cch`, and with the thinking that the export leaves out.

    The member `betas` is taken out as the export is kept.
    """
    head, found, tail = body.partition(b"cch=")
    assert found
    return (head + tail[5:]).replace(b'"thinking":"<REDACTED>"', b'"thinking":"hm"')


def nothing_leaked(here: Place, login: str) -> None:
    for name, data in files_of_ours(here.root).items():
        for secret in SECRETS[login]:
            assert secret.encode() not in data, name


@pytest.mark.parametrize(("client", "route", "login", "websocket", "method", "coding"), HEADLESS)
def test_what_a_client_sends_is_kept_as_the_server_received_it(
    tmp_path: Path,
    binaries: dict[str, Path],
    client: str,
    route: str,
    login: str,
    websocket: str,
    method: str,
    coding: str | None,
) -> None:
    here = place(tmp_path, binaries[client])
    log_in(here, client, login)
    script = {"replies": SCRIPTS[client], "expect": 3, "websocket": websocket}
    ended = subprocess.run(
        lines(here, route, script, ARGUMENTS[client]), cwd=here.workspace, env=here.environ(),
        stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (0, b"all done\n"), ended.stderr.decode()
    calls = as_received(here, route)
    assert {(item.method, item.header("content-encoding")) for item in calls} == {(method, coding)}
    assert {(item.kind, item.error) for item in calls} == (
        {(MAIN, "")} if method == POST else {(MAIN, ""), (WARMUP, "")}
    )
    nothing_leaked(here, login)


@pytest.mark.parametrize(("client", "route", "login", "websocket", "method"), TERMINAL)
def test_what_a_client_in_a_terminal_sends_is_kept_as_the_server_received_it(
    tmp_path: Path,
    tmux: Path,
    binaries: dict[str, Path],
    client: str,
    route: str,
    login: str,
    websocket: str,
    method: str,
) -> None:
    here = place(tmp_path, binaries[client])
    log_in(here, client, login)
    act: dict[str, Any] = SCRIPTS[client][0]
    replies = [act, {"text": "first is answered"}, {"text": "second is answered"}]
    script = {"replies": replies, "aux": {"text": '{"title": "A title"}'}, "websocket": websocket}
    with terminal(tmux, here, lines(here, route, script, ["hello on a terminal"])) as screen:
        screen.wait(lambda shown: "first is answered" in shown)
        screen.type("and again")
        screen.wait(lambda shown: "and again" in shown)
        screen.type("Enter")
        screen.wait(lambda shown: "second is answered" in shown)
        screen.type("C-c")
        screen.wait(lambda shown: "again to exit" in shown)
        screen.type("C-c")
        screen.end()
    calls = as_received(here, route)
    assert {item.method for item in calls} == {method}
    main = [item.request for item in calls if item.kind is MAIN]
    assert len(main) == 3
    assert b"hello on a terminal" in main[0]
    assert b"and again" in main[2]
    assert kept(here, "s.db").session.exit_code == 0
    nothing_leaked(here, login)


# route, provider, WebSocket, method of the model calls, how the terminal goes away.
CODEX_TERMINAL = [
    ("tls", "built-in", "accept", WEBSOCKET, "kill-session"),
    ("tls", "built-in", "refuse", POST, "SIGTERM"),
    ("tls", "custom", "refuse", POST, "kill-session"),
    ("base-url", "built-in", "accept", WEBSOCKET, "SIGTERM"),
    ("base-url", "built-in", "refuse", POST, "kill-session"),
    ("base-url", "custom", "refuse", POST, "SIGTERM"),
]
CUSTOM = """
[model_providers.acme]
name = "Acme"
base_url = "https://llm.acme.example/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
"""


@pytest.mark.parametrize(("route", "provider", "websocket", "method", "way_out"), CODEX_TERMINAL)
def test_what_codex_in_a_terminal_sends_is_kept_however_the_terminal_goes_away(
    tmp_path: Path,
    tmux: Path,
    binaries: dict[str, Path],
    route: str,
    provider: str,
    websocket: str,
    method: str,
    way_out: str,
) -> None:
    here = place(tmp_path, binaries["codex"])
    log_in(here, "codex", "key")
    if provider == "custom":
        config = here.root / "home/.codex/config.toml"
        config.write_text(f'model_provider = "acme"\n{config.read_text()}{CUSTOM}')
    act: dict[str, Any] = SCRIPTS["codex"][0]
    replies = [act, {"text": "first is answered"}, {"text": "second is answered"}]
    script = {"replies": replies, "aux": {"text": '{"title": "A title"}'}, "websocket": websocket}
    with terminal(tmux, here, lines(here, route, script, ["hello on a terminal"])) as screen:
        screen.wait(lambda shown: "first is answered" in shown and idle(shown))
        screen.type("and again")
        screen.wait(lambda shown: "and again" in shown)
        screen.type("Enter")
        screen.wait(lambda shown: "second is answered" in shown and idle(shown))
        screen.go_away(way_out)
    calls = sampled(kept(here, "s.db"))
    there = [(item.kind.value, item.request_sha256) for item in calls]
    # A title asked for as the terminal goes away may be kept, and not have reached the server.
    assert [item for item in received(here) if item not in there] == []
    main = [item for item in calls if item.kind is MAIN]
    assert [item.request_sha256 for item in main] == [
        digest for kind, digest in received(here) if kind == "main"
    ]
    assert {(item.method, item.error) for item in main} == {(method, "")}
    assert len(main) == 3
    assert b"hello on a terminal" in main[0].request
    assert b"and again" in main[2].request
    nothing_leaked(here, "key")


def idle(shown: str) -> bool:
    """Whether Codex waits for words."""
    return "esc to interrupt" not in shown
