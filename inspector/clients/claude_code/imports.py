"""`@path` imports of memory files."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from inspector.clients.claude_code.javascript import SPACE
from inspector.clients.claude_code.settings import absolute

if TYPE_CHECKING:
    from markdown_it.token import Token

_MENTION = re.compile(rf"(?:^|[{SPACE}])@((?:[^{SPACE}\\]|\\ )+)")
_START = re.compile(r"[a-zA-Z0-9._-]")
_RUNS = frozenset({"text", "softbreak", "hardbreak"})
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def imported(source: str, path: str, home: str) -> list[str]:
    """Absolute paths a memory file imports, in order, each once."""
    if "@" not in source:
        return []
    from markdown_it import MarkdownIt

    folder = path.rpartition("/")[0]
    out: dict[str, None] = {}
    # `marked` without gfm knows no tables and no strikethrough, as the commonmark preset.
    for string in _texts(MarkdownIt("commonmark").parse(source)):
        for match in _MENTION.finditer(string):
            target = match[1].partition("#")[0].replace("\\ ", " ")
            if target and _accepted(target):
                out[_resolved(target, folder, home)] = None
    return list(out)


def is_text(path: str, extensions: frozenset[str]) -> bool:
    """Whether the client reads a file with this name as text."""
    name = path.rpartition("/")[2]
    stem, dot, extension = name.rpartition(".")
    return not dot or not stem or f".{extension.lower()}" in extensions


def _accepted(target: str) -> bool:
    if target.startswith(("./", "~/")) or (target.startswith("/") and target != "/"):
        return True
    return _START.match(target) is not None


def _resolved(target: str, folder: str, home: str) -> str:
    if target.startswith("~/"):
        return absolute(target[2:], home)
    return absolute(target, folder)


def _texts(tokens: "Sequence[Token]") -> Iterator[str]:
    """Runs of text as `marked` cuts them; a soft break stays inside one run."""
    run = ""
    for token in tokens:
        if token.type in _RUNS:
            run += token.content or "\n"
            continue
        if run:
            yield run
        run = ""
        if token.type == "inline":
            yield from _texts(token.children or ())
        elif token.type == "html_block":
            yield from _rest(token.content)
    if run:
        yield run


def _rest(block: str) -> Iterator[str]:
    """What a comment block holds besides its comments."""
    rest = _COMMENT.sub("", block)
    if block.lstrip().startswith("<!--") and rest.strip():
        yield rest
