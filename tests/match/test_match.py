"""Matching a request with recorded ones: what may read otherwise, and what may not."""

import json
import re
from hashlib import sha256
from typing import Any

import pytest

from inspector import wire
from inspector.match import Expected, Found, Span, Terms, changing, differences, find, held
from inspector.text import Kind, Mask, Origin

NOTE = "\n\n<system-reminder>\nthe rule\n</system-reminder>"
ID_A, ID_B = "83acb4ad-592e-4302-8b34-5bb0f892ea8c", "0192b4ad-592e-4302-8b34-5bb0f892ea8c"


def body(*texts: str, **params: Any) -> bytes:
    messages = [{"role": "user", "content": [{"type": "text", "text": text}]} for text in texts]
    whole = {"model": "m", "system": "s", "tools": [], "messages": messages, **params}
    return json.dumps(whole, ensure_ascii=False).encode()


def expected(data: bytes, number: int = 1, **spans: tuple[Span, ...]) -> Expected:
    places = {f"/messages/0/content/0/{name}": found for name, found in spans.items()}
    return Expected(f"e{number}", number, wire.split(data), places)


def same(old: str, new: str, terms: Terms, *spans: Span) -> bool:
    found = held(expected(body(old), text=spans), wire.split(body(new)), terms)
    return found is None


@pytest.mark.parametrize(
    ("old", "new", "fits"),
    [
        ("in /old/ws/f.txt", "in /a/new place/f.txt", True),
        ("in /old/ws/f.txt", "in /another/f.txt", False),
        ("a file says /old/ws", "a file says /old/ws", True),  # the words of a file stay
        ("day 2026-01-02.", "day 2026-03-04.", True),
        ("day 2026-01-02.", "day 2026-03-05.", False),
    ],
)
def test_folders_and_the_date_may_be_others(old: str, new: str, fits: bool) -> None:
    terms = Terms.of([("/old/ws", "/a/new place"), ("2026-01-02", "2026-03-04")])
    assert same(old, new, terms) is fits


def test_an_id_is_another_and_stays_the_same_other() -> None:
    twice = f"{ID_A} and {ID_A}"
    assert same(twice, f"{ID_B} and {ID_B}", Terms())
    assert not same(twice, f"{ID_B} and {ID_A}", Terms())
    terms = Terms()
    assert same(ID_A, ID_B, terms)
    assert not same(f"{ID_A}.", f"{ID_B[:-1]}0.", terms)


def test_a_mask_stands_only_where_the_rebuilt_request_has_one() -> None:
    mask = Mask(Kind.MASK, "user", pattern="[0-9]{1,10}", limit=10, recurs=True)
    assert same("uid 1000 of 7", "uid 33 of 7", Terms(), Span(4, 8, mask))
    assert not same("uid 1000 of 7", "uid 1000 of 8", Terms(), Span(4, 8, mask))


def test_a_sealed_text_is_compared_by_digest_and_length() -> None:
    words = "w" * 400
    seal = f"\u27e6sha256:{sha256(words.encode()).hexdigest()} 400\u27e7"
    assert same(f"<{seal}>", f"<{words}>", Terms())
    assert not same(f"<{seal}>", f"<{words[1:]}x>", Terms())


def test_an_unknown_text_is_compared_with_what_follows_it() -> None:
    seal = f"\u27e6unknown:{'0' * 64} 400\u27e7"
    assert same(f"<{seal}> end", "<anything> end", Terms())
    assert not same(f"<{seal}> end", "<anything> other", Terms())


def test_what_a_command_took_is_read_from_the_clients_own_sentences() -> None:
    (pattern,) = changing(["Output of {name}\nWall time: {seconds} seconds\n{output}"])
    assert pattern.pattern == r"Wall\ time:\ (?P<now>[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?)\ seconds"
    terms = Terms.of([], changing=[pattern])
    assert same("Wall time: 0.1 seconds", "Wall time: 2.25 seconds", terms)
    assert not same("Wall time: 0.1 seconds", "Wall time: long seconds", terms)
    assert re.fullmatch(pattern, "Wall time: 0.1 seconds")


