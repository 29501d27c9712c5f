import hashlib

import pytest

from inspector.learn.gaps import gaps
from inspector.learn.lesson import Point, measures, of_gap
from inspector.text import Kind, Known, Origin
from inspector.verify.leaf import Stretch

LITERALS = {"file": "Contents of {path}:\n\n{text}\nend."}
POINT = Point({"host": "custom"}, "plain", LITERALS, {})


def parts(*pairs: tuple[str, Origin | None]) -> list[Stretch]:
    return [Stretch(text, origin, 0, 0, 0) for text, origin in pairs]


def known(name: str, words: str) -> tuple[str, Origin]:
    digest = hashlib.sha256(words.encode()).hexdigest()
    origin = Known(Kind.KNOWN, name, digest, len(words))
    return origin.placeholder, origin


LITERAL = Origin(Kind.LITERAL, "file")
JOINT = Origin(Kind.STRUCTURE, "paragraph")
PATH = ("/home/quillmarrow/CLAUDE.md", Origin(Kind.FACT, "path"))


def taught(built: list[Stretch], captured: str) -> list[tuple[tuple[str, ...], object]]:
    found = [lesson for gap in gaps(built, captured, {}) for lesson in of_gap(POINT, gap)]
    return [(lesson.key, lesson.value) for lesson in found]


def test_a_part_of_a_literal_that_differs_between_two_holes_becomes_the_new_words() -> None:
    built = parts(("Contents of ", LITERAL), PATH, (":\n\n", LITERAL), ("gulls", JOINT))
    captured = f"What {PATH[0]} says:\n\ngulls"
    assert taught(built, captured) == [
        (("literals", "file"), "What {path}:\n\n{text}\nend."),
        (("literals", "file"), "Contents of {path} says:\n\n{text}\nend."),
    ]


def test_a_text_that_changed_is_learned_by_the_texts_around_it_that_did_not() -> None:
    built = parts(known("one", "first words"), ("\n\n", JOINT), known("two", "second words"))
    assert taught(built, "first words\n\nother words") == [
        (("texts", "two"), measures("other words"))
    ]


def test_two_texts_that_changed_are_told_apart_by_their_joint() -> None:
    built = parts(known("one", "first"), ("\n\n", JOINT), known("two", "second"))
    assert taught(built, "now\n\nthen") == [
        (("texts", "one"), measures("now")),
        (("texts", "two"), measures("then")),
    ]


@pytest.mark.parametrize("captured", ["a\n\nb\n\nc", "nothing of it"])
def test_texts_that_cannot_be_told_apart_teach_nothing(captured: str) -> None:
    built = parts(known("one", "first"), ("\n\n", JOINT), known("two", "second"))
    assert taught(built, captured) == []


def test_words_of_the_workspace_are_never_learned() -> None:
    built = parts(("Contents of ", LITERAL), PATH)
    assert taught(built, "Contents of /home/other/CLAUDE.md") == []
