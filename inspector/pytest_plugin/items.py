"""Tests without code: a recording, a folder of them, a workspace."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

from inspector.errors import BadInput, InspectorError, yaml_reason
from inspector.pytest_plugin import shapes
from inspector.pytest_plugin.moved import PrefixMoved, check
from inspector.pytest_plugin.subjects import Requests, judged

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr, TracebackStyle

    from inspector.cli.offline import Situation

STEADY = ("the same again", "lists in another order")
"""What may change outside without moving the prefix, unless a workspace says otherwise."""


class _Ours(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Workspace(_Ours):
    """A workspace whose requests are built offline; paths are relative to the file."""

    path: str
    home: str | None = None
    client: str = "claude-code"
    client_version: str | None = None
    environment: str | None = None
    listings: str | None = None
    turns: str | None = None
    keeps: list[str] | None = None
    """Changes that may not move the prefix, as `inspector cache --workspace` calls them."""
    shape: bool = True


class Wanted(_Ours):
    """What `inspector.yaml` says."""

    captures: list[str] = []
    workspaces: list[Workspace] = []
    baseline: str | None = None


class CacheTest(pytest.Item):
    """One test; what it says when it fails is ours, without a traceback."""

    act: "Callable[[], None]"
    """What it does; raises where it fails."""

    def runtest(self) -> None:
        """Judge."""
        self.act()

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: "TracebackStyle | None" = None
    ) -> "str | TerminalRepr":
        """Our words; a fault of ours keeps its traceback."""
        if isinstance(excinfo.value, PrefixMoved | shapes.ShapeChanged | InspectorError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the test is from, and its name."""
        return self.path, None, self.name


class CacheFile(pytest.File):
    """`inspector.yaml`."""

    @classmethod
    def beside(cls, parent: pytest.Collector, path: Path) -> "CacheFile":
        """The file at a path."""
        made: CacheFile = cls.from_parent(parent, path=path)  # pyright: ignore[reportUnknownMemberType]
        return made

    def collect(self) -> Iterator[pytest.Item]:
        """A test for each recording, several for each workspace."""
        try:
            wanted = _wanted(self.path)
            baseline = self.path.parent / wanted.baseline if wanted.baseline else None
            yield from _of_captures(self, self.path.parent, wanted.captures, baseline)
            for workspace in wanted.workspaces:
                yield from _of_workspace(self, self.path.parent, workspace, baseline)
        except BadInput as error:
            raise self.CollectError(str(error)) from error


def asked(
    parent: pytest.Session, captures: Sequence[Path], workspaces: Sequence[Path]
) -> Iterator[pytest.Item]:
    """Tests of what the command line names; their snapshots of shapes would have no place."""
    try:
        yield from _of_captures(parent, Path(), [str(path) for path in captures], None)
    except BadInput as error:
        raise pytest.UsageError(str(error)) from error
    for path in workspaces:
        workspace = Workspace(path=str(path), shape=False)
        yield from _of_workspace(parent, Path(), workspace, None)


def _test(parent: pytest.Collector, name: str, act: "Callable[[], None]") -> CacheTest:
    item: CacheTest = CacheTest.from_parent(parent, name=name)  # pyright: ignore[reportUnknownMemberType]
    item.act = act
    return item


def _of_captures(
    parent: pytest.Collector, here: Path, names: Sequence[str], baseline: Path | None
) -> Iterator[CacheTest]:
    from inspector import named

    for name in names:
        folder = here / name
        found = list(named.recordings(folder))
        if not found:
            raise BadInput(f"{folder}: no recording in it; name a folder of recordings")
        for path in found:
            below = path.relative_to(folder).as_posix()
            told = name if below == "." else f"{name.rstrip('/')}/{below}"
            yield _test(parent, f"prefix[{told}]", partial(_recording_holds, path, baseline))


def _of_workspace(
    parent: pytest.Collector, here: Path, wanted: Workspace, baseline: Path | None
) -> Iterator[CacheTest]:
    """All its tests share one build, made when the first of them runs."""
    built = cache(partial(_built, wanted, here))
    yield _test(parent, f"{wanted.path}[grows]", partial(_grows, built, baseline))
    for change in STEADY if wanted.keeps is None else wanted.keeps:
        act = partial(_keeps, built, change, baseline)
        yield _test(parent, f"{wanted.path}[{change}]", act)
    if wanted.shape:
        file = shapes.place(here, wanted.path.strip("./") or "workspace")
        update = bool(parent.config.getoption("--inspector-update"))
        act = partial(_has_shape, built, file, update=update)
        yield _test(parent, f"{wanted.path}[shape]", act)


def _recording_holds(folder: Path, baseline: Path | None) -> None:
    check(judged(folder), baseline)


def _grows(built: "Callable[[], Situation]", baseline: Path | None) -> None:
    """Each request of the workspace goes on from the one before."""
    check(judged(Requests(built())), baseline)


def _keeps(built: "Callable[[], Situation]", name: str, baseline: Path | None) -> None:
    """A change outside leaves the first request's prefix as it is."""
    from inspector.cli import gate

    found = built()
    known = dict(gate.happenings(found))
    if name in known:
        check(gate.judged(found, known[name]()), baseline, strict=True)
    elif name not in STEADY:
        raise BadInput(f"{name}: no such change; choose of {', '.join(known)}")


def _has_shape(built: "Callable[[], Situation]", file: Path, *, update: bool) -> None:
    shapes.compare(Requests(built()).bodies, file, update=update)


def _built(wanted: Workspace, base: Path) -> "Situation":
    from inspector.cli.offline import laid_out

    home, turns, environment, listings = (
        None if name is None else base / name
        for name in (wanted.home, wanted.turns, wanted.environment, wanted.listings)
    )
    return laid_out(
        base / wanted.path, home, wanted.client, wanted.client_version, turns, environment, listings
    ).with_bodies()


def _wanted(path: Path) -> Wanted:
    import yaml

    try:
        loaded = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        return Wanted.model_validate(loaded or {})
    except yaml.YAMLError as error:
        raise BadInput(f"{path}: no YAML ({yaml_reason(error)}); mend it") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "all of it"
        raise BadInput(f"{path}: {place}: {first['msg']}; see docs/pytest.md") from error
