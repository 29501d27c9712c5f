import re
from dataclasses import replace

from inspector.text import Built, Kind, Origin, Run, encode, text
from tests.golden import origin_law

RULE = text("be brief", Origin(Kind.FILE, "/w/CLAUDE.md"))
BODY = encode({"role": "user", "content": RULE + text(" now", Origin(Kind.PROMPT, "p"))})


def without(body: Built, number: int) -> Built:
    runs: list[Run] = [*body.runs]
    del runs[number]
    return replace(body, groups=tuple(runs))


def test_runs_from_end_to_end_are_in_order() -> None:
    assert list(origin_law.complaints([BODY])) == []


def test_a_character_without_an_origin_is_told() -> None:
    for number in range(len(BODY.runs)):
        assert list(origin_law.complaints([BODY, without(BODY, number)])) != []


def test_words_are_no_structure() -> None:
    assert [
        re.sub(r"\d+ characters", "n characters", said)
        for said in origin_law.complaints([encode({"role": "user", "content": "two words"})])
    ] == ["1: /content: 0 of n characters have an origin"]
