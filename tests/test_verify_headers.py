"""Headers: a list with names, values and order, each captured one held against one claim at most."""

from collections.abc import Sequence

import pytest

from inspector.text import EMPTY, Kind, Mask, Origin, Piece, Text, text
from inspector.verify import HeaderReport
from inspector.verify.headers import judge

FACT = Origin(Kind.FACT, "version")
ID = Mask(Kind.MASK, "session_id", "[0-9a-f]{4}", 4, recurs=True)
OTHER = Mask(Kind.MASK, "prompt_id", "[0-9a-f]{4}", 4, recurs=True)
ADOPTED = Origin(Kind.ADOPTED, "timeout")


def plain(value: str) -> Text:
    return text(value, FACT) if value else EMPTY


def mask(origin: Mask) -> Text:
    return Text((Piece(f"⟦mask {origin.name}⟧", origin),))


CLAIMS = (("App", plain("cli")), ("Session", plain("s-") + mask(ID)), ("Beta", plain("a,b")))


@pytest.mark.parametrize(
    ("captured", "expected"),
    [
        (
            [("App", "cli"), ("Session", "s-00ff"), ("Beta", "a,b"), ("Host", "x")],
            HeaderReport(("App", "Beta"), ("Session",), (), ("Host",)),
        ),
        (
            [("App", "cli2"), ("Session", "s-00fg"), ("Beta", "a,b")],
            HeaderReport(("Beta",), (), ("App", "Session")),
        ),
        (
            [("Session", "s-00ff"), ("Beta", "a,b")],
            HeaderReport(("Beta",), ("Session",), ("App",)),
        ),
        (
            [("app", "cli"), ("Session", "s-00ff"), ("Beta", "a,b")],
            HeaderReport(("Beta",), ("Session",), ("App",), ("app",)),
        ),
        (
            [("App", "cli"), ("App", "cli"), ("Session", "s-00ff"), ("Beta", "a,b")],
            HeaderReport(("App", "Beta"), ("Session",), ("App",)),
        ),
        (
            [("App", "cli"), ("Session", "s-00ff"), ("Beta", "a,b"), ("beta", "c")],
            HeaderReport(("App", "Beta"), ("Session",), ("beta",)),
        ),
        (
            [("Beta", "a,b"), ("App", "cli"), ("Host", "x"), ("Session", "s-00ff")],
            HeaderReport(("App", "Beta"), ("Session",), (), ("Host",), ("Beta",)),
        ),
    ],
)
def test_every_header_is_judged_by_name_value_number_and_place(
    captured: list[tuple[str, str]], expected: HeaderReport
) -> None:
    assert judge(CLAIMS, tuple(captured), {})[0] == expected


def test_a_name_claimed_twice_takes_two_headers_whichever_comes_first() -> None:
    claims = (("A", plain("1")), ("A", plain("2")))
    assert judge(claims, (("A", "1"), ("A", "2")), {})[0] == HeaderReport(("A", "A"))
    assert judge(claims, (("A", "2"), ("A", "1")), {})[0].reordered == ("A",)
    assert judge(claims, (("A", "1"), ("A", "1")), {})[0] == HeaderReport(("A",), (), ("A",))
    assert judge(claims, (("A", "1"),), {})[0] == HeaderReport(("A",), (), ("A",))


def test_an_empty_value_and_an_adopted_one_are_told_apart() -> None:
    claims = (("Empty", plain("")), ("Timeout", text("?", ADOPTED)))
    found = judge(claims, (("Empty", ""), ("Timeout", "600")), {})[0]
    assert found == HeaderReport(("Empty",), ("Timeout",))
    assert judge(claims, (("Empty", "x"), ("Timeout", "600")), {})[0].different == ("Empty",)


@pytest.mark.parametrize(
    ("masks", "captured", "different"),
    [
        ({}, [("A", "00ff"), ("B", "00ff")], ("B",)),
        ({}, [("A", "00ff"), ("B", "00fe")], ()),
        ({"session_id": "00ff"}, [("A", "00fe"), ("B", "00fd")], ("A",)),
        ({"session_id": "00ff"}, [("A", "00ff"), ("B", "00ff")], ("B",)),
        ({"turn_id": "00ff"}, [("A", "00ff"), ("B", "00fe")], ("A",)),
    ],
)
def test_an_id_in_a_header_is_the_same_for_one_name_and_another_for_another(
    masks: dict[str, str], captured: Sequence[tuple[str, str]], different: tuple[str, ...]
) -> None:
    claims = (("A", mask(ID)), ("B", mask(OTHER)))
    assert judge(claims, tuple(captured), masks)[0].different == different


def test_an_id_that_a_header_showed_first_is_remembered() -> None:
    claims = (("A", mask(ID)),)
    assert judge(claims, (("A", "00ff"),), {})[1] == {"session_id": "00ff"}
    assert judge(claims, (("A", "none"),), {})[1] == {}
