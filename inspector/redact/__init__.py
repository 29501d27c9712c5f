"""Replacing secrets: headers, query, bodies, streams, snapshots; pure.

Strategy: `find` looks for every known kind of secret and for every value given by the caller, in
each form JSON, URLs and nested JSON write it. The whole value goes. Its stand-in is made from
its digest, so that equal secrets stay equal; it is plain letters and digits, so that it fits any
quoting; it has the value's length in code points (from 16 on), so that budgets and cuts stay true.
Laws: idempotent; what is replaced nowhere survives, wherever a chunk ended.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from inspector.redact.find import Given, is_stand_in, merged, quiet, spans, stand_in, told
from inspector.redact.stream import joined_secrets, settled
from inspector.session import Exchange, Headers

__all__ = [
    "NOTHING_GIVEN",
    "Given",
    "data",
    "exchange",
    "given",
    "header_secrets",
    "headers",
    "merged",
    "quiet",
    "settled",
    "spans",
    "stand_in",
    "stream",
    "text",
    "url",
    "without",
]

_SECRET_HEADER = re.compile(
    r"authorization|cookie|api-?key|(?:^|-)(?:token|secret|password)(?:$|-)|auth-?token|security-token|session-?token",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"((?:bearer|basic|token|digest)\s+)?(.*)", re.IGNORECASE | re.DOTALL)
_QUERY = re.compile(
    r"([?&](?:key|api[-_]?key|(?:access_|auth_|refresh_)?token|secret|password|sig|code)=)([^&#]+)",
    re.IGNORECASE,
)
_SECRET_NAME = re.compile(
    r"(?:^|_)(?:API_?KEY|KEY|(?:AUTH)?TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)$"
)
# One case or a capital first, and never five consonants in a row: pronounced, not drawn.
_WORD = re.compile(
    r"(?![A-Za-z]*(?:(?![aeiouyAEIOUY])[A-Za-z]){5})(?:[A-Z]?[a-z]{1,15}|[A-Z]{2,16})"
)
SHORTEST_NAMED = 4
LONGEST_NUMBER = 10
NOTHING_GIVEN = Given()


def given(env: Mapping[str, str], *, key: bytes = b"", expressions: Iterable[str] = ()) -> Given:
    """The values of environment variables whose names say key, token, secret or password.

    A value that is an ordinary word is secret only after its name: replaced everywhere it would
    change texts that hold no secret. `key` makes the stand-ins; `expressions` are the user's own.
    """
    found = {
        name: value
        for name, value in env.items()
        if _SECRET_NAME.search(name.upper()) and not value.startswith("/")
    }
    plain = {
        (name, value)
        for name, value in found.items()
        if ordinary(value) and len(value) >= SHORTEST_NAMED
    }
    sure = (value for value in found.values() if not ordinary(value))
    known = Given(named=frozenset(plain), expressions=tuple(expressions), key=key)
    return known.more(sure)


def ordinary(value: str) -> bool:
    """Whether a value has the shape of a word, two words or a number, not of a secret."""
    if value.isdigit():
        return len(value) <= LONGEST_NUMBER
    words = re.split(r"[-_. ]", value)
    return len(words) <= 2 and all(_WORD.fullmatch(word) for word in words)


def data(data: bytes, given: Given = NOTHING_GIVEN) -> tuple[bytes, int]:
    """Any bytes without their secrets, and how many were replaced."""
    found = spans(data, given)
    return (without(data, found, given) if found else data), len(found)


def without(data: bytes, found: Sequence[tuple[int, int]], given: Given = NOTHING_GIVEN) -> bytes:
    """Any bytes with stand-ins at these places."""
    out, done = list[bytes](), 0
    for start, end in found:
        secret = told(data[start:end], given)
        out += (data[done:start], stand_in(secret, given.key).encode())
        done = end
    return b"".join((*out, data[done:]))


def stream(events: bytes, given: Given = NOTHING_GIVEN) -> tuple[bytes, int]:
    """An event stream without its secrets, those spelled by several events included."""
    # The joined ones first: the first piece of a key may look like a whole, shorter key.
    whole, count = joined_secrets(events, given)
    whole, more = data(whole, given)
    return whole, count + more


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
        if is_stand_in(match[2]):
            return match[0]
        count += 1
        return match[1] + stand_in(match[2], given.key)

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
    response, in_response = stream(exchange.response, given)
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
        body_replaced=exchange.body_replaced + in_request,
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
    if not secret or is_stand_in(secret):
        return value, 0
    return scheme + stand_in(secret, given.key), 1


@lru_cache(maxsize=512)
def _is_secret(name: str) -> bool:
    return _SECRET_HEADER.search(name) is not None


def _scheme(value: str) -> tuple[str, str]:
    match = _SCHEME.fullmatch(value)
    return ((match[1] or ""), match[2]) if match else ("", value)
