"""Splitting bodies: lossless, equal with or without a parent, keys that say what segments mean."""

import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.segments import Param, Prompt, Segment, canonical
from inspector.wire import DIALECTS, named, split
from tests.documents import DOCUMENTS, VALUES

ANTHROPIC, OPENAI = named("anthropic"), named("openai")
MARK = {"type": "ephemeral"}


def dump(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(
        "utf-8", "surrogatepass"
    )


def messages(*content: Any, **more: Any) -> Prompt:
    """A request with one user message for each content."""
    return split(
        dump(
            {
                "model": "m",
                "max_tokens": 1,
                "messages": [{"role": "user", "content": one} for one in content],
                **more,
            }
        )
    )


def key(prompt: Prompt) -> str:
    """The key of a prompt's only segment."""
    (segment,) = prompt.segments
    return segment.key


def lossless(prompt: Prompt, body: bytes) -> None:
    assert prompt.body == body
    parts = [part for segment in prompt.segments for part in (segment.lead, segment.raw)]
    assert b"".join((*parts, prompt.tail)) == body
    assert [body[start:end] for start, end in prompt.spans()] == [
        segment.raw for segment in prompt.segments
    ]
    assert [prompt.span(number) for number in range(len(prompt))] == list(prompt.spans())
    assert [prompt.segment(number) for number in range(len(prompt))] == list(prompt.segments)


# --- generated requests, spelled in every way JSON allows -----------------------------------------

_SCALARS = st.sampled_from(["null", "1", "true", '"x"', "[]", "{}"])
_TEXT_BLOCKS = st.sampled_from(
    [
        '{"type":"text","text":"a"}',
        '{"text": "b" ,"type":"text","cache_control":{"type":"ephemeral"}}',
        '{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"r"}]}',
        '{"type":"tool_use","id":"t","name":"n","input":{"b":1e2,"b":2}}',
        '{"type":"odd","z":[1,2]}',
        '{"type":"input_text","text":"\\ud83d"}',
    ]
)
_BLOCKS = st.one_of(_TEXT_BLOCKS, VALUES)


def listed(strategy: st.SearchStrategy[str], size: int = 4) -> st.SearchStrategy[str]:
    return st.lists(strategy, max_size=size).map(lambda items: f"[{', '.join(items)}]")


_CONTENTS = st.one_of(listed(_BLOCKS), st.sampled_from(['""', '"hi"', '"\\u0068i"']), _SCALARS)
_MESSAGES = st.one_of(
    st.tuples(st.sampled_from(["user", "assistant", "system"]), _CONTENTS).map(
        lambda two: f'{{"role":"{two[0]}","content":{two[1]}}}'
    ),
    _CONTENTS.map(
        lambda content: (
            f'{{ "content" : {content}, "output_config":{{"effort":"low"}}, "role":"user"}}'
        )
    ),
    VALUES,
)
_TOOLS = st.one_of(
    st.just('{"name":"n","input_schema":{"properties":{"cache_control":{}}}}'), VALUES
)
_NAMESPACES = st.recursive(
    st.sampled_from(['{"type":"function","name":"f"}', '{"type":"custom"}']),
    lambda below: listed(below).map(
        lambda tools: f'{{"type":"namespace","name":"n","tools":{tools}}}'
    ),
    max_leaves=6,
)
_ITEMS = st.one_of(
    _MESSAGES,
    listed(_NAMESPACES).map(
        lambda tools: f'{{"type":"additional_tools","id":"at","tools":{tools}}}'
    ),
    st.just('{"type":"function_call","id":"f","call_id":"c","name":"n","arguments":"{}"}'),
)
_SECTIONS = {
    "messages": st.one_of(listed(_MESSAGES), _SCALARS),
    "system": st.one_of(listed(_BLOCKS), _SCALARS),
    "tools": st.one_of(listed(_TOOLS), listed(_NAMESPACES), _SCALARS),
    "input": st.one_of(listed(_ITEMS), _SCALARS),
    "instructions": _SCALARS,
    "model": st.just('"m"'),
    "max_tokens": st.just("1"),
    "metadata": VALUES,
}
_MEMBERS = st.sampled_from(list(_SECTIONS)).flatmap(
    lambda name: _SECTIONS[name].map(lambda raw: f'"{name}": {raw}')
)


def _request(opening: str) -> st.SearchStrategy[bytes]:
    return st.lists(_MEMBERS, max_size=6).map(
        lambda members: f"{{{','.join([opening, *members])}}} ".encode()
    )


_ANTHROPIC = st.one_of(
    _request('"max_tokens":1'),
    listed(_MESSAGES, 8).map(lambda m: f'{{"model":"m","messages":{m},"max_tokens":1}}'.encode()),
)
_OPENAI = st.one_of(
    _request('"model":"m"'),
    listed(_ITEMS, 8).map(lambda items: f'{{"model":"m","input":{items},"store":false}}'.encode()),
)
BODIES = st.one_of(_ANTHROPIC, _OPENAI, DOCUMENTS.map(str.encode), st.binary(max_size=20))


@given(BODIES)
def test_splitting_loses_nothing(body: bytes) -> None:
    prompt = split(body)
    lossless(prompt, body)
    assert bool(prompt.problem) == (prompt.dialect is None)
    for segment in prompt.segments:
        found = prompt.root.find(segment.path)
        names = [member.name for member in prompt.root.members]
        if len(set(names)) == len(names):
            assert found is not None
            assert found.raw == segment.raw
        assert len(segment.key) == 64
        assert segment.value.raw == segment.raw


def edited(body: bytes, data: st.DataObject) -> bytes:
    start = data.draw(st.integers(0, len(body)))
    end = data.draw(st.integers(start, min(len(body), start + 8)))
    pieces = [
        b"",
        b"x",
        b'"',
        b"]",
        b"}",
        b",",
        b" ",
        b"{}",
        b'"a",',
        b'],"model":"n","input":[',
        body[start:end] * 2,
        b'{"role":"user","content":"new"},',
    ]
    return body[:start] + data.draw(st.sampled_from(pieces)) + body[end:]


@given(BODIES, st.data())
def test_splitting_with_a_parent_gives_the_same_prompt_for_any_edit(
    body: bytes, data: st.DataObject
) -> None:
    for _ in range(3):
        parent, parents_body = split(body), body
        body = edited(body, data)
        chained = split(body, parent=parent)
        alone = split(body)
        assert chained == alone
        assert [one.key for one in chained.segments] == [one.key for one in alone.segments]
        assert (chained.tail, chained.unknown, chained.dialect) == (
            alone.tail,
            alone.unknown,
            alone.dialect,
        )
        lossless(chained, body)
        lossless(parent, parents_body)


@given(st.one_of(_ANTHROPIC, _OPENAI), st.lists(st.integers(0, 200), max_size=6))
def test_a_long_chain_of_cuts_and_growth_stays_exact(body: bytes, cuts: list[int]) -> None:
    parent = split(body)
    for cut in cuts:
        grown = body.replace(b'"role":"user"', b'"role":"assistant"', cut % 7) if cut % 2 else body
        parent = split(grown, parent=parent)
        assert parent == split(grown)


# --- keys ---------------------------------------------------------------------------------------------


def test_a_bare_string_means_its_one_text_block() -> None:
    assert (
        key(messages("hi"))
        == key(messages([{"type": "text", "text": "hi"}]))
        == key(messages([{"type": "text", "text": "hi", "cache_control": MARK}]))
    )
    assert key(messages("")) == key(messages([{"type": "text", "text": ""}]))
    one, two = (
        messages(system="s").segments,
        messages(system=[{"type": "text", "text": "s", "cache_control": MARK}]).segments,
    )
    assert [segment.key for segment in one] == [segment.key for segment in two]


def test_a_tool_results_string_means_its_one_text_block() -> None:
    block = {"type": "tool_result", "tool_use_id": "t"}
    listed_text = [{"type": "text", "text": "r", "cache_control": MARK}]
    assert key(messages([{**block, "content": "r"}])) == key(
        messages([{**block, "content": listed_text}])
    )


def test_a_cache_mark_is_no_part_of_the_meaning_but_is_seen() -> None:
    bare = {"type": "tool_use", "id": "t", "name": "n", "input": {"cache_control": 1}}
    plain = messages([bare])
    marked = messages([{**bare, "cache_control": MARK}])
    assert key(plain) == key(marked)
    assert [one.segments[0].breakpoint for one in (plain, marked)] == [
        None,
        b'{"type":"ephemeral"}',
    ]
    assert key(plain) != key(messages([{**bare, "input": {}}]))


def test_a_mark_on_the_last_block_of_a_tool_result_is_the_results_mark() -> None:
    content = [{"type": "text", "text": "r", "cache_control": MARK}]
    (segment,) = messages(
        [{"type": "tool_result", "tool_use_id": "t", "content": content}]
    ).segments
    assert segment.breakpoint == b'{"type":"ephemeral"}'


def test_a_tools_property_called_cache_control_is_no_mark() -> None:
    schema = {"type": "object", "properties": {"cache_control": {"type": "string"}}}
    tool = {"name": "n", "input_schema": schema}
    plain, other = (
        messages(tools=[tool]),
        messages(tools=[{"name": "n", "input_schema": {"type": "object", "properties": {}}}]),
    )
    assert plain.segments[0].breakpoint is None
    assert key(plain) != key(other)


@pytest.mark.parametrize(
    "other",
    [
        b'{"max_tokens":1,"messages":[{"role":"assistant","content":[{"type":"text","text":"a"}]}]}',
        b'{"max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"b"}]}]}',
        b'{"max_tokens":1,"messages":[{"role":"user","content":[{"text":"a","type":"text"}]}]}',
        b'{"max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"a"}],"output_config":{"effort":"low"}}]}',
        b'{"max_tokens":1,"messages":[{"role":"user","content":[]}]}',
        b'{"max_tokens":1,"messages":[],"system":"a"}',
    ],
)
def test_role_words_key_order_and_message_members_are_part_of_the_meaning(other: bytes) -> None:
    assert key(split(other)) != key(messages([{"type": "text", "text": "a"}]))


def test_whether_a_segment_opens_its_message_is_part_of_the_meaning() -> None:
    first, second = messages(
        [{"type": "text", "text": "a"}, {"type": "text", "text": "a"}]
    ).segments
    assert (first.opens_message, second.opens_message) == (True, False)
    assert first.key != second.key


def test_spelling_and_white_space_are_no_part_of_the_meaning() -> None:
    loose = b'{ "max_tokens" : 1, "messages" : [ { "role" : "user" , "content" : [ { "type" : "te\\u0078t", "text" : "\\u0061\\/" } ] } ] }'
    tight = b'{"max_tokens":1,"messages":[{"content":"a/","role":"user"}]}'
    assert key(split(loose)) == key(split(tight))


@given(DOCUMENTS)
def test_canonical_text_is_the_same_value_written_in_one_way(text: str) -> None:
    once = canonical(text.encode())
    assert canonical(once) == once
    assert json.loads(once, parse_int=str, parse_float=str, object_pairs_hook=list) == json.loads(
        text, parse_int=str, parse_float=str, object_pairs_hook=list
    )


@given(VALUES, VALUES, st.sampled_from(["tools", "system", "messages"]))
def test_equal_keys_mean_equal_values(one: str, other: str, section: str) -> None:
    def split_one(raw: str) -> Segment:
        inner = f'{{"role":"user","content":[{raw}]}}' if section == "messages" else raw
        return split(f'{{"messages":[],"{section}":[{inner}]}}'.encode(), ANTHROPIC).segments[-1]

    first, second = split_one(one), split_one(other)
    same = canonical(first.raw) == canonical(second.raw)
    unmarked = not any(word in one + other for word in ("cache_control", "tool_result", '"text"'))
    assert (first.key == second.key) == same or not unmarked


# --- what the parts of a body are ---------------------------------------------------------------------


def outline(prompt: Prompt) -> list[tuple[str, str, str | None, bool]]:
    return [(one.path, one.section, one.role, one.opens_message) for one in prompt.segments]


def test_segments_stand_in_wire_order_and_params_are_the_rest() -> None:
    body: Any = {
        "model": "m",
        "messages": [
            {"role": "user", "content": "q"},
            {
                "role": "system",
                "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
            },
        ],
        "system": [{"type": "text", "text": "s"}],
        "tools": [],
        "stream": True,
    }
    prompt = split(dump(body))
    assert outline(prompt) == [
        ("/messages/0/content", "messages", "user", True),
        ("/messages/1/content/0", "messages", "system", True),
        ("/messages/1/content/1", "messages", "system", False),
        ("/system/0", "system", None, False),
    ]
    assert prompt.params == (
        Param("model", "string", b'"m"', 0),
        Param("stream", "true", b"true", 4),
    )
    assert (prompt.model, prompt.dialect, prompt.unknown) == ("m", ANTHROPIC, ())


def test_an_empty_message_is_one_empty_segment() -> None:
    prompt = messages([], "")
    assert outline(prompt) == [
        ("/messages/0/content", "messages", "user", True),
        ("/messages/1/content", "messages", "user", True),
    ]
    assert [segment.raw for segment in prompt.segments] == [b"[]", b'""']


def test_tools_nested_in_items_and_namespaces_are_segments() -> None:
    functions: Any = [{"type": "function", "name": name, "parameters": {}} for name in "ab"]
    spaces: Any = [
        {"type": "namespace", "name": "n", "description": "d", "tools": functions},
        {"type": "custom", "name": "c"},
        {"type": "namespace", "name": "e", "tools": []},
    ]
    body: Any = {
        "type": "response.create",
        "model": "m",
        "instructions": "i",
        "tools": [spaces[0]],
        "input": [{"type": "additional_tools", "id": "at_1", "role": "developer", "tools": spaces}],
    }
    prompt = split(dump(body))
    assert prompt.dialect is OPENAI
    assert outline(prompt) == [
        ("/instructions", "system", "developer", False),
        ("/tools/0/tools/0", "tools", None, False),
        ("/tools/0/tools/1", "tools", None, False),
        ("/input/0/tools/0/tools/0", "tools", "developer", True),
        ("/input/0/tools/0/tools/1", "tools", "developer", False),
        ("/input/0/tools/1", "tools", "developer", False),
        ("/input/0/tools/2", "tools", "developer", False),
    ]
    renamed = split(dump(body).replace(b'"description":"d"', b'"description":"D"'))
    same = [
        one.key == other.key for one, other in zip(prompt.segments, renamed.segments, strict=True)
    ]
    assert same == [True, False, False, False, False, True, True]


def test_the_items_of_a_conversation_are_segments() -> None:
    items: Any = [
        {
            "type": "message",
            "id": "m1",
            "role": "user",
            "content": [
                {"type": "input_text", "text": "q"},
                {"type": "input_image", "image_url": "data:"},
            ],
        },
        {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "e"},
        {"type": "function_call", "id": "f", "call_id": "c", "name": "n", "arguments": "{}"},
        {
            "type": "function_call_output",
            "id": "o",
            "call_id": "c",
            "output": [{"type": "input_text", "text": "r"}],
        },
        {"role": "assistant", "content": "a"},
    ]
    prompt = split(dump({"model": "m", "input": items}))
    assert outline(prompt) == [
        ("/input/0/content/0", "messages", "user", True),
        ("/input/0/content/1", "messages", "user", False),
        ("/input/1", "messages", "assistant", True),
        ("/input/2", "messages", "assistant", True),
        ("/input/3", "messages", "tool", True),
        ("/input/4/content", "messages", "assistant", True),
    ]
    assert prompt.unknown == ()
    bare = split(dump({"model": "m", "input": "q"}))
    assert key(bare) == key(
        split(
            dump(
                {
                    "model": "m",
                    "input": [
                        {
                            "type": "message",
                            "role": "user",
                            "content": [{"type": "input_text", "text": "q"}],
                        }
                    ],
                }
            )
        )
    )
    assert (
        prompt.segments[5].key
        == split(
            dump(
                {
                    "model": "m",
                    "input": [
                        {"role": "assistant", "content": [{"type": "output_text", "text": "a"}]}
                    ],
                }
            )
        )
        .segments[0]
        .key
    )


def test_unknown_fields_are_kept_and_reported() -> None:
    content = [
        {"type": "text", "text": "t", "new": 1},
        {"type": "hologram"},
        {
            "type": "tool_result",
            "tool_use_id": "t",
            "content": [{"type": "text", "text": "r", "x/y": 1}],
        },
    ]
    tools: Any = [{"name": "n", "input_schema": {}, "shiny": True}]
    body: Any = {
        "max_tokens": 1,
        "messages": [{"role": "user", "content": content, "mood": "good"}, {"role": "user"}],
        "tools": tools,
        "turbo": 1,
    }
    assert split(dump(body)).unknown == (
        "/turbo",
        "/messages/0/mood",
        "/messages/0/content/0/new",
        "/messages/0/content/1/type",
        "/messages/0/content/2/content/0/x~1y",
        "/messages/1",
        "/tools/0/shiny",
    )
    items: Any = [
        {"type": "message", "role": "user", "content": [{"type": "smell"}], "x": 1},
        {"type": "teleport"},
        5,
    ]
    assert split(dump({"model": "m", "input": items, "warp": 9})).unknown == (
        "/warp",
        "/input/0/x",
        "/input/0/content/0/type",
        "/input/1/type",
        "/input/2",
    )
    assert split(b'{"messages":[],"messages":[]}').unknown == ("/messages",)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "invalid JSON: ends too early, at byte 0"),
        (b"[1]", "no model request: a JSON array"),
        (b"{}", "no model request: a JSON object of nothing"),
        (b'{"events":[]}', "no model request: a JSON object of events"),
        (b'{"messages":[],"max_tokens":1}x', "invalid JSON: unexpected text at byte 30"),
        (b'{"messages":["\xff"]}', "invalid JSON: no UTF-8 at byte 14"),
        (
            b'{"model":"m","messages":[],"max_completion_tokens":1}',
            "no model request: a JSON object of model, messages, max_completion_tokens",
        ),
        (
            b'{"model":"m","input":"x","encoding_format":"float"}',
            "no model request: a JSON object of model, input, encoding_format",
        ),
    ],
)
def test_a_body_that_is_no_model_request_is_kept_with_the_reason(body: bytes, problem: str) -> None:
    prompt = split(body)
    assert (prompt.body, prompt.segments, prompt.problem, prompt.params) == (body, (), problem, ())


