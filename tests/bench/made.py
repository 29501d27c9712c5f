"""Bodies of a growing conversation, made of random words: the shape of Claude Code's requests."""

import json
import random
from collections.abc import Iterator
from typing import Any

_LETTERS = "aaabcdeeeefghiiiklmnooprrssttu"


def bodies(size: int, count: int) -> list[bytes]:
    """`count` requests of one conversation, the first about `size` bytes.

    Messages stand before system and tools, and the cache mark moves to the newest message
    [claude-code 2.1.332, cache_6turn].
    """
    word = random.Random(size)
    messages = list[dict[str, Any]]()
    steady = len(_body(messages, word := random.Random(size)))
    while steady + len(json.dumps(messages)) < size:
        messages += _turn(word)
    found = list[bytes]()
    for _ in range(count):
        found.append(_body(messages, random.Random(size)))
        messages += _turn(word)
    return found


def text(word: random.Random, length: int) -> str:
    """Words and line ends."""
    return "".join(_words(word, length))


def _words(word: random.Random, length: int) -> Iterator[str]:
    done = 0
    while done < length:
        one = "".join(word.choices(_LETTERS, k=word.randint(1, 10)))
        done += len(one) + 1
        yield one + ("\n" if word.random() < 0.1 else " ")


def _turn(word: random.Random) -> list[dict[str, Any]]:
    number = word.randrange(10**9)
    length = int(200 * 40 ** word.random())
    used = {"type": "tool_use", "id": f"toolu_{number}", "name": "Read", "input": {"path": "a.py"}}
    result = {
        "type": "tool_result",
        "tool_use_id": f"toolu_{number}",
        "content": text(word, length),
    }
    return [
        {"role": "assistant", "content": [{"type": "text", "text": text(word, 120)}, used]},
        {"role": "user", "content": [result]},
    ]


def _body(messages: list[dict[str, Any]], word: random.Random) -> bytes:
    marked = messages
    if messages:
        last = dict(messages[-1])
        last["content"] = [{**last["content"][0], "cache_control": {"type": "ephemeral"}}]
        marked = [*messages[:-1], last]
    body: dict[str, Any] = {
        "model": "claude-opus-4-5",
        "messages": marked,
        "system": [{"type": "text", "text": text(word, 7000)}],
        "tools": [
            {"name": f"Tool{number}", "description": text(word, 1500), "input_schema": {}}
            for number in range(20)
        ],
        "max_tokens": 32000,
        "stream": True,
    }
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
