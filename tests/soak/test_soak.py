"""A twentieth of the long runs."""

import pytest

from tests.soak import __main__ as commands
from tests.soak import fuzz, kill, replays


@pytest.mark.soak
def test_a_sudden_end_loses_no_exchange_that_had_ended() -> None:
    rounds = commands.ROUNDS["kill"] // 20
    numbers = kill.soak(rounds)
    assert (numbers["kills"], numbers["lost or changed"]) == (rounds, 0)
    assert numbers["exchanges ended"] > rounds


@pytest.mark.soak
def test_broken_bodies_come_back_byte_for_byte() -> None:
    rounds = commands.ROUNDS["fuzz"] // 20
    numbers = fuzz.soak(rounds)
    assert (numbers["bodies"], numbers["changed"]) == (rounds, 0)
    assert numbers["secrets replaced"] > 0


@pytest.mark.soak
def test_replays_in_a_row_leave_nothing_behind() -> None:
    rounds = commands.ROUNDS["replays"] // 20
    assert replays.soak(rounds) == {"replays": rounds, "matched": rounds, "left behind": 0}
