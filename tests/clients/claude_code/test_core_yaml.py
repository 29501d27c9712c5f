"""YAML 1.2 on PyYAML's parser; what the client itself reads stands in test_judged.py."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.clients.claude_code import core_yaml


@given(source=st.from_regex(core_yaml._SIMPLE, fullmatch=True))
def test_simple_documents_mean_the_same_without_the_parser(source: str) -> None:
    assert core_yaml._simple(source) == core_yaml._parsed(source)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("a: 017", {"a": 17}),
        ("a: 0o17", {"a": 15}),
        ("a: 12345678901234567890", {"a": 12345678901234567890.0}),
        ("a: .inf", {"a": math.inf}),
        ("a:\tb\t# c", {"a": "b"}),
        ("!tag 5", "5"),
        ("a: !!int '5'", {"a": "5"}),
        (": a", {"null": "a"}),
        ("2.50: x\ntrue: y\n? [a, b]\n: z", {"2.5": "x", "true": "y", "a,b": "z"}),
        ("a: x\u2028y\x07", {"a": "x\u2028y\x07"}),
        ("a: , b", {"a": ", b"}),
        ("<<: x", {"<<": "x"}),
        ("b: &x {c: 1}\nd:\n  <<: *x\n  e: 2", {"b": {"c": 1}, "d": {"c": 1, "e": 2}}),
    ],
)
def test_values_are_those_of_the_core_schema(source: str, value: object) -> None:
    assert core_yaml.load(source) == value


@pytest.mark.parametrize("source", ["a: b: c", "a: @b", "\ta: b", "a: [b", "a: 'b'#c", "a: *b"])
def test_what_the_client_refuses_is_refused(source: str) -> None:
    with pytest.raises(core_yaml.YAMLError):
        core_yaml.load(source)