def test_a_short_fact_may_be_another_only_where_it_stands() -> None:
    terms = Terms.of([], {"shell": ("bash", "zsh")})
    span = Span(0, 4, Origin(Kind.FACT, "shell"))
    assert same("bash, not bash", "zsh, not bash", terms, span)
    assert not same("bash, not bash", "zsh, not zsh", terms, span)


def test_a_cache_mark_means_nothing() -> None:
    block = {"type": "text", "text": "t"}
    marked = {**block, "cache_control": {"type": "ephemeral"}}
    old, new = (
        json.dumps({"model": "m", "tools": [], "messages": [{"role": "user", "content": [one]}]})
        for one in (block, marked)
    )
    assert held(expected(old.encode()), wire.split(new.encode()), Terms()) is None


def test_results_of_calls_side_by_side_may_come_in_another_order() -> None:
    def with_results(*pairs: tuple[str, str]) -> bytes:
        blocks = [{"type": "tool_result", "tool_use_id": a, "content": b} for a, b in pairs]
        message = {"role": "user", "content": blocks}
        return json.dumps({"model": "m", "tools": [], "messages": [message]}).encode()

    old = with_results(("a", "1"), ("b", "2"))
    for new, fits in (
        (with_results(("b", "2"), ("a", "1")), True),
        (with_results(("b", "1"), ("a", "2")), False),
        (with_results(("b", "2")), False),
        (with_results(("b", f"2{NOTE}"), ("a", "1")), False),
    ):
        assert (held(expected(old), wire.split(new), Terms()) is None) is fits


def test_a_reminder_may_stand_behind_the_result_that_came_first() -> None:
    def with_results(*pairs: tuple[str, str]) -> bytes:
        blocks = [{"type": "tool_result", "tool_use_id": a, "content": b} for a, b in pairs]
        message = {"role": "user", "content": blocks}
        return json.dumps({"model": "m", "tools": [], "messages": [message]}).encode()

    old = with_results(("a", "1"), ("b", f"2{NOTE}"))
    assert (
        held(expected(old), wire.split(with_results(("b", "2"), ("a", f"1{NOTE}"))), Terms())
        is None
    )
    other = with_results(("b", "2"), ("a", f"1{NOTE}".replace("rule", "role")))
    assert held(expected(old), wire.split(other), Terms()) is not None


@pytest.mark.parametrize(
    ("old", "new", "path", "verdict"),
    [
        (body("a"), body("a", "b"), "/messages/1", "added"),
        (body("a", "b"), body("a"), "/messages/1", "removed"),
        (body("a"), body("a", stream=True), "/stream", "added"),
        (body("a", stream=True), body("a", stream=False), "/stream", "changed"),
        (b'{"model":"m","messages":[]}', b'{"messages":[],"model":"m"}', "", "reordered-keys"),
    ],
)
def test_the_first_difference_is_told(old: bytes, new: bytes, path: str, verdict: str) -> None:
    found = held(expected(old), wire.split(new), Terms())
    assert found is not None
    assert (found.path, found.verdict) == (path, verdict)


def test_a_difference_is_told_with_its_section() -> None:
    new = body("a", max_tokens=1).replace(b'"role": "user"', b'"role": "assistant"')
    found = differences(expected(body("a").replace(b'"s"', b'"t"')), wire.split(new), Terms())
    assert [(one.section, one.path) for one in found] == [
        ("system", "/system"),
        ("messages", "/messages/0/role"),
        ("params", "/max_tokens"),
    ]


def test_the_recorded_request_that_fits_is_found_in_any_order() -> None:
    among = [expected(body(text), number) for number, text in enumerate("abc", 1)]
    found = find(wire.split(body("b")), among, Terms())
    assert isinstance(found, Found)
    assert found.expected.number == 2


def test_the_nearest_are_told_first_and_bind_nothing() -> None:
    terms = Terms()
    among = [expected(body("x", "b", "c"), 1), expected(body(ID_A, "b", "x"), 2)]
    found = find(wire.split(body(ID_B, "b", "c")), among, terms)
    assert not isinstance(found, Found)
    assert [(one.expected.number, one.equal) for one in found] == [(1, 3), (2, 3)]
    assert terms.bound == {}
