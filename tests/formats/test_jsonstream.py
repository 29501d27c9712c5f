import io
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.formats.jsonstream import Damaged, Reader


class Dripping:
    """A file that gives a few bytes at a time, whatever it is asked for."""

    def __init__(self, data: bytes, step: int) -> None:
        self._file, self._step = io.BytesIO(data), step

    def read(self, _: int, /) -> bytes:
        return self._file.read(self._step)


def drain(reader: Reader) -> None:
    for _ in reader.items():
        reader.value()


documents: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(st.lists(documents), st.integers(1, 9), st.sampled_from([None, 1]), st.booleans())
def test_items_come_as_they_are_written_however_the_file_is_cut(
    values: list[object], step: int, indent: int | None, ascii_only: bool
) -> None:
    data = json.dumps(values, indent=indent, ensure_ascii=ascii_only).encode()
    reader = Reader(Dripping(data, step))
    found: list[bytes] = []
    for at in reader.items():
        found.append(reader.value())
        assert data[at : at + len(found[-1])] == found[-1]
    assert [json.loads(item) for item in found] == values
    assert (reader.peek(), reader.offset) == (None, len(data))


@given(st.dictionaries(st.text(), documents), st.integers(1, 9))
def test_members_are_named_and_skipped_however_the_file_is_cut(
    values: dict[str, object], step: int
) -> None:
    reader = Reader(Dripping(b"\xef\xbb\xbf" + json.dumps(values).encode(), step))
    names: list[str] = []
    for name in reader.members():
        names.append(json.loads(name))
        reader.skip()
    assert (names, reader.peek()) == (list(values), None)


@pytest.mark.parametrize(
    ("data", "at", "reason"),
    [
        (b'[{"a": 1}, {"b', 14, "the file ends inside the value at byte 11"),
        (b'[{"a": 1}', 9, "the file ends where ,] should stand"),
        (b'[{"a": "x" Y}]', 11, "byte 0x59 stands where JSON should"),
        (b"[?]", 1, "byte 0x3f stands where JSON should"),
        (b"{1}", 0, "byte 0x7b stands where [ should"),
    ],
)
def test_damage_is_named_where_it_is(data: bytes, at: int, reason: str) -> None:
    reader = Reader(io.BytesIO(data))
    with pytest.raises(Damaged) as caught:
        drain(reader)
    assert (caught.value.at, caught.value.reason) == (at, reason)


def test_a_value_that_never_ends_is_damage_and_not_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.formats.jsonstream.LARGEST", 1000)
    reader = Reader(Dripping(b'["' + b"x" * 5000, 100))
    with pytest.raises(Damaged, match="a value of more than 1000 bytes"):
        drain(reader)


@given(st.integers(1, 50), st.integers(0, 30))
def test_a_pattern_is_found_across_reads(step: int, before: int) -> None:
    data = b"." * before + b'{"start": 1}'
    reader = Reader(Dripping(data, step))
    assert reader.find(re.compile(rb'\{"start"'), 0)
    assert (reader.offset, reader.value()) == (before, b'{"start": 1}')
    assert not reader.find(re.compile(rb'\{"start"'), before + 1)
