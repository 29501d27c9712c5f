"""How much skills were used: often and lately counts more (`skillUsage` in `.claude.json`).

Witness: `skills_budget_usage`.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from inspector.clients.claude_code.plain import mapping

_WEEK = 7 * 86_400_000
_LEAST = 0.1


class Used(NamedTuple):
    """How often a skill was used, and when last, in milliseconds of the epoch."""

    times: float
    last: float


def used(config: Mapping[str, object]) -> dict[str, Used]:
    """The use of each skill as the client noted it."""
    found = {name: mapping(entry) for name, entry in mapping(config.get("skillUsage")).items()}
    return {
        name: Used(_number(entry.get("usageCount")), _number(entry.get("lastUsedAt")))
        for name, entry in found.items()
    }


def scores(every: Mapping[str, Used], now: str) -> dict[str, float]:
    """What each skill's use is worth at a moment (ISO 8601): half as much after a week."""
    moment = _milliseconds(now)
    return {
        name: one.times * max(_halved((moment - one.last) / _WEEK), _LEAST)
        for name, one in every.items()
    }


def _halved(weeks: float) -> float:
    try:
        return math.pow(0.5, weeks)
    except OverflowError:  # used far in the future: infinite in JavaScript
        return math.inf


def _milliseconds(now: str) -> float:
    try:
        moment = datetime.fromisoformat(now)
    except ValueError:
        return 0.0
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
