"""The two encoders the clients have, JavaScript's judged by node itself."""

import json
import subprocess
from collections.abc import Iterator
from typing import IO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.jsontext import (
    JSON,
    Number,
    dumps,
    javascript,
    javascript_number,
    javascript_order,
    loads,
    serde,
    serde_number,
)
from tests.documents import DOCUMENTS, KEYS, NUMBERS

_ECHO = """
require('readline').createInterface({input: process.stdin}).on('line', line =>
  console.log(JSON.stringify(JSON.stringify(JSON.parse(JSON.parse(line))))))
"""


class NodeEcho:
    """One node process that parses and writes a document a line."""

    def __init__(self, write: IO[str], read: IO[str]) -> None:
        self._write, self._read = write, read

    def __call__(self, text: str) -> str:
        self._write.write(json.dumps(text) + "\n")
        self._write.flush()
        written: str = json.loads(self._read.readline())
        return written


@pytest.fixture(scope="module")
def node() -> Iterator[NodeEcho]:
    process = subprocess.Popen(
        ["node", "-e", _ECHO], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdin
    assert process.stdout
    with process:
        yield NodeEcho(process.stdin, process.stdout)
        process.stdin.close()


@given(text=DOCUMENTS)
def test_javascript_writes_what_node_writes(node: NodeEcho, text: str) -> None:
    assert javascript(text) == node(text)


@given(numbers=st.lists(NUMBERS, min_size=1, max_size=30))
def test_javascript_numbers_are_written_as_node_writes_them(
    node: NodeEcho, numbers: list[str]
) -> None:
    text = f"[{','.join(numbers)}]"
    assert f"[{','.join(map(javascript_number, numbers))}]" == node(text)


@given(keys=st.lists(st.one_of(KEYS, st.integers(0, 2**33).map(lambda n: f'"{n}"')), max_size=12))
def test_javascript_orders_keys_as_node_does(node: NodeEcho, keys: list[str]) -> None:
    text = "{" + ",".join(f"{key}:{number}" for number, key in enumerate(keys)) + "}"
    read = loads(text)
    assert isinstance(read, dict)
    assert javascript_order(read) == list(json.loads(node(text)))


@given(text=DOCUMENTS)
def test_writing_twice_changes_nothing_more(text: str) -> None:
    assert javascript(javascript(text)) == javascript(text)
    assert dumps(loads(dumps(loads(text)))) == dumps(loads(text))


def test_javascript_measured_on_the_client() -> None:
    text = '{"zed":1.50,"10":1e3,"2":-0.0,"x":123456789012345678901234,"y":12345678901234567890,"s":"\\ud83d"}'
    assert (
        javascript(text)
        == '{"2":0,"10":1000,"zed":1.5,"x":1.2345678901234569e+23,"y":12345678901234567000,"s":"\\ud83d"}'
    )


def test_javascript_can_lose_proto_as_the_client_does() -> None:
    text = '{"a":{"__proto__":1,"b":2},"__proto__":{}}'
    assert javascript(text, drop_proto=True) == '{"a":{"b":2}}'
    assert javascript(text) == text


@pytest.mark.parametrize(
    ("read", "written"),
    [
        ("1e3", "1e+3"),
        ("1E3", "1e+3"),
        ("1e+3", "1e+3"),
        ("1E-3", "1e-3"),
        ("-0", "0"),
        ("-0.0", "-0.0"),
        ("2.50", "2.50"),
        ("1.0", "1.0"),
        ("0.10e5", "0.10e+5"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("-5", "-5"),
    ],
)
def test_serde_keeps_number_text_but_for_small_normalisations(read: str, written: str) -> None:
    assert serde_number(read) == written
    assert serde(f'{{"enum": [ {read} ]}}') == f'{{"enum":[{written}]}}'


def test_serde_keeps_key_order_and_the_last_of_duplicates() -> None:
    assert serde('{"b":1,"10":2,"a":"\\u00e9\\/","b":3}') == '{"b":3,"10":2,"a":"é/"}'


def test_serde_refuses_lone_surrogates_and_deep_nesting() -> None:
    assert serde('["\\\\ud83d","\\ud83d\\ude00"]') == '["\\\\ud83d","😀"]'
    for lone in ('["\\ud83d"]', '["\\\\\\ud83d"]', '{"\\ude00":1}'):
        with pytest.raises(ValueError, match="lone surrogate"):
            serde(lone)
    assert serde("[" * 127 + "]" * 127) == "[" * 127 + "]" * 127
    with pytest.raises(ValueError, match="127 levels"):
        serde("[" * 128 + "]" * 128)


def test_values_can_be_changed_between_reading_and_writing() -> None:
    value = loads('{"b":1.0,"a":[1e2]}')
    assert isinstance(value, dict)
    changed: dict[str, JSON] = dict(sorted(value.items()))
    changed["c"] = Number("0.10")
    assert dumps(changed) == '{"a":[1e2],"b":1.0,"c":0.10}'
