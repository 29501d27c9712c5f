"""Where in a body a break is, and the words around it on both sides."""

from dataclasses import dataclass

from inspector.cache.causes import Cause
from inspector.segments import Prompt
from inspector.segments.difference import first_difference

WINDOW = 40
"""Bytes told on either side of the place."""


@dataclass(frozen=True, slots=True)
class Parting:
    """The first byte of a block that is not as it was."""

    offset: int
    """In the new body; in the old one where the block is gone."""
    before: str
    """What stood around it; empty where the block is new."""
    now: str


def parting(old: Prompt, new: Prompt, cause: Cause) -> Parting | None:
    """The place of a break in bytes; None where it is in no block (a param, a mark)."""
    if cause.section == "params" or not cause.path:
        return None
    was = old.root.find(cause.path) if cause.alone != "new" else None
    now = new.root.find(cause.path) if cause.alone != "old" else None
    if was is None or now is None:
        there = now or was
        if there is None:
            return None
        words = _window(there.raw, 0)
        return Parting(there.start, words if now is None else "", words if now is not None else "")
    at = first_difference(was.raw, now.raw)
    return Parting(now.start + at, _window(was.raw, at), _window(now.raw, at))


def _window(raw: bytes, at: int) -> str:
    return raw[max(at - WINDOW, 0) : at + WINDOW].decode("utf-8", "replace")
