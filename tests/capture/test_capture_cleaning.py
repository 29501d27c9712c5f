"""Secrets leave a growing conversation as surely as they leave each body looked at alone."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector import redact
from inspector.capture import cleaning
from inspector.capture.cleaning import Cleaner, shared
from inspector.session import Exchange

SECRETS = (
    "sk-ant-api03-" + "Ab1_" * 12,
    "ghp_" + "a1B2" * 9,
    "AKIA" + "ABCD1234EFGH5678",
    '{"authorization":"Bearer abcdefghijkl"}',
    '"x-api-key": "0123456789abcdef"',
    "https://user:hunter2hunter2@host/x",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE" + "abcd" * 30 + "\n-----END RSA PRIVATE KEY-----",
    "my own given secret",
)
GIVEN = redact.NOTHING_GIVEN.more(["my own given secret"])


def exchange(body: bytes) -> Exchange:
    return Exchange("i", "s", 1, "POST", "https://h/v1/messages", (("a", "b"),), body, body, "", "")


def whole(body: bytes, known: redact.Given = GIVEN) -> Exchange:
    return redact.exchange(exchange(body), known)


def plain(text: str) -> str:
    return text * 40


texts = st.one_of(st.text('ab "\\/=:-\n{}_é', max_size=30).map(plain), st.sampled_from(SECRETS))
edits = st.tuples(
    st.sampled_from(["append", "change", "drop", "again"]), st.lists(texts, max_size=3)
)


@given(st.lists(edits, min_size=2, max_size=8), st.booleans())
@settings(max_examples=80, deadline=None)
def test_a_body_is_cleaned_as_if_it_stood_alone(
    steps: list[tuple[str, list[str]]], escaped: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cleaning, "OVERLAP", 512)  # so that small bodies are looked at in part
        cleaner, messages = Cleaner(GIVEN), list[str]()
        for act, more in steps:
            if act == "append":
                messages += more
            elif act == "change" and messages:
                messages[len(messages) // 2 :] = more
            elif act == "drop":
                messages = messages[: len(messages) // 2]
            body = json.dumps({"m": messages, "t": ["tail"] * 50}, ensure_ascii=escaped).encode()
            assert cleaner.request(exchange(body)) == whole(body)


def test_what_was_seen_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    real = redact.data

    def data(body: bytes, known: redact.Given) -> tuple[bytes, int]:
        looked.append(len(body))
        return real(body, known)

    monkeypatch.setattr(redact, "data", data)
    cleaner = Cleaner(GIVEN)
    first = json.dumps(["word " * 100] * 1000).encode()
    second = first[:-1] + b', "more"]'
    for body in (first, second):
        assert cleaner.request(exchange(body)).request == body
    assert looked[0] == len(first)
    assert max(looked[1:]) < cleaning.OVERLAP + 1000


def test_a_key_in_a_later_header_is_looked_for_in_all_of_the_body_again() -> None:
    cleaner = Cleaner(redact.NOTHING_GIVEN)
    body = json.dumps(["opaque-token-of-mine", *["word " * 100] * 1000]).encode()
    assert cleaner.request(exchange(body)).request == body
    late = replace(exchange(body), request_headers=(("x-api-key", "opaque-token-of-mine"),))
    assert b"opaque-token-of-mine" not in cleaner.request(late).request


@given(st.binary(max_size=60), st.binary(max_size=60), st.binary(max_size=60))
def test_the_shared_start_of_two_bodies_is_as_long_as_it_can_be(
    start: bytes, one: bytes, other: bytes
) -> None:
    left, right = start + one, start + other
    length = shared(left, right)
    assert left[:length] == right[:length]
    assert length >= len(start)
    assert length == min(len(left), len(right)) or left[length] != right[length]
