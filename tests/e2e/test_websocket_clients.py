"""The real Codex on a WebSocket, and both clients behind a login, through `inspector run`."""

import hashlib
import json
import re
import subprocess
from pathlib import Path
from typing import Any, cast

import pytest

from inspector import clients, mock, named, wire
from inspector.session import WEBSOCKET, Exchange, ExchangeKind, Recording
from inspector.turns import Connected, Failed, Prompted, Replied, Returned
from inspector.wire.joined import joined
from tests.e2e.test_capture_clients import (
    ARGUMENTS,
    CONFIG,
    RESUME,
    SCRIPTS,
    Place,
    place,
    unsigned,
)

pytestmark = pytest.mark.client

MAIN, WARMUP = ExchangeKind.MAIN, ExchangeKind.WARMUP
REPLIES = SCRIPTS["codex"]
GATEWAY = f'openai_base_url = "http://gateway.example/llm/v1"\n{CONFIG}'


def script(*replies: dict[str, Any], websocket: str = "accept", **more: Any) -> dict[str, Any]:
    return {"replies": list(replies), "websocket": websocket, **more}


def codex(here: Place, answers: object, *, route: str = "tls") -> Recording:
    """One session, its exchanges labelled."""
    ended = here.run(route, answers, ARGUMENTS["codex"])
    assert ended.returncode == 0, ended.stderr.decode()
    return clients.labelled(here.recordings()[-1])


def sampled(recording: Recording) -> list[Exchange]:
    return [item for item in recording.exchanges if item.kind is not ExchangeKind.AUX]


def logged(here: Place) -> list[tuple[str, str]]:
    lines = map(json.loads, (here.root / "mock.jsonl").read_text().splitlines())
    return [(line["kind"], line["sha256"]) for line in lines if line["kind"] != "socket"]


def main_bodies(recording: Recording) -> list[dict[str, Any]]:
    """Its main requests, whole whatever the transport."""
    views = joined(recording.exchanges)
    return [
        json.loads(views[item.id].body if item.id in views else item.request)
        for item in recording.exchanges
        if item.kind is MAIN
    ]


@pytest.mark.parametrize("route", ["tls", "auto"])
def test_a_session_on_a_websocket_is_kept_message_by_message_as_the_model_received_it(
    tmp_path: Path, binaries: dict[str, Path], route: str
) -> None:
    here = place(tmp_path, binaries["codex"])
    if route == "auto":  # a gateway of the user's own: base-url
        (tmp_path / "home/.codex/config.toml").write_text(GATEWAY)
    recording = codex(here, script(*REPLIES, expect=3), route=route)
    asked = sampled(recording)
    assert [(item.method, item.kind.value) for item in asked] == [
        (WEBSOCKET, "warmup"),
        *[(WEBSOCKET, "main")] * 3,
    ]
    assert [(item.kind.value, item.request_sha256) for item in asked] == logged(here)
    assert [hashlib.sha256(item.request).hexdigest() for item in asked] == [
        item.request_sha256 for item in asked
    ]
    assert {item.error for item in recording.exchanges} == {""}
    shaken = next(item for item in recording.exchanges if item.status == 101)
    assert shaken.method == "GET"
    assert {item.request_headers for item in asked} == {shaken.request_headers}
    headers = {name.lower(): value for name, value in shaken.response_headers}
    assert headers["sec-websocket-extensions"].startswith("permessage-deflate")
    dialect = wire.named("openai")
    said = [wire.reply(dialect, item.response, "", item.status or 0) for item in asked]
    assert said[1:] == [answer for _, answer in mock.read_log(tmp_path / "mock.jsonl")]
    bodies = [json.loads(item.request) for item in asked]
    assert [body.get("previous_response_id") for body in bodies] == [
        None,
        *[reply.id for reply in said[:-1] if isinstance(reply, Replied)],
    ]
    assert "sk-" not in repr([item.request_headers for item in recording.exchanges])


def test_turns_and_verify_read_a_session_on_a_websocket(
    tmp_path: Path, binaries: dict[str, Path]
) -> None:
    here = place(tmp_path, binaries["codex"])
    recording = codex(here, script(*REPLIES))
    events = [[type(event) for event in turn.events] for turn in named.turns(recording).turns]
    assert events == [[Connected, Prompted], [Replied, Returned], [Replied, Returned, Returned]]
    report = named.verified(named.Found(recording), {})
    kinds = [WARMUP, MAIN, MAIN, MAIN]
    assert [(item.kind, item.exact) for item in report.requests] == [(kind, True) for kind in kinds]
    assert report.counts.adopted == 0


UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MADE = re.compile(r"\b(rs|msg|ctc|fc|call|resp)_\d{24}\b")
TIMED = re.compile(
    r'"(chunk_id|wall_time_seconds)":("[^"]*"|[\d.e-]+)|Wall time:? [\d.]+|Chunk ID: \w+'
)
ON_A_WEBSOCKET_ONLY = {
    "x-codex-ws-stream-request-start-ms",
    "ws_request_header_x_openai_internal_codex_responses_lite",
}
"""Members of `client_metadata` that the transport brings: a time, and what is a header elsewhere."""
ECHO = {"content", "internal_chat_message_metadata_passthrough"}
"""What the client adds to the model's items when it sends them back (an empty `content` of its
reasoning, labels); the joined view has them as the server sent them."""


def alike(bodies: list[dict[str, Any]]) -> list[Any]:
    """Whole requests without what differs from run to run, and by transport."""
    seen: dict[str, str] = {}

    def named(match: re.Match[str]) -> str:
        return seen.setdefault(match[0], f"id{len(seen)}")

    def plain(value: object) -> object:
        if isinstance(value, str):
            return MADE.sub(named, UUID.sub(named, TIMED.sub("timed", value)))
        if isinstance(value, list):
            return list(map(plain, cast("list[object]", value)))
        if not isinstance(value, dict):
            return value
        members = cast("dict[str, object]", value).items()
        return {key: plain(member) for key, member in members if key != "create_time"}

    return [plain(transported(body)) for body in bodies]


def transported(body: dict[str, Any]) -> dict[str, Any]:
    """A request without what the transport brings and what the client adds to echoes."""
    metadata = body["client_metadata"]
    turn = {**json.loads(metadata["x-codex-turn-metadata"]), "turn_started_at_unix_ms": 0}
    kept = {key: metadata[key] for key in sorted(metadata.keys() - ON_A_WEBSOCKET_ONLY)}
    items: list[dict[str, Any]] = body["input"]
    return {
        **body,
        "client_metadata": {**kept, "x-codex-turn-metadata": turn},
        "input": [unlabelled(item) if by_model(item) else item for item in items],
    }


def by_model(item: dict[str, Any]) -> bool:
    kinds = ("reasoning", "custom_tool_call", "function_call")
    return item["type"] in kinds or item.get("role") == "assistant"


def unlabelled(item: dict[str, Any]) -> dict[str, Any]:
    """Members in the order of their names: the client spells what it sends back its own way."""
    echo = ECHO if item.get("content") is None else ECHO - {"content"}
    return {key: item[key] for key in sorted(item.keys() - echo)}


@pytest.mark.parametrize("model", ["gpt-6.2-sol", "gpt-5.5"])
def test_the_joined_view_is_the_body_that_the_same_conversation_sends_by_post(
    tmp_path: Path, binaries: dict[str, Path], model: str
) -> None:
    here = place(tmp_path, binaries["codex"])
    config = tmp_path / "home/.codex/config.toml"
    config.write_text(f'model = "{model}"\n{CONFIG}')
    replies = [REPLIES[0], {"text": "now", "shell": "echo two"}, {"text": "done"}]
    on_socket = codex(here, script(*replies))
    (tmp_path / "home").rename(tmp_path / "home.before")
    config.parent.mkdir(parents=True)
    config.write_text(f'model = "{model}"\n{CONFIG}')
    by_post = codex(here, script(*replies, websocket="refuse"))
    assert {item.method for item in sampled(by_post)} == {"POST"}
    assert [item.status for item in by_post.exchanges if item.header("upgrade")] == [426]
    whole, posted = main_bodies(on_socket), main_bodies(by_post)
    assert [list(body) for body in whole] == [list(body) for body in posted]
    assert alike(whole) == alike(posted)


def test_raw_and_diff_show_the_joined_view_and_say_that_it_was_not_sent(
    tmp_path: Path, binaries: dict[str, Path]
) -> None:
    here = place(tmp_path, binaries["codex"])
    recording = codex(here, script(*REPLIES))
    last = sampled(recording)[-1]
    label = b"joined view, not sent"

    def inspector(*words: str) -> subprocess.CompletedProcess[bytes]:
        command = [*here.command("tls", [], [])[6:9], *words, "--store", str(tmp_path / "s.db")]
        return subprocess.run(command, env=here.environ(), capture_output=True, check=False)

    shown = inspector("raw", last.id, "--joined")
    assert shown.stdout == joined(recording.exchanges)[last.id].body
    assert label in shown.stderr
    before = sampled(recording)[-2]
    compared = inspector("diff", before.id, last.id, "--joined", "--json")
    assert (compared.returncode, label in compared.stderr) == (1, True)
    changes = json.loads(compared.stdout)["changes"]
    added = [item["path_b"] for item in changes if item["verdict"] != "volatile"]
    assert added == [f"/input/{number}" for number in (10, 11, 12, 13)]


