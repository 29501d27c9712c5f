"""Which MCP servers a client starts is told of any configuration, however odd."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.clients import client
from inspector.workspace import Entry, EntryKind, Environment

ODD: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from([None, True, 7, 1.5, "", "a", "${X:-y}", "\ud800"]),
    lambda below: (
        st.lists(below, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "", "command"]), below, max_size=2)
    ),
    max_leaves=4,
)
ENTRY = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        ("command", "args", "env", "type", "url", "headers", "alwaysLoad", "enabled", "cwd"), ODD
    ),
)
SERVERS = st.dictionaries(st.sampled_from(["a", "b"]), ENTRY | ODD, max_size=2) | ODD


class Files:
    """A tree of given files."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def list(self, path: str) -> tuple[Entry, ...] | None:
        names = {name[len(path) + 1 :] for name in self.files if name.startswith(f"{path}/")}
        return tuple(Entry(name, EntryKind.FILE) for name in sorted(names) if "/" not in name)


def names(which: str, version: str, home: str, files: dict[str, bytes]) -> list[str]:
    """The names of the servers that a client in `/w` starts."""
    environment = Environment(
        client=which, version=version, argv=("x",), cwd="/w", home="/h", config_home=home, date="2026-01-02"
    )  # fmt: skip
    return [server.name for server in client(which).servers(Files(files), environment)]


@settings(max_examples=150, deadline=None)
@given(SERVERS, SERVERS, ODD, ODD)
def test_claude_code_s_are_told(own: Any, project: Any, off: Any, one: Any) -> None:
    inner = {"mcpServers": project, "disabledMcpServers": off, "disabledMcpjsonServers": one}
    config = {"mcpServers": own, "projects": {"/w": inner}}
    found = names(
        "claude-code",
        "2.1.332",
        "/h/.claude",
        {
            "/h/.claude.json": json.dumps(config).encode(),
            "/w/.mcp.json": json.dumps({"mcpServers": project}).encode(),
            "/w/.claude/settings.json": json.dumps({"disabledMcpjsonServers": off}).encode(),
        },
    )
    assert set(found) <= {"a", "b", "", "command"}


@pytest.mark.parametrize("value", ["3", '"x"', "[]", "[1]", "{}", "{a=1}", "true", "1979-05-27"])
@pytest.mark.parametrize(
    "name", ["command", "args", "env", "url", "http_headers", "enabled", "cwd"]
)
def test_codex_s_are_told(name: str, value: str) -> None:
    start = 'x="y"' if name == "command" else 'command="c"'
    text = f"[mcp_servers.s]\n{start}\n{name}={value}\n[mcp_servers]\nt={value}\n"
    whole = f"[mcp_servers.s]\n{start}\n{name}={value}\n"
    for config in (text, whole, f"mcp_servers={value}"):
        found = names("codex", "0.171.0", "/h/.codex", {"/h/.codex/config.toml": config.encode()})
        assert set(found) <= {"s", "t", "a"}
