"""Long results: what the client keeps whole and shortens in every request.

Each result has a budget in tokens of four bytes, spent over its text parts in order; the part that
crosses it loses its middle, later ones are only counted (witness: MCP results of three parts).
"""

from collections.abc import Mapping

from inspector.clients.codex.fill import computed, fill
from inspector.profiles import Profile
from inspector.text import EMPTY, Text, Value, join

type Output = Text | list[Value]
"""A result: one text, or parts."""

TOKEN = 4
"""Bytes the client takes for a token."""


def shortened(output: Output, tokens: int, profile: Profile) -> Output:
    """A result within its budget."""
    if isinstance(output, Text):
        return middle_cut(output, tokens, profile)
    kept: list[Value] = []
    omitted = 0
    for part in output:
        words = part.get("text") if isinstance(part, Mapping) else None
        if not isinstance(part, Mapping) or not isinstance(words, Text):
            kept.append(part)
        elif not tokens:
            omitted += 1
        else:
            kept.append({**part, "text": middle_cut(words, tokens, profile)})
            tokens = max(tokens - cost(str(words)), 0)
    if omitted:
        kept.append(left_out(omitted, profile))
    return kept


def left_out(count: int, profile: Profile) -> Value:
    """The part that says how many texts are left out."""
    holes = {"count": computed("omitted", str(count))}
    return {"type": "input_text", "text": fill(profile.literal("output.omitted"), holes)}


def middle_cut(string: Text, tokens: int, profile: Profile) -> Text:
    """A text within a budget: its start, how much is gone, its end."""
    return join(EMPTY, cut_parts(string, tokens, profile))


def cut_parts(string: Text, tokens: int, profile: Profile) -> list[Text]:
    """The same, each by itself; the text alone where it is within its budget."""
    data = str(string).encode("utf-8", "surrogatepass")
    limit = tokens * TOKEN
    if len(data) <= limit:
        return [string]
    left, right = limit // 2, len(data) - (limit - limit // 2)
    while left and _continues(data, left):
        left -= 1
    while right < len(data) and _continues(data, right):
        right += 1
    head, tail = (len(data[:end].decode("utf-8", "surrogatepass")) for end in (left, right))
    return [string[:head], mark(_cost_of(len(data) - limit), profile), string[tail:]]


def mark(gone: int, profile: Profile) -> Text:
    """What stands where tokens are left out."""
    return fill(profile.literal("output.mark"), {"gone": computed("tokens", str(gone))})


def cost(string: str) -> int:
    """The tokens of a text."""
    return _cost_of(len(string.encode("utf-8", "surrogatepass")))


def _continues(data: bytes, at: int) -> bool:
    """Whether the byte at an offset is inside a character."""
    return data[at] & 0xC0 == 0x80


def _cost_of(size: int) -> int:
    return (size + TOKEN - 1) // TOKEN