def test_a_resumed_process_opens_a_socket_of_its_own_and_sends_all_again(
    tmp_path: Path, binaries: dict[str, Path]
) -> None:
    here = place(tmp_path, binaries["codex"])
    assert here.run("tls", script({"text": "first"}), ARGUMENTS["codex"]).returncode == 0
    assert here.run("tls", script({"text": "second"}), RESUME["codex"]).returncode == 0
    first, second = map(clients.labelled, here.recordings())
    assert second.session.continues == first.session.id
    (body,) = main_bodies(second)
    said = [item for item in body["input"] if item.get("role") == "assistant"]
    assert [part["text"] for item in said for part in item["content"]] == ["first"]
    views = joined(second.exchanges)
    assert {view.missing for view in views.values()} == {""}


@pytest.mark.parametrize(
    ("fault", "failed", "calls"),
    [
        ({"error": 500}, Failed(status=500), 2),
        ({"error": 429}, Failed(status=429), 1),
        ({"error": 400}, Failed(status=400), 1),
    ],
)
def test_an_error_on_a_websocket_is_kept_and_the_clients_retry_too(
    tmp_path: Path, binaries: dict[str, Path], fault: dict[str, Any], failed: Failed, calls: int
) -> None:
    here = place(tmp_path, binaries["codex"])
    ended = here.run("tls", script(fault, {"text": "second time lucky"}), ARGUMENTS["codex"])
    asked = [item for item in sampled(clients.labelled(here.recordings()[0])) if item.kind is MAIN]
    assert (ended.returncode == 0, len(asked)) == (calls == 2, calls)
    assert wire.reply(wire.named("openai"), asked[0].response, "", 101) == failed
    assert {item.error for item in asked} == {""}


def test_an_answer_cut_on_a_websocket_is_kept_as_far_as_it_came(
    tmp_path: Path, binaries: dict[str, Path]
) -> None:
    here = place(tmp_path, binaries["codex"])
    recording = codex(here, script({"text": "lost", "cut": 1}, {"text": "second time lucky"}))
    cut, whole = (item for item in sampled(recording) if item.kind is MAIN)
    assert cut.error == "the server closed the socket (code 1006) before the end of the answer"
    assert b"response.created" in cut.response
    assert b"lost" not in cut.response
    assert (whole.error, b"second time lucky" in whole.response) == ("", True)


def test_a_socket_that_breaks_again_and_again_is_left_for_post_and_all_of_it_is_kept(
    tmp_path: Path, binaries: dict[str, Path]
) -> None:
    here = place(tmp_path, binaries["codex"])
    broken = [{"text": "lost", "cut": 1}] * 6
    recording = codex(here, script({"shell": "cat ./f.txt"}, *broken, {"text": "all done"}))
    asked = [item for item in sampled(recording) if item.kind is MAIN]
    assert [item.method for item in asked] == [WEBSOCKET] * 7 + ["POST"]
    assert [bool(item.error) for item in asked] == [False, *[True] * 6, False]
    assert [(item.kind.value, item.request_sha256) for item in sampled(recording)] == logged(here)
    whole = alike(main_bodies(recording))
    assert whole[2:] == [whole[1]] * 6


@pytest.mark.parametrize("websocket", ["accept", "refuse"])
def test_requests_of_a_sub_agent_are_told_apart(
    tmp_path: Path, binaries: dict[str, Path], websocket: str
) -> None:
    here = place(tmp_path, binaries["codex"])
    spawn = {"task_name": "kid", "message": "do it", "fork_turns": "none"}
    replies: list[dict[str, Any]] = [
        {"tools": [{"namespace": "collaboration", "name": "spawn_agent", "input": spawn}]},
        {
            "tools": [
                {
                    "namespace": "collaboration",
                    "name": "wait_agent",
                    "input": {"timeout_ms": 10000},
                }
            ]
        },
        {"text": "all done"},
    ]
    recording = codex(here, script(*replies, websocket=websocket, sub=[{"text": "kid done"}]))
    kinds = [item.kind.value for item in sampled(recording) if item.kind is not WARMUP]
    # What warms up an agent's own connection is the agent's as well.
    assert (kinds.count("main"), kinds.count("subagent")) == (3, 2 if websocket == "accept" else 1)


