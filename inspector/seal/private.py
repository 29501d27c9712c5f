"""Sealing for strangers: every text of the user's stood in for, what the cache and a diff see kept.

Strategy: a string that is no word of the protocol becomes letters of the same number of bytes, line
by line, made by an HMAC under a key that is thrown away. Equal texts stay equal and others stay
others, so segments, prefixes and sizes are as they were; nothing can be guessed and tried, as the
key is gone. What is not needed (headers, snapshot, digests of bodies) is left out.
"""

import hmac
import re
from base64 import b32encode
from collections.abc import Collection
from dataclasses import replace
from urllib.parse import urlsplit

from inspector.jsontext import parse, unquote
from inspector.session import PRIVATE, Exchange, Headers, Recording

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_KEPT_HEADERS = {
    "content-type": re.compile(
        r"(?:application/json|text/event-stream|text/plain)(?:; ?charset=utf-8)?", re.IGNORECASE
    ),
    "anthropic-version": re.compile(r"\d{4}-\d{2}-\d{2}"),
}
"""Headers that stay where they have the form they should."""
_AGENT = re.compile(r"[A-Za-z_-]{1,20}/\d{1,4}(?:\.\d{1,6}){1,3}")
_MODEL = re.compile(r"(?:claude|gpt|codex|o\d)(?:-[a-z0-9.]{1,12}){0,5}(?:\[1m\])?")
_VERSION = re.compile(r"\d{1,4}(?:\.\d{1,6}){0,3}")
_SEAL = re.compile("⟦(sha256|unknown):([0-9a-f]{64}) ([0-9]{1,9})⟧")
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}")
_BOOKS = re.compile(r"(x-[a-z-]+): (?:[a-z_]+=[\w.-]*(?:; ?|$))+")
_NAME = re.compile(r"(?<=[ ;])[a-z_]+(?==)")
_VALUE = re.compile(r"(?<==)[\w.-]+")
_VERSIONED = re.compile(r"(\d{1,4}(?:\.\d{1,6}){2}\.)([0-9a-f]{3})")
_HEX = re.compile("[0-9a-f-]+")
_RAW_LINE = re.compile(r"((?:[^\\]++|\\[^n])*+)(?:\\n|$)", re.DOTALL)
_SCHEMES = ("http", "https", "ws", "wss")
_TRIES = 40


