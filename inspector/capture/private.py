"""Folders of one run that hold what nobody else may read: the client's own export, its settings.

They are gone at the end; those of a run that was killed go as the next run begins.
"""

import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from inspector.clients import Launch

_FOLDER = "export-"


@contextmanager
def folder(data: Path) -> Generator[str]:
    """A folder in our data for one run, into which only the user can look.

    Where our data cannot be written it is a temporary one.
    """
    with suppress(OSError):
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    sweep(data)
    place = data if os.access(data, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix=f"{_FOLDER}{os.getpid()}-", dir=place) as made:
        yield made


def sweep(data: Path) -> None:
    """Remove what runs that were killed left."""
    for left in data.glob(f"{_FOLDER}*"):
        if not _alive(left.name):
            shutil.rmtree(left, ignore_errors=True)


@contextmanager
def started(launch: Launch, data: Path) -> Generator[Launch]:
    """A launch whose command line shows nothing of the user's files: any process can read those."""
    if not launch.private:
        sweep(data)
        yield launch
        return
    with folder(data) as made:
        file = Path(made) / "settings.json"
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(launch.private.encode())
        argv = tuple(str(file) if word == launch.private else word for word in launch.argv)
        yield replace(launch, argv=argv)


def _alive(name: str) -> bool:
    """Whether the run that made a folder goes on."""
    pid = name.removeprefix(_FOLDER).partition("-")[0]
    if not pid.isdigit():
        return True  # none of ours
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
