"""A seal stands only for what it names, and what nobody can explain goes."""

import json
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.seal import Explained, Unknown, seal, seal_body, unknown_spans, without_ids
from inspector.session import Exchange, FileVersion, Recording, Session, Snapshot
from inspector.text import Kind, Known, KnownJson, Origin, Piece, Text, encode
from inspector.turns import Prompted, Turn, Turns
from inspector.workspace import Environment, Listing

PROSE = 'The quick brown fox jumps over the lazy dog, and nobody "knows" why.\n' * 6
OTHER = "Pack my box with five dozen liquor jugs; how vexingly quick daft zebras jump! é " * 5
TOOL = '{"name":"Bash","n":1.50,"description":"' + "x" * 40 + '"}'


def known(text: str) -> Known:
    return Known(
        Kind.KNOWN, "t", sha256(text.encode("utf-8", "surrogatepass")).hexdigest(), len(text)
    )


def literal(text: str) -> Text:
    return Text((Piece(text, Origin(Kind.LITERAL, "l")),))


def value(text: str) -> dict[str, object]:
    inside = Text(
        (
            *literal("before \n").pieces,
            Piece("", known(text)),
            Piece(known(text).placeholder, known(text)),
            *literal(" é after").pieces,
        )
    )
    return {
        "system": inside,
        "tools": [KnownJson(known(TOOL))],
        "whole": KnownJson(known('"text"')),
    }


def bodies(text: str) -> tuple[bytes, bytes, list[tuple[int, int, Known]]]:
    """The body with the words, the body with seals, and where the words stand."""
    at_hand = {known(words).sha256: words for words in (text, TOOL, '"text"')}
    full, sealed = encode(value(text), at_hand), encode(value(text))  # type: ignore[arg-type]
    spans = [(run.start, run.end, run.origin) for run in full.runs if isinstance(run.origin, Known)]
    return full.body, sealed.body, spans


def exchange(body: bytes, **more: object) -> Exchange:
    base = Exchange(
        id="e", session="s", number=1, method="POST", url="https://h/v1", request_headers=(), request_wire=body,
        request=body, request_sha256=sha256(body).hexdigest(), wire_sha256=sha256(body).hexdigest(), response=b"data: x",
    )  # fmt: skip
    return replace(base, **more)  # type: ignore[arg-type]


def recording(
    *exchanges: Exchange, snapshot: Snapshot | None = None, turns: Turns | None = None
) -> Recording:
    return Recording(
        Session("s", "codex", "1", "tls", "", conversation="c"), exchanges, snapshot, turns
    )


@given(text=st.text(min_size=1))
def test_a_sealed_body_is_what_a_builder_without_the_words_makes(text: str) -> None:
    full, sealed, spans = bodies(text)
    assert seal_body(full, spans) == sealed
    json.loads(sealed)


def test_a_seal_over_other_text_is_refused() -> None:
    full, _, spans = bodies(PROSE)
    start, end, name = spans[0]
    for wrong in (
        (start, end - 1, name),
        (start + 1, end, name),
        (start, end, known("workspace text")),
    ):
        with pytest.raises(ValueError, match="what stands there is not"):
            seal_body(full, [wrong])
    with pytest.raises(ValueError, match="overlap"):
        seal_body(full, [spans[0], spans[0]])


def test_a_recording_is_sealed_and_keeps_digest_and_response() -> None:
    full, sealed, spans = bodies(PROSE)
    before = recording(exchange(full))
    after = seal(before, {"e": spans})
    assert after == recording(exchange(full, request=sealed, request_wire=sealed))
    assert after.exchanges[0].request_sha256 == sha256(full).hexdigest()
    assert seal(after, {}) == after


def body_with(*strings: str) -> bytes:
    return json.dumps({"messages": strings}, ensure_ascii=False).encode()


def test_text_that_nobody_explains_is_sealed_as_unknown() -> None:
    environment = Environment(
        client="codex", version="1", cwd="/w", home="/h", config_home="/h", date="2026-11-29"
    )
    snapshot = Snapshot(
        environment,
        {"/w/a": (FileVersion("", PROSE.encode()),)},
        listings=(Listing(server="s", tools=json.dumps({"description": PROSE[:320].upper()})),),
    )
    prompt = "".join(chr(0x4E00 + number) for number in range(400))
    turns = Turns(client="codex", version="1", turns=(Turn(events=(Prompted(text=prompt),)),))
    kept = [PROSE, f"Contents of a:\n{PROSE}", PROSE[:320].upper(), prompt, OTHER[:300]]
    body = body_with(*kept, "start " + OTHER + PROSE)
    after = seal(recording(exchange(body), snapshot=snapshot, turns=turns), {}).exchanges[0]
    unknown = "start " + OTHER
    placeholder = Unknown(sha256(unknown.encode()).hexdigest(), len(unknown)).placeholder
    assert json.loads(after.request)["messages"] == [*kept, placeholder + PROSE]


def test_text_explained_by_the_caller_stays() -> None:
    body = body_with(OTHER)
    assert seal(recording(exchange(body)), {}, [OTHER]).exchanges[0].request == body


@given(
    st.lists(
        st.sampled_from([PROSE, OTHER, "short", '"\\\n\u2028é\U0001f600' * 90]),
        min_size=1,
        max_size=4,
    )
)
def test_no_unexplained_run_over_the_limit_is_left(strings: list[str]) -> None:
    body = body_with(*strings)
    after = seal_body(body, unknown_spans(body, [], Explained([])))
    assert [text if len(text) <= 300 else "" for text in strings] == [
        text if not text.startswith("⟦unknown:") else "" for text in json.loads(after)["messages"]
    ]


DEVICE = "0123456789abcdef" * 4
SESSION = "6f1c7c2e-8f0a-4b57-9c3e-0a1b2c3d4e5f"


def test_ids_are_replaced_throughout_by_others_of_the_same_shape() -> None:
    user = json.dumps({"device_id": DEVICE, "account_uuid": "", "session_id": SESSION})
    body = json.dumps({"metadata": {"user_id": user}, "x": SESSION, "other": "a" * 64}).encode()
    before = recording(
        exchange(
            body,
            request_headers=(
                ("x-claude-code-session-id", SESSION),
                ("chatgpt-account-id", DEVICE[:32]),
            ),
            response=DEVICE.encode(),
            url=f"https://h/{SESSION}",
        ),
    )
    before = replace(before, session=replace(before.session, conversation=SESSION))
    after = without_ids(before)
    text = repr(after)
    assert DEVICE not in text
    assert SESSION not in text
    assert DEVICE[:32] not in text
    assert "a" * 64 in text
    sent = after.exchanges[0]
    assert len(sent.request) == len(body)
    assert sent.request_sha256 == sha256(sent.request).hexdigest()
    new = json.loads(sent.request)["x"]
    assert (new[14], new[19], [len(part) for part in new.split("-")]) == (
        "4",
        "9",
        [8, 4, 4, 4, 12],
    )
    assert (after.session.conversation, sent.url, sent.request_headers[0][1]) == (
        new,
        f"https://h/{new}",
        new,
    )
    assert json.loads(json.loads(sent.request)["metadata"]["user_id"])["session_id"] == new
    assert seal(before, {}, replace_ids=True).exchanges[0].request == sent.request


def test_a_recording_without_ids_stays_as_it_is() -> None:
    before = recording(exchange(b'{"session_id":"short"}'))
    assert without_ids(before) is before
