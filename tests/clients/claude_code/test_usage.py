"""What a skill's use is worth: half as much after a week, a tenth at least."""

import math

from inspector.clients.claude_code.usage import Used, scores

NOW, WEEK = "1970-01-22T00:00:00Z", 7 * 86_400_000


def test_a_use_is_worth_half_after_a_week_and_a_tenth_at_least() -> None:
    every = {"now": Used(8, 3 * WEEK), "week": Used(8, 2 * WEEK), "long": Used(8, -9 * WEEK)}
    assert scores(every, NOW) == {"now": 8, "week": 4, "long": 0.8}


def test_a_use_far_in_the_future_counts_without_bound_as_in_javascript() -> None:
    assert scores({"a": Used(50, 9e15)}, NOW) == {"a": math.inf}
