"""Long results, with sizes from the real client (0.171.0)."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.clients.codex import shorten
from inspector.text import Kind, Origin, Text, Value, text
from tests.clients.codex.stage import profile, world

_PROFILE = profile(world())


def _words(words: str) -> Text:
    return text(words, Origin(Kind.OUTCOME, "c1"))


def _text(words: str) -> dict[str, Value]:
    return {"type": "input_text", "text": _words(words)}


def _plain(part: Value) -> dict[str, str]:
    assert isinstance(part, dict)
    return {key: str(value) for key, value in part.items()}


def shortened(parts: list[Value], tokens: int) -> list[dict[str, str]]:
    found = shorten.shortened(parts, tokens, _PROFILE)
    assert isinstance(found, list)
    return [_plain(part) for part in found]


def middle_cut(string: str, tokens: int) -> str:
    return str(shorten.middle_cut(_words(string), tokens, _PROFILE))


def test_a_budget_is_spent_over_the_parts_in_order() -> None:
    # Witness: an MCP result of three texts under 12,000 tokens.
    big = "line of text é\n" * 2000
    found = shortened(
        [_text("Wall time: 0.0038 seconds\nOutput:"), _text(big), _text(big), _text("s")], 12000
    )
    words = [part["text"] for part in found]
    assert (words[1], words[3]) == (big, "[omitted 1 text items ...]")
    head, _, tail = words[2].partition("…4009 tokens truncated…")
    assert (len(head.encode()), len(tail.encode())) == (7981, 7982)


def test_images_stay_and_what_is_left_out_is_counted() -> None:
    image: dict[str, Value] = {"type": "input_image", "image_url": "data:"}
    assert shortened([_text("a" * 8), _text("b"), image, _text("c")], 2) == [
        {"type": "input_text", "text": "a" * 8},
        image,
        {"type": "input_text", "text": "[omitted 2 text items ...]"},
    ]


def test_a_string_loses_its_middle() -> None:
    assert middle_cut("a" * 10 + "b" * 10, 4) == "a" * 8 + "…1 tokens truncated…" + "b" * 8
    assert middle_cut("short", 4) == "short"


@given(st.text(max_size=60), st.integers(0, 8))
def test_a_cut_text_keeps_whole_characters_within_its_budget(string: str, tokens: int) -> None:
    found = middle_cut(string, tokens)
    if found == string:
        return
    head, _, rest = found.partition("…")
    tail = rest.partition(" tokens truncated…")[2]
    assert string.startswith(head) or "…" in string
    assert string.endswith(tail)
    assert len((head + tail).encode("utf-8", "surrogatepass")) <= tokens * 4 or "…" in string
