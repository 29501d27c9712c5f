"""Fixtures: build requests, capture a client against the mock, and two assertions."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from inspector.pytest_plugin.cassettes import Played
    from inspector.pytest_plugin.subjects import Captured, Requests, Subject


@pytest.fixture
def build_requests() -> "Callable[..., Requests]":
    """Builds the requests of a workspace offline: no client, no key, no network.

    `build_requests(workspace, turns=…, home=…, client=…, client_version=…, environment=…,
    listings=…)`, files and folders as for `inspector build`; without `turns` one prompt.
    """

    def build(  # noqa: PLR0913 - as `inspector build` has them
        workspace: Path | str,
        *,
        turns: Path | str | None = None,
        home: Path | str | None = None,
        client: str = "claude-code",
        client_version: str | None = None,
        environment: Path | str | None = None,
        listings: Path | str | None = None,
    ) -> "Requests":
        from inspector.cli.offline import laid_out
        from inspector.pytest_plugin.subjects import Requests

        found = laid_out(
            Path(workspace),
            _path(home),
            client,
            client_version,
            _path(turns),
            _path(environment),
            _path(listings),
        ).with_bodies()
        return Requests(found)

    return build


@pytest.fixture
def capture_session(tmp_path_factory: pytest.TempPathFactory) -> "Callable[..., Captured]":
    """Runs a client against the mock and keeps what it sends.

    `capture_session(command, *words, script=FILE, cwd=…, env=…, route=…, timeout=…)`; each call has
    a store of its own. `script` is what `inspector mock` serves.
    """

    def capture(
        *command: str | Path,
        script: Path | str,
        cwd: Path | str | None = None,
        env: Mapping[str, str] | None = None,
        route: str = "auto",
        timeout: float = 300,
    ) -> "Captured":
        folder = tmp_path_factory.mktemp("captured")
        return _captured(folder, command, script, (cwd, env, route, timeout))

    return capture


@pytest.fixture
def play_cassette(request: pytest.FixtureRequest) -> "Callable[..., Played]":
    """Runs a client that a cassette answers; nothing leaves the machine unless `upstream` is given.

    `play_cassette(name, command, *words, script=FILE, upstream=URL, cwd=…, env=…, route=…,
    timeout=…, mode=…)`; cassettes are folders in `cassettes/` beside the test. `script` or
    `upstream` answers while a cassette is recorded. `mode`: `none` (default), `once`,
    `new_episodes`, `all`; the option --inspector-record goes before it.
    """

    def play(  # noqa: PLR0913 - what a client's run needs
        name: str,
        *command: str | Path,
        script: Path | str | None = None,
        upstream: str | None = None,
        cwd: Path | str | None = None,
        env: Mapping[str, str] | None = None,
        route: str = "auto",
        timeout: float = 300,
        mode: str = "none",
    ) -> "Played":
        from inspector.pytest_plugin.cassettes import MODES, Tape

        __tracebackhide__ = True
        chosen = request.config.getoption("--inspector-record") or mode
        if chosen not in MODES:
            pytest.fail(f"mode {chosen!r}: choose one of {', '.join(MODES)}", pytrace=False)
        path = request.path.parent / "cassettes" / name
        words = [str(word) for word in command]
        resolved = None if script is None else Path(script).resolve()
        where = (resolved, upstream, _path(cwd), env, route, timeout)
        return Tape(path, chosen, words, *where).play()

    return play


@pytest.fixture
def assert_prefix_stable(request: pytest.FixtureRequest) -> "Callable[..., None]":
    """Asserts that the cached prefix holds over requests: built, captured, recorded, or bodies.

    In a test marked `moves_cache_prefix(reason=…)` it asserts that the prefix moves.
    """

    def assert_stable(subject: "Subject", *, baseline: Path | str | None = None) -> None:
        from inspector.pytest_plugin.moved import check, reason_of
        from inspector.pytest_plugin.subjects import judged

        __tracebackhide__ = True
        marker = request.node.get_closest_marker("moves_cache_prefix")
        reason = reason_of(marker) if marker is not None else ""
        check(judged(subject), _path(baseline), reason)

    return assert_stable


@pytest.fixture
def assert_request_shape(request: pytest.FixtureRequest) -> "Callable[..., None]":
    """Asserts that requests have the shape of the snapshot in `__shapes__` beside the test.

    `--inspector-update` writes it anew; a test with several names them: `name=…`.
    """

    def assert_shape(subject: "Subject", *, name: str = "") -> None:
        from inspector.pytest_plugin import shapes
        from inspector.pytest_plugin.subjects import prompts

        __tracebackhide__ = True
        test = "-".join(word for word in (request.path.stem, request.node.name, name) if word)
        file = shapes.place(request.path.parent, test)
        update = bool(request.config.getoption("--inspector-update"))
        shapes.compare(prompts(subject), file, update=update)

    return assert_shape


def _path(given: Path | str | None) -> Path | None:
    return None if given is None else Path(given)


def _captured(
    folder: Path,
    command: tuple[str | Path, ...],
    script: Path | str,
    how: tuple[Path | str | None, Mapping[str, str] | None, str, float],
) -> "Captured":
    from inspector.pytest_plugin.subjects import Captured

    cwd, env, route, timeout = how
    store, report = folder / "store.db", folder / "report.json"
    ours = [sys.executable, "-m", "inspector", "run", "--route", route, "--store", str(store)]
    given = ["--report", str(report), "--mock", str(Path(script).resolve()), "--"]
    ended = subprocess.run(
        [*ours, *given, *map(str, command)],
        cwd=cwd,
        env=None if env is None else dict(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    sessions: list[dict[str, str]] = []
    if report.exists():
        sessions = json.loads(report.read_text(encoding="utf-8"))["sessions"]
    if not sessions:
        pytest.fail(
            f"no model call was captured (exit code {ended.returncode})\n{ended.stderr}",
            pytrace=False,
        )
    return Captured(sessions[0]["id"], store, ended.returncode, ended.stdout, ended.stderr)
