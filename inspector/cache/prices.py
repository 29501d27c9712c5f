"""List prices by model, date and length of the prompt: what tokens that are sent anew may cost.

Never a bill: plans, discounts and gateways have prices of their own. So a cost is two bounds.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from inspector.cache.facts import LONG, Strength

_O, _M = Strength.OFFICIAL, Strength.MEASURED
MANY = 1 << 62


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens, of one model from one day on."""

    plain: float
    short: float
    """Written for five minutes; where writing costs nothing extra, as `plain`."""
    long: float
    """Written for an hour."""
    read: float
    since: str = ""
    """The first day; empty: from the model's start."""
    up_to: int = MANY
    """Tokens of the longest prompt that has this price, all of it."""
    strength: Strength = _O

    def anew(self, ttl: int | None) -> float:
        """What a token costs more when it is sent anew than when it is read."""
        wrote = self.plain if ttl is None else self.long if ttl >= LONG else self.short
        return wrote - self.read


def _claude(
    plain: float, share: float, since: str = "", up_to: int = MANY, strength: Strength = _O
) -> Price:
    """Anthropic's rule: writing costs a quarter more, for an hour twice as much."""
    return Price(plain, plain * 1.25, plain * 2, plain * share, since, up_to, strength)


PRICES: tuple[tuple[str, tuple[Price, ...]], ...] = (
    ("claude-fable-5-2", (_claude(8, 0.025, since="2026-11-09", strength=_M),)),
    ("claude-mythos-5-2", (_claude(8, 0.025, since="2026-11-09", strength=_M),)),
    ("claude-fable-5-1", (_claude(10, 0.025, since="2026-09-01"),)),
    ("claude-mythos-5-1", (_claude(10, 0.025, since="2026-09-01"),)),
    ("claude-fable-5", (_claude(10, 0.1),)),
    ("claude-mythos-5", (_claude(10, 0.1),)),
    ("claude-opus-5-5", (_claude(4, 0.05, since="2026-09-22"),)),
    ("claude-opus-5", (_claude(5, 0.1),)),
    ("claude-opus-4-1", (_claude(15, 0.1),)),
    ("claude-opus-4-2025", (_claude(15, 0.1),)),
    ("claude-opus-4-", (_claude(5, 0.1),)),
    ("claude-sonnet-5-5", (_claude(2, 0.1), _claude(2, 0.05, since="2026-10-07"))),
    ("claude-sonnet-5", (_claude(2, 0.1),)),
    ("claude-sonnet-4", (_claude(3, 0.1),)),
    (
        "claude-haiku-5-5",
        (
            _claude(0.10, 0.1, since="2026-10-07", up_to=100_000, strength=_M),
            _claude(0.50, 0.1, since="2026-10-07", strength=_M),
        ),
    ),
    ("claude-haiku-4-5", (_claude(1, 0.1),)),
    ("claude-3-5-haiku", (_claude(0.80, 0.1),)),
    ("gpt-6-astra", (Price(10, 12.50, 12.50, 1, up_to=272_000), Price(20, 25, 25, 2))),
    ("gpt-6.1-sol", (Price(2, 2.50, 2.50, 0.10, up_to=272_000), Price(4, 5, 5, 0.20))),
    ("gpt-6-sol", (Price(2, 2.50, 2.50, 0.20, up_to=272_000), Price(4, 5, 5, 0.40))),
    ("gpt-6-luna", (Price(0.10, 0.125, 0.125, 0.01, up_to=272_000), Price(0.20, 0.25, 0.25, 0.02))),
    ("gpt-5.6-sol", (Price(4, 5, 5, 0.40),)),
    ("gpt-5.6-terra", (Price(2, 2.50, 2.50, 0.20),)),
    ("gpt-5.6-luna", (Price(0.20, 0.25, 0.25, 0.02),)),
    ("gpt-5.5", (Price(5, 5, 5, 0.50),)),
    ("gpt-5.4", (Price(2.50, 2.50, 2.50, 0.25),)),
    ("gpt-5.3-codex", (Price(1.75, 1.75, 1.75, 0.175),)),
    ("gpt-5.2", (Price(1.75, 1.75, 1.75, 0.175),)),
    ("gpt-5.1", (Price(1.25, 1.25, 1.25, 0.125),)),
    ("gpt-5-mini", (Price(0.25, 0.25, 0.25, 0.025),)),
    ("gpt-5", (Price(1.25, 1.25, 1.25, 0.125),)),
    ("gpt-4.1", (Price(2, 2, 2, 0.50),)),
)
"""By the beginning of the model's name; the first that fits. State of November 2026."""

BYTES_PER_TOKEN = (3, 5)
"""Between these a token of a request lies, most of the time."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a break may have cost, at list prices."""

    low: float
    high: float
    """Dollars."""
    tokens: int
    """Sent anew; of the API's own count, or else estimated from bytes."""
    counted: bool
    """Whether the API counted them."""
    strength: str
    """How well the price is known."""

    @property
    def words(self) -> str:
        """For people."""
        told = f"{self.tokens:,} tokens" if self.counted else f"about {self.tokens:,} tokens"
        return f"{told}, ${self.low:.4f} to ${self.high:.4f} at list prices"


def cost(
    model: str, day: str, lost: int, whole: int, ttl: int | None, counted: int | None = None
) -> Cost | None:
    """What `lost` bytes of a request of `whole` cost more than a read; None: no price is known.

    `day` (ISO) chooses the price, empty: any may hold. `counted`: tokens, where the API said them.
    """
    least, most = (lost // BYTES_PER_TOKEN[1], lost // BYTES_PER_TOKEN[0])
    tokens = (counted, counted) if counted is not None else (least, most)
    found = list(_holding(model, day, whole))
    if not found:
        return None
    low = min(price.anew(ttl) for price in found) * tokens[0] / 1e6
    high = max(price.anew(ttl) for price in found) * tokens[1] / 1e6
    weak = any(price.strength is not _O for price in found)
    told = counted if counted is not None else lost // 4
    return Cost(max(low, 0.0), high, told, counted is not None, str(_M if weak else _O))


def _holding(model: str, day: str, whole: int) -> Iterator[Price]:
    """The prices that may hold for a prompt of so many bytes on a day."""
    rows = next((rows for start, rows in PRICES if model.startswith(start)), ())
    begun = [row for row in rows if not day or row.since <= day[:10]] or list(rows)
    newest = max((row.since for row in begun), default="")
    least, most = whole // BYTES_PER_TOKEN[1], whole // BYTES_PER_TOKEN[0]
    beneath = 0
    for row in begun:
        if day and row.since != newest:
            continue
        band = (beneath, row.up_to)
        beneath = row.up_to if row.up_to < MANY else 0
        if least <= band[1] and most >= band[0]:
            yield row
