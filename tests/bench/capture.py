"""CPU of a proxy for one request, against plain mitmdump in the same minutes."""

import asyncio
import random
import statistics
import tempfile
from pathlib import Path

from tests.bench import made
from tests.bench.loopback import Caller, server
from tests.bench.proxies import BESIDE, Proxy, running

SIZES = {"50 KB": 50_000, "500 KB": 500_000, "2 MB": 2_000_000}
NAMES = ("mitmdump", "mitmdump -w", "stream=True", "mitmdump + addon", BESIDE, "inspector")
CALLING = "inspector, tool calls"
"""Beside the others: answers that call a tool, the files it names looked at."""
_PATIENCE = 120.0
"""Seconds that a round may take; the proxy is asked no more then."""
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
            if len(rates) < rounds:
                rows.append([label, name, "did not finish", "", "", ""])
                continue
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
        well = list(proxies)
        order = random.Random(1)
        # First, uncounted: a conversation's first request, and whatever is loaded late.
        for number in range(rounds + 1):
            for proxy in order.sample(well, len(well)):
                caller = callers[proxy.name]
                rates = {proxy.name: await _round(proxy, caller, bodies)}
                if proxy.name == "inspector" and number:
                    rates[CALLING] = await _round(proxy, caller, bodies, "/calls/v1/messages")
                for name, rate in rates.items():
                    if rate is None:
                        well = [one for one in well if one is not proxy]
                    elif number:
                        found.setdefault(name, []).append(rate)
        for caller in callers.values():
            caller.close()
    return found


async def _round(
    proxy: Proxy, caller: Caller, bodies: list[bytes], path: str = "/v1/messages"
) -> tuple[float, float] | None:
    """CPU and latency of a request; None where the proxy does not answer."""
    before = await asyncio.to_thread(proxy.cpu)
    try:
        async with asyncio.timeout(_PATIENCE):
            late = [await caller.ask(bodies[n % len(bodies)], path) for n in range(REQUESTS)]
    except (TimeoutError, OSError, EOFError):
        return None
    after = await asyncio.to_thread(proxy.cpu)
    return (after - before) / REQUESTS, statistics.median(late)