@pytest.mark.parametrize("websocket", ["accept", "refuse"])
def test_a_chatgpt_login_is_captured_as_sent_and_its_tokens_are_nowhere(
    tmp_path: Path, binaries: dict[str, Path], websocket: str
) -> None:
    here = place(tmp_path, binaries["codex"])
    account = {
        "chatgpt_plan_type": "pro",
        "chatgpt_account_id": "acct-mock",
        "chatgpt_user_id": "user-mock",
    }
    claims = {"exp": 4102444800, "https://api.openai.com/auth": account}
    token = unsigned({**claims, "email": "someone@example.invalid"})
    login = {
        "auth_mode": "chatgpt",
        "OPENAI_API_KEY": None,
        "tokens": {
            "id_token": token,
            "access_token": token,
            "refresh_token": "refresh-me-not",
            "account_id": "acct-mock",
        },
        "last_refresh": "2026-11-29T20:34:43.000000Z",
    }
    (tmp_path / "home/.codex/auth.json").write_text(json.dumps(login))
    here.env = {"OPENAI_API_KEY": "", "CODEX_API_KEY": ""}
    recording = codex(here, script(*REPLIES, websocket=websocket))
    asked = sampled(recording)
    assert [(item.kind.value, item.request_sha256) for item in asked] == logged(here)
    sent = (WEBSOCKET, None) if websocket == "accept" else ("POST", "zstd")
    assert {(item.method, item.header("content-encoding")) for item in asked} == {sent}
    paths = {item.url.partition("?")[0] for item in recording.exchanges}
    backend = "https://chatgpt.com/backend-api"
    assert {
        f"{backend}/codex/responses",
        f"{backend}/codex/models",
        f"{backend}/wham/accounts/check",
    } <= paths
    assert recording.snapshot is not None
    assert str(tmp_path / "home/.codex/auth.json") not in recording.snapshot.files
    kept_nowhere(tmp_path, recording, token, "refresh-me-not")


def kept_nowhere(folder: Path, recording: Recording, *secrets: str) -> None:
    """None of these is in the recording, nor in any file of ours."""
    told = repr(recording)
    ours = [*folder.glob("s.db*"), *(folder / "data").rglob("*")]
    stored = b"".join(path.read_bytes() for path in ours if path.is_file())
    for secret in secrets:
        assert secret not in told
        assert secret.encode() not in stored


def test_a_login_of_claude_code_is_captured_and_its_tokens_are_nowhere(
    tmp_path: Path, binaries: dict[str, Path]
) -> None:
    here = place(tmp_path, binaries["claude-code"])
    access, refresh = "sk-ant-oat01-" + "f" * 80 + "-AAAA", "sk-ant-ort01-" + "e" * 80 + "-BBBB"
    login = {
        "accessToken": access,
        "refreshToken": refresh,
        "expiresAt": 4102444800000,
        "scopes": ["user:inference", "user:profile"],
        "subscriptionType": "max",
    }
    path = tmp_path / "home/.claude/.credentials.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"claudeAiOauth": login}))
    here.env = {"ANTHROPIC_API_KEY": ""}
    ended = here.run("tls", SCRIPTS["claude-code"], ARGUMENTS["claude-code"])
    assert (ended.returncode, ended.stdout) == (0, b"all done\n"), ended.stderr.decode()
    recording = clients.labelled(here.recordings()[0])
    calls = [item for item in recording.exchanges if item.kind is MAIN]
    assert [(item.kind.value, item.request_sha256) for item in calls] == logged(here)
    assert all((item.header("authorization") or "").startswith("Bearer redact") for item in calls)
    assert all("oauth-2025-04-20" in (item.header("anthropic-beta") or "") for item in calls)
    assert recording.snapshot is not None
    assert str(path) not in recording.snapshot.files
    kept_nowhere(tmp_path, recording, access, refresh, "f" * 40, "e" * 40)


@pytest.mark.parametrize("client", ["claude-code", "codex"])
@pytest.mark.parametrize(
    ("fault", "status", "retried"),
    [
        ({"error": 529}, 529, {"claude-code", "codex"}),
        ({"error": 400}, 400, {"claude-code"}),
        ({"text": "lost", "cut": 1}, 200, {"claude-code", "codex"}),
    ],
)
def test_what_fails_is_kept_with_its_status_and_what_the_client_does_then(
    tmp_path: Path,
    binaries: dict[str, Path],
    client: str,
    fault: dict[str, Any],
    status: int,
    retried: set[str],
) -> None:
    here = place(tmp_path, binaries[client])
    ended = here.run(
        "base-url", script(fault, {"text": "lucky"}, websocket="refuse"), ARGUMENTS[client]
    )
    recording = clients.labelled(here.recordings()[0])
    first, *more = [item for item in recording.exchanges if item.kind is MAIN]
    assert first.status == status
    assert bool(first.error) == ("cut" in fault)
    assert [(item.kind.value, item.request_sha256) for item in (first, *more)] == logged(here)
    assert (bool(more), ended.returncode == 0) == (client in retried, client in retried)
