"""Streams through a proxy, against bare `stream=True`: first byte, and each event's delay."""

import asyncio
import random
import statistics
import tempfile
from pathlib import Path

from tests.bench import made
from tests.bench.loopback import Caller, Streamed, server
from tests.bench.proxies import running

NAMES = ("stream=True", "mitmdump", "mitmdump + addon", "inspector")


def table(rounds: int, names: tuple[str, ...] = NAMES) -> list[list[str]]:
    """Rows of ratios."""
    found = asyncio.run(_streams(rounds, names))
    rows = [["proxy", "first byte ms median", "first byte x", "event delay ms", "event delay x"]]
    base: tuple[float, float] | None = None
    for name, streams in found.items():
        first = statistics.median(stream.first for stream in streams)
        delay = statistics.median(statistics.median(stream.delays) for stream in streams)
        base = base or (first, delay)
        rows.append(
            [
                name,
                f"{first * 1000:.2f}",
                f"{first / base[0]:.2f}",
                f"{delay * 1000:.3f}",
                f"{delay / base[1]:.2f}",
            ]
        )
    return rows


async def _streams(rounds: int, names: tuple[str, ...]) -> dict[str, list[Streamed]]:
    found: dict[str, list[Streamed]] = {name: [] for name in names}
    bodies = made.bodies(50_000, 12)
    async with server() as upstream:
        with (
            tempfile.TemporaryDirectory() as folder,
            running(names, upstream, Path(folder)) as proxies,
        ):
            callers = {proxy.name: await Caller.connected(proxy.port) for proxy in proxies}
            order = random.Random(2)
            for number in range(rounds + 1):
                for proxy in order.sample(proxies, len(proxies)):
                    stream = await callers[proxy.name].stream(bodies[number % len(bodies)])
                    if number:
                        found[proxy.name].append(stream)
            for caller in callers.values():
                caller.close()
    return found
