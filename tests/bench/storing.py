"""The store: bytes a growing session takes, what a put and a read cost, beside other ways to keep it.

Bodies: tool results of 0.2 to 8 KB of program text, the cache
mark moving, every request with all that went before.
"""

import json
import math
import random
import statistics
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from inspector.session import Exchange
from inspector.store import Store
from inspector.store.overlap import forget, overlap
from inspector.store.zst import Press
from tests.bench.parts import timed

TURNS = (50, 200, 500, 1000)
_HEADERS = tuple((f"x-header-{number}", f"value {number} of a header") for number in range(25))
_ROW = Exchange(
    "e", "s", 1, "POST", "https://h/v1/messages", _HEADERS, b"", b"", "0" * 64, "0" * 64,
    ended="2026-11-30T10:00:00.000+00:00", status=200,
)  # fmt: skip


@cache
def _words() -> str:
    folder = Path(sysconfig.get_paths()["stdlib"])
    return "".join(path.read_text(errors="replace") for path in sorted(folder.glob("*.py")))


def bodies(count: int, seed: int = 1) -> Iterator[bytes]:
    """The requests of one session, one after the other."""
    chance, text = random.Random(seed), _words()
    system = [{"type": "text", "text": text[5000:12_000]}]
    tools: list[dict[str, Any]] = [
        {"name": f"T{at}", "description": text[20_000 + at * 1500 :][:1500], "input_schema": {}}
        for at in range(25)
    ]
    messages: list[dict[str, Any]] = [_said("user", {"type": "text", "text": "hello"})]
    for _ in range(count):
        mark = {"cache_control": {"type": "ephemeral"}}
        last = _said(messages[-1]["role"], {**messages[-1]["content"][-1], **mark})
        body: dict[str, Any] = {
            "model": "m",
            "messages": [*messages[:-1], last],
            "system": system,
            "tools": tools,
        }
        yield json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
        name = f"toolu_{chance.randrange(10**24):024}"
        at, size = chance.randrange(len(text) - 9000), int(200 * 40 ** chance.random())
        said = {"type": "text", "text": text[at : at + chance.randrange(40, 300)]}
        used = {"type": "tool_use", "id": name, "name": "Read", "input": {"file_path": "/a/b.py"}}
        result = {"type": "tool_result", "tool_use_id": name, "content": text[at : at + size]}
        messages = [
            *messages,
            {"role": "assistant", "content": [said, used]},
            _said("user", result),
        ]


def _said(role: str, block: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "content": [block]}


def _row(number: int, body: bytes, session: str = "s") -> Exchange:
    return replace(
        _ROW, id=f"{session}{number:012}", session=session, number=number, request=body,
        request_wire=body,
    )  # fmt: skip


def size(turns: tuple[int, ...] = TURNS) -> list[list[str]]:
    """Rows by way of keeping it: MB, multiples of the last body, and the exponent of growth."""
    ways: dict[str, list[int]] = {}
    lasts = [_sizes(count, ways) for count in turns]
    found = [["", *(f"{count} turns MB" for count in turns), "x last body", "exponent"]]
    for name, sizes in ways.items():
        cells = [f"{each / 1e6:.3f}" for each in sizes]
        exponent = ""
        if len(turns) > 1:
            growth = math.log(sizes[-1] / sizes[-2]) / math.log(turns[-1] / turns[-2])
            exponent = f"{growth:.2f}"
        by_last = " ".join(f"{each / last:.2f}" for each, last in zip(sizes, lasts, strict=True))
        found.append([name, *cells, by_last, exponent])
    return found


