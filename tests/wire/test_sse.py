"""Server-sent events: any chunking gives the same events."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from inspector.wire.sse import Event, Reader, events

_LINES = st.sampled_from(
    [
        "data: a",
        "data:b",
        "data:  c",
        "data",
        "data:",
        "event: e",
        "event",
        "id: 1",
        "id: x\0y",
        "id",
        ": comment",
        "retry: 5",
        "other: x",
        "",
        "",
        "data: é😀",
        "data:\ufeff",
    ]
)
_ENDS = st.sampled_from(["\n", "\r", "\r\n"])
_TEXTS = st.lists(st.tuples(_LINES, _ENDS).map("".join), max_size=12).map("".join)
STREAMS = st.tuples(
    st.sampled_from(["", "\ufeff", "\ufeff\ufeff"]),
    _TEXTS,
    st.sampled_from(["", "data: cut", "\r", "ev"]),
).map(lambda parts: "".join(parts).encode())


def reference(stream: bytes) -> list[Event]:
    """The standard's algorithm on the whole text at once."""
    text = stream.decode().removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    found: list[Event] = []
    event, data, ident = "", "", ""
    for line in text.split("\n")[:-1]:
        if not line:
            if data:
                found.append(Event(event, data.removesuffix("\n"), ident))
            event = data = ""
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            event = value
        elif name == "data":
            data += value + "\n"
        elif name == "id" and "\0" not in value:
            ident = value
    return found


@given(STREAMS, st.lists(st.integers(0, 200), max_size=8))
def test_any_chunking_gives_the_events_of_the_standard(stream: bytes, cuts: list[int]) -> None:
    reader = Reader()
    found: list[Event] = []
    places = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    for start, end in pairwise(places):
        found += reader.feed(stream[start:end])
    found += reader.close()
    assert found == reference(stream)
    assert (found, reader.cut) == events(stream)


@given(STREAMS)
def test_single_bytes_give_the_same_events_as_the_whole(stream: bytes) -> None:
    reader = Reader()
    found = [event for byte in stream for event in reader.feed(bytes([byte]))]
    assert (found + reader.close(), reader.cut) == events(stream)


def test_the_parts_of_an_event() -> None:
    stream = b"\xef\xbb\xbf: hello\nevent: ping\rid: 7\r\ndata: one\ndata:two\n\ndata: three\n\n"
    assert events(stream) == ([Event("ping", "one\ntwo", "7"), Event("", "three", "7")], False)


def test_an_event_comes_as_soon_as_its_blank_line_does() -> None:
    reader = Reader()
    assert reader.feed(b"data: a\n") == []
    assert reader.feed(b"\n") == [Event("", "a")]
    assert reader.feed(b"data: b\r\n\r\n") == [Event("", "b")]


def test_a_stream_that_ends_inside_an_event_is_cut() -> None:
    assert events(b"data: a\n\ndata: b\n") == ([Event("", "a")], True)
    assert events(b"data: a\n\ndata: b") == ([Event("", "a")], True)
    assert events(b"data: a\n\nevent: b\n") == ([Event("", "a")], True)
    assert events(b"data: a\n\n: only a comment\n") == ([Event("", "a")], False)
    assert events(b"data: a\r\r") == ([Event("", "a")], False)
    assert events(b"") == ([], False)
    assert events(b"\xef\xbb") == ([], True)


def test_bytes_that_are_no_text_become_replacement_characters() -> None:
    assert events(b"data: \xff\xc3\n\n") == ([Event("", "��")], False)
