"""`inspector send` through the SDK, against the mock: nothing leaves the machine."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inspector import mock
from inspector.session import Exchange, ExchangeKind, Session
from inspector.store import Store
from tests.commands import Run
from tests.replay.test_serving import asking, exchange

ANSWER = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "content": [{"type": "text", "text": "before"}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 10, "output_tokens": 5},
}
SYSTEM = [
    {"type": "text", "text": "x-anthropic-billing-header: cc_version=1.abc;"},
    {"type": "text", "text": "You help."},
]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with one recorded request; a key that opens nothing."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-api03-fakefakefakefakefakefake")
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    path = tmp_path / "s.db"
    with Store.open(path) as opened:
        opened.put_session(Session("s1", "claude-code", "2.1.332", "tls", "2026-01-02T03:04:05Z"))
        opened.put(recorded())
    return path


def recorded() -> Exchange:
    body = asking("hi", system=SYSTEM, max_tokens=10, metadata={"user_id": "device"})
    made = exchange(1, body, response=json.dumps(ANSWER).encode())
    beta = ("anthropic-beta", "one-2026")
    return replace(made, request_headers=(*made.request_headers, beta))


@pytest.fixture
def api() -> Iterator[mock.Server]:
    """A model that counts a hundred tokens, then fewer."""
    script = {"replies": [{"text": "after"}, {"error": 400}], "counts": [100, 90, 60]}
    with mock.serve(mock.script(script)) as server:
        yield server


def test_a_request_is_sent_without_attestations_kept_and_compared(
    run: Run, store: Path, api: mock.Server
) -> None:
    words = ["--store", store, "--yes", "--json", "--base-url", api.url, "--model", "other"]
    code, out, err = run("send", "s1:1", *words, "--without", "/tools/0", "--set", "/max_tokens=20")
    assert code == 0, err
    said = json.loads(out)
    assert said["status"] == 200
    assert (said["reply"]["recorded"]["text"], said["reply"]["now"]["text"]) == ("before", "after")
    assert {(one["verdict"], one["path_a"], one["path_b"]) for one in said["request_changes"]} == {
        ("changed", "/model", "/model"),
        ("changed", "/max_tokens", "/max_tokens"),
        ("removed", "/metadata", None),
        ("removed", "/system/0", None),
        ("removed", "/tools/0", None),
    }
    with Store.open(store, create=False) as opened:
        kept = opened.find_exchange(said["exchange"])
        session = opened.find(said["session"])
    assert (session.source, session.client, kept.kind) == (
        "replay",
        "claude-code",
        ExchangeKind.MAIN,
    )
    assert json.loads(kept.request) == {
        "model": "other",
        "system": SYSTEM[1:],
        "tools": [],
        "messages": [{"role": "user", "content": "hi"}],
        "max_tokens": 20,
    }
    assert kept.header("anthropic-beta") == "one-2026"


def test_an_answer_that_is_an_error_is_kept_and_exits_1(
    run: Run, store: Path, api: mock.Server
) -> None:
    words = ["--store", store, "--yes", "--base-url", api.url]
    assert run("send", "e1", *words)[0] == 0
    code, out, _err = run("send", "e1", *words)
    assert code == 1
    assert "reply: status: None → 400" in out


def test_tokens_are_measured_segment_by_segment(run: Run, store: Path, api: mock.Server) -> None:
    words = ["--store", store, "--yes", "--json", "--base-url", api.url, "--count-tokens"]
    code, out, err = run("send", "s1:1", *words)
    assert code == 0, err
    said = json.loads(out)
    assert said["tokens"] == 100
    assert [(one["path"], one["tokens"]) for one in said["segments"]] == [
        ("/system/0", 10),
        ("/tools/0", 40),
    ]
    with Store.open(store, create=False) as opened:
        assert [one.id for one in opened.sessions()] == ["s1"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "not confirmed, nothing was sent; add --yes"),
        (["--yes", "--base-url", "http://127.0.0.1:1"], "nothing was stored"),
        (["--yes", "--without", "/tools/7"], "/tools/7: nothing stands there"),
    ],
)
def test_what_is_not_sent_is_one_line(run: Run, store: Path, words: list[str], said: str) -> None:
    code, _out, err = run("send", "s1:1", "--store", store, *words)
    assert code == 2
    assert said in err
    with Store.open(store, create=False) as opened:
        assert [one.id for one in opened.sessions()] == ["s1"]


def test_without_a_key_of_ones_own_nothing_is_sent(
    run: Run, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    code, _out, err = run(
        "send", "s1:1", "--store", store, "--yes", "--base-url", "http://127.0.0.1:1"
    )
    assert (code, err) == (
        2,
        "inspector: ANTHROPIC_API_KEY: not set; sending takes a key of your own\n",
    )
