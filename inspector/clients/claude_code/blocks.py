"""Markdown blocks as the client's lexer cuts them: `marked` with gfm off, over markdown-it."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token

# `marked` ends these where they close; CommonMark lets them run to the end of the line.
_CLOSED = re.compile(r" {0,3}(?:<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<![a-zA-Z].*?>)(?=[^\n])", re.DOTALL)


def blocks(string: str) -> "Iterator[tuple[int, list[Token]]]":
    r"""The block tokens of a text (line ends made `\n`), part by part, and where each starts."""
    from markdown_it import MarkdownIt

    # `marked` without gfm knows no tables and no strikethrough, as the commonmark preset.
    # Without `text_join` an escaped character stays a token of its own, as in `marked`.
    reader = MarkdownIt("commonmark").disable("text_join")
    string = string.replace("\r\n", "\n").replace("\r", "\n")
    start = 0
    while True:
        rest = string[start:]
        tokens = reader.parse(rest)
        cut = _cut(tokens, rest) if "<?" in rest or "<!" in rest else None
        if cut is None:
            yield start, tokens
            return
        yield start, reader.parse(rest[:cut])
        start += cut


def _cut(tokens: "list[Token]", string: str) -> int | None:
    """Where a block that closes within a line closes."""
    starts = [0]
    for line in string.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for token in tokens:
        if token.type == "html_block" and not token.level and token.map is not None:
            closed = _CLOSED.match(string, starts[token.map[0]])
            if closed is not None and closed.end() < starts[token.map[1]]:
                return closed.end()
    return None
