"""Replacing secrets: headers, query, bodies, streams, snapshots; pure.

Strategy: one compiled pattern finds every known kind of secret and every value given by the caller
in each form JSON, URLs and nested JSON write it. The whole value goes. Its stand-in is made from
its digest, so that equal secrets stay equal; it is plain letters and digits, so that it fits any
quoting; it has the value's length in code points (from 16 on), so that budgets and cuts stay true.
Laws: idempotent; what is replaced nowhere survives, wherever a chunk ended.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from urllib.parse import quote as percent

from inspector.jsontext import quote
from inspector.session import Exchange, Headers

SHORTEST_GIVEN = 8
_MARK = "redacted"
_STAND_IN = re.compile(rb"redacted[0-9a-f]{8}x*")

# Where a secret may begin: not inside a word or a run of base64, but after an escape (`\n`, `%3D`).
_START = (
    rb"(?:(?<![A-Za-z0-9+/=_\-])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4})|(?<=%[0-9A-Fa-f]{2})"
    rb"|(?<=[A-Za-z_]=)|(?<=[^A-Za-z0-9+/][=/]))"
)
_Q = rb"(?:\\*[\"'])"
_TOKENS = (
    rb"sk-ant-[A-Za-z0-9_\-]{16,}",
    rb"sk-(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_\-]{20,}",
    rb"sk-[A-Za-z0-9]{32,}(?![A-Za-z0-9_\-])",
    rb"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
    rb"gh[pousr]_[A-Za-z0-9]{30,}",
    rb"github_pat_[A-Za-z0-9_]{22,}",
    rb"glpat-[A-Za-z0-9_\-]{20,}",
    rb"(?:AKIA|ASIA)[0-9A-Z]{16}(?![A-Za-z0-9+/=])",
    rb"AIza[0-9A-Za-z_\-]{35}(?![A-Za-z0-9_\-])",
    rb"xox[abeposr]-[A-Za-z0-9\-]{10,}",
    rb"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])",
    rb"hf_[A-Za-z0-9]{30,}",
    rb"pypi-AgE[A-Za-z0-9_\-]{40,}",
    rb"eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}",
)
_VALUE = rb"[A-Za-z0-9._~+/=\-]"
_NAMED = (
    # The secret follows its name: the named group is what goes.
    rb"(?i:authorization" + _Q + rb"?\s*[:=]\s*" + _Q
    + rb"?(?:bearer|basic|token)\s+)(?P<auth>" + _VALUE + rb"{8,})",
    rb"(?i:x-api-key" + _Q + rb"?\s*[:=]\s*" + _Q + rb"?)(?P<apikey>" + _VALUE + rb"{8,})",
    rb"(?i:aws_secret_access_key" + _Q + rb"?\s*[:=]\s*" + _Q
    + rb"?)(?P<aws>[A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])",
    rb"(?:access_token|refresh_token|id_token|client_secret|accessToken|refreshToken)"
    + _Q + rb"\s*:\s*" + _Q + rb"(?P<member>[A-Za-z0-9._~+/=\-]{8,})",
    rb"(?<![A-Za-z0-9_])(?:access_token|refresh_token|client_secret)=(?P<form>[A-Za-z0-9._~+/%\-]{8,})",
    rb"://[A-Za-z0-9._~%\-]{1,64}:(?P<url>[A-Za-z0-9._~%!$*+=\-]{3,256})@(?=[A-Za-z0-9\[])",
)  # fmt: skip
_KEY_BLOCK = (
    rb"-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    rb"(?:(?:(?!-----)[^\"]){0,20000}-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    rb"|[A-Za-z0-9+/=\s\\]{0,20000})"
)
_PATTERN = rb"|".join(
    (
        _START + rb"(?P<token>" + rb"|".join(_TOKENS) + rb")",
        b"(?P<block>" + _KEY_BLOCK + b")",
        *_NAMED,
    )
)

_SECRET_HEADER = re.compile(
    r"authorization|cookie|api-?key|(?:^|-)(?:token|secret|password)(?:$|-)|auth-?token|security-token|session-?token",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"((?:bearer|basic|token|digest)\s+)?(.*)", re.IGNORECASE | re.DOTALL)
_QUERY = re.compile(
    r"([?&](?:key|api[-_]?key|(?:access_|auth_|refresh_)?token|secret|password|sig|code)=)([^&#]+)",
    re.IGNORECASE,
)
_SECRET_NAME = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$")


@dataclass(frozen=True)
class Given:
    """Values the caller knows to be secret."""

    values: frozenset[str] = field(default_factory=frozenset[str])

    @cached_property
    def forms(self) -> Mapping[bytes, str]:
        """Every way the values are written, and the value it stands for."""
        found: dict[bytes, str] = {}
        for value in self.values:
            once = quote(value)[1:-1]
            written = (
                value,
                once,
                quote(once)[1:-1],
                once.replace("/", "\\/"),
                percent(value, safe=""),
                percent(value),
            )
            for form in written:
                found.setdefault(form.encode("utf-8", "surrogateescape"), value)
        return found

    @cached_property
    def pattern(self) -> re.Pattern[bytes]:
        """Everything that is looked for."""
        forms = sorted(self.forms, key=len, reverse=True)
        given = b"(?P<given>" + b"|".join(map(re.escape, forms)) + b")|" if forms else b""
        return re.compile(given + _PATTERN)

    def more(self, values: Iterable[str]) -> "Given":
        """With further values; those too short to be secrets are left out."""
        added = {
            value for value in values if len(value) >= SHORTEST_GIVEN and not _is_stand_in(value)
        }
        return self if added <= self.values else Given(self.values | added)


NOTHING_GIVEN = Given()


def given(env: Mapping[str, str]) -> Given:
    """The values of environment variables whose names say key, token, secret or password."""
    named = (value for name, value in env.items() if _SECRET_NAME.search(name.upper()))
    return NOTHING_GIVEN.more(value for value in named if not value.startswith("/"))


def stand_in(value: str) -> str:
    """What takes the place of a secret: stable, plain, as long as the value (at least 16)."""
    digest = sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{_MARK}{digest}".ljust(len(value), "x")


def data(data: bytes, given: Given = NOTHING_GIVEN) -> tuple[bytes, int]:
    """Any bytes without their secrets, and how many were replaced."""
    count = 0

    def put(match: re.Match[bytes]) -> bytes:
        nonlocal count
        name = match.lastgroup or "given"
        start, end = match.start(name) - match.start(), match.end(name) - match.start()
        found = match[name]
        if _STAND_IN.fullmatch(found):
            return match[0]
        count += 1
        new = stand_in(given.forms[found] if name == "given" else _decoded(found)).encode()
        return match[0][:start] + new + match[0][end:]

    return given.pattern.sub(put, data), count


def text(string: str, given: Given = NOTHING_GIVEN) -> tuple[str, int]:
    """A string without its secrets."""
    replaced, count = data(string.encode("utf-8", "surrogatepass"), given)
    return (replaced.decode("utf-8", "surrogatepass"), count) if count else (string, 0)


def headers(headers: Headers, given: Given = NOTHING_GIVEN) -> tuple[Headers, int]:
    """Headers without secrets; a scheme such as `Bearer` stays."""
    out, count = list[tuple[str, str]](), 0
    for name, value in headers:
        new, found = _header(name, value, given)
        out.append((name, new))
        count += found
    return tuple(out), count


def header_secrets(headers: Headers) -> list[str]:
    """The credentials that stand in headers, to be looked for everywhere else."""
    return [
        _scheme(value)[1]
        for name, value in headers
        if _is_secret(name) and "cookie" not in name.lower()
    ]


def url(string: str, given: Given = NOTHING_GIVEN) -> tuple[str, int]:
    """A URL without secrets in its query or user part."""
    count = 0

    def put(match: re.Match[str]) -> str:
        nonlocal count
        if _is_stand_in(match[2]):
            return match[0]
        count += 1
        return match[1] + stand_in(match[2])

    replaced, more = text(_QUERY.sub(put, string), given)
    return replaced, count + more


def exchange(exchange: Exchange, given: Given = NOTHING_GIVEN) -> Exchange:
    """An exchange without secrets; credentials in its headers are looked for in its bodies too.

    Where the body was sent compressed and held a secret, the decoded body without it stands for the
    body as sent, since compressed bytes would give the secret back.
    """
    given = given.more(header_secrets(exchange.request_headers))
    request, in_request = data(exchange.request, given)
    wire, _ = data(exchange.request_wire, given)
    response, in_response = data(exchange.response, given)
    where, in_url = url(exchange.url, given)
    sent, in_sent = headers(exchange.request_headers, given)
    received, in_received = headers(exchange.response_headers, given)
    error, in_error = text(exchange.error, given)
    if in_request and exchange.request_wire != exchange.request:
        wire = request
    return replace(
        exchange,
        url=where,
        request_headers=sent,
        request=request,
        request_wire=wire,
        response_headers=received,
        response=response,
        error=error,
        replaced=exchange.replaced
        + in_request
        + in_response
        + in_url
        + in_sent
        + in_received
        + in_error,
    )


def _header(name: str, value: str, given: Given) -> tuple[str, int]:
    if not _is_secret(name):
        return text(value, given)
    scheme, secret = _scheme(value)
    if not secret or _is_stand_in(secret):
        return value, 0
    return scheme + stand_in(secret), 1


def _is_secret(name: str) -> bool:
    return _SECRET_HEADER.search(name) is not None


def _scheme(value: str) -> tuple[str, str]:
    match = _SCHEME.fullmatch(value)
    return ((match[1] or ""), match[2]) if match else ("", value)


def _is_stand_in(value: str) -> bool:
    return _STAND_IN.fullmatch(value.encode("utf-8", "replace")) is not None


def _decoded(found: bytes) -> str:
    """The secret's text: line ends of key blocks are escaped inside JSON."""
    return (
        found.decode("utf-8", "replace")
        .replace("\\\\n", "\n")
        .replace("\\n", "\n")
        .replace("\\r", "\r")
    )
