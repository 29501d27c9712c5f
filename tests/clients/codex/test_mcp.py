"""MCP servers on the wire, with names and schemas from the real client (0.171.0)."""

import json
from typing import Any

import pytest

from inspector.clients.codex import mcp
from inspector.clients.codex.schema import Unreadable, reduced
from inspector.text import Kind, Origin, encode
from inspector.turns import OtherBlock, Prompted, Replied, Returned, ServerChanged
from tests.clients.codex.stage import (
    CUSTOM,
    begin,
    configuration,
    first,
    items,
    listing,
    profile,
    texts,
    turn,
    world,
)

_ORIGIN = Origin(Kind.LISTING, "probe/x")
_PROBE = listing(
    "probe",
    {"name": "zeta_echo", "description": "CANARYDESC zeta", "inputSchema": {"type": "object"}},
    {"name": "alpha-add", "inputSchema": {"type": "object"}},
    instructions="CANARYINSTR server instructions.\nsecond line",
)
_UNKNOWN = 'model = "my-own-model"\n' + CUSTOM
_CLASSIC = 'model = "gpt-5.5"\n' + CUSTOM

_WHOLE: list[tuple[Any, Any]] = [
    ({}, {"type": "object", "properties": {}}),
    ({"type": "string"}, {"type": "string", "properties": {}}),
    ({"required": ["a"]}, {"type": "object", "properties": {}, "required": ["a"]}),
    ({"enum": ["a"]}, {"type": "object", "enum": ["a"], "properties": {}}),
    (
        {"anyOf": [{"properties": {"a": {"type": "string"}}}, {"type": "null"}]},
        {
            "properties": {},
            "anyOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "null"}],
        },
    ),
    (
        {"$ref": "#/$defs/A", "$defs": {"A": {"type": "object"}, "B": {"type": "string"}}},
        {"$ref": "#/$defs/A", "properties": {}, "$defs": {"A": {"type": "object", "properties": {}}}},
    ),
]  # fmt: skip
_PROPERTIES: list[tuple[Any, Any]] = [
    (True, {"type": "string"}),
    ({"description": "only"}, {}),
    ({"title": "T"}, {}),
    ({"type": "strange"}, {}),
    ({"type": ["string", "weird"]}, {"type": "string"}),
    ({"type": ["array", "null"]}, {"type": ["array", "null"], "items": {"type": "string"}}),
    ({"const": "k"}, {"type": "string", "enum": ["k"]}),
    ({"enum": [1, 2]}, {"type": "string", "enum": [1, 2]}),
    ({"format": "date"}, {"type": "string"}),
    ({"multipleOf": 1}, {"type": "number"}),
    ({"minItems": 1}, {}),
    ({"prefixItems": [{}]}, {"type": "array", "items": {"type": "string"}}),
    ({"additionalProperties": True}, {"type": "object", "properties": {}, "additionalProperties": True}),
    ({"allOf": [{"description": "q"}, True]}, {"allOf": [{}, {"type": "string"}]}),
    ({"type": "string", "description": " padded \n x ", "default": 1}, {"type": "string", "description": " padded \n x "}),
    ({"$ref": "#/x", "description": "d"}, {"$ref": "#/x", "description": "d"}),
    ({"encrypted": True, "type": "string"}, {"type": "string", "encrypted": True}),
]  # fmt: skip
_UNREADABLE: list[Any] = [{"items": [{}]}, {"enum": "x"}, {"required": "x"}, {"properties": []}, {"anyOf": {}}, {"$ref": 5},
 {"additionalProperties": "x"}, {"type": "array", "minItems": "1"}, None, "str"]  # fmt: skip


def _reduced(schema: object) -> Any:
    return json.loads(encode(reduced(_loaded(schema), _ORIGIN, 5000)).body)


def _loaded(schema: object) -> Any:
    from inspector.jsontext import loads

    return loads(json.dumps(schema))


@pytest.mark.parametrize(("schema", "expected"), _WHOLE)
def test_a_whole_schema_is_reduced_as_the_client_reduces_it(schema: Any, expected: Any) -> None:
    assert list(_reduced(schema).items()) == list(expected.items())


@pytest.mark.parametrize(("schema", "expected"), _PROPERTIES)
def test_a_property_is_reduced_as_the_client_reduces_it(schema: Any, expected: Any) -> None:
    found = _reduced({"type": "object", "properties": {"k": schema}})["properties"]["k"]
    assert list(found.items()) == list(expected.items())


@pytest.mark.parametrize("schema", _UNREADABLE)
def test_a_schema_that_is_none_loses_its_tool(schema: Any) -> None:
    with pytest.raises(Unreadable):
        _reduced({"type": "object", "properties": {"k": schema}})


def test_properties_stand_in_byte_order_and_number_text_stays() -> None:
    names = ["10", "2", "a", "B", "ż", "-1", "01"]
    raw = '{"type":"object","properties":{"n":{"enum":[1.0,2.50,1e3]}}}'
    from inspector.jsontext import loads

    assert encode(reduced(loads(raw), _ORIGIN, 5000)).body == (
        b'{"type":"object","properties":{"n":{"type":"string","enum":[1.0,2.50,1e+3]}}}'
    )
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    assert list(_reduced(schema)["properties"]) == ["-1", "01", "10", "2", "B", "a", "ż"]


