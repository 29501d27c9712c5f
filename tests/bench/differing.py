"""Diff of bodies as they stand on disk, against orjson's parse of the same bodies."""

import json
import statistics
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import orjson

from inspector import diff as differ
from inspector.wire import split
from tests.bench import made
from tests.bench.parts import interleaved, timed

SIZES = (("50 KB", 50_000), ("500 KB", 500_000), ("2 MB", 2_000_000))
TURNS = 500

type Body = dict[str, Any]


def bodies(rounds: int) -> list[list[str]]:
    """Both bodies cold: nothing of either was split before. Memory is Python's own, beyond them."""
    rows = [
        ["case", "CPU ms median", "x parse min", "x parse median", "changes", "memory x bodies"]
    ]
    for label, size in SIZES:
        first, others = _cases(size)
        acts: dict[str, Callable[[], object]] = {}
        for name, other in others.items():
            acts[f"parse {name}"] = partial(_parsed, first, other)
            acts[name] = partial(_diff, first, other)
        found = interleaved(rounds, acts)
        for name, other in others.items():
            mine, base = found[name], found[f"parse {name}"]
            rows.append(
                [
                    f"{label}, {name}",
                    f"{statistics.median(mine) * 1000:.3f}",
                    f"{min(mine) / min(base):.2f}",
                    f"{statistics.median(mine) / statistics.median(base):.2f}",
                    str(len(_diff(first, other))),
                    f"{_peak(first, other) / (len(first) + len(other)):.2f}",
                ]
            )
    return rows


def sessions() -> list[list[str]]:
    """Two sessions of 500 turns each, compared turn by turn."""
    one = made.bodies(60_000, TURNS)
    size = f"{sum(map(len, one)) / 1e6:.0f}"
    rows = [["2 x 500 turns", "MB a session", "CPU s", "x parse", "changes"]]
    cases = {
        "a rule edited": [body.replace(b'"text":"', b'"text":"edited ', 1) for body in one],
        "every id another": [body.replace(b"toolu_", b"toolu_z") for body in one],
    }
    for name, other in cases.items():
        sides = [_sides(one), _sides(other)]
        found: list[tuple[differ.Compared, ...]] = []
        seconds = timed(partial(_compare, sides, found))
        parse = timed(partial(_all_parsed, one, other))
        told = sum(len(pair.changes) for pair in found[0])
        rows.append([name, size, f"{seconds:.2f}", f"{seconds / parse:.2f}", str(told)])
    return rows


def _cases(size: int) -> tuple[bytes, dict[str, bytes]]:
    """A body, and what may have become of it."""

    def change(body: Body) -> None:
        body["messages"][-2]["content"][0]["text"] += " more"

    def insert(body: Body) -> None:
        body["messages"].insert(0, {"role": "user", "content": "new"})

    def turn(body: Body) -> None:
        body["tools"].reverse()

    (bare,) = made.bodies(size, 1)
    first = _spelled(_with_schemas(json.loads(bare)))
    found = {"same": bytes(bytearray(first))}
    for name, act in (("one change", change), ("one insert", insert), ("tools reordered", turn)):
        body: Body = json.loads(first)
        act(body)
        found[name] = _spelled(body)
    return first, found


def _with_schemas(body: Body) -> Body:
    """The body with tools as large as before, of which a third is a schema as clients have them."""
    for tool in body["tools"]:
        text, parts = tool["description"][:1000], tool["description"][1000:].split()
        properties = {
            name: {"type": "string", "description": " ".join(parts[number : number + 8])}
            for number, name in enumerate(parts[::8])
        }
        schema = {"type": "object", "properties": properties, "required": [*properties][:2]}
        tool |= {"description": text, "input_schema": {**schema, "additionalProperties": False}}
    return body


def _spelled(body: Body) -> bytes:
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()


def _sides(every: list[bytes]) -> list[differ.Side]:
    found: list[differ.Side] = []
    for number, body in enumerate(every):
        parent = found[-1].prompt if found else None
        found.append(differ.Side(f"m{number}", split(body, parent=parent)))
    return found


def _compare(sides: list[list[differ.Side]], found: list[tuple[differ.Compared, ...]]) -> None:
    found.append(differ.compare(*sides))


def _all_parsed(one: list[bytes], other: list[bytes]) -> None:
    for a, b in zip(one, other, strict=True):
        _parsed(a, b)


def _peak(one: bytes, two: bytes) -> int:
    tracemalloc.start()
    _diff(one, two)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def _diff(one: bytes, two: bytes) -> tuple[differ.Change, ...]:
    return differ.diff(split(one), split(two))


def _parsed(one: bytes, two: bytes) -> tuple[object, object]:
    return orjson.loads(one), orjson.loads(two)
