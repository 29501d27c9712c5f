"""Inputs that are read otherwise than by the client, named: the class, how to tell one, one of it.

Inputs of a class are left out of the comparison; a class whose example is read alike is no gap any
more and fails.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from inspector.clients.claude_code import unicode17


@dataclass(frozen=True)
class Gap:
    """One class of inputs."""

    tells: Callable[[str], object]
    example: object


def _matches(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern, re.MULTILINE | re.DOTALL).search


def _script(*names: str) -> Callable[[str], object]:
    return lambda string: any(
        unicode17.name(char, "").startswith(name) for char in string for name in names
    )


def _signs(string: str) -> bool:
    return any(
        char > "\x7f" and unicode17.category(char)[0] in "PSM" and not "🌀" <= char <= "🫿"
        for char in unicode17.normalize("NFKC", string)
    )


NAMES: Mapping[str, Gap] = {
    "invisible characters": Gap(
        lambda string: any(unicode17.category(char)[0] == "C" for char in string),
        ["\u202e", "[]"],
    ),
    "signs and marks outside ASCII but emoji": Gap(_signs, ["<", "—"]),
    "letters between two Latin ones": Gap(_matches("[ǆıİĸðÐ]"), ["ð", "dz"]),
    "kana": Gap(_script("HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA"), ["ば", "ハ"]),
    "Cyrillic beyond Russian": Gap(_matches("[Ђ-Џѐ-ҁ]"), ["љ", "щ"]),
}
"""Names outside ASCII as `localeCompare` sorts them."""

WIDTHS: Mapping[str, Gap] = {
    "terminal sequences": Gap(_matches("[\x1b\x90\x98\x9b-\x9f]"), "\x1b[31mred"),
    "lone surrogates, which no file holds": Gap(_matches("[\ud800-\udfff]"), "𠮷\ud83d\u20e3"),
    "a keycap behind a line separator": Gap(_matches("\u2028\u20e3"), "\u2028\u20e3"),
    "marks of letters on emoji": Gap(_matches("[🀀-🫿]\\S?[\u0e33\u0300-\u0940]"), "🫠ำ\ufe0f"),
}
"""Columns of a string."""

DESCRIPTIONS: Mapping[str, Gap] = {
    "emoji joined to a sequence nobody uses": Gap(_matches("😀\u200d|\u200d😀"), "😀\u200d😀"),
}
"""Descriptions as one line."""

FRONTMATTER: Mapping[str, Gap] = {
    "an empty key with a mapping on its line": Gap(
        _matches(r"^[ \t]*:[ \t]+.*:(?:[ \t]|$)"), "---\n: a: b\n---\n"
    ),
    "a tab behind a question mark": Gap(_matches(r"\?[ ]*\t"), "---\n?\ta: b\n---\n"),
    "a line without a colon in front of a question mark": Gap(
        _matches(r"\n[^\n:]+\n\? "), "---\na: b\nc\n? k\n: v\n---\n"
    ),
}
"""Frontmatter."""

PATTERNS: Mapping[str, Gap] = {
    "patterns that are no regular expression": Gap(_matches(r"\[[^]]*/|\\/\*\*/"), [["[/"], "a"]),
}
"""Gitignore patterns; what the client does with an error of its reader is not known."""

EXCLUDES: Mapping[str, Gap] = {
    "a bare bar": Gap(_matches(r"\|"), ["docs|/ab", "/ab"]),
    "backslashes": Gap(_matches(r"\\"), [r"/\d", "/d"]),
    "doubled slashes": Gap(_matches("//"), ["//**", "/a/b"]),
    "negated extended globs": Gap(_matches(r"!\("), ["!(a)/**", "/a/b"]),
    "braces that do not pair": Gap(
        lambda glob: glob.count("{") != glob.count("}") or re.search(r"\[[^]]*[{}]", glob),
        ["/{{a,z},b?", "/{a,b}"],
    ),
    "brackets within brackets": Gap(_matches(r"\[[^]]*\["), ["/[[x]*{b,z}]", "/[ab]"]),
}
"""Globs over whole paths."""

COMMENTS: Mapping[str, Gap] = {
    "HTML in a heading that is underlined": Gap(
        _matches(r"<.*\n {0,3}(?:=+|-+)[ \t]*(?:\n|\Z)"), "a\n<!-- b --> c\n---\n"
    ),
    "HTML within a list or a quotation": Gap(
        _matches(r"^ {0,3}(?:[-+*>]|\d+[.)]).*<"), "+ `<pre>\n</div>\n<!-- c -->d\n"
    ),
    "a declaration behind a paragraph": Gap(
        _matches(r"[^\s>].*\n {0,3}<[!?]"), "a\n<?php ?><!-- c -->\n"
    ),
}
"""Block comments."""

IMPORTS: Mapping[str, Gap] = {
    "HTML within a list or a quotation": Gap(
        COMMENTS["HTML within a list or a quotation"].tells, "10) <x-y>\n@a.md\n"
    ),
    "text under a line that begins with a tag": Gap(
        _matches("^ {0,3}</?[a-zA-Z]"), "</script>\n @b.md\n"
    ),
    "comments that open twice or are empty": Gap(
        _matches("<!--(?:-?>|(?:(?!-->).)*<!--)"), "@b.md<!--c<a href='x'><!---->\n"
    ),
    "emphasis that touches other text": Gap(
        _matches(r"\S\*\*@|\.md\*\*\S"), "**b****@bold.md**  x\n"
    ),
}
"""Imports of memory files."""
