"""Secrets are replaced whole, everywhere, and nothing else is."""

import base64
import hashlib
import json
import zlib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector import redact
from inspector.session import Exchange
from tests.planted import TOKENS

ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
KEY_BLOCK = (
    "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIabc+/=\n" * 5 + "-----END RSA PRIVATE KEY-----"
)
SURROUNDINGS = [
    "{}",
    " {} ",
    "\n{}\n",
    'x="{}";',
    "KEY={}",
    "é{}é",
    "({})",
    "https://h/?x={}",
    "a\t{}",
]
EXCHANGE = Exchange(
    id="e", session="s", number=1, method="POST", url="https://h/v1", request_headers=(), request_wire=b"{}",
    request=b"{}", request_sha256="0", wire_sha256="0",
)  # fmt: skip


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
@pytest.mark.parametrize("around", SURROUNDINGS)
def test_a_known_kind_of_secret_goes_whole_wherever_it_stands(token: str, around: str) -> None:
    text = around.format(token)
    wanted = around.format(redact.stand_in(token))
    assert redact.data(text.encode()) == (wanted.encode(), 1)
    body = json.dumps({"a": text, "b": json.dumps([text])}, ensure_ascii=False)
    expected = json.dumps({"a": wanted, "b": json.dumps([wanted])}, ensure_ascii=False)
    assert redact.data(body.encode()) == (expected.encode(), 2)


@pytest.mark.parametrize("nested", [False, True])
def test_a_private_key_block_goes_whole_with_its_escaped_line_ends(nested: bool) -> None:
    value = json.dumps({"k": KEY_BLOCK}) if nested else KEY_BLOCK
    body, count = redact.data(json.dumps({"t": value}).encode())
    assert count == 1
    stood = json.loads(body)["t"]
    assert (json.loads(stood)["k"] if nested else stood) == redact.stand_in(KEY_BLOCK)
    assert len(redact.stand_in(KEY_BLOCK)) == len(KEY_BLOCK)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Authorization: Bearer abc.DEF-123", "abc.DEF-123"),
        ('{"authorization": "Basic dXNlcjpwYXNz"}', "dXNlcjpwYXNz"),
        ("curl -H 'x-api-key: my-own-key-1'", "my-own-key-1"),
        (
            "aws_secret_access_key = " + "wJalrXUtnFEMI/K7MDENGbPxRfiCYEXAMPLEKEYaa"[:40],
            "wJalrXUtnFEMI/K7MDENGbPxRfiCYEXAMPLEKEYaa"[:40],
        ),
        ("export AWS_SESSION_TOKEN=" + "IQoJb3JpZ2lu" * 9, "IQoJb3JpZ2lu" * 9),
        (f"AccountName=a;AccountKey={'aB3+' * 21}aw==;EndpointSuffix=x", f"{'aB3+' * 21}aw=="),
        ('{"access_token":"opaque-token-1","expires_in":1}', "opaque-token-1"),
        ("grant_type=refresh_token&refresh_token=opaque-token-2&x=1", "opaque-token-2"),
        ("postgres://app:hunter22@db.internal:5432/x", "hunter22"),
    ],
)
def test_a_secret_is_known_by_the_name_before_it(text: str, secret: str) -> None:
    assert redact.data(text.encode()) == (text.replace(secret, redact.stand_in(secret)).encode(), 1)


