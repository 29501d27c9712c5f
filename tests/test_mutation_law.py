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
    characters = [item for item in mutation.mutations(body) if not item.inside]
    assert [(item.path, item.applied(body)) for item in characters] == [
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


def test_of_every_container_parts_are_put_in_left_out_and_swapped() -> None:
    body = b'{"a":[1,2,3],"b":{},"c":[0]}'
    frames = [item for item in mutation.mutations(body) if item.inside]
    assert [(item.path, item.applied(body)) for item in frames] == [
        ("", b'{"+new":0,"a":[1,2,3],"b":{},"c":[0]}'),
        ("", b'{"a":[1,2,3],"c":[0]}'),
        ("", b'{"b":{},"a":[1,2,3],"c":[0]}'),
        ("/a", b'{"a":["+new",1,2,3],"b":{},"c":[0]}'),
        ("/a", b'{"a":[1,3],"b":{},"c":[0]}'),
        ("/a", b'{"a":[2,1,3],"b":{},"c":[0]}'),
        ("/b", b'{"a":[1,2,3],"b":{"+new":0},"c":[0]}'),
        ("/c", b'{"a":[1,2,3],"b":{},"c":["+new",0]}'),
        ("/c", b'{"a":[1,2,3],"b":{},"c":[]}'),
    ]


def test_a_swap_in_a_map_of_random_order_is_left_out_and_nothing_else_of_it(
    recording: Recording,
) -> None:
    request = main(recording)[0]
    assert request.built is not None
    assert request.built.unordered == ("/client_metadata",)
    law, tally = mutation._Law(request.built, request.captured, {}), Tally()
    below = [
        item
        for item in mutation.mutations(request.captured)
        if item.path == "/client_metadata" and item.inside
    ]
    left_out = [law.left_out(item, tally) for item in below]
    assert (left_out, tally.masked) == ([False, False, True], 1)
    assert [law.noticed(item) for item in below] == [True, True, False]


def test_what_differs_already_proves_nothing_and_is_counted() -> None:
    built = encode({"a": {"b": "x", "c": [1]}, "d": 1, "e": 5})
    body = b'{"a":{"b":"y","c":[1],"f":[{"g":1}]},"d":1,"e":5}'
    law, tally = mutation._Law(built, body, {}), Tally()
    judged = [item for item in mutation.mutations(body) if not law.left_out(item, tally)]
    assert all(law.noticed(item) and law.noticed_whole(item) for item in judged)
    paths = {item.path for item in judged}
    assert (paths, tally.different) == ({"", "/a", "/a/c", "/a/c/0", "/d", "/e"}, 9)


def test_a_change_beside_a_difference_must_be_noticed_itself() -> None:
    built = encode({"a": Raw("0", Origin(Kind.ADOPTED, "echo")), "b": "x"})
    law = mutation._Law(built, b'{"a":{"c":"free"},"b":"y"}', {})
    assert not law.noticed(Mutation("/a/c", 11, 12, b"F"))
    assert not law.noticed_whole(Mutation("/a/c", 11, 12, b"F"))


def test_masked_characters_are_left_alone() -> None:
    mask = Mask(Kind.MASK, "id", "[a-z]+", 9, recurs=False)
    value: Value = {
        "a": text("cc=", FILE) + Text((Piece("⟦⟧", mask),)),
        "b": Text((Piece("⟦⟧", mask),)),
    }
    body = b'{"a":"cc=abc","b":"abc"}'
    spans = compare(encode(value), body).masked_spans
    tally = Tally()
    values = [item for item in mutation.mutations(body, spans, tally) if not item.inside]
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
