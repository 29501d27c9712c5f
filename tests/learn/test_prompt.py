import hashlib
from typing import Any

from inspector.learn import prompt
from inspector.learn.lesson import Point, measures
from inspector.profiles import Slot
from inspector.text import Kind, Known, Origin
from inspector.verify.leaf import Stretch

JOINT = Origin(Kind.STRUCTURE, "paragraph")
FOLDER = "/home/quillmarrow/memory/"
SLOTS = {
    "system.static": (Slot(part="text:intro"), Slot(part="text:manners", when=("plain",))),
    "system.dynamic": (Slot(part="text:guidance"), Slot(part="template:system.memory")),
}
WORDS = {
    "intro": "You work.",
    "manners": "# Manners\nBe kind.",
    "guidance": "# Guidance\nAsk.",
    "head": "# Memory\nIt is at ",
    "rest": " and grows.",
}


def digest(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()


def built(*names: str) -> list[Stretch]:
    parts: list[Stretch] = []
    for name in names:
        if name == "\n\n":
            parts.append(Stretch(name, JOINT, 0, 0, 0))
        elif name == "folder":
            parts.append(Stretch(FOLDER, Origin(Kind.FACT, "memory"), 0, 0, 0))
        else:
            words = WORDS[name]
            known = Known(Kind.KNOWN, name, digest(words), len(words))
            parts.append(Stretch(known.placeholder, known, 0, 0, 0))
    return parts


def taught(
    parts: list[Stretch], captured: str, known: dict[str, str] | None = None
) -> dict[tuple[str, ...], Any]:
    words = {digest(text): text for text in WORDS.values()}
    point = Point({}, "plain", {}, words, SLOTS, {} if known is None else known)
    return {one.key: one.value for one in prompt.slots(point, parts, captured)}


def named(words: str) -> str:
    return f"system.{digest(words)[:8]}"


WHOLE = built(
    "intro", "\n\n", "manners", "\n\n", "guidance", "\n\n", "head", "folder", "rest"
)  # as a host joins it that sends one block
MEMORY = f"{WORDS['head']}{FOLDER}{WORDS['rest']}"


def test_a_prompt_that_fits_teaches_nothing() -> None:
    sent = "\n\n".join([WORDS["intro"], WORDS["manners"], WORDS["guidance"], MEMORY])
    assert taught(WHOLE, sent) == {}


def test_a_text_that_is_gone_loses_its_slot_and_a_new_one_gets_one_where_it_stands() -> None:
    new = "# Tools\nFew."
    sent = "\n\n".join([WORDS["intro"], WORDS["guidance"], new, MEMORY])
    assert taught(WHOLE, sent) == {
        ("texts", named(new)): measures(new),
        ("slots", "system.static"): [{"part": "text:intro", "when": ()}],
        ("slots", "system.dynamic"): [
            {"part": "text:guidance", "when": ()},
            {"part": f"text:{named(new)}", "when": ()},
            {"part": "template:system.memory", "when": ()},
        ],
    }


def test_what_stands_around_a_fact_is_learned_up_to_the_next_heading() -> None:
    head, rest, tail = "# Notes\nKept in ", ", always.", "# Last\nEnd."
    sent = "\n\n".join(
        [WORDS["intro"], WORDS["manners"], WORDS["guidance"], f"{head}{FOLDER}{rest}", tail]
    )
    assert taught(WHOLE, sent) == {
        ("texts", "head"): measures(head),
        ("texts", "rest"): measures(rest),
        ("texts", named(tail)): measures(tail),
        ("slots", "system.dynamic"): [
            {"part": "text:guidance", "when": ()},
            {"part": "template:system.memory", "when": ()},
            {"part": f"text:{named(tail)}", "when": ()},
        ],
    }


def test_texts_that_another_host_sends_apart_are_not_learned_as_one() -> None:
    first, second = "# One\na", "# Two\nb"
    sent = "\n\n".join([WORDS["intro"], WORDS["manners"], WORDS["guidance"], MEMORY, first, second])
    found = taught(WHOLE, sent, {named(first): first})
    assert found[("slots", "system.dynamic")][2:] == [
        {"part": f"text:{named(first)}", "when": ()},
        {"part": f"text:{named(second)}", "when": ()},
    ]


def test_a_text_that_stands_where_another_stood_is_that_slot_with_new_words() -> None:
    new = "# Other guidance\nAsk twice."
    sent = "\n\n".join([WORDS["intro"], WORDS["manners"], new, MEMORY])
    assert taught(WHOLE, sent) == {("texts", "guidance"): measures(new)}
