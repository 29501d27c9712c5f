"""Command line, settings, servers, what a snapshot may keep, how the client is started."""

import json
from pathlib import Path

import pytest

from inspector.clients import Launch
from inspector.clients.claude_code.keep import sanitise
from inspector.clients.claude_code.launching import launch
from inspector.clients.claude_code.options import names, options
from inspector.clients.claude_code.servers import servers
from inspector.clients.claude_code.settings import settings
from inspector.errors import BadInput
from inspector.snapshot import DiskTree
from tests.clients.claude_code.place import CLIENT, Place


def test_a_command_line_is_read_as_the_client_reads_it() -> None:
    given = options(
        [
            "-p",
            "hi there",
            "--add-dir",
            "/a",
            "/b",
            "--model=haiku",
            "-c",
            "--resume",
            "id",
            "--tools",
            "",
            "--",
            "x",
        ]
    )
    assert given.printing
    assert given.resumes
    assert given.words == ("hi there", "x")
    assert given.all("--add-dir") == ("/a", "/b")
    assert given.value("--model") == "haiku"
    assert given.value("--resume") == "id"
    assert given.all("--tools") == ("",)


def test_tool_rules_are_parted_by_commas_and_blanks_outside_parentheses() -> None:
    assert names(["Read,Bash(git log, x) Edit", "WebFetch"]) == (
        "Read",
        "Bash(git log, x)",
        "Edit",
        "WebFetch",
    )


def test_later_scopes_win_and_lists_grow(tmp_path: Path) -> None:
    place = Place(
        tmp_path, argv=("-p", "x", "--settings", '{"model":"flag","claudeMdExcludes":["c"]}')
    ).write(
        {
            "home/.claude/settings.json": '{"model":"user","language":"de","claudeMdExcludes":["a"]}',
            "ws/.claude/settings.json": '{"model":"project","permissions":{"deny":["Bash"]}}',
            "ws/.claude/settings.local.json": '{"claudeMdExcludes":["a","b"],"permissions":{"deny":["Edit"]}}',
        }
    )
    found = settings(DiskTree(), place.environment())
    assert (found.get("model"), found.get("language")) == ("flag", "de")
    assert found.strings("claudeMdExcludes") == ("a", "b", "c")
    assert found.strings("permissions", "deny") == ("Bash", "Edit")


def test_broken_settings_are_none(tmp_path: Path) -> None:
    place = Place(tmp_path).write(
        {"ws/.claude/settings.json": "{broken", "home/.claude/settings.json": "[]"}
    )
    assert settings(DiskTree(), place.environment()).merged == {}


def test_servers_of_every_scope_are_found_and_the_narrowest_wins(tmp_path: Path) -> None:
    server = {"command": "run", "args": ["${NAME:-fallback}"], "env": {"K": "v"}}
    place = Place(tmp_path)
    config = {
        "mcpServers": {"u": server, "same": {"command": "user"}},
        "projects": {
            str(tmp_path / "ws"): {
                "mcpServers": {
                    "l": {"type": "http", "url": "http://h"},
                    "same": {"command": "local"},
                }
            }
        },
    }
    place.write(
        {
            "home/.claude.json": json.dumps(config),
            "ws/.mcp.json": json.dumps({"mcpServers": {"p": server, "off": server}}),
            "ws/.claude/settings.json": '{"disabledMcpjsonServers":["off"]}',
            "extra.json": json.dumps({"mcpServers": {"e": server}}),
        }
    )
    place.argv = (
        "-p",
        "x",
        "--mcp-config",
        str(tmp_path / "extra.json"),
        '{"mcpServers":{"i":{"command":"c"}}}',
    )
    found = {item.name: item for item in servers(DiskTree(), place.environment())}
    assert sorted(found) == ["e", "i", "l", "p", "same", "u"]
    assert found["u"].command == ("run", "fallback")
    assert (found["l"].kind, found["l"].url, found["l"].scope) == ("http", "http://h", "local")
    assert found["same"].command == ("local",)
    place.argv = (*place.argv, "--strict-mcp-config")
    assert sorted(item.name for item in servers(DiskTree(), place.environment())) == ["e", "i"]


