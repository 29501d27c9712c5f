"""Prompts: standard input and images, with values from the real client (0.171.0)."""

from base64 import b64decode

import pytest

from inspector.clients.codex.prompt import said, worded
from inspector.text import Kind
from inspector.turns import Prompted
from tests.clients.codex.stage import CUSTOM, WS, first, items, profile, world

_PNG = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEUlEQVR4nGP4z8AARGDiPwMAHfAD/aAzCYkAAAAASUVORK5CYII="


def test_piped_text_keeps_its_wrapper_apart() -> None:
    prompt = Prompted(text="CANARYPROMPT", stdin="CANARYSTDIN\nmore\n")
    found = worded(prompt, profile(world()))
    assert [(piece.text, piece.origin.kind) for piece in found.pieces] == [
        ("CANARYPROMPT", Kind.PROMPT),
        ("\n\n<stdin>\n", Kind.LITERAL),
        ("CANARYSTDIN\nmore", Kind.PROMPT),
        ("\n</stdin>", Kind.LITERAL),
    ]


@pytest.mark.parametrize(
    ("sent", "typed", "read"),
    [
        ("a\n\n<stdin>\nb\n</stdin>", "a", Prompted(text="a", stdin="b\n")),
        ("a\n\n<stdin>\nb\n\n</stdin>", "a", Prompted(text="a", stdin="b\n\n")),
        ("a", "a", Prompted(text="a")),
        ("b", "-", Prompted(text="b")),
        ("b", None, Prompted(text="b")),
        ("a\n\n<piped>\nb\n</piped>", "a", Prompted(text="a")),
        ("other words", "a", Prompted(text="other words")),
    ],
)
def test_a_sent_prompt_is_read_against_the_command_line(
    sent: str, typed: str | None, read: Prompted
) -> None:
    found = said(sent, typed, profile(world()))
    assert found == read
    if "<stdin>" in sent and sent.startswith("a"):
        assert str(worded(found, profile(world()))) == sent


def test_images_stand_before_the_words() -> None:
    of = world(
        {f"{WS}/p.png": b64decode(_PNG), f"{WS}/bad.png": b"no image"},
        argv=("exec", "-i", "p.png,bad.png", "--", "see"),
    )
    assert items(first(of, "see"))[6]["content"] == [
        {"type": "input_text", "text": '<image name=[Image #1] path="p.png">'},
        {"type": "input_image", "image_url": f"data:image/png;base64,{_PNG}"},
        {"type": "input_text", "text": "</image>"},
        {"type": "input_text", "text": '<image name=[Image #2] path="bad.png">'},
        {"type": "input_text", "text": "image content omitted because it could not be processed"},
        {"type": "input_text", "text": "</image>"},
        {"type": "input_text", "text": "see"},
    ]


def test_an_image_the_client_would_write_anew_is_adopted_and_says_why() -> None:
    of = world({f"{WS}/g.gif": b"GIF89a"}, config=CUSTOM, argv=("exec", "-i", "g.gif", "--", "x"))
    adopted = [run.origin.name for run in first(of).runs if run.origin.kind is Kind.ADOPTED]
    assert adopted == [f"the client writes {WS}/g.gif again as another image"]
