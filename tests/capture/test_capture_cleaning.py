"""Secrets leave a growing conversation as surely as they leave each body looked at alone."""

import hashlib
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector import redact
from inspector.capture import cleaning
from inspector.capture.cleaning import Cleaner
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
    digest = hashlib.sha256(body).hexdigest()
    clean = redact.exchange(exchange(body), known)
    return replace(clean, request_sha256=digest, wire_sha256=digest)


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
        patch.setattr(cleaning, "WINDOW", 512)  # so that small bodies are looked at in part
        patch.setattr(cleaning, "STEP", 256)
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


@pytest.mark.parametrize("secret", ["", SECRETS[0]])
def test_what_was_seen_is_not_looked_at_again(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    spans_of, is_quiet = redact.spans, redact.quiet

    def spans(body: bytes, known: redact.Given) -> list[tuple[int, int]]:
        looked.append(len(body))
        return spans_of(body, known)

    def quiet(body: bytes, known: redact.Given) -> bool:
        looked.append(len(body))
        return is_quiet(body, known)

    cleaner = Cleaner(GIVEN)
    system = ["system " * 100] * 500
    first = json.dumps({"m": [secret, *["word " * 100] * 1000], "s": system}).encode()
    second = json.dumps({"m": [secret, *["word " * 100] * 1000, "more"], "s": system}).encode()
    cleaner.request(exchange(first))
    alone = whole(second)
    monkeypatch.setattr(redact, "spans", spans)
    monkeypatch.setattr(redact, "quiet", quiet)
    assert cleaner.request(exchange(second)) == alone
    assert 0 < sum(looked) < 5000


def test_a_key_in_a_later_header_is_looked_for_in_all_of_the_body_again() -> None:
    cleaner = Cleaner(redact.NOTHING_GIVEN)
    body = json.dumps(["opaque-token-of-mine", *["word " * 100] * 1000]).encode()
    assert cleaner.request(exchange(body)).request == body
    late = replace(exchange(body), request_headers=(("x-api-key", "opaque-token-of-mine"),))
    assert b"opaque-token-of-mine" not in cleaner.request(late).request
