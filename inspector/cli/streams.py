"""Standard output and error where they are closed or full: said once, and never a traceback."""

import os
import sys


def stand_in() -> None:
    """Put something at the places of closed standard streams, so that no file of ours gets there.

    What stands for the output refuses to be written to, as a closed one does. A child does not
    inherit it.
    """
    if sys.stdout is None:
        _open(1, os.O_RDONLY)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        _open(2, os.O_WRONLY)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


def unwritten() -> bool:
    """Whether standard output takes no more; what waits to be written is then dropped."""
    try:
        sys.stdout.flush()
    except OSError:
        # Python writes what is left once more at its end, and complains.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return True
    return False


def _open(place: int, how: int) -> None:
    found = os.open(os.devnull, how)
    if found != place:
        os.dup2(found, place, inheritable=False)
        os.close(found)
