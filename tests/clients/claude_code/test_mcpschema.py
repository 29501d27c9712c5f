"""Schemas of MCP tools, as Claude Code 2.1.332 judged them (`mcp_schemas`, `mcp_odd_tools`)."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.clients.claude_code.mcpschema import judged, tidied
from inspector.jsontext import dumps, loads
from inspector.text import Kind, Origin, text
from tests.clients.claude_code.place import Place

HERE = Origin(Kind.LISTING, "s/t")
UNASKED = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}


def _judged(root: Path, schema: dict[str, Any]) -> tuple[Any, str | None, str | None]:
    value = loads(json.dumps({"type": "object", **schema}))
    assert isinstance(value, dict)
    found = judged(Place(root, env=UNASKED).profile(), value, HERE)
    said, reason = (str(part) if part is not None else None for part in (found.said, found.reason))
    return None if found.dropped else json.loads(dumps(found.schema)), said, reason


A, B = {"a": {"type": "string"}}, {"b": {"type": "number"}}


@pytest.mark.parametrize(
    ("schema", "properties", "required"),
    [
        ({"oneOf": [{"properties": A, "required": ["a"]}, {"properties": B}]}, {**A, **B}, []),
        (
            {"allOf": [{"properties": A, "required": ["a", "no"]}, {"properties": B}]},
            {**A, **B},
            ["a"],
        ),
        (
            {"anyOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": A}]},
            {"a": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
            [],
        ),
        ({"properties": A, "required": ["a"], "oneOf": [5]}, A, ["a"]),
        ({"anyOf": [{"properties": {"a b": {}, "c": 5, **A}}]}, A, []),
    ],
)
def test_alternatives_are_merged_into_one_object(
    schema: dict[str, Any], properties: dict[str, Any], required: list[str], tmp_path: Path
) -> None:
    expected = {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": True,
    }
    assert _judged(tmp_path, schema)[0] == expected


def test_alternatives_without_parameters_are_said_in_general(tmp_path: Path) -> None:
    _, said, _ = _judged(tmp_path, {"oneOf": [{"type": "object"}]})
    assert said is not None
    assert said.endswith(
        "exactly one of the documented parameter groups (flattened from a JSON Schema oneOf)."
    )


def test_a_combiner_that_is_no_list_loses_the_tool_in_silence(tmp_path: Path) -> None:
    assert _judged(tmp_path, {"oneOf": {}}) == (None, None, None)


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"properties": {"x": {"type": "strin"}}}, "schema/properties/x/type must be equal to one of the allowed values"),
        ({"properties": {"x": None}}, "schema/properties/x must be object,boolean"),
        ({"properties": {"x": {"items": [5]}}}, "schema/properties/x/items must be object,boolean"),
        ({"properties": {"x/y~": {}}}, 'property key "x/y~" does not match /^[a-zA-Z0-9_.-]{1,64}$/'),
        ({"$defs": {"x/y~": 5}}, "schema/$defs/x~1y~0 must be object,boolean"),
        ({"required": ["x", "x"]}, "schema/required must NOT have duplicate items (items ## 1 and 0 are identical)"),
        ({"minProperties": -1}, "schema/minProperties must be >= 0"),
        ({"minProperties": 1.5}, "schema/minProperties must be integer"),
        ({"not": {"anyOf": []}}, "schema/not/anyOf must NOT have fewer than 1 items"),
        ({"not": {"multipleOf": 0}}, "schema/not/multipleOf must be > 0"),
        ({"$anchor": "1"}, 'schema/$anchor must match pattern "^[A-Za-z_][-A-Za-z0-9._]*$"'),
        ({"title": None, "properties": {"x": {"enum": []}}}, None),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"x": {"type": "strin"}}}, None),
    ],
)  # fmt: skip
def test_the_first_fault_by_2020_12_is_told(
    schema: dict[str, Any], reason: str | None, tmp_path: Path
) -> None:
    assert _judged(tmp_path, schema)[2] == reason


def test_what_others_wrote_is_quoted_on_one_line_without_quotes() -> None:
    said = tidied(text(' a\n"b"  <c> ' + "x" * 300, HERE))
    assert str(said) == "a b c " + "x" * 194 + "…"