def test_entries_of_servers_that_the_client_passes_over_are_none(tmp_path: Path) -> None:
    """Seen in 2.1.332: these names in one `.mcp.json`, and which of them it connected."""
    run, at = {"command": "run"}, {"type": "http", "url": "http://h"}
    taken: dict[str, object] = {
        "plain": run,
        "typed": {**run, "type": "stdio"},
        "address_beside": {**run, "url": "http://h"},
        "odd_url": {**run, "url": 5},
        "odd_headers": {**run, "headers": 5},
        "odd_cwd": {**run, "cwd": 5},
        "unknown": {**run, "zzz": 1},
        "timeout": {**run, "timeout": 1},
        "always": {**run, "alwaysLoad": True},
        "http": {**at, "command": 5, "args": 5, "env": 5},
        "streamable": {**at, "type": "streamable-http"},
        "no_address": {**at, "url": "nowhere"},
        "socket": {"type": "ws", "url": "ws://h"},
    }
    passed_over: dict[str, object] = {
        "null": None,
        "list": [],
        "number": 5,
        "command_number": {"command": 7},
        "command_empty": {"command": ""},
        "args_number": {**run, "args": [5]},
        "args_text": {**run, "args": "x"},
        "args_null": {**run, "args": None},
        "env_number": {**run, "env": {"A": 5}},
        "env_list": {**run, "env": []},
        "env_null": {**run, "env": None},
        "type_number": {**run, "type": 5},
        "type_unknown": {**run, "type": "foo"},
        "type_null": {**run, "type": None},
        "timeout_text": {**run, "timeout": "x"},
        "timeout_negative": {**run, "timeout": -1},
        "timeout_broken": {**run, "timeout": 1500.5},
        "always_text": {**run, "alwaysLoad": "yes"},
        "always_null": {**run, "alwaysLoad": None},
        "url_alone": {"url": "http://h"},
        "url_missing": {"type": "http"},
        "url_empty": {**at, "url": ""},
        "login_number": {**at, "oauth": 5},
        "helper_number": {**at, "headersHelper": 5},
        "url_number": {"type": "http", "url": 5},
        "sse_missing": {"type": "sse"},
        "headers_number": {**at, "headers": {"a": 5}},
        "headers_null": {**at, "headers": None},
        "streamable_word": {**at, "type": "streamableHttp"},
    }
    place = Place(tmp_path)
    place.write({"ws/.mcp.json": json.dumps({"mcpServers": taken | passed_over})})
    assert [item.name for item in servers(DiskTree(), place.environment())] == list(taken)


def test_a_snapshot_keeps_only_what_the_model_reads_and_no_secret() -> None:
    config = {
        "userID": "u",
        "oauthAccount": {"emailAddress": "a@b", "organizationName": "geheim"},
        "customApiKeyResponses": {"approved": ["x"]},
        "cachedGrowthBookFeatures": {"tengu_mcp_drop_invalid_tool_schemas": ["*"], "geheim": 1},
        "mcpServers": {
            "s": {"command": "c", "env": {"TOKEN": "geheim"}, "headers": {"A": "geheim"}}
        },
        "projects": {"/w": {"history": ["typed"], "hasClaudeMdExternalIncludesApproved": True}},
    }
    kept = sanitise("/home/.claude.json", json.dumps(config).encode())
    value = json.loads(kept)
    flags = value.pop("cachedGrowthBookFeatures")
    assert flags == {"tengu_mcp_drop_invalid_tool_schemas": ["*"]}
    assert sorted(value) == ["mcpServers", "oauthAccount", "projects", "userID"]
    assert value["oauthAccount"] == {"emailAddress": "a@b"}
    assert value["projects"] == {"/w": {"hasClaudeMdExternalIncludesApproved": True}}
    assert value["mcpServers"]["s"]["env"]["TOKEN"].startswith("sha256:")
    assert b"geheim" not in kept
    settings_file = sanitise(
        "/w/.claude/settings.json", b'{"model":"m","apiKeyHelper":"secret.sh","env":{"K":"v"}}'
    )
    assert json.loads(settings_file) == {"model": "m"}
    servers_file = sanitise(
        "/w/any.json", b'{"mcpServers":{"s":{"command":"c","env":{"K":"geheim"}}},"x":1}'
    )
    assert b"geheim" not in servers_file
    assert sanitise("/w/CLAUDE.md", b"as it is\xff") == b"as it is\xff"


def test_routes_start_the_client_differently(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    arguments = (["claude", "-p"], place.environment(), DiskTree())
    tls = launch(*arguments, "tls", "http://127.0.0.1:9", "/ca.pem")
    assert isinstance(tls, Launch)
    assert (tls.hosts, tls.upstream) == (("api.anthropic.com",), None)
    assert tls.env["HTTPS_PROXY"] == "http://127.0.0.1:9"
    assert tls.env["NODE_EXTRA_CA_CERTS"] == "/ca.pem"
    base = launch(*arguments, "base-url", "http://127.0.0.1:9/", "/ca.pem")
    assert base.env == {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    with pytest.raises(BadInput, match="claude-code has no such route"):
        launch(*arguments, "carrier-pigeon", "", "")


def test_a_gateway_of_the_users_is_taken_over(tmp_path: Path) -> None:
    place = Place(tmp_path, env={"ANTHROPIC_BASE_URL": "https://gate.example/x"}).write({})
    made = launch(["claude"], place.environment(), DiskTree(), "tls", "http://127.0.0.1:9", "/ca")
    assert (made.upstream, made.hosts) == ("https://gate.example/x", ("gate.example",))


def test_axes_say_what_shapes_the_requests(tmp_path: Path) -> None:
    place = Place(
        tmp_path,
        argv=("-p", "x", "--dangerously-skip-permissions"),
        env={"ENABLE_PROMPT_CACHING_1H": "1"},
    )
    place.write({"ws/.claude/settings.json": '{"model":"haiku"}'})
    assert CLIENT.axes(place.world()) == {
        "host": "custom",
        "entry": "print",
        "model": "haiku",
        "mode": "bypassPermissions",
        "pool": "full",
        "traffic": "all",
        "betas": "experimental",
        "attachments": "on",
        "format": "text",
        "cache": "hour",
        "asks": "nobody",
        "builtins": "all",
        "login": "key",
        "background": "on",
        "cron": "on",
        "effort": "free",
        "explorers": "on",
        "fetch": "on",
        "folder": "carried",
        "form": "usual",
        "tasks": "on",
        "teams": "off",
        "window": "whole",
        "words": "usual",
        "workflows": "on",
        "flags": "asked",
        "combiners": "off",
        "schemas": "off",
    }