def test_a_pointer_into_a_segment_finds_it() -> None:
    prompt = messages([{"type": "text", "text": "a"}], "b")
    assert [
        one and one.path
        for one in map(
            prompt.at,
            ("/messages/0/content/0/text", "/messages/1/content", "/messages/2", "/model"),
        )
    ] == ["/messages/0/content/0", "/messages/1/content", None, None]


# --- chains -------------------------------------------------------------------------------------------


def conversation(turns: int) -> list[bytes]:
    """Bodies that grow by a message with a moving cache mark, as Claude Code's do."""
    bodies: list[bytes] = []
    for turn in range(1, turns + 1):
        said: list[dict[str, Any]] = [
            {"role": "user", "content": f"{number} " + "x" * 2000} for number in range(turn)
        ]
        said[-1]["content"] = [{"type": "text", "text": said[-1]["content"], "cache_control": MARK}]
        bodies.append(dump({"model": "m", "system": "s" * 2000, "messages": said, "max_tokens": 1}))
    return bodies


def test_a_chain_shares_all_but_the_last_messages_with_its_parent() -> None:
    prompt: Prompt | None = None
    for turn, body in enumerate(conversation(12), 1):
        prompt = split(body, parent=prompt)
        assert prompt == split(body)
        assert prompt.shared == max(0, turn - 1)
        assert len(prompt) == turn + 1


