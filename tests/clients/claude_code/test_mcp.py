"""MCP listings in requests, as Claude Code 2.1.332 made them (`mcp_*`)."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.clients.claude_code.mcp import full_name
from inspector.clients.claude_code.mcpresult import answer
from inspector.text import EMPTY
from inspector.turns import Called, Prompted, Returned
from inspector.workspace import Listing
from tests.clients.claude_code.place import Place, called, literal, texts

CALL = Called(id="c", name="mcp__s__t", input="{}")
INLINE = {"ENABLE_TOOL_SEARCH": "false", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}


def listing(server: str, *tools: dict[str, Any], **initialize: Any) -> Listing:
    whole: dict[str, Any] = {"capabilities": {"tools": {}}, **initialize}
    return Listing(
        server=server, initialize=json.dumps(whole), tools=json.dumps({"tools": list(tools)})
    )


def tool(name: str, schema: object = None, **more: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": schema or {"type": "object"}, **more}


def _inline(root: Path, *listings: Listing) -> list[dict[str, Any]]:
    place = Place(root, env=INLINE, listings=listings).write({})
    return [tool for tool in place.first()["tools"] if tool["name"].startswith("mcp__")]


@pytest.mark.parametrize(
    ("server", "tool", "name"),
    [
        ("my srv.x", "dots.and spaces", "mcp__my_srv_x__dots_and_spaces"),
        ("s", "Ünïcode", "mcp__s___n_code"),
        ("Bee", "CamelCase", "mcp__Bee__CamelCase"),
    ],
)
def test_names_lose_all_but_letters_digits_and_dashes(server: str, tool: str, name: str) -> None:
    assert full_name(server, tool) == name


def test_tools_are_sorted_and_the_first_of_a_name_wins(tmp_path: Path) -> None:
    offered = listing("s", tool("zz"), tool("Mm"), tool("aa", description="first"), tool("aa"))
    tools = _inline(tmp_path, offered)
    assert [(entry["name"], entry["description"]) for entry in tools] == [
        ("mcp__s__aa", "first"),
        ("mcp__s__Mm", ""),
        ("mcp__s__zz", ""),
    ]


def test_a_schema_is_written_again_as_javascript_writes_it(tmp_path: Path) -> None:
    raw = '{"title":"T","required":["b"],"properties":{"zed":{"default":1.50},"10":{},"2":{"maximum":1e3}},"type":"object"}'
    listing = Listing(
        server="s",
        initialize="{}",
        tools='{"tools":[{"name":"t","inputSchema":' + raw + "}]}",
    )
    place = Place(tmp_path, env=INLINE, listings=(listing,)).write({})
    built = place.begin()
    from inspector.turns import Turn

    body = built.step(Turn(events=(Prompted(text="x"),)), place.world()).body.decode()
    assert (
        '"input_schema":{"type":"object","properties":{"2":{"maximum":1000},"10":{},"zed":{"default":1.5}},'
        '"required":["b"],"title":"T"}'
    ) in body


def test_definitions_lose_what_cannot_be_seen(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"ﬁ": {"enum": ["a\u200bb", "①"]}}}
    tools = _inline(tmp_path, listing("s", tool("t", schema, description="so\u00adft\u00a0x")))
    assert tools[0]["description"] == "soft x"
    assert tools[0]["input_schema"]["properties"] == {"fi": {"enum": ["ab", "1"]}}


def test_a_top_level_choice_is_put_into_words(tmp_path: Path) -> None:
    schema = {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b", "c"]}]}
    shown = _inline(tmp_path, listing("s", tool("t", schema, description="d")))[0]
    assert shown["description"].endswith("exactly one of: (a) or (b, c).\n\nd")
    assert shown["input_schema"] == {
        "type": "object",
        "properties": {},
        "required": [],
        "additionalProperties": True,
    }


def test_bad_tools_are_dropped_and_a_bad_schema_loses_the_whole_list(tmp_path: Path) -> None:
    odd = tool("odd", {"type": "object", "properties": {"no spaces": {}}})
    assert [entry["name"] for entry in _inline(tmp_path, listing("s", odd, tool("ok")))] == [
        "mcp__s__ok"
    ]
    assert _inline(tmp_path, listing("s", tool("ok"), {"name": "x", "inputSchema": {}})) == []


def test_deferred_tools_are_names_until_a_search_loads_them(tmp_path: Path) -> None:
    always = tool("meta", _meta={"anthropic/alwaysLoad": True})
    place = Place(tmp_path, listings=(listing("Bee", tool("btool"), always),)).write({})
    session = place.begin()
    body = place.body(session, Prompted(text="x"))
    names = [tool["name"] for tool in body["tools"]]
    assert names[-2:] == ["DeferredToolPlaceholder", "mcp__Bee__meta"]
    told = texts(body["messages"][1])[0]
    assert "\nWebSearch\nmcp__Bee__btool\n\n" in told
    found = Returned(
        call="toolu_1", raw='[{"type":"tool_reference","tool_name":"mcp__Bee__btool"}]'
    )
    body = place.body(session, called(1, "ToolSearch", query="btool"), found)
    assert body["messages"][-1]["content"][-1]["text"] == "Tool loaded."
    assert body["tools"][-3]["name"] == "mcp__Bee__btool"
    assert body["tools"][-3]["defer_loading"] is True


def test_instructions_are_told_server_by_server(tmp_path: Path) -> None:
    listings = (
        listing("zz", instructions="last  \n"),
        listing("Mm", instructions="i" * 5000),
        listing("none"),
    )
    told = texts(Place(tmp_path, listings=listings).write({}).first()["messages"][1])[0]
    block = told[told.index("# MCP Server Instructions") : told.index("\n\nThe following skills")]
    assert block.endswith(f"## Mm\n{'i' * 4096}… [truncated]\n\n## zz\nlast  \n")


@pytest.mark.parametrize(
    ("result", "content", "error"),
    [
        ({"content": [{"type": "text", "text": "T"}]}, [{"type": "text", "text": "T"}], False),
        ({"content": [{"type": "text", "text": "no"}], "isError": True}, "no", True),
        ({"error": {"code": -1, "message": "boom"}}, "boom", True),
        ({"content": [], "structuredContent": {"b": 1, "2": 1.50}}, '{"2":1.5,"b":1}', False),
        ({"content": []}, "(mcp__s__t completed with no output)", False),
    ],
)
def test_a_servers_answer_is_passed_on(
    tmp_path: Path, result: object, content: object, error: bool
) -> None:
    from inspector.jsontext import loads
    from inspector.text import encode

    value = loads(json.dumps(result).replace("1.5}", "1.50}"))
    assert isinstance(value, dict)
    place = Place(tmp_path).write({})
    made = answer(place.profile(), CALL, value, place.environment(), EMPTY)
    assert made is not None
    assert json.loads(encode(made.content).body) == content
    assert made.error is error


@pytest.mark.parametrize(
    ("result", "size", "name", "begins"),
    [
        (
            {
                "content": [
                    {"type": "text", "text": "line\n" * 12_000},
                    {"type": "text", "text": "z"},
                ]
            },
            "70.4KB",
            "c.json",
            '[\n  {\n    "type": "text",\n    "text": "line\\nline',
        ),
        ({"structuredContent": {"a": "x" * 60_000}}, "58.6KB", "c.txt", '{"a":"xxxx'),
    ],
)
def test_a_long_answer_is_put_into_a_file_named_after_its_call(
    tmp_path: Path, result: dict[str, Any], size: str, name: str, begins: str
) -> None:
    profile, folder = Place(tmp_path).write({}).profile(), literal("/kept/")
    made = answer(profile, CALL, result, Place(tmp_path).environment(), folder)
    assert made is not None
    head = f"<persisted-output>\nOutput too large ({size}). Full output saved to: /kept/{name}\n\n"
    assert str(made.content).startswith(f"{head}Preview (first 2KB):\n{begins}")
    assert len(str(made.content)) < 2_300


def test_a_long_answer_with_more_than_text_is_not_known(tmp_path: Path) -> None:
    image = {"type": "image", "mimeType": "image/png", "data": ""}
    result: dict[str, Any] = {"content": [{"type": "text", "text": "x" * 60_000}, image]}
    profile = Place(tmp_path).write({}).profile()
    assert answer(profile, CALL, result, Place(tmp_path).environment(), EMPTY) is None
