import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.jsontext import items, parse, spans

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_the_quick_cut_is_that_of_the_tree(value: Any, indent: int | None, ascii_: bool) -> None:
    separators = (",", ":") if indent is None else None
    text = json.dumps(value, indent=indent, separators=separators, ensure_ascii=ascii_)
    source = text.encode("utf-8", "surrogatepass")
    root = parse(source)
    assert spans(source) == [(one.name, one.value.start, one.value.raw) for one in root.members]
    assert items(source) == [item.raw for item in root.items]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (b'{"a":1,"a":2}', [("a", b"1"), ("a", b"2")]),
        (b'{ "a" : 1e2 }', [("a", b"1e2")]),
        (rb'{"\u0061":"\ud800"}', [("a", rb'"\ud800"')]),
        (b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}", [("a", b"[" * 5000 + b"]" * 5000)]),
        (b"[1]", []),
        (b"{}", []),
    ],
)
def test_what_the_fast_parser_would_lose_is_kept(source: bytes, found: list[Any]) -> None:
    assert [(name, raw) for name, _, raw in spans(source)] == found


@pytest.mark.parametrize("source", [b'{"a":"\xff"}', b'{"a":01}', b'{"a":1}x', b""])
def test_what_is_no_json_is_refused(source: bytes) -> None:
    with pytest.raises(ValueError, match=r"JSON|utf-8"):
        spans(source)
    with pytest.raises(ValueError, match=r"JSON|utf-8"):
        items(source)
