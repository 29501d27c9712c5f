"""The pytest plugin: recordings and workspaces become tests, with or without code (docs/pytest.md).

It is imported at every start of pytest, so what is heavy is imported where a test needs it.
PYTEST_DONT_REWRITE: named with `-p` besides being installed, it is at hand already.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inspector.pytest_plugin.fixtures import (
    assert_prefix_stable,
    assert_request_shape,
    build_requests,
    capture_session,
    play_cassette,
)

if TYPE_CHECKING:
    from inspector.pytest_plugin.items import CacheFile

__all__ = [
    "assert_prefix_stable",
    "assert_request_shape",
    "build_requests",
    "capture_session",
    "play_cassette",
]

MARKER = "moves_cache_prefix"
UPDATE = "--inspector-update"
RECORD = "--inspector-record"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Our options."""
    group = parser.getgroup("inspector", "what coding agents send to their models")
    group.addoption(
        "--inspector-captures",
        action="append",
        default=[],
        metavar="PATH",
        help="A recording, or a folder of them: one test each. May repeat.",
    )
    group.addoption(
        "--inspector-workspace",
        action="append",
        default=[],
        metavar="PATH",
        help="A workspace whose requests are built offline and tested. May repeat.",
    )
    group.addoption(
        UPDATE,
        action="store_true",
        help="Write snapshots of request shapes anew; refused where CI is set.",
    )
    group.addoption(
        RECORD,
        choices=["none", "once", "new_episodes", "all"],
        help="Whether cassettes are recorded, whatever tests say; refused where CI is set.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker; refuse new snapshots in CI."""
    config.addinivalue_line(
        "markers", f"{MARKER}(reason): the test breaks the cached prefix on purpose, and why"
    )
    if os.environ.get("CI", "").lower() in {"", "0", "false"}:
        return
    for option in (UPDATE, RECORD):
        if config.getoption(option) not in {False, None, "none"}:
            raise pytest.UsageError(
                f"{option}: CI is set; record and write snapshots where somebody looks at them,"
                " and commit them"
            )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A deliberate break says why."""
    from inspector.pytest_plugin.moved import reason_of

    for marker in item.iter_markers(MARKER):
        if not reason_of(marker):
            pytest.fail(f'{MARKER}: no reason; write {MARKER}(reason="why")', pytrace=False)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "CacheFile | None":
    """`inspector.yaml` and `*.inspector.yaml` name what becomes tests."""
    if file_path.name != "inspector.yaml" and not file_path.name.endswith(".inspector.yaml"):
        return None
    from inspector.pytest_plugin.items import CacheFile

    return CacheFile.beside(parent, file_path)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Tests of what the options name stand behind all others."""
    items.extend(_asked(session, config))


def _asked(session: pytest.Session, config: pytest.Config) -> Iterator[pytest.Item]:
    captures: list[str] = config.getoption("--inspector-captures") or []
    workspaces: list[str] = config.getoption("--inspector-workspace") or []
    if captures or workspaces:
        from inspector.pytest_plugin.items import asked

        here = config.invocation_params.dir
        yield from asked(
            session, [here / path for path in captures], [here / path for path in workspaces]
        )
