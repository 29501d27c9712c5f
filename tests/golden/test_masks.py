"""Nothing is masked but what ARCHITECTURE.md lists, where it lists it."""

from tests.golden import masks


def test_every_masked_place_of_the_goldens_is_in_the_closed_list() -> None:
    listed = masks.listed()
    outside = {
        (client, name, path)
        for client, name, path in masks.seen()
        if f"`{path}`" not in f"`{listed.get((client, name), '')}`"
    }
    assert outside == set()
