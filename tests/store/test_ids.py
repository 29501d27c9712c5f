"""Ids: short, unique, in the order of their making."""

import os

import pytest

from inspector.store import ids


def test_ids_are_short_unique_and_sort_by_their_making() -> None:
    made = [ids.new() for _ in range(5000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)
    assert {len(one) for one in made} == {13}
    assert set("".join(made)) <= set("0123456789abcdefghjkmnpqrstvwxyz")


def test_a_process_that_was_forked_makes_other_ids_than_its_parent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ids.new()
    chance = ids._source.chance.getstate()
    monkeypatch.setattr(os, "getpid", lambda: 0)  # what a fork would see: another number
    child = ids.new()
    ids._source.chance.setstate(chance)
    assert ids.new()[9:] != child[9:]
