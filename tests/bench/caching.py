"""The cache's rules over a long session from stored keys, against one comparison of its bodies."""

import operator
from functools import partial
from itertools import batched

from inspector import wire
from inspector.cache import Sent, report
from tests.bench import made
from tests.bench.parts import ratios, timed

TURNS = 1000
COLD = 64
"""Bodies copied before any is compared: no processor's cache holds them all."""


def simulated(rounds: int) -> list[list[str]]:
    """1,000 turns, 50 KB at first; keys and segments are at hand, as a store keeps them."""
    bodies = made.bodies(50_000, TURNS)
    sent: list[Sent] = []
    for number, body in enumerate(bodies):
        prompt = wire.split(body, parent=sent[-1].prompt if sent else None)
        assert all(segment.key for segment in prompt.segments)
        sent.append(Sent(f"e{number}", prompt))
    found: dict[str, list[float]] = {"memcmp of the bodies": [], "cache simulation": []}
    for _ in range(rounds):
        found["memcmp of the bodies"].append(sum(map(_compared, batched(bodies, COLD))))
        found["cache simulation"].append(timed(partial(report, sent)))
    size = sum(map(len, bodies))
    head = [f"{TURNS} turns, {size / 1e6:.0f} MB", "CPU ms min", "x memcmp min", "x memcmp median"]
    return [head, *ratios(found, "memcmp of the bodies")]


def _compared(bodies: tuple[bytes, ...]) -> float:
    """Seconds that it takes to compare bodies with the same bytes elsewhere in memory."""
    copies = [bytearray(body) for body in bodies]
    return timed(lambda: [operator.eq(*pair) for pair in zip(bodies, copies, strict=True)])
