"""What is known of how model APIs cache prompts: one table, each row with its source and strength.

Rows are cited where the simulator uses them. A contested row never raises a finding at warning.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Strength(StrEnum):
    """How well a fact is known."""

    OFFICIAL = "official"
    """A vendor's page or SDK says it."""
    MEASURED = "measured"
    """Somebody's numbers from the real API."""
    INFERRED = "inferred"
    """It follows from others; nobody states it."""
    CONTESTED = "contested"
    """Sources disagree."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One row."""

    words: str
    source: str
    strength: Strength


_O, _M, _I, _C = Strength.OFFICIAL, Strength.MEASURED, Strength.INFERRED, Strength.CONTESTED
_CACHING = "Anthropic: prompt caching"
_TOOLS = "Anthropic: tool use with prompt caching"

FACTS: Mapping[str, Fact] = {
    "order": Fact("the prefix is tools, then system, then messages", _CACHING, _O),
    "write": Fact("an entry is written at each cache mark, nowhere else", _CACHING, _O),
    "read": Fact("a mark looks back for entries that earlier requests wrote", _CACHING, _O),
    "look-back": Fact("it looks at 20 positions, its own being the first", _CACHING, _O),
    "position": Fact("a tool, a system block and a content block are one position", _CACHING, _I),
    "marks": Fact("a request has four marks at most", _TOOLS, _O),
    "mark-no-key": Fact("a mark is no part of what is compared", _CACHING, _O),
    "whole-entry": Fact("what is read is always a whole entry", _CACHING, _I),
    "least": Fact("a prefix below the model's minimum is not cached", _CACHING, _O),
    "ttl": Fact("an entry lives 5 minutes, or an hour where its mark says so", _CACHING, _O),
    "refresh": Fact("each read lets an entry live on from the request's start", _CACHING, _M),
    "no-promise": Fact("an equal prefix may still miss", "users' measurements", _M),
    "model": Fact("entries belong to one model", "Anthropic: cache diagnostics", _O),
    "choice": Fact("another tool choice loses what is behind the system prompt", _CACHING, _O),
    "thinking": Fact("another thinking or effort setting loses the messages", _CACHING, _O),
    "thinking-head": Fact("it may lose tools and system prompt, too", _CACHING, _C),
    "string": Fact("a text and a list of that one text block are the same", "Anthropic: API", _O),
    "string-system": Fact("so they may be in system messages", "users' reports", _C),
    "key-order": Fact("the order of keys in schemas and tool inputs counts", _CACHING, _O),
    "block-order": Fact("that of a block's own keys does not", "nobody states it", _C),
    "billing": Fact("the client's billing line counts", "users' measurements", _C),
    "everywhere": Fact("models before GPT-5.6 find any equal beginning", "OpenAI: caching", _O),
    "deferred": Fact("a deferred tool is no part of the prefix", _TOOLS, _O),
}

LOOK_BACK = 20
"""Positions that a mark looks at (`look-back`)."""
SHORT, LONG = 300, 3600
"""Seconds that entries live (`ttl`)."""

LEAST: tuple[tuple[str, int], ...] = (
    ("claude-opus-4-7", 2048),
    ("claude-opus-4-6", 4096),
    ("claude-opus-4-5", 4096),
    ("claude-haiku-4-5", 4096),
    ("claude-opus-4", 1024),
    ("claude-sonnet-4", 1024),
    ("claude-sonnet-5-5", 512),
    ("claude-sonnet-5", 1024),
    ("claude-3-5-haiku", 2048),
)
"""Tokens of the shortest prefix that is cached, by the beginning of the model's name (`least`)."""
USUAL_LEAST = 512
"""Of models that are not in the table."""


def least(model: str) -> int:
    """Tokens of the shortest prefix that a model caches."""
    return next((size for start, size in LEAST if model.startswith(start)), USUAL_LEAST)


_EVERYWHERE = ("gpt-4", "gpt-5", "o1", "o3", "o4", "codex-mini")
_SINCE = ("gpt-5.6", "gpt-5.7", "gpt-5.8", "gpt-5.9")


def everywhere(model: str) -> bool:
    """Whether a model of OpenAI's keeps entries all along a prompt, not only at its end."""
    return model.startswith(_EVERYWHERE) and not model.startswith(_SINCE)
