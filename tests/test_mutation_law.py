from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.named import Found
from inspector.session import Recording
from inspector.snapshot import SnapshotTree
from inspector.text import Kind, Mask, Origin, Piece, Raw, Text, Value, encode, text
from inspector.verify import RequestReport, compare, verify
from tests import made
from tests.golden import mutation, workspace_law
from tests.golden.mutation import Mutation, Tally

FILE = Origin(Kind.FILE, "/ws/CLAUDE.md")


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    return made.recording(tmp_path)


def main(recording: Recording) -> tuple[RequestReport, ...]:
    return verify(recording, {}, SnapshotTree).requests


def test_every_string_number_constant_and_key_is_changed() -> None:
    body = b'{"a":"xy","b":[1.5e3,true,null,""],"\\n":"\\u00e9"}'
    assert [(item.path, item.applied(body)) for item in mutation.mutations(body)] == [
        ("/a", b'{"b":"xy","b":[1.5e3,true,null,""],"\\n":"\\u00e9"}'),
        ("/b", b'{"a":"xy","c":[1.5e3,true,null,""],"\\n":"\\u00e9"}'),
        ("/\n", b'{"a":"xy","b":[1.5e3,true,null,""],"\\nx":"\\u00e9"}'),
        ("/a", b'{"a":"xz","b":[1.5e3,true,null,""],"\\n":"\\u00e9"}'),
        ("/b/0", b'{"a":"xy","b":[1.5e4,true,null,""],"\\n":"\\u00e9"}'),
        ("/b/1", b'{"a":"xy","b":[1.5e3,false,null,""],"\\n":"\\u00e9"}'),
        ("/b/2", b'{"a":"xy","b":[1.5e3,true,true,""],"\\n":"\\u00e9"}'),
        ("/b/3", b'{"a":"xy","b":[1.5e3,true,null,"x"],"\\n":"\\u00e9"}'),
        ("/\n", b'{"a":"xy","b":[1.5e3,true,null,""],"\\n":"\\u00e9x"}'),
    ]


def test_masked_characters_are_left_alone() -> None:
    mask = Mask(Kind.MASK, "id", "[a-z]+", 9, recurs=False)
    value: Value = {
        "a": text("cc=", FILE) + Text((Piece("⟦⟧", mask),)),
        "b": Text((Piece("⟦⟧", mask),)),
    }
    body = b'{"a":"cc=abc","b":"abc"}'
    spans = compare(encode(value), body).masked_spans
    tally = Tally()
    values = [item for item in mutation.mutations(body, spans, tally) if item.data != b"b"]
    assert [item.path for item in values if item.start > 4] == ["/b", "/a"]
    assert tally.masked == 1


def test_every_change_of_an_exact_request_is_noticed(recording: Recording) -> None:
    tally = Tally()
    for request in main(recording):
        mutation.hold(request, tally)
    assert tally.missed == []
    assert tally.tried > 400
    assert tally.percent == 100.0


def test_a_place_verify_is_blind_to_is_a_miss() -> None:
    blind = Origin(Kind.ADOPTED, "echo")
    built = encode({"a": Raw("0", blind), "b": "x"})
    law = mutation._Law(built, b'{"a":{"c":"free"},"b":"x"}', {})
    assert not law.noticed(Mutation("/a/c", 11, 12, b"F"))
    assert law.noticed(Mutation("/b", 23, 24, b"y"))


def test_a_change_in_the_workspace_is_held_to_its_places(recording: Recording) -> None:
    tally = Tally()
    workspace_law.hold(Found(recording), main(recording), tally)
    assert (tally.missed, tally.tried) == ([], 2)


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=4),
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=2), below, max_size=3)
    ),
    max_leaves=8,
)


@given(JSONS)
def test_whatever_changes_in_any_body_is_noticed_near_its_place(value: Value) -> None:
    built = encode(value)
    law = mutation._Law(built, built.body, {})
    for change in mutation.mutations(built.body):
        assert law.noticed(change)
        assert law.noticed_whole(change)
