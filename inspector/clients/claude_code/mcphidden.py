"""What the client takes out of an error of an MCP server: what its configuration holds.

Witness: Claude Code 2.1.332, `mcp_unreached_files`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from unicodedata import category, combining, normalize
from urllib.parse import unquote

from inspector.clients.claude_code import address
from inspector.clients.claude_code.plain import items, mapping
from inspector.clients.claude_code.servers import Written
from inspector.text import EMPTY, Kind, Origin, Text, text

_HIDDEN = "[redacted]"
_LEAST = 4
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}")
_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ROUNDS = 32
_DIGEST = re.compile("sha256:[0-9a-f]{64}")
"""What stands in a recording for values of `headers` and `env`, in a server's words too."""
_CREDENTIAL = "token|key|secret|password|authorization|credential"
_BEFORE = r"access|refresh|id|client|api|x[-_]api|session|auth"
_NAMED = re.compile(rf"bearer|basic|(?:{_BEFORE})?[-_ ]?(?:{_CREDENTIAL})s?", re.IGNORECASE)
_ENDING = re.compile(
    rf"(?:^|[^A-Za-z0-9_\s])(?:bearer|basic|{_CREDENTIAL})s?$", re.IGNORECASE | re.ASCII
)
_PARTED = re.compile("[:=\uff1a\uff1d]+")


@dataclass(frozen=True, slots=True)
class _Needle:
    """A run of the configuration, and what stands for it."""

    run: str
    instead: str
    bounded: bool = False

    def pattern(self) -> re.Pattern[str]:
        plain = re.escape(self.run)
        if self.bounded and re.fullmatch(r"[\w-]+", self.run, re.ASCII):
            plain = rf"(?<![\w:.-]){plain}(?![\w:.-])"
        return re.compile(plain, re.IGNORECASE | re.ASCII)


def label(written: Written) -> str:
    """What stands for a server's address, or its program."""
    entry = written.whole
    if "url" in entry:
        authored = str(written.entry["url"]) if written.filed else None
        found = address.label(str(entry["url"]), authored)
        if found is not None:
            return found
    return str(entry.get("type") or ("stdio" if "command" in entry else "unknown"))


def hidden(said: Text, written: Written) -> Text:
    """A text without what the configuration holds."""
    said = _decoded(said)
    string, at = _bare(str(said))
    ends: dict[int, int] = {}
    instead: dict[int, str] = {}
    patterns = [(needle.pattern(), needle.instead) for needle in _needles(written)]
    for pattern, filling in [*patterns, (_DIGEST, _HIDDEN)]:
        for start, end in _found(pattern, string):
            if end > ends.get(start, 0):
                ends[start], instead[start] = end, filling
    out, done = EMPTY, 0
    for start, end in _joined(ends):
        put = text(instead[start], Origin(Kind.COMPUTED, "configuration"))
        out, done = out + said[done : at[start]] + put, at[end - 1] + 1
    return out + said[done:]


def _found(pattern: re.Pattern[str], string: str) -> Iterator[tuple[int, int]]:
    """Every place, those that overlap too."""
    match = pattern.search(string)
    while match is not None:
        yield match.span()
        match = pattern.search(string, match.start() + 1)


def _joined(ends: Mapping[int, int]) -> list[tuple[int, int]]:
    """Runs that overlap as one."""
    out: list[tuple[int, int]] = []
    for start in sorted(ends):
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], ends[start]))
        else:
            out.append((start, ends[start]))
    return out


def _decoded(said: Text) -> Text:
    """The text with characters that are written as percent signs and digits."""
    for _ in range(_ROUNDS):
        if not _ENCODED.search(str(said)):
            break
        said = said.sub(_ENCODED, lambda found: unquote(found[0], errors="replace"))
    return said


def _bare(string: str) -> tuple[str, list[int]]:
    """The string without marks and what cannot be seen; where each character of it was."""
    out: list[str] = []
    at: list[int] = []
    for place, character in enumerate(string):
        plain = [one for one in normalize("NFD", character) if not combining(one)]
        for one in plain if _seen(character) else ():
            out.append(one)
            at.append(place)
    return "".join(out), at


def _seen(character: str) -> bool:
    kind = category(character)
    return character in " \n\t" or kind not in {"Cc", "Cf", "Zl", "Zp", "Zs"}


def _needles(written: Written) -> list[_Needle]:
    """The longest first; what has a word of its own before what is only taken out."""
    stands = label(written)
    found: dict[str, _Needle] = {}
    for needle in _every(written, stands):
        run = _bare(unquote(needle.run, errors="replace"))[0]
        own = needle.instead != _HIDDEN
        if len(run) < _LEAST or (own and run in needle.instead):
            continue
        if not own and (run in stands or _credential(run.strip())):
            continue
        kept = found.get(run)
        if kept is None or (kept.instead == _HIDDEN and own):
            found[run] = _Needle(run, needle.instead, needle.bounded)
    return sorted(found.values(), key=lambda needle: -len(needle.run))


def _every(written: Written, stands: str) -> Iterator[_Needle]:
    entry = written.whole
    for value in written.values if written.filed else ():
        yield from _words(value)
    if "url" in entry:
        yield from _of_address(str(entry["url"]), stands)
    if "command" in entry:
        authored = _VARIABLE.sub(r"${\1}", str(written.entry["command"]))
        yield _Needle(str(entry["command"]), authored if written.filed else stands, bounded=True)
        for word in items(entry.get("args")):
            yield from _words(str(word))
    for member in ("headers", "env"):
        for value in mapping(entry.get(member)).values():
            yield from _words(str(value))


def _of_address(url: str, stands: str) -> Iterator[_Needle]:
    yield _Needle(url, stands)
    found = address.read(url)
    if found is None:
        return
    for whole in (found.whole, found.origin, found.host, found.name):
        yield _Needle(whole, stands)
    if found.path != "/":
        yield _Needle(found.path, _HIDDEN)
    yield _Needle(f"?{found.query}", _HIDDEN)
    pieces = [one for piece in found.query.split("&") for one in piece.partition("=")[::2]]
    named = [one for pair in found.pairs for one in pair]
    for part in (found.user, found.password, *found.path.split("/"), *named, *pieces):
        yield from _words(part)


def _words(value: str) -> Iterator[_Needle]:
    """A value, and each word of several."""
    yield _Needle(value, _HIDDEN)
    if "+" in value:
        yield _Needle(value.replace("+", " "), _HIDDEN)
    if " " in value:
        yield _Needle(value.replace(" ", "+"), _HIDDEN)
    for whole in (value, value.replace("+", " ")):
        words = whole.split()
        yield from (_Needle(word, _HIDDEN) for word in words if len(words) > 1)


def _credential(run: str) -> bool:
    """Whether a run only names a credential."""
    parts = [part.strip() for part in _PARTED.split(run)]
    for number, part in enumerate(parts):
        ending = number < len(parts) - 1 or part.startswith("-")
        if part and not _NAMED.fullmatch(part) and not (ending and _ENDING.search(part)):
            return False
    return any(parts)
