"""A reply's secret is found also where events cut it."""

import json
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector import redact

SECRET = "sk-ant-api03-" + "Ab1_" * 8


def sse(events: list[dict[str, object]]) -> bytes:
    return b"".join(
        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events
    )


def deltas(data: bytes, *path: str) -> str:
    out = ""
    for line in data.decode().splitlines():
        if line.startswith("data: "):
            value = json.loads(line[6:])
            for name in path:
                value = value.get(name, {})
            out += value if isinstance(value, str) else ""
    return out


@settings(max_examples=100, deadline=None)
@given(
    cuts=st.sets(st.integers(0, len(SECRET) + 20), max_size=12),
    kind=st.sampled_from(["text", "partial_json", "thinking"]),
)
def test_a_secret_cut_into_events_goes_whole(cuts: set[int], kind: str) -> None:
    whole = f'é "key": {SECRET}\nend'
    pieces = [
        whole[a:b]
        for a, b in pairwise(sorted({0, len(whole), *(cut for cut in cuts if cut < len(whole))}))
    ]
    events: list[dict[str, object]] = [{"type": "message_start"}]
    for piece in pieces:
        events.extend(
            (
                {"type": "content_block_delta", "index": 0, "delta": {"type": "d", kind: piece}},
                {"type": "ping"},
            )
        )
    clean, count = redact.stream(sse(events))
    assert (deltas(clean, "delta", kind), count) == (
        whole.replace(SECRET, redact.stand_in(SECRET)),
        1,
    )
    assert redact.stream(clean) == (clean, 0)


def test_texts_of_different_blocks_are_not_joined() -> None:
    events: list[dict[str, object]] = [
        {
            "type": "content_block_delta",
            "index": index,
            "delta": {"type": "text_delta", "text": part},
        }
        for index, part in enumerate((SECRET[:20], SECRET[20:]))
    ]
    assert redact.stream(sse(events)) == (sse(events), 0)


def test_responses_deltas_are_joined_by_item() -> None:
    events: list[dict[str, object]] = [
        {
            "type": "response.output_text.delta",
            "item_id": "i",
            "output_index": 0,
            "content_index": 0,
            "delta": part,
        }
        for part in ("a ", SECRET[:9], SECRET[9:], " b")
    ]
    clean, count = redact.stream(sse(events))
    assert (deltas(clean, "delta"), count) == (f"a {redact.stand_in(SECRET)} b", 1)


def test_a_short_given_secret_keeps_its_stand_in_whole() -> None:
    given_values = redact.NOTHING_GIVEN.more(["hunter2!"])
    events: list[dict[str, object]] = [
        {"type": "content_block_delta", "index": 0, "delta": {"text": part}}
        for part in ("<hun", "ter2!>")
    ]
    clean, _ = redact.stream(sse(events), given_values)
    assert deltas(clean, "delta", "text") == f"<{redact.stand_in('hunter2!')}>"


def test_what_is_no_event_stream_is_searched_as_it_stands() -> None:
    assert redact.stream(b"data: no JSON delta\n" + SECRET.encode()) == (
        b"data: no JSON delta\n" + redact.stand_in(SECRET).encode(),
        1,
    )
