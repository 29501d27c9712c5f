"""Block comments; the expected texts are those of `marked` 15 with gfm off and the client's own cut."""

import pytest

from inspector.clients.claude_code.comments import stripped
from tests.clients.claude_code.place import literal


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("no comment\r\n", "no comment\r\n"),
        ("<!-- a -->\ntext\n", "text\n"),
        (
            "<!-- hidden -->\nvisible\n<!--\nmulti\n-->\nafter <!-- inline --> text\n",
            "visible\nafter <!-- inline --> text\n",
        ),
        ("```\n<!-- in code -->\n```\n", "```\n<!-- in code -->\n```\n"),
        (
            "text\n\n<!-- block -->\n\n\nmore\n- <!-- in list -->\n",
            "text\n\nmore\n- <!-- in list -->\n",
        ),
        ("para\n  <!-- indented -->\nend\n", "para\n  <!-- indented -->\nend\n"),
        ("1. num\n  <!-- ind -->\n", "1. num\n"),
        (
            "> quote\npara\n  <!-- one -->\n  <!-- two -->\n<!-- a --> <!-- b -->\n",
            "> quote\npara\n  <!-- one -->\n  <!-- two -->\n",
        ),
        ("<!-- x --> tail\n", " tail\n"),
        ("<div>\n<!-- d -->\n</div>\n\n", "<div>\n<!-- d -->\n</div>\n\n"),
        ("<!-- open\ntext\n", "<!-- open\ntext\n"),
        ("    <!-- code -->\n", "    <!-- code -->\n"),
        ("a\r\n\r\n<!-- b -->\r\nc\r\n", "a\n\nc\n"),
    ],
)
def test_only_block_comments_go(source: str, expected: str) -> None:
    assert str(stripped(literal(source))) == expected


def test_what_stays_keeps_its_place_in_the_file() -> None:
    text = stripped(literal("<!-- a -->\nkept\n"))
    assert [(piece.text, piece.at) for piece in text.pieces] == [("kept\n", 11)]
