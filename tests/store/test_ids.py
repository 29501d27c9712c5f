"""Ids: short, unique, in the order of their making."""

import os

from inspector.store import ids


def test_ids_are_short_unique_and_sort_by_their_making() -> None:
    made = [ids.new() for _ in range(5000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)
    assert {len(one) for one in made} == {13}
    assert set("".join(made)) <= set("0123456789abcdefghjkmnpqrstvwxyz")


def test_a_process_that_was_forked_makes_other_ids_than_its_parent() -> None:
    ids.new()
    state = ids._source.chance.getstate()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        ids.new()
        os.write(
            write, b"same" if ids._source.chance.getstate()[1][:-1] == state[1][:-1] else b"other"
        )
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 9) == b"other"
