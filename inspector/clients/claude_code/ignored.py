"""Patterns as the client's own gitignore reader takes them: without regard to case.

It differs from git (and so from libraries that follow git) in classes, where `!` is a letter and
`^` too, in escapes and at the ends of patterns. Witness: Claude Code 2.1.332's own reader on
generated patterns and paths (tests/clients/claude_code/test_judged.py).
"""

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from inspector.clients.claude_code.javascript import SPACE, trim_end_string

_TOKEN = re.compile(
    r"(?P<stars>\*+(?=[^\n\r\u2028\u2029]))"
    r"|(?P<escape>\\*)(?P<text>/\*\*(?![^/])|[0-9A-Za-z_]+|.|\Z)",
    re.DOTALL,
)
_HEAD = re.compile(r"(/?)(\*\*/)?")
_BACKWARD = re.compile(r"([0-z])-([0-z])")
_SPECIAL = frozenset(".$()+^{|*")
_ODD_END = re.compile(r"(?:\\\\|[^\\])\Z", re.DOTALL)
_CLASSES = frozenset("dDsSwWbBnrtfv")


def ignores(globs: Sequence[str], path: str) -> bool:
    """Whether a relative path or a folder above it is ignored."""
    rules = [glob for glob in globs if _is_rule(glob)]
    plain = re.sub("/+", "/", path)
    folders = [plain[: place + 1] for place, char in enumerate(plain[:-1]) if char == "/" and place]
    return any(_ignored(rules, part) for part in (*folders, plain))


def _is_rule(glob: str) -> bool:
    shown = glob.strip(" ") and re.search(f"[^{SPACE}]", glob)
    return glob[:1] != "#" and bool(shown) and _ODD_END.search(glob) is not None


def _ignored(rules: Sequence[str], path: str) -> bool:
    found = False
    for rule in rules:
        negative = rule[0] == "!"
        if negative is found and _expression(rule).search(path):
            found = not negative
    return found


@cache
def _expression(rule: str) -> re.Pattern[str]:
    source = re.sub(r"^!?(?:\\(?=[!#]))?", "", rule)
    try:
        with warnings.catch_warnings():
            # JavaScript knows no sets within classes.
            warnings.simplefilter("ignore", FutureWarning)
            return re.compile(_Writer(source).written(), re.IGNORECASE)
    except re.error:
        return re.compile(r"(?!)")


@dataclass
class _Writer:
    """Turns one pattern into a regular expression."""

    source: str
    out: str = ""
    opened: str | None = None
    """What was written before a class that is open."""
    escaped: str = ""
    """The backslashes before the bracket that opened it."""
    before: str = ""
    trimmed: str = field(init=False)

    def written(self) -> str:
        pattern = self.source.removeprefix("\ufeff")
        kept = trim_end_string(pattern)
        if not kept:
            return ""
        head = _HEAD.match(kept)
        assert head is not None
        if head[2]:
            self.out = "^(?:.*/)?"
        else:
            anchored = head[1] or re.search(r"/.", pattern, re.DOTALL)
            self.out = "^" if anchored else "(?:^|/)"
        blank = " " if kept != pattern and kept.endswith("\\") else ""
        self.trimmed = kept[head.end() :] + blank
        for token in _TOKEN.finditer(self.trimmed):
            self._take(token)
        return self.out + ("$" if kept.endswith("/") else "(?=$|/$)")

    def _take(self, token: re.Match[str]) -> None:
        stars, escape, text = token["stars"], token["escape"] or "", token["text"] or ""
        last = token.end() == len(self.trimmed)
        bare = not stars and not text
        if self.opened is not None and (text == "]" or bare):
            self._close(escape, text)
        elif self.opened is None and text == "[":
            self.opened, self.escaped, self.out = self.out + escape, escape, ""
        elif stars or text == "?" or text[:1] == "/":
            self._wild(stars, escape, text, last=last)
        elif text == "*" and last:
            some = self.before == "/" and len(escape) < 2
            self.out += escape[1:] + ("[^/]+" if some else "[^/]*")
        elif escape and re.fullmatch(f"[{SPACE}]", text):
            even = escape[len(escape) % 2 :]
            self.out += escape if last and even == escape else f"{even} "
        else:
            self.out += self._letters(escape, text)
        self.before = text

    def _close(self, escape: str, text: str) -> None:
        even = escape[len(escape) % 2 :]
        if self.escaped:
            self.out = f"{self.opened}[{self.out}{even}{text}"
        elif text and even == escape:
            body = _BACKWARD.sub(lambda part: "" if part[1] > part[2] else part[0], self.out)
            self.out = f"{self.opened}[{body}{escape}]" if body + escape else f"{self.opened}(?!)"
        else:
            self.out = "(?!)"
        self.opened = None

    def _wild(self, stars: str | None, escape: str, text: str, *, last: bool) -> None:
        if self.opened is not None:
            self.out = f"{self.opened}[{self.out}"
            self.opened = None
        if text == "/**" and not last:
            self.out += (escape[1:] or escape) + r"(?:\/[^\/]+)*"
            return
        wild = {"?": "[^/]", "/": r"\/"}.get(text, r"\/.+")
        self.out += escape + ("[^/]*" if stars else wild)

    def _letters(self, escape: str, text: str) -> str:
        if self.opened is not None and not escape and text in {"[", "&", "~", "-", "|"}:
            return text if text == "-" else f"\\{text}"
        if len(escape) % 2 and text:
            known = text[0] in _CLASSES or not text[0].isalnum()
            return escape + text if known else escape[1:] + re.escape(text[0]) + text[1:]
        return escape + (f"\\{text}" if not escape and text in _SPECIAL else text)
