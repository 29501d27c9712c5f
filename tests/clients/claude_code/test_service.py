"""Flags of the client's service, which name the hosts of servers."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.clients.claude_code import service
from inspector.workspace import Listing
from tests.clients.claude_code.place import Place

ONE_OF: dict[str, Any] = {"type": "object", "oneOf": [{"properties": {"a": {"type": "string"}}}]}
DOUBLED = {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x", "x"]}
HOSTS = ("tools.example.com", "example.org")


def _place(root: Path, flags: dict[str, Any], **env: str) -> Place:
    named = {f"s{index}": f"https://{host}/mcp" for index, host in enumerate(HOSTS)}
    configured = {name: {"type": "http", "url": url} for name, url in named.items()}
    tools = [
        {"name": "merged", "inputSchema": ONE_OF},
        {"name": "doubled", "inputSchema": DOUBLED},
    ]
    listed = tuple(Listing(server=name, tools=json.dumps({"tools": tools})) for name in named)
    state = {"cachedGrowthBookFeatures": flags, "mcpServers": configured}
    place = Place(root, listings=listed, env={"ENABLE_TOOL_SEARCH": "false", **env})
    return place.write({"home/.claude.json": json.dumps(state)})


@pytest.mark.parametrize(
    ("hosts", "expected"),
    [
        ([], ("off", "")),
        (["*", "example.org"], ("on", "")),
        (["EXAMPLE.com"], ("some", "s0")),
        (["tools.example.com", "org"], ("some", "s0 s1")),
        (["ools.example.com", "", 5], ("some", "")),
    ],
)
def test_a_flag_names_a_host_or_a_domain_it_is_in(
    hosts: list[Any], expected: tuple[str, str], tmp_path: Path
) -> None:
    world = _place(tmp_path, {service.FLAGS["combiners"]: hosts}).world()
    named = (name for name, axes in service.named(world).items() if list(axes) == ["combiners"])
    assert (service.decided(world)["combiners"], " ".join(sorted(named))) == expected


def test_servers_a_flag_names_are_treated_apart(tmp_path: Path) -> None:
    flags = {service.FLAGS["combiners"]: ["example.com"], service.FLAGS["schemas"]: ["example.org"]}
    body = _place(tmp_path, flags).first()
    sent = {tool["name"] for tool in body["tools"] if tool["name"].startswith("mcp__")}
    assert sent == {"mcp__s0__merged", "mcp__s0__doubled"}
    unasked = _place(tmp_path, flags, DISABLE_TELEMETRY="0").first()
    sent = {tool["name"] for tool in unasked["tools"] if tool["name"].startswith("mcp__")}
    assert sent == {"mcp__s0__merged", "mcp__s1__merged"}
