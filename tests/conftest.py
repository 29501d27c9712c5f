"""What all tests share: where things are, and what a required client test may not do."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(autouse=True)
def own_data(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests keep their store and learned texts out of the user's folders.

    `INSPECTOR_TEST_DATA` names a data folder with harvested words, as `.ci/run` makes one.
    """
    data = os.environ.get("INSPECTOR_TEST_DATA") or str(tmp_path_factory.mktemp("data"))
    monkeypatch.setenv("INSPECTOR_DATA", data)
    monkeypatch.delenv("INSPECTOR_STORE", raising=False)
