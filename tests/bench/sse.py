"""Streams through a proxy, against bare `stream=True`: first byte, and each event's delay."""

import asyncio
import random
import statistics
import tempfile
from pathlib import Path

from tests.bench import made
from tests.bench.loopback import Caller, Streamed, Unstreamed, server
from tests.bench.proxies import Proxy, running

_PATIENCE = 30.0
"""Seconds that a stream of half a second may take; the proxy is asked no more then."""
NAMES = ("stream=True", "mitmdump", "mitmdump + addon", "inspector")


def table(rounds: int, names: tuple[str, ...] = NAMES) -> list[list[str]]:
    """Rows of ratios."""
    found = asyncio.run(_streams(rounds, names))
    rows = [["proxy", "first byte ms median", "first byte x", "event delay ms", "event delay x"]]
    base: tuple[float, float] | None = None
    for name, streams in found.items():
        if isinstance(streams, str):
            rows.append([name, f"did not finish: {streams}", "", "", ""])
            continue
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


async def _streams(rounds: int, names: tuple[str, ...]) -> dict[str, list[Streamed] | str]:
    """By proxy its streams, or why there are none."""
    found: dict[str, list[Streamed] | str] = {name: [] for name in names}
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
                    streams = found[proxy.name]
                    if isinstance(streams, str):
                        continue
                    stream = await _one(proxy, callers[proxy.name], bodies[number % len(bodies)])
                    if isinstance(stream, str):
                        found[proxy.name] = stream
                    elif number:
                        streams.append(stream)
            for caller in callers.values():
                caller.close()
    return found


async def _one(proxy: Proxy, caller: Caller, body: bytes) -> Streamed | str:
    """A stream, or why it did not come to its end."""
    try:
        return await asyncio.wait_for(caller.stream(body), _PATIENCE)
    except TimeoutError:
        return f"no end within {_PATIENCE:g} s"
    except (Unstreamed, OSError, EOFError) as error:
        return f"{proxy.name} answered {error}"
