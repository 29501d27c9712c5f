"""How many tokens some bytes are, about: by the API's own count of a session where it gave one."""

from collections.abc import Iterable
from dataclasses import dataclass

BYTES_PER_TOKEN = 4
"""A rule of thumb, for people; no tokenizer is consulted."""
_LIKELY = (1.5, 8.0)
"""Bytes a token between which a count is one; a scripted model says any number."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Bytes a token, always an estimate: nobody but the API knows."""

    bytes_per_token: float = BYTES_PER_TOKEN
    requests: int = 0
    """How many requests the API counted; 0: the rule of thumb."""

    def tokens(self, size: int) -> int:
        """About how many tokens bytes are, rounded up."""
        return -int(-size // self.bytes_per_token)

    @property
    def document(self) -> dict[str, float]:
        """What documents say of their estimates."""
        per = round(self.bytes_per_token, 2)
        return {"bytes_per_token": per, "calibrated_by_requests": self.requests}

    @property
    def words(self) -> str:
        """What the estimate rests on."""
        if not self.requests:
            return f"tokens: estimated at {BYTES_PER_TOKEN} bytes each"
        counted = "1 request" if self.requests == 1 else f"{self.requests} requests"
        return (
            f"tokens: estimated at {self.bytes_per_token:.2f} bytes each,"
            f" as the API counted {counted} of this session"
        )


def calibrated(counts: Iterable[tuple[int, int]]) -> Rate:
    """The rate of requests whose bytes and tokens are known; of none the rule of thumb."""
    known = [
        (size, tokens)
        for size, tokens in counts
        if tokens > 0 and _LIKELY[0] <= size / tokens <= _LIKELY[1]
    ]
    if not known:
        return Rate()
    size, tokens = (sum(column) for column in zip(*known, strict=True))
    return Rate(size / tokens, len(known))
