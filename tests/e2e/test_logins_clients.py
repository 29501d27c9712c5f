"""What docs/logins.md says of logins, seen in captures of the real clients."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector import clients
from inspector.session import Exchange, ExchangeKind, Recording
from tests.e2e.places import ACCOUNT, log_in
from tests.e2e.test_capture_clients import ARGUMENTS, place

pytestmark = pytest.mark.client


def captured(folder: Path, program: Path, client: str, login: str) -> tuple[Recording, Exchange]:
    """A session of one request with a login, by POST."""
    folder.mkdir()
    here = place(folder, program)
    log_in(here, client, login)
    script = {"replies": [{"text": "done"}], "websocket": "refuse"}
    ended = here.run("tls", script, ARGUMENTS[client])
    assert (ended.returncode, ended.stdout) == (0, b"done\n"), ended.stderr.decode()
    recording = clients.labelled(here.recordings()[0])
    (call,) = (item for item in recording.exchanges if item.kind is ExchangeKind.MAIN)
    return recording, call


def names(call: Exchange) -> set[str]:
    return {name.lower() for name, _ in call.request_headers}


def marks(body: dict[str, Any]) -> list[str | None]:
    """The `ttl` of each cache mark, in order."""
    found: list[str | None] = []

    def note(value: dict[str, Any]) -> dict[str, Any]:
        if "cache_control" in value:
            found.append(value["cache_control"].get("ttl"))
        return value

    json.loads(json.dumps(body), object_hook=note)
    return found


def paths(recording: Recording) -> set[str]:
    return {item.url.partition("?")[0].partition("://")[2] for item in recording.exchanges}


def test_logins_of_claude_code_differ_as_the_page_says(
    tmp_path: Path, binaries: dict[str, Path]
) -> None:
    program = binaries["claude-code"]
    key, by_key = captured(tmp_path / "key", program, "claude-code", "key")
    oauth, by_oauth = captured(tmp_path / "oauth", program, "claude-code", "oauth")
    assert names(by_key) ^ names(by_oauth) == {"x-api-key", "authorization"}
    betas = [set((call.header("anthropic-beta") or "").split(",")) for call in (by_key, by_oauth)]
    assert betas[0] ^ betas[1] == {
        "oauth-2025-04-20",
        "tool-provenance-2026-10-26",
        "extended-cache-ttl-2025-04-11",
    }
    plain, full = json.loads(by_key.request), json.loads(by_oauth.request)
    assert list(plain) == list(full)
    assert (set(marks(plain)), set(marks(full))) == ({None}, {"1h"})
    assert len(marks(plain)) == len(marks(full)) == 3
    accounts = [json.loads(body["metadata"]["user_id"])["account_uuid"] for body in (plain, full)]
    assert accounts == ["", ACCOUNT["accountUuid"]]
    for words in (b"# userEmail", b"\\nRemoteTrigger\\n", b"\\n- schedule: "):
        assert (words in by_key.request, words in by_oauth.request) == (False, True)
    tools = [{tool["name"]: tool for tool in body["tools"]} for body in (plain, full)]
    changed = [name for name in tools[0] if tools[0][name] != tools[1][name]]
    assert (list(tools[0]), changed) == (list(tools[1]), ["ScheduleWakeup"])
    beside = {
        name.partition("/")[2] for name in paths(key) ^ paths(oauth) if "messages" not in name
    }
    assert beside == {
        "api/claude_code/settings",
        "api/claude_code/policy_limits",
        "api/oauth/profile",
    }


def test_logins_of_codex_differ_as_the_page_says(tmp_path: Path, binaries: dict[str, Path]) -> None:
    _, by_key = captured(tmp_path / "key", binaries["codex"], "codex", "key")
    chatgpt, by_chatgpt = captured(tmp_path / "chatgpt", binaries["codex"], "codex", "chatgpt")
    assert by_key.url == "https://api.openai.com/v1/responses"
    assert by_chatgpt.url == "https://chatgpt.com/backend-api/codex/responses"
    assert names(by_key) ^ names(by_chatgpt) == {
        "content-encoding",
        "chatgpt-account-id",
        "x-codex-routing-hint",
    }
    assert by_chatgpt.header("content-encoding") == "zstd"
    assert len(by_chatgpt.request_wire) < len(by_chatgpt.request) / 2
    assert by_key.request_wire == by_key.request
    plain, full = json.loads(by_key.request), json.loads(by_chatgpt.request)
    assert list(plain) == list(full)
    more = plain["client_metadata"].keys() ^ full["client_metadata"].keys()
    assert more == {"guardian_credits_requested"}
    assert (b"image_gen" in by_key.request, b"image_gen" in by_chatgpt.request) == (False, True)
    backend = "chatgpt.com/backend-api"
    assert {f"{backend}/codex/models", f"{backend}/wham/accounts/check"} <= paths(chatgpt)