def _sizes(count: int, ways: dict[str, list[int]]) -> int:
    """Add what each way takes; the size of the last body."""
    raw, pressed, press = 0, 0, Press(3)
    body = b""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.db"
        with Store.open(path) as store:
            for number, body in enumerate(bodies(count), 1):
                raw += len(body)
                pressed += len(press(body))
                store.put(_row(number, body))
        online = path.stat().st_size
        with Store.open(path) as store:
            store.pack()
        packed = path.stat().st_size
    for name, taken in (
        ("a file each", raw), ("zstd -3 each", pressed), ("inspector", online),
        ("inspector pack", packed), ("floor: zstd -3 of the last body", len(press(body))),
    ):  # fmt: skip
        ways.setdefault(name, []).append(taken)
    return len(body)


def speed(rounds: int) -> list[list[str]]:
    """A put of about 2 MB and reads, against one scan for the common start and end."""
    count, late = 740, 5 * rounds
    rows = [
        _row(number, body) for number, body in enumerate(bodies(count), 1) if number >= count - late
    ]
    agents = [
        [_row(count * place + number, body) for number, body in enumerate(bodies(late, place), 1)]
        for place in (2, 3)
    ]
    found: dict[str, list[float]] = {}

    def put(name: str, store: Store, between: Callable[[int], None]) -> None:
        store.put(rows[0])
        for at, row in enumerate(rows[1:]):
            found.setdefault(name, []).append(timed(partial(store.put, row)))
            between(at)

    def between(store: Store, at: int) -> None:
        for one in agents:
            store.put(one[at])

    for before, row in pairwise(rows):
        forget()
        scan = timed(partial(overlap, row.request, before.request))
        found.setdefault("scan", []).append(scan)
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.db") as store:
        put("put", store, lambda _at: None)
        found["read"] = [timed(partial(store.get, row.id)) for row in rows]
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.db") as store:
        put("put, two subagents between", store, lambda at: between(store, at))
    low, middle = min(found["scan"]), statistics.median(found["scan"])
    head = [
        f"{len(rows[-1].request) / 1e6:.1f} MB body",
        "CPU ms min",
        "x scan min",
        "x scan median",
    ]
    return [head] + [
        [name, f"{min(times) * 1000:.2f}", f"{min(times) / low:.2f}",
         f"{statistics.median(times) / middle:.2f}"]
        for name, times in found.items()
    ]  # fmt: skip


def reading() -> list[list[str]]:
    """The first read of a request in a file just opened, in sessions of several lengths."""
    rows = [["request", "of 200 turns, ms", "of 1000 turns, ms"]]
    times: dict[int, dict[int, float]] = {}
    for count in (200, 1000):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "s.db"
            with Store.open(path) as store:
                for number, body in enumerate(bodies(count), 1):
                    store.put(_row(number, body))
            for wanted in (50, 100, 190):
                low = math.inf
                for _ in range(5):
                    with Store.open(path) as store:
                        start = time.perf_counter()
                        store.get(f"s{wanted:012}")
                        low = min(low, time.perf_counter() - start)
                times.setdefault(wanted, {})[count] = low
    return rows + [
        [str(wanted), *(f"{found[count] * 1000:.2f}" for count in (200, 1000))]
        for wanted, found in times.items()
    ]


def durable(rounds: int) -> list[list[str]]:
    """A put where each is synced, and where the log is synced now and then."""
    found: dict[str, list[float]] = {}
    for level in ("NORMAL", "FULL"):
        with (
            tempfile.TemporaryDirectory(dir=".") as folder,
            Store.open(Path(folder) / "s.db") as store,
        ):
            store._connection.execute(f"PRAGMA synchronous = {level}")
            times = found.setdefault(level, [])
            for number, body in enumerate(bodies(20 * rounds), 1):
                row = _row(number, body)
                start = time.perf_counter()
                store.put(row)
                times.append(time.perf_counter() - start)
    rows = [["synchronous", "put ms median", "p95", "x NORMAL median"]]
    base = statistics.median(found["NORMAL"])
    return rows + [
        [name, f"{statistics.median(times) * 1000:.2f}", f"{sorted(times)[len(times) * 95 // 100] * 1000:.2f}",
         f"{statistics.median(times) / base:.1f}"]
        for name, times in found.items()
    ]  # fmt: skip
