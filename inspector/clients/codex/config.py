"""Codex's configuration: files, command line, and what follows from them.

Layers, the later one wins: `/etc/codex/config.toml`, `$CODEX_HOME/config.toml`, the chosen
`[profiles.NAME]`, `.codex/config.toml` of trusted projects, `-c` overrides and flags.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from inspector.clients.codex.argv import Command, parse
from inspector.clients.codex.loose import Json, strings, tables
from inspector.clients.codex.paths import from_root, join, project_root
from inspector.workspace import Environment, Tree

type Table = dict[str, Any]

SYSTEM = "/etc/codex/config.toml"


@dataclass(frozen=True, slots=True)
class Config:
    """The resolved configuration of one client process."""

    table: Mapping[str, Any]
    command: Command
    cwd: str

    def get(self, *path: str) -> Any:  # noqa: ANN401 - TOML values are what they are
        """The value at a key path, or None."""
        value: Any = self.table
        for key in path:
            if not isinstance(value, Mapping):
                return None
            value = cast("Mapping[str, Any]", value).get(key)
        return value

    def string(self, *path: str) -> str | None:
        """The string at a key path; None for anything else."""
        value = self.get(*path)
        return value if isinstance(value, str) else None

    def flag(self, *path: str, default: bool) -> bool:
        """The boolean at a key path."""
        value = self.get(*path)
        return value if isinstance(value, bool) else default

    def integer(self, key: str, default: int) -> int:
        """The integer at a top-level key."""
        value = self.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    def strings(self, *path: str | tuple[str, ...]) -> tuple[str, ...]:
        """The list of strings at a key path; a last tuple argument is the default."""
        keys = tuple(key for key in path if isinstance(key, str))
        default = next((key for key in path if isinstance(key, tuple)), ())
        return strings(self.get(*keys), default)

    def tables(self, *path: str) -> list[Json]:
        """The array of tables at a key path."""
        return tables(self.get(*path))

    @property
    def provider(self) -> str:
        """`builtin` for OpenAI's own provider, `custom` for any other."""
        return "builtin" if self.string("model_provider") in {None, "openai"} else "custom"

    @property
    def sandbox(self) -> str:
        """The sandbox mode; `exec` without any is read-only."""
        return self.string("sandbox_mode") or "read-only"


def read(tree: Tree, environment: Environment) -> Config:
    """The configuration a client process with this command line would use."""
    command = parse(environment.argv)
    cwd = join(environment.cwd, command.last("cwd") or ".")
    table: Table = {}
    _merge(table, _file(tree, SYSTEM))
    _merge(table, _file(tree, join(environment.config_home, "config.toml")))
    chosen = command.last("profile") or table.get("profile")
    profiles = cast("Table", table.get("profiles", {}))
    if isinstance(chosen, str) and isinstance(profiles.get(chosen), dict):
        _merge(table, cast("Table", profiles[chosen]))
    overrides = _overrides(command)
    for layer in _project_layers(tree, cwd, table):
        _merge(table, layer)
    _merge(table, overrides)
    return Config(table, command, cwd)


def _project_layers(tree: Tree, cwd: str, table: Table) -> list[Table]:
    markers = Config(table, Command(), cwd).strings("project_root_markers", (".git",))
    root = project_root(tree, cwd, markers)
    projects = table.get("projects")
    if not isinstance(projects, dict):
        return []
    trusted = {
        path
        for path, entry in cast("Table", projects).items()
        if isinstance(entry, dict) and cast("Table", entry).get("trust_level") == "trusted"
    }
    if not trusted & {root, cwd}:
        return []
    return [_file(tree, join(folder, ".codex/config.toml")) for folder in from_root(root, cwd)]


def _overrides(command: Command) -> Table:
    table: Table = {}
    for assignment in command.all("config"):
        key, _, value = assignment.partition("=")
        _set(table, key.strip().split("."), _value(value.strip()))
    for option, key in (("model", "model"), ("sandbox", "sandbox_mode")):
        given = command.last(option)
        if given is not None:
            table[key] = given
    for option, on in (("enable", True), ("disable", False)):
        for feature in command.all(option):
            _set(table, ["features", feature], on)
    if command.all("add_dir"):
        _set(table, ["sandbox_workspace_write", "add_dirs"], command.all("add_dir"))
    return table


def _value(string: str) -> Any:  # noqa: ANN401 - any TOML value
    try:
        return tomllib.loads(f"value = {string}")["value"]
    except tomllib.TOMLDecodeError:
        return string.strip("\"'")


def _set(table: Table, keys: list[str], value: object) -> None:
    for key in keys[:-1]:
        inner = table.setdefault(key, {})
        if not isinstance(inner, dict):
            return
        table = cast("Table", inner)
    table[keys[-1]] = value


def _file(tree: Tree, path: str) -> Table:
    data = tree.read(path)
    if data is None:
        return {}
    try:
        return tomllib.loads(data.decode("utf-8", "replace"))
    except tomllib.TOMLDecodeError:
        return {}


def _merge(into: Table, more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        old = into.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            _merge(cast("Table", old), cast("Table", value))
        else:
            into[key] = _copied(value)


def _copied(value: Any) -> Any:  # noqa: ANN401 - any TOML value
    if not isinstance(value, dict):
        return value
    return {key: _copied(item) for key, item in cast("Table", value).items()}
