"""Replacing secrets: headers, query, bodies, streams, snapshots; pure.

Strategy: `find` looks for every known kind of secret and for every value given by the caller, in
each form JSON, URLs and nested JSON write it. The whole value goes. Its stand-in is made from
its digest, so that equal secrets stay equal; it is plain letters and digits, so that it fits any
quoting; it has the value's length in code points (from 16 on), so that budgets and cuts stay true.
Laws: idempotent; what is replaced nowhere survives, wherever a chunk ended.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from inspector.redact.find import Given, is_stand_in, secrets, stand_in
from inspector.redact.stream import joined_secrets
from inspector.session import Exchange, Headers

__all__ = [
    "NOTHING_GIVEN",
    "Given",
    "data",
    "exchange",
    "given",
    "header_secrets",
    "headers",
    "stand_in",
    "stream",
    "text",
    "url",
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


NOTHING_GIVEN = Given()


def given(env: Mapping[str, str]) -> Given:
    """The values of environment variables whose names say key, token, secret or password."""
    named = (value for name, value in env.items() if _SECRET_NAME.search(name.upper()))
    return NOTHING_GIVEN.more(value for value in named if not value.startswith("/"))


def data(data: bytes, given: Given = NOTHING_GIVEN) -> tuple[bytes, int]:
    """Any bytes without their secrets, and how many were replaced."""
    found = secrets(data, given)
    out, done = list[bytes](), 0
    for secret in found:
        out += (data[done : secret.start], stand_in(secret.value).encode())
        done = secret.end
    return (b"".join((*out, data[done:])) if found else data), len(found)


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
    return scheme + stand_in(secret), 1


def _is_secret(name: str) -> bool:
    return _SECRET_HEADER.search(name) is not None


def _scheme(value: str) -> tuple[str, str]:
    match = _SCHEME.fullmatch(value)
    return ((match[1] or ""), match[2]) if match else ("", value)