@pytest.mark.parametrize("change", ["edited", "inserted", "deleted", "emptied"])
def test_one_changed_message_leaves_the_segments_around_it_shared(change: str) -> None:
    said: list[Any] = [{"role": "user", "content": str(number), "x": 1} for number in range(20)]
    body: Any = {"model": "m", "messages": said, "max_tokens": 1}
    parent = split(dump(body))
    said[7:8] = {
        "edited": [
            {
                "role": "user",
                "content": [{"type": "text", "text": "new"}, {"type": "text", "text": "two"}],
            }
        ],
        "inserted": [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "two"},
            said[7],
        ],
        "deleted": [],
        "emptied": [{"role": "user", "content": []}],
    }[change]
    child = split(dump(body), parent=parent)
    assert child == split(dump(body))
    assert child.unknown == split(dump(body)).unknown
    assert child.shared in {6, 7}
    kept = {segment.raw for segment in parent.segments} & {
        segment.raw for segment in child.segments
    }
    raws = {id(segment.raw) for segment in parent.segments}
    assert sum(id(segment.raw) in raws for segment in child.segments) >= len(kept) - 2


def test_a_chain_holds_memory_for_its_distinct_bytes() -> None:
    bodies = conversation(150)
    prompts: list[Prompt] = []
    tracemalloc.start()
    for number in range(len(bodies)):
        prompts.append(split(bodies[number], parent=prompts[-1] if prompts else None))
        bodies[number] = b""
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    last = len(prompts[-1].body)
    assert held < 3 * last
    assert sum(len(prompt.body) for prompt in prompts) > 60 * last


def test_a_body_in_another_dialect_shares_nothing() -> None:
    parent = split(
        b'{"model":"m","tools":[{"name":"a"},{"name":"b"}],"messages":[],"max_tokens":1}'
    )
    child = split(b'{"model":"m","tools":[{"name":"a"},{"name":"b"}],"input":[]}', parent=parent)
    assert (child.dialect, child.shared) == (OPENAI, 0)
    assert child == split(child.body)


def test_a_given_dialect_is_taken_whatever_the_shape() -> None:
    assert (
        split(b'{"model":"m","input":[]}', ANTHROPIC).problem
        == "no model request: a JSON object of model, input"
    )
    assert {dialect.name for dialect in DIALECTS} == {"anthropic", "openai"}