@pytest.mark.parametrize(
    "text",
    [
        hashlib.sha256(b"x").hexdigest(),
        "6f1c7c2e-8f0a-4b57-9c3e-0a1b2c3d4e5f",
        base64.b64encode(bytes(range(256)) * 40).decode(),
        "data:image/png;base64," + base64.b64encode(hashlib.sha512(b"y").digest() * 30).decode(),
        "task-ant-api03-fakefakefakefakefake disk-" + "a" * 40,
        "sk-learn, sk-container-id-1-wrapper-for-everything, risk-free",
        '{"signature":"EqoBCkgIARABGAIiQ' + "a" * 80 + '"}',
        '{"encrypted_content":"gAAAAAB' + "x1_-" * 40 + '"}',
        '{"id":"toolu_01A09q90qw90lq917835lq9","request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"}',
        '{"prompt_cache_key":"0199a213-81c0-7800-8aa1-bbab2a035a53"}',
        "Authorization: Bearer $TOKEN and the `authorization` header, x-api-key",
        "http://localhost:8080/a@b and git@github.com:x/y.git and https://example.com/@user",
        "see fig. SG.1 and hvs. others, xai-grok-model-name, gsk_ too, ya29.js and msg.SG.x",
        "AKIA is a prefix; Asiatic; eyJ starts every JWT; ghp_ too",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert redact.data(text.encode()) == (text.encode(), 0)


def test_given_values_go_in_every_form_they_are_written_in() -> None:
    secret = 'p"ss/wörd\\1'
    given = redact.NOTHING_GIVEN.more([secret])
    forms = [secret, json.dumps(secret, ensure_ascii=False)[1:-1], json.dumps(json.dumps(secret, ensure_ascii=False), ensure_ascii=False)[3:-3],
             "p%22ss%2Fw%C3%B6rd%5C1"]  # fmt: skip
    for form in forms:
        assert redact.data(f"<{form}>".encode(), given) == (
            f"<{redact.stand_in(secret)}>".encode(),
            1,
        )


def test_values_of_secret_variables_are_given_and_paths_and_short_ones_are_not() -> None:
    env = {
        "MY_API_KEY": "value-of-key", "GH_TOKEN": "value-of-token", "client_secret": "value-of-secret",
        "DB_PASSWORD": "value-of-password", "SSH_KEY": "/home/u/.ssh/id", "SHORT_KEY": "1234567",
        "MAX_TOKENS": "32000000", "PATH": "/usr/bin:/bin", "KEYBOARD": "us-international",
    }  # fmt: skip
    assert redact.given(env).values == {
        "value-of-key",
        "value-of-token",
        "value-of-secret",
        "value-of-password",
    }


def test_a_stand_in_is_stable_plain_and_as_long_as_the_value_from_sixteen_on() -> None:
    assert redact.stand_in("a" * 40) == redact.stand_in("a" * 40) != redact.stand_in("b" * 40)
    assert [len(redact.stand_in("é" * size)) for size in (8, 15, 16, 17, 300)] == [
        16,
        16,
        16,
        17,
        300,
    ]
    assert redact.stand_in('"\\\n' * 10).isalnum()


def test_headers_lose_credentials_and_keep_the_scheme() -> None:
    headers = (
        ("Authorization", "Bearer abcdefghijklmnopqrst"),
        ("X-Api-Key", "short"),
        ("cookie", "a=b; c=d"),
        ("anthropic-beta", "claude-code-20250219"),
        ("x-claude-code-session-id", "6f1c7c2e-8f0a-4b57-9c3e-0a1b2c3d4e5f"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("x-note", f"use {TOKENS['github']}"),
    )
    expected = (
        ("Authorization", "Bearer " + redact.stand_in("abcdefghijklmnopqrst")),
        ("X-Api-Key", redact.stand_in("short")),
        ("cookie", redact.stand_in("a=b; c=d")),
        *headers[3:6],
        ("x-note", f"use {redact.stand_in(TOKENS['github'])}"),
    )
    assert redact.headers(headers) == (expected, 4)
    assert redact.headers(expected) == (expected, 0)


def test_urls_lose_secrets_in_query_and_user_part() -> None:
    assert redact.url("https://u:pass1@h/v1?key=abc&model=m&api_key=def#key=x") == (
        f"https://u:{redact.stand_in('pass1')}@h/v1?key={redact.stand_in('abc')}&model=m&api_key={redact.stand_in('def')}#key=x",
        3,
    )
    assert redact.url("https://h/v1/messages?beta=true") == ("https://h/v1/messages?beta=true", 0)


def test_an_exchange_loses_its_own_credentials_everywhere() -> None:
    key = "an-unknown-kind-of-key"
    before = replace(
        EXCHANGE,
        url=f"https://h/v1?x={key}",
        request_headers=(("x-api-key", key),),
        request=f'{{"a":"{key}"}}'.encode(),
        request_wire=f'{{"a":"{key}"}}'.encode(),
        response_headers=(("x-echo", key),),
        response=f"data: {key}\n\n".encode(),
    )
    after = redact.exchange(before)
    assert key not in repr(after)
    assert (after.replaced, after.request_sha256) == (5, before.request_sha256)
    assert not after.intact
    assert redact.exchange(after) == after


def test_a_compressed_body_that_held_a_secret_is_kept_decoded() -> None:
    request = f'{{"a":"{TOKENS["anthropic"]}"}}'.encode()
    after = redact.exchange(replace(EXCHANGE, request=request, request_wire=zlib.compress(request)))
    assert after.request_wire == after.request == request.replace(
        TOKENS["anthropic"].encode(), redact.stand_in(TOKENS["anthropic"]).encode()
    )  # fmt: skip
    plain = replace(EXCHANGE, request=b'{"a":1}', request_wire=zlib.compress(b'{"a":1}'))
    assert redact.exchange(plain) == plain


secrets = st.sampled_from(sorted(TOKENS.values())) | st.text(
    ALNUM + '"\\/\n é', min_size=8, max_size=40
)


@settings(max_examples=300, deadline=None)
@given(secret=secrets, before=st.text(), after=st.text(), nested=st.integers(0, 2))
def test_no_planted_secret_survives_and_redacting_again_changes_nothing(
    secret: str, before: str, after: str, nested: int
) -> None:
    given = redact.NOTHING_GIVEN.more([secret])
    value: object = before + secret + after
    for _ in range(nested):
        value = json.dumps(value, ensure_ascii=False)
    body = json.dumps({"a": value}, ensure_ascii=False).encode("utf-8", "surrogatepass")
    clean, count = redact.data(body, given)
    assert count >= 1
    if nested < 2:
        for form in (secret, json.dumps(secret, ensure_ascii=False)[1:-1]):
            assert form.encode() not in clean or form in redact.stand_in(secret)
    json.loads(clean.decode("utf-8", "surrogatepass"))
    assert redact.data(clean, given) == (clean, 0)


@settings(max_examples=300, deadline=None)
@given(data=st.binary())
def test_any_bytes_may_be_redacted_again_without_a_change(data: bytes) -> None:
    clean, _ = redact.data(data)
    assert redact.data(clean) == (clean, 0)
