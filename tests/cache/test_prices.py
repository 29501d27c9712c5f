"""List prices by model, day and length of the prompt: two bounds, never a bill."""

import pytest

from inspector.cache.prices import cost

MILLION = 1_000_000


@pytest.mark.parametrize(
    ("model", "day", "ttl", "dollars"),
    [
        # What a write costs less what a read would have cost, for a million tokens.
        ("claude-opus-5", "2026-06-01", 300, 6.25 - 0.50),
        ("claude-opus-5", "2026-06-01", 3600, 10 - 0.50),
        ("claude-opus-4-1-20250805", "2026-06-01", 300, 18.75 - 1.50),
        ("claude-opus-4-6", "2026-06-01", 300, 6.25 - 0.50),
        ("claude-opus-5-5", "2026-10-01", 300, 5 - 0.20),
        ("claude-sonnet-5-5", "2026-10-06T23:00:00+00:00", 300, 2.50 - 0.20),
        ("claude-sonnet-5-5", "2026-10-07", 300, 2.50 - 0.10),
        ("gpt-5.5", "2026-10-01", 1800, 5 - 0.50),
    ],
)
def test_the_models_price_of_the_day_counts(model: str, day: str, ttl: int, dollars: float) -> None:
    found = cost(model, day, 4 * MILLION, 4 * MILLION, ttl, MILLION)
    assert found is not None
    assert [found.low, found.high] == pytest.approx([dollars, dollars])
    assert (found.tokens, found.counted) == (MILLION, True)


def test_without_the_apis_count_tokens_are_estimated_and_the_bounds_part() -> None:
    found = cost("claude-sonnet-4-5", "2026-01-01", 4000, 9000, 300)
    assert found is not None
    assert (found.tokens, found.counted) == (1000, False)
    assert found.low == pytest.approx(800 * 3.45 / 1e6)
    assert found.high == pytest.approx(1333 * 3.45 / 1e6)
    assert found.words == "about 1,000 tokens, $0.0028 to $0.0046 at list prices"


def test_without_a_day_every_price_the_model_had_may_hold() -> None:
    found = cost("claude-sonnet-5-5", "", 4000, 9000, 300, MILLION)
    assert found is not None
    assert [found.low, found.high] == pytest.approx([2.30, 2.40])


@pytest.mark.parametrize(
    ("size", "low", "high"),
    [(30_000, 0.115, 0.115), (4 * MILLION, 0.575, 0.575), (400_000, 0.115, 0.575)],
)
def test_the_length_of_the_prompt_chooses_the_band_and_near_its_end_both_may_hold(
    size: int, low: float, high: float
) -> None:
    found = cost("claude-haiku-5-5", "2026-11-01", 4000, size, 300, MILLION)
    assert found is not None
    assert [found.low, found.high] == pytest.approx([low, high])
    assert found.strength == "measured"


def test_a_model_without_a_known_price_has_no_cost() -> None:
    assert cost("llama-3", "2026-01-01", 4000, 9000, 300) is None
