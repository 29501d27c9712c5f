"""What the client's own commands put out, against words that are known by digest."""

from hashlib import sha256

from inspector.clients.claude_code import putout
from inspector.text import Kind, Known, Origin, Piece, Text, text

WORDS = "words of the client's"
SEALED = Known(Kind.KNOWN, "x", sha256(WORDS.encode()).hexdigest(), len(WORDS))
MADE = (
    text("two: ", Origin(Kind.LITERAL, "x"))
    + Text((Piece(SEALED.placeholder, SEALED),))
    + text(" end", Origin(Kind.LITERAL, "x"))
)


def test_a_text_known_by_digest_spells_its_words_and_its_placeholder() -> None:
    assert putout.spells(MADE, f"two: {WORDS} end")
    assert putout.spells(MADE, f"two: {SEALED.placeholder} end")


def test_it_spells_nothing_else() -> None:
    others = (f"two: {WORDS.upper()} end", f"two: {WORDS} end.", f"one: {WORDS} end", "two: ", "")
    assert not [words for words in others if putout.spells(MADE, words)]
