"""What people report of MCP servers and hooks, each from the smallest input; ids as in the issue log."""

import json
from typing import Any

import pytest

from tests.reports.conftest import Desk, told

_READY: dict[str, Any] = {"capabilities": {"tools": {}}, "protocolVersion": "2025-11-25"}


def listing(server: str, tools: list[dict[str, Any]], instructions: str = "") -> dict[str, Any]:
    info = {"serverInfo": {"name": server, "version": "1"}, "instructions": instructions}
    return {
        "server": server,
        "initialize": json.dumps({**_READY, **info}),
        "tools": json.dumps({"tools": tools}),
    }


def tool(name: str, said: str = "does it", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": said, "inputSchema": {"type": "object"}, **more}


@pytest.fixture
def always() -> dict[str, Any]:
    """What makes a server's tool come with the first request."""
    return {"_meta": {"anthropic/alwaysLoad": True}}


def test_r54_instructions_and_descriptions_that_are_cut_say_where(
    desk: Desk, always: dict[str, Any]
) -> None:
    long = "word " * 700
    listings = [listing("srv", [tool("big", long, **always)], long)]
    older: dict[str, Any] = {"client-version": "2.1.88", "listings": listings}
    cut = "3,500 characters, cut after 2,048: it ends “…"
    for item in desk.explain("srv", "srv/big", **older):
        assert (item["landed"], cut in item["reason"]) == (True, True)
    assert (
        told(desk.explain("srv", "srv/big", listings=listings), "landed", "reason")
        == [(True, "")] * 2
    )


def test_r51_each_tool_of_a_server_has_its_size(desk: Desk, always: dict[str, Any]) -> None:
    listings = [listing("srv", [tool("a", "x" * 100, **always), tool("b", "y" * 10, **always)])]
    items = desk.explain("srv/a", "srv/b", listings=listings)
    assert told(items, "name", "landed") == [("srv/a", True), ("srv/b", True)]
    assert items[0]["chars"] - items[1]["chars"] == 90


def test_r46_tools_stand_in_one_order_whatever_the_servers(
    desk: Desk, always: dict[str, Any]
) -> None:
    names = ["zeta", "alpha", "mu"]
    orders = [names, names[::-1], sorted(names)]
    seen = [
        [
            item["name"]
            for item in desk.explain(listings=[listing("s", [tool(n, **always) for n in order])])
            if item["kind"] == "tool"
        ]
        for order in orders
    ]
    assert seen == [["s/alpha", "s/mu", "s/zeta"]] * 3


def test_a_tool_that_a_rule_denies_says_so(desk: Desk) -> None:
    desk.put({"ws/.claude/settings.json": '{"permissions":{"deny":["mcp__srv__a"]}}'})
    items = desk.explain("srv/a", "srv/b", listings=[listing("srv", [tool("a"), tool("b")])])
    assert told(items, "name", "landed", "reason") == [
        ("srv/a", False, "a permission rule or an option of the command line takes it away"),
        ("srv/b", False, "only its name is told, until the model searches for it"),
    ]
