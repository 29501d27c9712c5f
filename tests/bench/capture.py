"""CPU of a proxy for one request, against plain mitmdump in the same minutes."""

import asyncio
import random
import statistics
import tempfile
from pathlib import Path

from tests.bench import made
from tests.bench.loopback import Caller, server
from tests.bench.proxies import Proxy, running

SIZES = {"50 KB": 50_000, "500 KB": 500_000, "2 MB": 2_000_000}
NAMES = ("mitmdump", "mitmdump -w", "stream=True", "mitmdump + addon", "inspector")
CALLING = "inspector, tool calls"
"""Beside the others: answers that call a tool are stored at once, each by itself."""
BODIES = 12
REQUESTS = 25


def table(rounds: int, names: tuple[str, ...] = NAMES) -> list[list[str]]:
    """Rows of ratios: CPU and latency for a request after the conversation's first."""
    return asyncio.run(_table(rounds, names))


async def _table(rounds: int, names: tuple[str, ...]) -> list[list[str]]:
    rows = [["size", "proxy", "CPU ms min", "CPU x min", "CPU x median", "latency x median"]]
    for label, size in SIZES.items():
        async with server() as upstream:
            with tempfile.TemporaryDirectory() as folder:
                found = await _size(
                    rounds, names, upstream, Path(folder), made.bodies(size, BODIES)
                )
        plain = found[names[0]]
        for name, rates in found.items():
            cpu, late = ([rate[part] for rate in rates] for part in (0, 1))
            base, wait = ([rate[part] for rate in plain] for part in (0, 1))
            rows.append(
                [label, name, f"{min(cpu) * 1000:.2f}", f"{min(cpu) / min(base):.2f}"]
                + [f"{statistics.median(a / b for a, b in zip(one, two, strict=True)):.2f}"
                   for one, two in ((cpu, base), (late, wait))]
            )  # fmt: skip
    return rows


async def _size(
    rounds: int, names: tuple[str, ...], upstream: int, folder: Path, bodies: list[bytes]
) -> dict[str, list[tuple[float, float]]]:
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    with running(names, upstream, folder) as proxies:
        callers = {proxy.name: await Caller.connected(proxy.port) for proxy in proxies}
        for proxy in proxies:  # a conversation's first request, and whatever is loaded late
            await _round(proxy, callers[proxy.name], bodies)
        order = random.Random(1)
        for _ in range(rounds):
            for proxy in order.sample(proxies, len(proxies)):
                found[proxy.name].append(await _round(proxy, callers[proxy.name], bodies))
                if proxy.name == "inspector":
                    called = await _round(proxy, callers[proxy.name], bodies, "/calls/v1/messages")
                    found.setdefault(CALLING, []).append(called)
        for caller in callers.values():
            caller.close()
    return found


async def _round(
    proxy: Proxy, caller: Caller, bodies: list[bytes], path: str = "/v1/messages"
) -> tuple[float, float]:
    before = await asyncio.to_thread(proxy.cpu)
    late = [await caller.ask(bodies[number % len(bodies)], path) for number in range(REQUESTS)]
    after = await asyncio.to_thread(proxy.cpu)
    return (after - before) / REQUESTS, statistics.median(late)
