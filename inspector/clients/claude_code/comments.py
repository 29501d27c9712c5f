"""Block-level HTML comments, found as the client's markdown lexer finds them.

The client lexes with `marked` (gfm off) and cuts the comments out of top-level HTML tokens that
begin with one. Markdown-it finds the same blocks; the differences are evened out here.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from inspector.clients.claude_code.blocks import blocks
from inspector.text import EMPTY, Text

if TYPE_CHECKING:
    from markdown_it.token import Token

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_NEWLINE = re.compile(r"\r\n?")


def stripped(source: Text) -> Text:
    r"""The text without block-level comments; where one was cut, every line end becomes `\n`."""
    if "<!--" not in str(source):
        return source
    plain = source.sub(_NEWLINE, lambda _: "\n")
    out, done = EMPTY, 0
    for start, end in _spans(str(plain)):
        block = plain[start:end]
        if not str(block).lstrip().startswith("<!--") or "-->" not in str(block):
            continue
        out += plain[done:start]
        rest = block.sub(_COMMENT, lambda _: "")
        out += rest if str(rest).strip() else EMPTY
        done = end
    return out + plain[done:] if done else source


def _spans(string: str) -> list[tuple[int, int]]:
    return [
        (start + first, start + last)
        for start, tokens in blocks(string)
        for first, last in _within(tokens, string[start:])
    ]


def _within(tokens: "Sequence[Token]", string: str) -> Iterator[tuple[int, int]]:
    starts = [0]
    lines = string.split("\n")
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    paragraphs = _open_paragraphs(tokens)
    for token in tokens:
        if token.type != "html_block" or token.level or token.map is None:
            continue
        first, last = token.map
        # An indented comment right after a paragraph belongs to that paragraph in `marked`.
        if first in paragraphs and lines[first].startswith(" "):
            paragraphs.add(last)
            continue
        start, end = starts[first], min(starts[last], len(string))
        while end < len(string) and string[end] == "\n":
            end += 1
        yield start, end


def _open_paragraphs(tokens: "Sequence[Token]") -> set[int]:
    """Lines right after a paragraph that such a line would continue: not one inside a list."""
    inside: list[str] = []
    out: set[int] = set()
    for token in tokens:
        if token.nesting < 0:
            inside.pop()
        if token.type == "paragraph_open" and token.map and "list_item_open" not in inside:
            out.add(token.map[1])
        if token.nesting > 0:
            inside.append(token.type)
    return out
