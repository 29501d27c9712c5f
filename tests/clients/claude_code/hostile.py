"""Seeded inputs that text functions get wrong: each list of parts is joined at random."""

from collections.abc import Iterator, Sequence
from json import dumps
from random import Random

from inspector.jsontext import paired

_PLAIN = (
    "a",
    "b",
    "Z",
    "é",
    "ß",
    "alpha",
    "tool_name",
    "my-skill",
    "x.y",
    "10",
    "9",
    "_",
    "-",
    ":",
)
_SPACES = (" ", "  ", "\t", "\n", "\r\n", "\r", "\v", "\f", "\x00", "\x1b", "\x7f", "\x85")
_BLANKS = ("\u00a0", "\u1680", "\u2003", "\u200a", "\u2028", "\u2029", "\u202f", "\u3000", "\ufeff")
_MARKS = ("e\u0301", "\u0301", "\u0327", "q\u0307\u0323", "\u0345", "\u20e3", "\u093f", "\u0e33")
_EMOJI = (
    "😀", "👩‍👩‍👧‍👦", "👍🏽", "❤️", "❤", "☎︎", "🇩🇪", "🇩", "1️⃣", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "🧑‍💻", "\u200d", "\ufe0f", "©", "™", "⌚", "🫠",
)  # fmt: skip
_WIDE = (
    "漢",
    "字",
    "カ",
    "ｶﾞ",
    "한",
    "\u1112\u1161\u11ab",
    "Ａ",
    "１",
    "ﬁ",
    "①",
    "㎏",
    "Å",
    "ℌ",
    "𝒜",
    "𠮷",
    "…",
    "·",
    "±",
)
_RTL = (
    "שלום",
    "مرحبا",
    "\u202e",
    "\u2066",
    "\u200f",
    "ا\u064e",
    "Ω",
    "я",
    "Ж",
    "ไทย",
    "हिन्दी",
    "ǆ",
    "İ",
    "ı",
)
_ODD = (
    "\ud83d",
    "\ude00",
    "\u00ad",
    "\u200b",
    "\u2060",
    "\ue000",
    "\U000f0000",
    "\u0378",
    "\ufffd",
    "\ufffc",
    "\U000e0041",
    "\u115f",
    "\u2800",
)
_SIGNS = tuple("_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$“—€§¿×")

WORDS = (*_PLAIN, *_SPACES, *_BLANKS, *_MARKS, *_EMOJI, *_WIDE, *_RTL, *_ODD, *_SIGNS)
"""Parts of strings."""

NAMES = (
    *_PLAIN,
    *_MARKS,
    *_WIDE,
    *_RTL,
    *_SIGNS,
    "😀",
    "👍🏽",
    " ",
    "A",
    "B",
    "aa",
    "Ab",
    "É",
    "æ",
    "Æ",
    "ø",
    "ł",
)
"""Parts of what is sorted."""

LETTERS = tuple("abcxyzABZ019-_ .éèüñçõßøæåÀÖŁžăαβΩωжяЩกขคअकी한글漢字😀🚀ＡＢｃ１")
"""Letters of scripts whose order is known."""

YAML = (
    "a: ", "b: ", "name: ", "description: ", "paths: ", "- ", "  - ", "  ", "\n", "\n", "\n", ": ", ":", "#", " # c",
    "yes", "no", "on", "true", "False", "null", "~", "2026-01-02", "12:30", "0x1F", "0o17", "017", "1_000", "1e3",
    ".5", "5.", "-0", "+1", ".inf", "-.INF", ".nan", "1.50", "12345678901234567890", "0b11", "'it''s'", '"q\\n\\u00e9"',
    '"\\x41\\U0001F600"', "'", '"', "[a, b]", "[", "]", "{x: 1, y: [2]}", "{", "}", "&anchor v", "*anchor", "!!str 5",
    "!tag v", "|\n  text\n  more\n", ">\n  fold\n  ed\n\n  p\n", "|-\n  t\n", "? k\n: v\n", "<<: {z: 1}", "@at", "`tick`", "%d",
    "**/*.ts", "a, b", "x: y", "http://h/p", "\t", "é漢😀", "\u00a0", "\u2028", "\ufeff", "\x07", "...", "--- x", "\r\n",
    "word", "two words", "=", "<<", "-", "?", ",", "%YAML 1.2",
)  # fmt: skip
"""Parts of frontmatter."""

MARKDOWN = (
    "<!-- c -->", "<!--", "-->", "<!-- two\nlines -->", "<!---->", "<!-->", "<!--->", "text", "\n", "\n", "\n\n", "\n\n", "  ", "    ", "\t",
    "- ", "* ", "1. ", "10) ", "> ", "# ", "## h\n", "```\n", "~~~\n", "```js\n", "`code`", "`", "``", "---\n", "===\n", "***", "<div>\n", "</div>\n",
    "<b>", "<script>\n", "</script>", "<?php ?>", "<!DOCTYPE x>", "<![CDATA[ x ]]>", "<a href='x'>", "| a | b |\n|---|---|\n", "[l](u)",
    "[r]: /u 't'\n", "![i](u)", "**b**", "*e*", "_u_", "\\", "\\*", "&amp;", "&#35;", "http://x.y", "\r\n", "\r", "@a.md", " @./b/c.md", "@~/d.md ",
    "@/abs.md#frag", "(@p.md)", "@b\\ c.md", "@x@y", "@", "@@q", "**@bold.md**", "é漢😀", "\u00a0", "\x0c", "- [ ] task", "<!-- a --> tail",
    "  <!-- ind -->", "<pre>\n", "<x-y>\n", "+ ", "\\@esc.md", "<https://x.y/@z.md>",
)  # fmt: skip
"""Parts of memory files."""

