"""Block-level HTML comments, found as the client's markdown lexer finds them.

The client lexes with `marked` (gfm off) and cuts the comments out of top-level HTML tokens that
begin with one. Markdown-it finds the same blocks; the differences are evened out here.
"""

import re

from inspector.text import EMPTY, Text

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
    from markdown_it import MarkdownIt

    starts = [0]
    for line in string.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    lines = string.split("\n")
    out: list[tuple[int, int]] = []
    for token in MarkdownIt("commonmark").parse(string):
        if token.type != "html_block" or token.level or token.map is None:
            continue
        first, last = token.map
        if _continues(lines, first):
            continue
        start, end = starts[first], min(starts[last], len(string))
        while end < len(string) and string[end] == "\n":
            end += 1
        out.append((start, end))
    return out


def _continues(lines: list[str], first: int) -> bool:
    """An indented comment right after a paragraph's line belongs to that paragraph in `marked`."""
    return bool(lines[first].startswith(" ") and first and lines[first - 1].strip())
