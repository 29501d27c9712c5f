"""What all tests share: where things are, and when tests that need a real client run.

A test marked `client` runs where both clients are installed and a network namespace can be made. Elsewhere it
is left out of the collection. With `INSPECTOR_REQUIRE_CLIENTS=1` (as `.ci/run` sets it) nothing is left out:
what is missing fails, and so does a whole run in which fewer client tests passed than `client.count` says.
"""

import os
import shutil
import subprocess
from collections.abc import Generator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from inspector.demo import installed
from tests.commands import Run, runner

# A loaded machine is no fault of the code: laws are judged by what they say, not by their speed.
settings.register_profile("laws", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("laws")

ROOT = Path(__file__).resolve().parent.parent
CLIENTS = ("claude-code", "codex")
_CLIENT_TESTS: list[str] = []
"""Tests with a real client that passed."""


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Calls a command of ours, and gives its code and both outputs."""
    return runner(capfdbinary)


@pytest.fixture(autouse=True)
def own_data(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tests keep their store and learned texts out of the user's folders.

    `INSPECTOR_TEST_DATA` names a data folder with harvested words, as `.ci/run` makes one; goldens are
    checked with them, and the repository is searched for them.
    """
    worded = "golden" in request.path.parts or request.path.name == "test_prose.py"
    data = os.environ.get("INSPECTOR_TEST_DATA") if worded else None
    monkeypatch.setenv("INSPECTOR_DATA", data or str(tmp_path_factory.mktemp("data")))
    monkeypatch.delenv("INSPECTOR_STORE", raising=False)


@pytest.fixture(autouse=True)
def usual_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are as wide as in a pipe; a test run with workers has a width of its own otherwise."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def binaries() -> dict[str, Path]:
    """The real clients' programs; a missing one fails the test."""
    found = {client: installed(client) for client in CLIENTS}
    missing = [client for client, path in found.items() if path is None]
    assert not missing, (
        f"not installed: {', '.join(missing)}; see `inspector demo --install-clients`"
    )
    return {client: path for client, path in found.items() if path is not None}


@pytest.fixture
def tmux() -> Path:
    """The program in whose terminals clients are run; tests that want it are left out without it."""
    found = shutil.which("tmux")
    assert found is not None, "tmux: not on PATH; install it"
    return Path(found)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if _required():
        return
    able, tmux = _able(), shutil.which("tmux") is not None
    left_out = [
        item
        for item in items
        if (item.get_closest_marker("client") and not able)
        or ("tmux" in getattr(item, "fixturenames", ()) and not tmux)
    ]
    if not left_out:
        return
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if item.get_closest_marker("client"):
        report.user_properties.append(("client", "real"))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Counted where reports come together: with workers that is not where a test runs."""
    if report.when == "call" and report.passed and ("client", "real") in report.user_properties:
        _CLIENT_TESTS.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workerinput"):
        return
    whole = session.config.args_source is pytest.Config.ArgsSource.TESTPATHS
    passed = len(_CLIENT_TESTS)
    if _required() and whole and passed < _expected():
        print(f"\n{passed} client tests passed, tests/client.count says {_expected()}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _required() -> bool:
    return os.environ.get("INSPECTOR_REQUIRE_CLIENTS") == "1"


def _expected() -> int:
    return int((ROOT / "tests" / "client.count").read_text(encoding="utf-8"))


@cache
def _able() -> bool:
    if any(installed(client) is None for client in CLIENTS):
        return False
    tried = subprocess.run(["unshare", "-n", "-m", "true"], capture_output=True, check=False)
    return tried.returncode == 0
