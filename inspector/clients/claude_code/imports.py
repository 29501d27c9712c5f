"""`@path` imports of memory files."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from inspector.clients.claude_code.blocks import blocks
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
    folder = path.rpartition("/")[0]
    out: dict[str, None] = {}
    for string in (run for _, tokens in blocks(source) for run in _texts(tokens)):
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
    run, tight = "", False
    for token in tokens:
        added = _run(token)
        if added is not None:
            run += added
            continue
        if run:
            yield run
        run = ""
        if token.type == "inline":
            # In a tight list `marked` has the item's whole source as one more text.
            yield from (token.content,) if tight else ()
            yield from _texts(token.children or ())
        elif token.type == "html_block":
            yield from _rest(token.content)
        tight = token.hidden
    if run:
        yield run


def _run(token: "Token") -> str | None:
    """What a token adds to a run of text; None where it ends the run."""
    if token.type in _RUNS:
        return token.content or "\n"
    if token.type == "text_special" and token.markup != f"\\{token.content}":
        return token.markup
    return None


def _rest(block: str) -> Iterator[str]:
    """What a comment block holds besides its comments."""
    rest = _COMMENT.sub("", block)
    if block.lstrip().startswith("<!--") and "-->" in block and rest.strip():
        yield rest
