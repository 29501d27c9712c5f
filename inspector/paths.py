"""Where our own files live: the data folder, the store, the cache; and how one is written."""

import os
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path


def data_folder(env: Mapping[str, str] | None = None) -> Path:
    """The folder of profiles, learned texts and the CA: `INSPECTOR_DATA`, else the platform's."""
    import platformdirs

    env = os.environ if env is None else env
    named = env.get("INSPECTOR_DATA")
    return Path(named) if named else platformdirs.user_data_path("inspector", appauthor=False)


def store_file(
    option: str | os.PathLike[str] | None = None, env: Mapping[str, str] | None = None
) -> Path:
    """The store: the `--store` option, `INSPECTOR_STORE`, or `store.db` in the data folder."""
    env = os.environ if env is None else env
    named = option or env.get("INSPECTOR_STORE")
    return Path(named) if named else data_folder(env) / "store.db"


def texts_folder(env: Mapping[str, str] | None = None) -> Path:
    """The folder of learned client texts."""
    return data_folder(env) / "texts"


def cache_folder() -> Path:
    """The folder for what can be fetched again (clients installed by `demo --install-clients`)."""
    import platformdirs

    return platformdirs.user_cache_path("inspector", appauthor=False)


def write(path: Path, data: bytes) -> None:
    """Put a file there whole or not at all: who reads it meanwhile never sees half of one."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    made = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        made.replace(path)
    except BaseException:
        made.unlink(missing_ok=True)
        raise


def own(path: str, env: Mapping[str, str] | None = None) -> bool:
    """Whether a path is one of our own files, which are never part of a snapshot."""
    real = os.path.realpath(path)
    data, store = _resolved(str(data_folder(env))), _resolved(str(store_file(None, env)))
    return (
        real == data
        or real.startswith(data + os.sep)
        or real in {store, store + "-wal", store + "-shm"}
    )


@cache
def _resolved(path: str) -> str:
    return os.path.realpath(path)
