"""Where profiles outside the package are looked for; nothing here loads anything."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

type Shelf = Mapping[str, Mapping[str, Any]]
"""Profiles by `CLIENT/VERSION`."""

_SHELVES: list[Shelf] = []


def shelves() -> tuple[Shelf, ...]:
    """All of them, in the order they are asked."""
    return tuple(_SHELVES)


def shelve(shelf: Shelf) -> None:
    """Look for profiles there too, before all other places."""
    if not any(one is shelf for one in _SHELVES):
        _SHELVES.insert(0, shelf)


@contextmanager
def shelved(shelf: Shelf) -> Generator[None]:
    """The same for a while."""
    shelve(shelf)
    try:
        yield
    finally:
        _SHELVES[:] = [one for one in _SHELVES if one is not shelf]
