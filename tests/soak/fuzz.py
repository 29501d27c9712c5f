"""Broken bodies through redaction and store: every byte comes back, and no planted secret does."""

import hashlib
import random
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspector import redact
from inspector.capture.cleaning import Cleaner
from inspector.session import Exchange
from inspector.store import Store
from tests.bench import made

SECRETS = (
    b"sk-ant-api03-" + b"Ab1_" * 12,
    b"ghp_" + b"a1B2" * 9,
    b"AKIAQ7R2Q7R2Q7R2Q7R2",
    b'"x-api-key": "0123456789abcdef"',
    b"my own given secret",
)
GIVEN = redact.NOTHING_GIVEN.more(["my own given secret"])
_ROW = Exchange("", "s", 0, "POST", "https://h/v1/messages", (), b"", b"", "", "", ended="x")


def changed(word: random.Random, data: bytes) -> bytes:
    """A body with something wrong in it."""
    at = word.randrange(len(data) + 1)
    until = min(len(data), at + word.randint(0, 2000))
    start, cut, end = data[:at], data[at:until], data[until:]
    flipped = bytes([data[at] ^ 1 << word.randrange(8)]) if at < len(data) else b""
    secret = word.choice(SECRETS)
    ways = (
        start + flipped + data[at + 1 :],
        start + end,
        start + word.randbytes(word.randint(1, 300)) + cut + end,
        start + secret + cut + end,
        start + cut * 2 + end,
        start,
        word.randbytes(word.randint(0, 5000)),
        start + b'","' + secret + b'"' + cut + end,
    )
    return word.choice(ways)


def soak(rounds: int) -> dict[str, Any]:
    """So many bodies; the numbers."""
    word = random.Random(rounds)
    whole = made.bodies(20_000, 12)
    replaced = 0
    rows: list[Exchange] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.db"
        cleaner = Cleaner(GIVEN)
        data = whole[0]
        with Store.open(path) as store:
            for number in range(rounds):
                base = data if word.random() < 0.6 and len(data) < 80_000 else word.choice(whole)
                data = changed(word, base)
                row = replace(_ROW, id=f"e{number}", number=number, request=data, request_wire=data)
                clean = cleaner.request(row)
                assert clean.request_sha256 == hashlib.sha256(data).hexdigest(), number
                alone, count = redact.data(data, GIVEN)
                assert (clean.request, clean.body_replaced) == (alone, count), number
                replaced += count
                store.put(clean)
                assert store.get(clean.id) == clean, number
                rows = [*rows[-200:], clean]
        with Store.open(path) as store:
            for row in rows:
                assert store.get(row.id) == row, row.number
    return {"bodies": rounds, "secrets replaced": replaced, "changed": 0}
