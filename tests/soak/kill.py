"""`kill -9` at any moment: a writer is killed again and again, and its store is read after each.

A nursery process has everything loaded and forks a writer for each round; the writer tells through
a pipe which exchanges have ended. After the kill, whatever had ended is there byte for byte;
what was under way is there as far as it had come, and marked.
"""

import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from inspector import redact
from inspector.capture.intake import UNFINISHED, Intake
from inspector.session import Exchange, Session
from inspector.store import Store

_PACKS = 4
"""After every so many rounds the store is packed, and that is killed, too."""
_HEADERS = (("content-type", "text/event-stream"),)


def body(seed: int, number: int) -> bytes:
    """The request with this number in a round: a conversation that grows."""
    word = random.Random(seed)
    turns = [f"turn {turn} {word.randbytes(60).hex() * 20}" for turn in range(number + 1)]
    return json.dumps({"model": "m", "messages": turns, "system": "s" * 5000}).encode()


def answer(seed: int, number: int) -> list[bytes]:
    """The chunks of the answer to it."""
    word = random.Random(seed * 1000 + number)
    chunks = [
        b'data: {"type":"content_block_delta","index":0,"delta":{"text":"%s "}}\n\n'
        % word.randbytes(20).hex().encode()
        for _ in range(word.randint(1, 12))
    ]
    return [*chunks, b'event: message_stop\ndata: {"type":"message_stop"}\n\n']


def write(path: Path, seed: int, said: int) -> None:
    """A writer: exchanges one after the other, some quick, some slow, until it is killed."""
    word = random.Random(seed)
    store = Store.open(path)
    session = Session(f"round-{seed}", "other", "", "tls", "")
    store.put_session(session)

    def put(exchange: Exchange, _complete: bool) -> None:
        store.put(exchange)

    intake = Intake(
        session.id,
        put,
        new_id=Store.new_id,
        given=redact.NOTHING_GIVEN,
        say=print,
        together=store.together,
    )

    for number in range(1000):
        pause = word.choice((0.0, 0.001, 0.01))
        passing = intake.begin("POST", "https://h/v1/messages", (), body(seed, number))
        passing.status, passing.response_headers = 200, _HEADERS
        time.sleep(word.choice((0.0, 0.04)))
        for chunk in answer(seed, number):
            passing.chunk(chunk)
            time.sleep(pause)
        intake.finish(passing)
        os.write(said, b"%d\n" % number)


def check(path: Path, seed: int, ended: list[int]) -> int:
    """Raise `AssertionError` where something is lost or changed; how many were under way."""
    with Store.open(path) as store:
        found = {exchange.number - 1: exchange for exchange in store.exchanges(f"round-{seed}")}
    for number, exchange in found.items():
        assert exchange.request == body(seed, number), f"round {seed}: request {number} changed"
        whole = b"".join(answer(seed, number))
        if UNFINISHED in exchange.error:
            assert whole.startswith(exchange.response), f"round {seed}: answer {number} changed"
        else:
            assert exchange.response == whole, f"round {seed}: answer {number} changed"
    for number in ended:
        kept = found.get(number)
        assert kept is not None, f"round {seed}: exchange {number} is lost"
        assert UNFINISHED not in kept.error, f"round {seed}: exchange {number} lost its end"
    return sum(UNFINISHED in exchange.error for exchange in found.values())


def one(path: Path, seed: int) -> list[int]:
    """Fork a writer, kill it after a moment, hear which exchanges had ended."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.close(reads)
        try:
            write(path, seed, writes)
        finally:
            os._exit(1)
    os.close(writes)
    time.sleep(random.Random(-seed).uniform(0.005, 0.25))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reads, "rb") as said:
        return [int(line) for line in said.read().splitlines()]


def packed(path: Path, seed: int) -> None:
    """Fork a process that packs the store, and kill it after a moment."""
    child = os.fork()
    if not child:
        try:
            with Store.open(path) as store:
                store.pack()
        finally:
            os._exit(0)
    time.sleep(random.Random(-seed).uniform(0.005, 0.4))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def soak(rounds: int) -> dict[str, Any]:
    """So many kills into one store; the numbers."""
    ended = partial = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.db"
        Store.open(path).close()
        told: list[tuple[int, list[int]]] = []
        for seed in range(1, rounds + 1):
            said = one(path, seed)
            partial += check(path, seed, said)
            ended += len(said)
            told.append((seed, said))
            if seed % _PACKS == 0:
                packed(path, seed)
        for seed, said in told:  # what was there once is there still
            check(path, seed, said)
        with Store.open(path) as store:
            assert store.fsck().faults == []
    return {
        "kills": rounds,
        "kills while packing": rounds // _PACKS,
        "exchanges ended": ended,
        "kept in part": partial,
        "lost or changed": 0,
    }


if __name__ == "__main__":
    print(soak(int(sys.argv[1])))
