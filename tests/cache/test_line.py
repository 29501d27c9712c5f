"""The prefix that is carried on from request to request is what each request alone would give."""

import json
from collections.abc import Iterator, Sequence

import pytest

from inspector import wire
from inspector.cache import Sent
from inspector.cache.line import Line
from inspector.cache.positions import Position
from tests.cache import planted

BASES = (planted.TLS_CLASSIC, planted.CODEX)


def carried(sent: Sequence[Sent], *, chained: bool) -> Iterator[tuple[list[Position], object]]:
    """Of each request the positions, and what they add up to; each in a line of its own, or one."""
    line, parent = Line(), None
    for item in sent:
        parent = wire.split(item.prompt.body, parent=parent if chained else None)
        line = line if chained else Line()
        before = line.found()
        line.advance(parent)
        if chained:
            assert line.earlier(len(before)) == before
        sums = [line.upto(length) for length in range(line.size + 1)]
        yield (
            line.found(),
            (line.marks, sums, [line.digest(number) for number in range(line.size)]),
        )


@pytest.mark.parametrize(
    "one", [one for one in planted.PLANTED if one.base in BASES], ids=lambda one: one.name
)
def test_a_line_that_goes_on_is_one_that_begins_anew(one: planted.Planted) -> None:
    _, sent = planted.recorded(one.base)
    docs = [json.loads(item.prompt.body) for item in sent]
    one.edit(docs, len(docs) // 2)
    bodies = [json.dumps(doc, ensure_ascii=False).encode() for doc in docs]
    # There and back again: the line has to let go of what it kept.
    made = [Sent("", wire.split(body)) for body in (*bodies, *bodies[::-1])]
    assert list(carried(made, chained=True)) == list(carried(made, chained=False))
