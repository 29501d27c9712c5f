"""Which request of one session stands for which of another: by what was said in it, not by number.

Rule: requests whose last words of users and tools are equal, ids and days apart, stand for one
another, in order; between them the rest is paired as it comes, and what is left came or went.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import zip_longest

from inspector.diff.elements import stretches
from inspector.diff.inside import without_made_up
from inspector.segments import Prompt, Segment

_SAYING = frozenset({"user", "tool"})
_ANSWERING = "assistant"
_LOOKED_AT = 2_000
"""Bytes of a segment that tell it from others."""


def aligned[Item](
    a: Sequence[tuple[Item, Prompt]], b: Sequence[tuple[Item, Prompt]]
) -> Iterator[tuple[Item | None, Item | None]]:
    """Requests in pairs, in the order of both; None where one side has no counterpart."""
    if len(a) == len(b) == 1:
        yield a[0][0], b[0][0]
        return
    said = [[_said(prompt) for _, prompt in side] for side in (a, b)]
    for _, left, right in stretches(*said):
        for old, new in zip_longest(a[left], b[right]):
            yield old and old[0], new and new[0]


def _said(prompt: Prompt) -> bytes:
    """What users and tools said since the model's last words."""
    digest = sha256()
    for segment in _latest(prompt):
        if segment.role in _SAYING:
            digest.update(without_made_up(segment.meaning[:_LOOKED_AT]))
    return digest.digest()


def _latest(prompt: Prompt) -> Iterator[Segment]:
    """The messages since the model's last, the newest first; all of them where it said nothing."""
    messages = False
    for number in range(len(prompt) - 1, -1, -1):
        segment = prompt.segment(number)
        if segment.section != "messages":
            if messages:
                return
            continue
        if segment.role == _ANSWERING:
            return
        messages = True
        yield segment
