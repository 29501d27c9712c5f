"""Long results: what the client keeps whole in its record and shortens in every request.

Each result has a budget in tokens of four bytes, spent over its text parts in order; the part that
crosses it loses its middle, later ones are only counted (witness: MCP results of three parts).
"""

from collections.abc import Sequence

from inspector.clients.codex.loose import Json


def shortened(output: str | Sequence[Json], tokens: int) -> str | list[Json]:
    """A result within its budget."""
    if isinstance(output, str):
        return middle_cut(output, tokens)
    kept: list[Json] = []
    omitted = 0
    for part in output:
        words = part.get("text")
        if part.get("type") != "input_text" or not isinstance(words, str):
            kept.append(part)
        elif not tokens:
            omitted += 1
        else:
            kept.append({**part, "text": middle_cut(words, tokens)})
            tokens = max(tokens - _cost(words), 0)
    if omitted:
        kept.append({"type": "input_text", "text": f"[omitted {omitted} text items ...]"})
    return kept


def middle_cut(string: str, tokens: int) -> str:
    """A text within a budget: its start, how much is gone, its end."""
    data = string.encode("utf-8", "surrogatepass")
    limit = tokens * 4
    if len(data) <= limit:
        return string
    left, right = limit // 2, len(data) - (limit - limit // 2)
    while left and _continues(data, left):
        left -= 1
    while right < len(data) and _continues(data, right):
        right += 1
    gone = _cost_of(len(data) - limit)
    head, tail = (part.decode("utf-8", "surrogatepass") for part in (data[:left], data[right:]))
    return f"{head}…{gone} tokens truncated…{tail}"


def _continues(data: bytes, at: int) -> bool:
    """Whether the byte at an offset is inside a character."""
    return data[at] & 0xC0 == 0x80


def _cost(string: str) -> int:
    return _cost_of(len(string.encode("utf-8", "surrogatepass")))


def _cost_of(size: int) -> int:
    return (size + 3) // 4