@pytest.mark.parametrize(("size", "kept"), [(5000, True), (5010, False)])
def test_a_large_schema_loses_its_descriptions(size: int, kept: bool) -> None:
    empty = '{"type":"object","properties":{"description":{"type":"string","description":""}}}'
    words = "d" * (size - len(empty))
    schema = {
        "type": "object",
        "properties": {"description": {"type": "string", "description": words}},
    }
    found = _reduced(schema)["properties"]["description"]
    assert found == ({"type": "string", "description": words} if kept else {"type": "string"})


def test_names_that_collide_get_a_digest_of_their_identity() -> None:
    colliding: list[dict[str, Any]] = [
        {"name": name, "inputSchema": {}} for name in ("c.dot", "c-dot", "c_dot")
    ]
    assert mcp.plain_name("ünï") == "_n_"
    of = world(
        config=_UNKNOWN,
        listings=(listing("my-srv.x", *colliding),),
    )
    spaces = mcp.namespaces(of.listings, frozenset(), configuration(of), profile(of))
    assert [(space.name, [tool.name for tool in space.tools]) for space in spaces] == [
        ("mcp__my_srv_x", ["c_dot_89fd06cc6d37", "c_dot_a960d4f449e0", "c_dot_f97b6836f5ca"])
    ]  # fmt: skip


def test_catalog_models_get_one_line_a_server() -> None:
    built = first(world(listings=(_PROBE,)))
    assert texts(items(built)[2])[-1] == (
        "<tools>\nDeferred tool namespaces:\n- mcp__probe: CANARYINSTR server instructions.\n</tools>"
    )
    long = listing("probe", {"name": "a", "inputSchema": {}}, instructions="x" * 251)
    line = texts(items(first(world(listings=(long,))))[2])[-1].split("\n")[2]
    assert line == "- mcp__probe: " + "x" * 247 + "..."


def test_a_model_outside_the_catalog_gets_the_tools_themselves() -> None:
    body = json.loads(first(world(config=_UNKNOWN, listings=(_PROBE,))).body)
    names = [tool.get("name") or tool["type"] for tool in body["tools"]]
    assert names == [
        "exec_command", "write_stdin", "list_mcp_resources", "list_mcp_resource_templates",
        "read_mcp_resource", "request_user_input", "view_image", "multi_agent_v1", "mcp__probe",
        "get_goal", "create_goal", "update_goal", "web_search",
    ]  # fmt: skip
    assert body["tools"][8] == {
        "type": "namespace",
        "name": "mcp__probe",
        "description": "CANARYINSTR server instructions.\nsecond line",
        "tools": [
            {"type": "function", "name": name, "description": words, "strict": False, "parameters": {"type": "object", "properties": {}}}
            for name, words in (("alpha_add", ""), ("zeta_echo", "CANARYDESC zeta"))
        ],
    }  # fmt: skip


def test_one_unreadable_tool_loses_the_servers_list_but_not_its_resources() -> None:
    broken = listing("probe", {"name": "a", "inputSchema": "x"}, {"name": "b", "inputSchema": {}})
    body = json.loads(first(world(config=_UNKNOWN, listings=(broken,))).body)
    names = [tool.get("name") for tool in body["tools"]]
    assert ("mcp__probe" in names, "list_mcp_resources" in names) == (False, True)


def test_a_server_that_is_not_ready_is_missing_until_it_is() -> None:
    of = world(listings=(_PROBE,))
    conversation = begin(of)
    late = conversation.step(
        turn(ServerChanged(server="probe", state="pending"), Prompted(text="x")), of
    )
    assert not any("<tools>" in text for text in texts(items(late)[2]))


def test_a_tool_search_answers_with_definitions_from_the_listing() -> None:
    of = world(config=_CLASSIC, listings=(_PROBE,))
    conversation = begin(of)
    conversation.step(turn(Prompted(text="x")), of)
    call = {"type": "tool_search_call", "id": "tsc_1", "call_id": "c1", "status": "completed", "execution": "client", "arguments": {"query": "zeta"}}  # fmt: skip
    said = {
        "status": "completed",
        "execution": "client",
        "tools": [{"name": "mcp__probe", "tools": ["zeta_echo"]}],
    }
    events = (
        Replied(blocks=(OtherBlock(raw=json.dumps(call)),)),
        Returned(call="c1", raw=json.dumps(said)),
    )
    answer = items(conversation.step(turn(*events), of))[-1]
    del answer["id"]
    assert answer == {
        "type": "tool_search_output",
        "call_id": "c1",
        "status": "completed",
        "execution": "client",
        "tools": [
            {
                "type": "namespace",
                "name": "mcp__probe",
                "description": "CANARYINSTR server instructions.\nsecond line",
                "tools": [
                    {
                        "type": "function",
                        "name": "zeta_echo",
                        "description": "CANARYDESC zeta",
                        "strict": False,
                        "defer_loading": True,
                        "parameters": {"type": "object", "properties": {}},
                    }
                ],
            }
        ],
    }
