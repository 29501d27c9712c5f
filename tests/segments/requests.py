"""Requests for tests: small ones by hand, and generated ones in every spelling JSON allows."""

import json
from typing import Any

from hypothesis import strategies as st

from inspector.segments import Prompt
from inspector.wire import named, split
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


def outline(prompt: Prompt) -> list[tuple[str, str, str | None, bool]]:
    return [(one.path, one.section, one.role, one.opens_message) for one in prompt.segments]


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


CLAUDE_BODIES = st.one_of(
    _request('"max_tokens":1'),
    listed(_MESSAGES, 8).map(lambda m: f'{{"model":"m","messages":{m},"max_tokens":1}}'.encode()),
)
CODEX_BODIES = st.one_of(
    _request('"model":"m"'),
    listed(_ITEMS, 8).map(lambda items: f'{{"model":"m","input":{items},"store":false}}'.encode()),
)
BODIES = st.one_of(CLAUDE_BODIES, CODEX_BODIES, DOCUMENTS.map(str.encode), st.binary(max_size=20))
