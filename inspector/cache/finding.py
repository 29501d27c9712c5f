"""One thing that costs."""

from dataclasses import dataclass

from inspector.cache.prices import Cost

INFO, WARNING = "info", "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that costs, with its cause."""

    rule: str
    severity: str
    message: str
    path: str
    exchange: str
    cost: Cost | None = None
    """Of the tokens that are sent anew, where a price is known."""
