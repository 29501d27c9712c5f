"""How large the store may grow: INSPECTOR_QUOTA, looked at when a capture ends."""

import os
from pathlib import Path

from inspector.cli.options import say
from inspector.errors import BadInput, counted

NAME = "INSPECTOR_QUOTA"


def limit() -> int | None:
    """Bytes the store may take; None where nobody says. Raises `BadInput` for what is no size."""
    from inspector import retention

    asked = os.environ.get(NAME, "")
    if not asked:
        return None
    try:
        return retention.size(asked)
    except BadInput as error:
        raise BadInput(f"{NAME}: {error}") from error


def keep_within(store: Path, size: int | None) -> None:
    """Let the oldest sessions go until the store takes no more; a fault is said, and no more."""
    from inspector import retention
    from inspector.store import Store

    if size is None or not store.exists():
        return
    try:
        with Store.open(store, create=False) as opened:
            gone = retention.shrink(opened, size).sessions
    except BadInput as error:
        say(f"{NAME}: {error}")
        return
    if gone:
        say(f"{counted(len(gone), 'old session')} removed, to keep within {NAME}")
