"""Where secrets stand in bytes: known kinds, and values the caller knows.

Strategy: one expression in a linear-time engine tells whether any kind is announced at all; that is
how nearly all text passes. Where one is, the words that announce a kind are found, and a pattern
looks closer there.
"""

import hmac
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from urllib.parse import quote as percent

from pydantic_core import SchemaValidator, core_schema

from inspector.jsontext import quote

SHORTEST_GIVEN = 8
LONGEST_MATCH = 4096
"""A match of a user's pattern that is longer may be missed where it spans old and new text."""
_STAND_IN = re.compile(rb"redacted[0-9a-f]{8}x*")
_ESCAPE_CUT = re.compile(rb"\\u[0-9a-fA-F]{0,3}\Z")
_STAND_IN_TEXT = re.compile(r"redacted[0-9a-f]{8}x*")

# Where a token may begin: not inside a word or a run of base64, but after an escape (`\n`, `%3D`).
_START = (
    rb"(?:(?<![A-Za-z0-9+/=_\-])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4})|(?<=%[0-9A-Fa-f]{2})"
    rb"|(?<=[A-Za-z_]=)|(?<=[^A-Za-z0-9+/=][=/]))"
)
_TOKENS = (
    (
        "sk-",
        (
            rb"sk-(?:ant-[A-Za-z0-9_\-]{16,}|(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_\-]{20,}"
            rb"|[A-Za-z0-9]{32,}(?![A-Za-z0-9_\-]))"
        ),
    ),
    ("sk_ rk_", rb"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("ghp_ gho_ ghu_ ghs_ ghr_", rb"gh[pousr]_[A-Za-z0-9]{30,}"),
    ("github_pat_", rb"github_pat_[A-Za-z0-9_]{22,}"),
    ("glpat-", rb"glpat-[A-Za-z0-9_\-]{20,}"),
    ("akia asia", rb"(?:AKIA|ASIA)[0-9A-Z]{16}(?![A-Za-z0-9+/=])"),
    ("aiza", rb"AIza[0-9A-Za-z_\-]{35}(?![A-Za-z0-9_\-])"),
    ("xox", rb"xox[abeposr]-[A-Za-z0-9\-]{10,}"),
    ("npm_", rb"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
    ("hf_", rb"hf_[A-Za-z0-9]{30,}"),
    ("pypi-age", rb"pypi-AgE[A-Za-z0-9_\-]{40,}"),
    ("ya29.", rb"ya29\.[A-Za-z0-9_\-]{20,}"),
    ("sg.", rb"SG\.[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{16,}"),
    ("xai- gsk_", rb"(?:xai-|gsk_)[A-Za-z0-9]{40,}(?![A-Za-z0-9_\-])"),
    ("dop_v1_", rb"dop_v1_[0-9a-f]{64}(?![A-Za-z0-9])"),
    ("hvs.", rb"hvs\.[A-Za-z0-9_\-]{24,}"),
    ("dckr_pat_", rb"dckr_pat_[A-Za-z0-9_\-]{20,}"),
    ("eyj", rb"eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}"),
)
# Bounded, so that a look at a part of a body knows how far a name reaches.
_Q = rb"(?:\\{0,8}[\"'])"
_IS = _Q + rb"?\s{0,16}[:=]\s{0,16}" + _Q + rb"?"
_VALUE = rb"[A-Za-z0-9._~+/=\-]"
_END = rb"-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
# A secret that follows its name: the group `value` is what goes.
_NAMED = (
    (
        "authorization",
        rb"(?i:authorization" + _IS + rb"(?:bearer|basic|token)\s{1,16})"
        rb"(?P<value>" + _VALUE + rb"{8,})",
    ),
    ("x-api-key", rb"(?i:x-api-key" + _IS + rb")(?P<value>" + _VALUE + rb"{8,})"),
    (
        "aws_secret_access_key",
        rb"(?i:aws_secret_access_key" + _IS + rb")(?P<value>[A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])",
    ),
    (
        "aws_session_token",
        rb"(?i:aws_session_token" + _IS + rb")(?P<value>[A-Za-z0-9/+=]{40,})",
    ),
    ("accountkey=", rb"(?i:AccountKey=)(?P<value>[A-Za-z0-9/+]{40,}={0,2})"),
    (
        "access_token refresh_token id_token client_secret accesstoken refreshtoken",
        rb"(?:(?:access|refresh|id)_token|client_secret|accessToken|refreshToken)(?:"
        + _Q + rb"\s{0,16}:\s{0,16}" + _Q + rb"|=)(?P<value>[A-Za-z0-9._~+/=%\-]{8,})",
    ),
    (
        "://",
        rb"://[A-Za-z0-9._~%\-]{1,64}:(?P<value>[A-Za-z0-9._~%!$*+=\-]{3,256})@(?=[A-Za-z0-9\[])",
    ),
    (
        "-----begin ",
        rb"(?P<value>-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        rb"(?:(?:(?!-----)[^\"]){0,20000}" + _END + rb"|[A-Za-z0-9+/=\s\\]{0,20000}))",
    ),
)  # fmt: skip
_KINDS = tuple(
    (word.encode(), re.compile(pattern))
    for words, pattern in (
        *((words, _START + rb"(?P<value>" + token + rb")") for words, token in _TOKENS),
        *_NAMED,
    )
    for word in ([words] if words == "-----begin " else words.split())
)
# Holds wherever one of `_KINDS` does, and seldom elsewhere; pydantic's engine has no lookaround.
_ANNOUNCED = (
    r"(?i)sk-(?:ant|proj|svcacct|admin|or-v1)-|sk-[a-z0-9]{32}|[sr]k_(?:live|test)_"
    r"|gh[pousr]_[a-z0-9]{30}|github_pat_|glpat-|(?:akia|asia)[0-9a-z]{16}|aiza[0-9a-z_\-]{35}"
    r"|xox[abeposr]-|npm_[a-z0-9]{36}|hf_[a-z0-9]{30}|pypi-age|eyj[a-z0-9_\-]{8,}\.eyj"
    r"|ya29\.[a-z0-9_\-]{20}|sg\.[a-z0-9_\-]{16,}\.|(?:xai-|gsk_)[a-z0-9]{40}|dop_v1_[0-9a-f]{64}"
    r"|hvs\.[a-z0-9_\-]{24}|dckr_pat_|accountkey="
    r"|(?:authorization|x-api-key|aws_secret_access_key|aws_session_token"
    r"|(?:access|refresh|id)_token|client_secret|accesstoken|refreshtoken)[\\\"']*\s*[:=]"
    r"|://[a-z0-9._~%\-]+:[a-z0-9._~%!$*+=\-]+@|-----begin "
)


@cache
def _announcing() -> SchemaValidator:
    return SchemaValidator(core_schema.str_schema(pattern=_ANNOUNCED, regex_engine="rust-regex"))


@dataclass(frozen=True)
class Given:
    """What the caller knows to be secret."""

    values: frozenset[str] = field(default_factory=frozenset[str])
    """Secret wherever they stand."""
    named: frozenset[tuple[str, str]] = field(default_factory=frozenset[tuple[str, str]])
    """Names and values that are ordinary words: secret only where the name stands before them."""
    expressions: tuple[str, ...] = ()
    """The user's own patterns; a group `value` is what goes, else the whole."""
    key: bytes = field(default=b"", repr=False)
    """Of the stand-ins."""

    @cached_property
    def forms(self) -> Mapping[bytes, str]:
        """Every way the values are written, and the value it stands for."""
        found: dict[bytes, str] = {}
        for value in self.values:
            once = quote(value)[1:-1]
            slashed = once.replace("/", "\\/")
            twice = quote(once)[1:-1]
            thrice = quote(twice)[1:-1]
            raw = value.encode("utf-8", "surrogateescape")
            written = [form.encode("utf-8", "replace") for form in (once, twice, thrice, slashed)]
            for form in (raw, *written, percent(raw, safe="").encode(), percent(raw).encode()):
                found.setdefault(form, value)
        return found

    @cached_property
    def patterns(self) -> tuple[re.Pattern[bytes], ...]:
        """What is looked for beside the values. Raises `re.error` for a bad expression."""
        named = (
            rb"(?<![A-Za-z0-9_])" + re.escape(name.encode()) + _IS
            + b"(?P<value>" + re.escape(value.encode("utf-8", "surrogateescape")) + b")"
            + rb"(?![A-Za-z0-9_])"
            for name, value in sorted(self.named)
        )  # fmt: skip
        own = (expression.encode() for expression in self.expressions)
        return tuple(re.compile(pattern) for pattern in (*named, *own))

    @cached_property
    def shortest(self) -> int:
        """The fewest bytes that anything to be replaced may take; 0 where that is not known."""
        return 0 if self.patterns else min((SHORTEST_GIVEN, *map(len, self.forms)))

    @cached_property
    def longest(self) -> int:
        """The most bytes that one of the values, or a match of the user's patterns, may take."""
        named = (len(name) + len(value) * 4 + 64 for name, value in self.named)
        return max((*map(len, self.forms), *named, LONGEST_MATCH if self.expressions else 0, 0))

    def more(self, values: Iterable[str]) -> "Given":
        """With further values; those too short to be secrets are left out."""
        added = {value for value in values if len(value) >= SHORTEST_GIVEN}
        added = {value for value in added if not _STAND_IN_TEXT.search(value)}
        return self if added <= self.values else replace(self, values=self.values | added)


def spans(data: bytes, given: Given) -> list[tuple[int, int]]:
    """Where secrets stand in some bytes, in order, none overlapping another."""
    if len(data) < given.shortest:
        return []
    found = [*_of_known_kinds(data), *_given_ones(data, given)]
    if not found:
        return []
    done = [match.span() for match in _STAND_IN.finditer(data)]
    return merged(
        (low, high)
        for low, high in found
        if low < high and not any(low < end and start < high for start, end in done)
    )


def quiet(data: bytes, given: Given) -> bool:
    """Whether nothing in some bytes can be a secret or announces one that stands behind them."""
    if given.patterns or _announces(data):
        return False
    return not any(form in data for form in given.forms)


def told(found: bytes, given: Given) -> str:
    """The secret that some bytes stand for."""
    return given.forms.get(found) or _plain(found)


def stand_in(value: str, key: bytes = b"") -> str:
    """What takes the place of a secret: stable, plain, as long as the value (at least 16).

    Under a random key it tells nothing about the value, not even to somebody who guesses it.
    """
    digest = hmac.digest(key, value.encode("utf-8", "surrogatepass"), "sha256").hex()[:8]
    return f"redacted{digest}".ljust(len(value), "x")


def is_stand_in(value: str) -> bool:
    """Whether a text is a stand-in already."""
    return _STAND_IN_TEXT.fullmatch(value) is not None


def _announces(data: bytes) -> bool:
    return _announcing().isinstance_python(str(data, "latin-1"))


def _of_known_kinds(data: bytes) -> Iterator[tuple[int, int]]:
    if not _announces(data):
        return
    lower = data.lower()
    for word, pattern in _KINDS:
        at = lower.find(word)
        while at >= 0:
            match = pattern.match(data, at)
            if match is not None:
                yield match.span("value")
            at = lower.find(word, max(at + 1, match.end() if match else 0))


def _given_ones(data: bytes, given: Given) -> Iterator[tuple[int, int]]:
    for form in given.forms:
        at = data.find(form)
        while at >= 0:
            # The last digits of `\u0000` may look like the first of a value.
            if not _ESCAPE_CUT.search(data, max(0, at - 5), at):
                yield at, at + len(form)
            at = data.find(form, at + 1)
    for pattern in given.patterns:
        for match in pattern.finditer(data):
            yield match.span("value" if "value" in pattern.groupindex else 0)


def merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, those that overlap made one."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def _plain(found: bytes) -> str:
    """A secret's text: the line ends of key blocks are escaped inside JSON."""
    text = found.decode("utf-8", "replace")
    return text.replace("\\\\n", "\n").replace("\\n", "\n").replace("\\r", "\r")