class Veil:
    """Stands in for texts: the same text gets the same letters, another text others."""

    def __init__(self, key: bytes, words: Collection[str]) -> None:
        """`words` are those of the protocol, which stay."""
        self._key = key
        self._words = frozenset(words)
        self._made: dict[str, str] = {}
        self._taken: set[str] = set()

    def line(self, text: str, size: int) -> str:
        """Letters in place of a text without line ends, `size` of them unless that is too few.

        Client texts that are sealed stay so; ids become ids, and a line of the client's own
        book-keeping keeps its names.
        """
        if "⟦" in text and (found := list(_SEAL.finditer(text))):
            # Escapes take bytes, too: what the text is short of is made up in its longest part.
            ends = [0, *(end for seal in found for end in seal.span()), len(text)]
            parts = [text[low:high] for low, high in zip(ends[::2], ends[1::2], strict=True)]
            sizes = [_size(part) for part in parts]
            sizes[sizes.index(max(sizes))] += max(size - _size(text), 0)
            letters = [self._alone(*each) for each in zip(parts, sizes, strict=True)]
            seals = [*map(self._seal, found), ""]
            return "".join(one + two for one, two in zip(letters, seals, strict=True))
        if _ID.fullmatch(text):
            return self._shape(text)
        if (kept := _BOOKS.fullmatch(text)) and {kept[1], *_NAME.findall(text)} <= self._words:
            return _VALUE.sub(self._value, text)
        return self._alone(text, size)

    def _plain(self, text: str) -> str:
        return self._alone(text, _size(text))

    def _seal(self, seal: re.Match[str]) -> str:
        """The seal over a client's text names a text everybody has; that over another does not."""
        if seal[1] == "sha256":
            return seal[0]
        return f"⟦unknown:{self._shape(seal[2])} {seal[3]}⟧"

    def _value(self, match: re.Match[str]) -> str:
        text = match[0]
        version = _VERSIONED.fullmatch(text)
        if version:
            return version[1] + self._shape(version[2])
        if text in self._words or text.isdigit():
            return text
        return self._shape(text) if _HEX.fullmatch(text) else self._plain(text)

    def _shape(self, text: str) -> str:
        """An id of the same form: a hex digit for each hex digit; a UUID keeps its version."""
        digits = iter(hmac.digest(self._key, b"id " + text.encode(), "sha512").hex() * 2)
        kept = {8, 13, 14, 18, 19, 23} if "-" in text else frozenset[int]()
        return "".join(char if at in kept else next(digits) for at, char in enumerate(text))

    def _alone(self, text: str, size: int) -> str:
        if not text:
            return ""
        known = self._made.get(text)
        while known is None:
            for number in range(_TRIES):
                letters = self._letters(f"{number} {size} {text}", size)
                if letters not in self._taken:
                    self._taken.add(letters)
                    known = self._made[text] = letters
                    break
            size += 1
        return known

    def _letters(self, text: str, size: int) -> str:
        data, out = text.encode("utf-8", "surrogatepass"), ""
        while len(out) < size:
            made = hmac.digest(self._key, f"{len(out)} ".encode() + data, "sha256")
            out += b32encode(made).decode().rstrip("=").lower()
        return out[:size]

    def json(self, data: bytes) -> bytes:
        """The same JSON with its strings and names stood in for."""
        before = b""

        def string(match: re.Match[bytes]) -> bytes:
            nonlocal before
            token, earlier = match[0], before
            before = token
            text = unquote(token.decode("utf-8", "surrogatepass"))
            stays = text in self._words or (earlier == b'"model"' and _MODEL.fullmatch(text))
            return token if stays else b'"%s"' % self._inside(token[1:-1], text).encode()

        return _STRING.sub(string, data)

    def _inside(self, raw: bytes, text: str) -> str:
        """What stands between the quotes."""
        parts = text.split("\n")
        if len(parts) == 1:
            return self.line(text, len(raw))
        written = _RAW_LINE.findall(raw.decode("utf-8", "surrogatepass"))[: len(parts)]
        if len(written) != len(parts):  # line ends are written another way, too
            written = parts
        return "\\n".join(map(self.line, parts, map(_size, written)))

    def data(self, data: bytes) -> bytes:
        """Bytes of any kind: JSON, a stream of events, or anything else."""
        if not data:
            return data
        try:
            parse(data)
        except ValueError:
            text = data.decode("utf-8", "surrogateescape")
            return "\n".join(map(self._event, text.split("\n"))).encode("utf-8", "surrogateescape")
        return self.json(data)

    def _event(self, line: str) -> str:
        """A line of a stream."""
        name, colon, rest = line.partition(": ")
        if colon and name == "event" and rest.strip() in self._words:
            return line
        if colon and name == "data":
            data = rest.encode("utf-8", "surrogateescape")
            try:
                parse(data)
            except ValueError:
                return line if rest.strip() == "[DONE]" else f"data: {self.line(rest, len(rest))}"
            return f"data: {self.json(data).decode('utf-8', 'surrogateescape')}"
        return self.line(line, len(line))

    def url(self, url: str, hosts: Collection[str]) -> str:
        """A URL: a known host stays, words of the protocol in its path stay, its query goes."""
        parts = urlsplit(url)
        host = parts.hostname or ""
        host = host if host in hosts else self.line(host, max(len(host), 8))
        path = "/".join(
            part if part in self._words else self.line(part, len(part))
            for part in parts.path.split("/")
        )
        scheme = parts.scheme if parts.scheme in _SCHEMES else "https"
        return f"{scheme}://{host}{path}"


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def private(
    recording: Recording, key: bytes, words: Collection[str], hosts: Collection[str]
) -> Recording:
    """A recording that tells nothing of what was said, where, and by whom."""
    veil = Veil(key, words)
    session = recording.session
    made = replace(
        session,
        version=session.version if _VERSION.fullmatch(session.version) else "",
        conversation=None if session.conversation is None else veil.line(session.conversation, 32),
        source=PRIVATE,
    )
    exchanges = tuple(_exchange(item, veil, hosts) for item in recording.exchanges)
    return Recording(made, exchanges)


def _exchange(exchange: Exchange, veil: Veil, hosts: Collection[str]) -> Exchange:
    request = veil.data(exchange.request)
    return replace(
        exchange,
        url=veil.url(exchange.url, hosts),
        request=request,
        request_wire=request,
        request_sha256="",
        wire_sha256="",
        request_headers=_headers(exchange.request_headers),
        response_headers=_headers(exchange.response_headers),
        response=veil.data(exchange.response),
        error="incomplete" if exchange.error else "",
    )


def _headers(headers: Headers) -> Headers:
    kept: list[tuple[str, str]] = []
    for name, value in headers:
        lower = name.lower()
        agent = _AGENT.match(value) if lower == "user-agent" else None
        shape = _KEPT_HEADERS.get(lower)
        if agent is not None:
            kept.append((lower, agent[0]))
        elif shape is not None and shape.fullmatch(value):
            kept.append((lower, value))
    return tuple(kept)
