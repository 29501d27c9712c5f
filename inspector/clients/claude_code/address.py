"""Addresses of MCP servers, as the client quotes them and judges them.

Witness: Claude Code 2.1.332, `mcp_unreached_files`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, parse_qsl, quote_plus, unquote, urlsplit

_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}")
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=%-]{24,}")
_VERSION = re.compile(r"v?\d+(?:[._-]\d+)*", re.IGNORECASE)
_WORD = r"(?:[a-z]+|[A-Z][a-z]{2,}|[A-Z]+|\d+)"
_WORDS = re.compile(rf"(?=.{{1,32}}$){_WORD}(?:[-_]{_WORD})*")
_BETWEEN = re.compile(r"([;,&\s]+)")
_SHORT = 8
_KNOWN_PATHS = frozenset({"/_next/mcp", "/__mcp/sse"})
_OUT = "REDACTED"


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of an absolute address."""

    scheme: str
    user: str
    password: str
    host: str
    """With the port, where it is not the scheme's own."""
    name: str
    path: str
    query: str
    fragment: str

    @property
    def origin(self) -> str:
        """Scheme and host."""
        return f"{self.scheme}://{self.host}"

    @property
    def whole(self) -> str:
        """The address as it is written in full."""
        user = f"{self.user}:{self.password}" if self.password else self.user
        query = f"?{self.query}" if self.query else ""
        fragment = f"#{self.fragment}" if self.fragment else ""
        at = f"{user}@" if user else ""
        return f"{self.scheme}://{at}{self.host}{self.path}{query}{fragment}"

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Names and values of the query."""
        return parse_qsl(self.query, keep_blank_values=True)


def read(url: str) -> Address | None:
    """The parts of an address; None where it is none."""
    try:
        found = urlsplit(url.strip())
        host = _host(found)
    except ValueError:
        return None
    if found.scheme not in _PORTS or not found.hostname:
        return None
    return Address(
        scheme=found.scheme,
        user=found.username or "",
        password=found.password or "",
        host=host,
        name=found.hostname,
        path=found.path or "/",
        query=found.query,
        fragment=found.fragment,
    )


def _host(found: SplitResult) -> str:
    name = found.hostname or ""
    name = f"[{name}]" if ":" in name else name
    own = found.port is None or found.port == _PORTS.get(found.scheme)
    return name if own else f"{name}:{found.port}"


def shown(url: str) -> str:
    """An address without what might be a secret: the query's values, odd parts of the path."""
    address = read(url)
    if address is None:
        return "[unparseable url]"
    user = _OUT if address.user else ""
    password = _OUT if address.password else ""
    path = "/".join(_part(part) for part in address.path.split("/"))
    empty = {name for name, value in address.pairs if not value}
    names = dict.fromkeys(name for name, _ in address.pairs)
    query = "&".join(
        f"{_OUT if name in empty or secret(name) else quote_plus(name)}={_OUT}" for name in names
    )
    return Address(
        address.scheme, user, password, address.host, address.name, path, query, ""
    ).whole


def plain(url: str) -> bool:
    """Whether an address holds nothing that `shown` keeps back."""
    address = read(url)
    return address is not None and shown(url) == address.whole


def _part(part: str) -> str:
    pieces = _BETWEEN.split(part)
    return "".join(one if number % 2 else _piece(one) for number, one in enumerate(pieces))


def _piece(piece: str) -> str:
    name, equals, value = piece.partition("=")
    if not equals or not value.strip("="):
        return _OUT if secret(piece) else piece
    return f"{_OUT if secret(name) else name}={_OUT}"


def secret(string: str) -> bool:
    """Whether a run of characters looks like a token."""
    return _token(string) or _token(unquote(string))


def _token(string: str) -> bool:
    if not _TOKEN.fullmatch(string) or _VERSION.fullmatch(string) or _WORDS.fullmatch(string):
        return False
    lower, upper = re.search("[a-z]", string), re.search("[A-Z]", string)
    digit = re.search("[0-9]", string)
    return bool((lower or upper) and (digit or (lower and upper)))


def redialled(url: str, entry: Mapping[str, Any]) -> bool:
    """Whether the client connects again to a server that failed, when it is asked for."""
    address = read(url)
    if address is None:
        return False
    if address.scheme in {"https", "wss"}:
        return True
    bare = not (address.user or address.password or address.query)
    short = len(address.path.replace("/", "")) < _SHORT or address.path in _KNOWN_PATHS
    given = entry.get("headers") or entry.get("headersHelper") or entry.get("oauth")
    return bare and short and not given


def label(url: str, authored: str | None) -> str | None:
    """What stands for an address in a text; `authored`: as a file names it, variables and all."""
    written = url if authored is None else authored
    masked = _VARIABLE.sub(lambda found: "x" * len(found[0]), written)
    start = masked.find("://") + 3 if "://" in masked else 0
    end = next((start + n for n, one in enumerate(masked[start:]) if one in "/?#\\"), len(masked))
    host = written[start + masked[start:end].rfind("@") + 1 : end]
    if "${" in host:
        return _VARIABLE.sub(r"${\1}", written[:start] + host) if _whole(host) else None
    address = read(url)
    return address.origin if address is not None else None


def _whole(host: str) -> bool:
    """Whether variables make whole labels of a host."""
    *before, last = _VARIABLE.split(re.sub(r":[^:\]}]*$", "", host))[::2]
    return not any(part.strip(".") for part in before) and last[:1] in {"", "."}
