"""Where a run of text came from, and how its bytes are counted.

Rule: an origin decides the byte class by its kind alone, so that nobody can move bytes between
columns of the proof by choosing another constructor argument.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256


class ByteClass(StrEnum):
    """The columns of the proof; every captured byte is counted in exactly one."""

    REBUILT = "rebuilt"
    INPUT = "input"
    KNOWN = "known"
    MASKED = "masked"
    ADOPTED = "adopted"
    DIFFERENT = "different"


class Kind(StrEnum):
    """What sort of source a run of text has."""

    FILE = "file"
    """A workspace or home file; `name` is its absolute path."""
    LITERAL = "literal"
    """A short wire literal of the profile; `name` is its profile key."""
    FACT = "fact"
    """An environment fact; `name` is the field (`date`, `cwd`, `git.status` …)."""
    LISTING = "listing"
    """An MCP server's listing; `name` is `server` or `server/tool`. Of a folder: its path."""
    COMPUTED = "computed"
    """Made by the client's own logic from other sources (counts, line numbers)."""
    STRUCTURE = "structure"
    """JSON punctuation, keys and constants that the dialect or the profile fixes."""
    PROMPT = "prompt"
    """Input: a prompt somebody typed, or piped in."""
    REPLY = "reply"
    """Input: the model's own words, echoed."""
    OUTCOME = "outcome"
    """Input: the result of a tool that acts on the world (shell, MCP); `name` is the call id."""
    HOOK = "hook"
    """Input: the output of a hook."""
    TRANSCRIPT = "transcript"
    """Input, shown apart: replayed from an earlier session that is not in the store."""
    FILE_NOT_KEPT = "file-not-kept"
    """Input, shown apart: a file read whose bytes at that moment are not in the snapshot."""
    KNOWN = "known"
    """Long client text, by digest."""
    MASK = "mask"
    """An attestation or a random id, matched by a pattern."""
    ADOPTED = "adopted"
    """Taken from the capture because the builder cannot make it: counts against us."""


_CLASS_OF_KIND = {
    Kind.PROMPT: ByteClass.INPUT,
    Kind.REPLY: ByteClass.INPUT,
    Kind.OUTCOME: ByteClass.INPUT,
    Kind.HOOK: ByteClass.INPUT,
    Kind.TRANSCRIPT: ByteClass.INPUT,
    Kind.FILE_NOT_KEPT: ByteClass.INPUT,
    Kind.KNOWN: ByteClass.KNOWN,
    Kind.MASK: ByteClass.MASKED,
    Kind.ADOPTED: ByteClass.ADOPTED,
}


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of a run of text."""

    kind: Kind
    name: str

    @property
    def byte_class(self) -> ByteClass:
        """The column of the proof that bytes with this origin are counted in, when equal."""
        return _CLASS_OF_KIND.get(self.kind, ByteClass.REBUILT)

    @property
    def of_folder(self) -> bool:
        """Whether it is what stands in a folder, not what a server lists."""
        return self.kind is Kind.LISTING and self.name.startswith("/")


@dataclass(frozen=True, slots=True)
class Known(Origin):
    """A long client text named by its digest; the words are not in this repository."""

    sha256: str
    """Hex digest of the decoded text's UTF-8 bytes (for JSON: of the raw JSON text)."""
    chars: int
    """Length in code points."""

    @property
    def placeholder(self) -> str:
        """What stands for the text where its words are not at hand."""
        return sealed(self.sha256, self.chars)

    def names(self, words: str) -> bool:
        """Whether the words are the ones this digest names."""
        if len(words) != self.chars:
            return False
        return sha256(words.encode("utf-8", "surrogatepass")).hexdigest() == self.sha256


@dataclass(frozen=True, slots=True)
class Mask(Origin):
    """A value nobody can rebuild: matched by pattern, bounded in length."""

    pattern: str
    """A regular expression the decoded text must match whole."""
    limit: int
    """Greatest length in code points."""
    recurs: bool
    """True: the value seen first in a session must come again, and then counts as rebuilt."""
    shared: bool = False
    """True: another mask may have the same value (a time, where two things happen at once)."""

    @property
    def distinct(self) -> bool:
        """Whether no other mask of the session may have its value."""
        return self.recurs and not self.shared


def sealed(sha256: str, chars: int) -> str:
    """The text that stands in a sealed recording for a text named by digest and length."""
    return f"⟦sha256:{sha256} {chars}⟧"


_SEAL = "⟦sha256:".encode()
_SEALED = re.compile("⟦sha256:[0-9a-f]{64} ([0-9]{1,9})⟧".encode())


def size(raw: bytes) -> int:
    """Bytes of a text with what is sealed in it; of sealed texts a byte for each code point."""
    if _SEAL not in raw:
        return len(raw)
    return len(raw) + sum(int(one[1]) - len(one[0]) for one in _SEALED.finditer(raw))
