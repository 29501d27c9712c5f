"""What the API itself reported, held against its rules: where they disagree, both are named."""

from collections.abc import Iterator, Mapping, Sequence

from inspector.cache.finding import INFO, Finding
from inspector.cache.simulate import Sent, Turn, Usage
from inspector.errors import counted

_SECTIONS: Mapping[str, str] = {
    # Anthropic's
    "model_changed": "params",
    "system_changed": "system",
    "tools_changed": "tools",
    "messages_changed": "messages",
    # OpenAI's
    "prompt_cache_key_changed": "params",
    "service_tier_changed": "params",
    "text_format_changed": "params",
    "reasoning_effort_changed": "params",
    "verbosity_changed": "params",
    "context_compacted": "messages",
    "input_changed": "messages",
}
"""The section that each diagnosis of an API speaks of."""
FAR = 0.5
"""By how much of the prompt a read may be off before it is told: bytes are no tokens."""
LEAST_DENSE = 12
"""Bytes a token is at most, over a whole request."""
MISSES = 2
"""Unexplained misses in a session before any is told."""


def plausible(turn: Turn) -> bool:
    """Whether what the API reported can be of a request of this size; a mock's numbers are not."""
    used, sizes = turn.usage, turn.predicted
    if used is None:
        return False
    whole = sizes.read + sizes.write + sizes.uncached
    return used.read + used.write + used.plain >= whole / LEAST_DENSE


def disagreements(given: Sequence[Sent], turns: Sequence[Turn]) -> Iterator[Finding]:
    """Findings where usage or the API's own diagnosis is not what the rules say."""
    for sent, turn in zip(given, turns, strict=True):
        if told := _diagnosed(sent, turn):
            path = turn.change.path if turn.change is not None else turn.behind
            yield Finding("USAGE-DISAGREES", INFO, told, path, turn.exchange)
    read = [(turn, told) for turn in turns if (told := _read(turn))]
    if read:
        first, told = read[0]
        more = f"; so it is of {counted(len(read) - 1, 'more request')}" if len(read) > 1 else ""
        yield Finding("USAGE-DISAGREES", INFO, f"{told}{more}", first.behind, first.exchange)
    missed = [turn for turn in turns if turn.verdict == "unknown" and turn.marks and turn.usage]
    if len(missed) >= MISSES:
        told = (
            f"the rules say that {len(missed)} requests could read an equal prefix;"
            " the API reports that they read nothing"
        )
        yield Finding("USAGE-DISAGREES", INFO, told, "", missed[-1].exchange)


def _diagnosed(sent: Sent, turn: Turn) -> str:
    section = _SECTIONS.get(sent.diagnosis)
    if section is None:
        return ""
    if turn.change is None:
        return f"the API says {sent.diagnosis}; the rules see nothing changed"
    ours = turn.change.section
    if ours == section:
        return ""
    return f"the API says {sent.diagnosis}; the rules say {turn.change.rule} in the {ours}"


def _read(turn: Turn) -> str:
    used = turn.usage
    share = _share(used)
    if (
        used is None
        or share is None
        or not plausible(turn)
        or turn.verdict in {"unknown", "first write", "expired"}
    ):
        return ""
    sizes = turn.predicted
    ours = sizes.read / max(sizes.read + sizes.write + sizes.uncached, 1)
    if abs(share - ours) <= FAR:
        return ""
    return (
        f"the rules say that {ours:.0%} of the request can be read;"
        f" the API reports {used.read:,} tokens, {share:.0%}"
    )


def _share(used: Usage | None) -> float | None:
    if used is None or not used.read + used.write:
        return None
    return used.read / (used.read + used.write + used.plain)
