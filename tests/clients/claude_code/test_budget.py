"""What a session has cost, reckoned as the client does (2.1.332)."""

import pytest

from inspector import profiles
from inspector.clients.claude_code import budget
from inspector.turns import Replied

AXES = {"host": "custom", "entry": "print", "model": "default", "mode": "default"}


@pytest.mark.parametrize(
    ("model", "tokens", "cost"),
    [
        ("claude-opus-5-5", (10, 0, 100, 5), 0.00064),
        ("claude-sonnet-4-5-20250929", (1_000_000, 1_000_000, 1_000_000, 1_000_000), 22.05),
        ("claude-haiku-5-5", (100_000, 0, 0, 0), 0.01),
        ("claude-haiku-5-5", (100_001, 0, 0, 0), 0.0500005),
        ("somebody-else", (1_000_000, 0, 0, 0), 5.0),
    ],
)
def test_a_reply_costs_what_its_model_does(
    model: str, tokens: tuple[int, int, int, int], cost: float
) -> None:
    profile = profiles.resolve(profiles.find("claude-code", "2.1.332"), AXES)
    sent, read, wrote, said = tokens
    reply = Replied(
        id="msg_1",
        blocks=(),
        input_tokens=sent,
        cache_read_tokens=read,
        cache_write_tokens=wrote,
        output_tokens=said,
    )
    assert budget.cost(profile, model, reply) == pytest.approx(cost, rel=1e-12)