GLOBS = (
    "*", "**", "?", "/", "/", "a", "b", "src", "docs", ".ts", ".md", ".", "..", "./", "**/", "/**", "[ab]", "[!a]", "[^a]", "[a-c]", "[", "]",
    "{a,b}", "{a,{b,c}}", "{", "}", ",", "!", "#", "\\", "\\*", "\\ ", " ", "é", "É", "漢", "A", "SRC", "+(a|b)", "@(a)", "!(a)", "(a|b)", "|", "$", "^",
    "[[:alpha:]]", "{1..3}", "~", "\t", "-",
)  # fmt: skip
"""Parts of patterns."""

PATHS = (
    "a",
    "b",
    "c",
    "ab",
    "src",
    "docs",
    "x.ts",
    "y.md",
    ".hidden",
    "A",
    "SRC",
    "é",
    "É",
    "漢",
    "a b",
    "a*",
    "[ab]",
    "{a,b}",
    "!a",
    "#a",
    "1",
    "~",
    "$",
    "a,b",
    "\\",
)
"""Names of folders and files."""


def joined(seed: int, parts: Sequence[str], count: int, most: int = 12) -> Iterator[str]:
    """Different strings of up to `most` parts."""
    chance = Random(seed)
    seen: set[str] = set()
    while len(seen) < count:
        made = paired("".join(chance.choices(parts, k=chance.randint(1, most))))
        if made not in seen:
            seen.add(made)
            yield made


def paths(seed: int, count: int) -> Iterator[str]:
    """Relative paths of up to four names."""
    chance = Random(seed)
    for _ in range(count):
        yield "/".join(chance.choices(PATHS, k=chance.randint(1, 4)))


def data(seed: int, count: int) -> Iterator[bytes]:
    """Bytes that are UTF-8, nearly."""
    chance = Random(seed)
    odd = (
        b"\xff",
        b"\xc0\xaf",
        b"\xe2\x82",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\xf0\x9f\x98",
        b"\x80",
        b"\xef\xbb\xbf",
        b"a",
        b"\n",
        b"\x00",
        "é漢😀".encode(),
    )
    for _ in range(count):
        yield b"".join(chance.choices(odd, k=chance.randint(1, 9)))


def like(chance: Random, path: str) -> str:
    """A pattern made of a path, so that many match."""
    made: list[str] = []
    for name in path.split("/"):
        kind = chance.random()
        if kind < 0.35:
            made.append("**" if kind < 0.2 else "*")
            continue
        made.append(name if kind < 0.6 else "".join(_letter(chance, char) for char in name))
    return "/".join(made)


def _letter(chance: Random, char: str) -> str:
    return chance.choice(
        ("?", "*", "[a-z]", "[!q]", "[^q]", f"[{char}x]", f"{{{char},z}}", char, char, char)
    )


def numbers(seed: int, count: int) -> Iterator[str]:
    """Scalars that look like numbers, dates, constants."""
    chance = Random(seed)
    signs = ("", "", "", "-", "+")
    parts = (
        "0",
        "1",
        "7",
        "9",
        "017",
        "0x1F",
        "0o17",
        "0b1",
        "e",
        "E+",
        "e-",
        ".",
        "_",
        ":",
        "1e400",
        "12345678901234567890",
        ".inf",
        ".NaN",
        "true",
        "Null",
        "~",
        "2026-01-02",
        "T10:00:00Z",
    )
    seen: set[str] = set()
    while len(seen) < count:
        made = chance.choice(signs) + "".join(chance.choices(parts, k=chance.randint(1, 4)))
        if made not in seen:
            seen.add(made)
            yield made


def documents(seed: int, count: int) -> Iterator[str]:
    """JSON texts with odd numbers, keys and escapes."""
    chance = Random(seed)
    words = list(joined(seed, WORDS, 400))

    def number() -> str:
        digits = str(chance.randrange(10 ** chance.randint(1, 25)))
        fraction = f".{chance.randrange(10**6)}" if chance.random() < 0.4 else ""
        power = f"{chance.choice('eE')}{chance.choice(('', '+', '-'))}{chance.randint(0, 340)}"
        return (
            chance.choice(("", "-")) + digits + fraction + (power if chance.random() < 0.4 else "")
        )

    def key() -> str:
        odd = ("0", "10", "2", "-1", "01", "4294967295", "__proto__", "a")
        return dumps(
            chance.choice((*odd, chance.choice(words))), ensure_ascii=chance.random() < 0.5
        )

    def value(depth: int) -> str:
        kind = chance.random()
        if depth and kind < 0.3:
            return (
                "{"
                + ",".join(f"{key()}: {value(depth - 1)}" for _ in range(chance.randint(0, 4)))
                + "}"
            )
        if depth and kind < 0.5:
            return "[" + ", ".join(value(depth - 1) for _ in range(chance.randint(0, 4))) + "]"
        if kind < 0.75:
            return number()
        return chance.choice((dumps(chance.choice(words)), "true", "false", "null"))

    for _ in range(count):
        yield value(3)
