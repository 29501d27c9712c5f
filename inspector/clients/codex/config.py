"""Codex's configuration: files, command line, and what follows from them.

Layers, the later one wins: `/etc/codex/config.toml`, `$CODEX_HOME/config.toml`,
`$CODEX_HOME/NAME.config.toml` with `--profile NAME`, `.codex/config.toml` of trusted projects, `-c`
overrides and flags.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from inspector.clients.codex.argv import Command, parse
from inspector.clients.codex.loose import Json, strings, tables
from inspector.clients.codex.loose import table as json_table
from inspector.clients.codex.paths import ancestors, from_root, join
from inspector.workspace import Environment, Tree

type Table = dict[str, Any]

SYSTEM = "/etc/codex/config.toml"
_OPTIONS = {
    "model": "model",
    "sandbox": "sandbox_mode",
    "approval": "approval_policy",
    "reviewer": "approvals_reviewer",
}
_REVIEWERS = frozenset({"auto_review", "guardian_subagent"})


@dataclass(frozen=True, slots=True)
class Config:
    """The resolved configuration of one client process."""

    table: Mapping[str, Any]
    command: Command
    cwd: str
    trust: str = ""
    """`trusted` or `untrusted` where the user said so of the working directory."""
    files: tuple[str, ...] = ()
    """The files it is made of, the later one wins."""

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
        """The sandbox mode; without any it hangs on whether the user was asked of this folder."""
        usual = "workspace-write" if self.trust else "read-only"
        return self.string("sandbox_mode") or usual

    @property
    def reviewed(self) -> bool:
        """Whether a reviewer of the client's own gives approvals."""
        return self.string("approvals_reviewer") in _REVIEWERS and self._policy != "never"

    @property
    def approval(self) -> str:
        """When the user is asked: `never`, `on-request`, `unless-trusted` or `granular`."""
        return self._policy if self.command.terminal or self.reviewed else "never"

    @property
    def _policy(self) -> str:
        if isinstance(self.get("approval_policy", "granular"), dict):
            return "granular"
        given = self.string("approval_policy")
        usual = "unless-trusted" if self.trust == "untrusted" else "on-request"
        return "never" if given == "never" else "on-request" if given else usual


def read(tree: Tree, environment: Environment) -> Config:
    """The configuration a client process with this command line would use."""
    command = parse(environment.argv)
    cwd = join(environment.cwd, command.last("cwd") or ".")
    table: Table = {}
    chosen = command.last("profile")
    own = ("config.toml", *(() if chosen is None else (f"{chosen}.config.toml",)))
    outer = [SYSTEM, *(join(environment.config_home, name) for name in own)]
    for path in outer:
        _merge(table, _file(tree, path))
    trust = _trust(environment, cwd, table)
    folders = trusted(environment, Config(table, command, cwd))
    inner = [join(folder, ".codex/config.toml") for folder in folders]
    for path in inner:
        _merge(table, _file(tree, path))
    _merge(table, _overrides(command))
    return Config(table, command, cwd, trust, (*outer, *inner))


def source(tree: Tree, config: Config, *path: str) -> str:
    """Where the value at a key path comes from: a file, or `-c`; empty where nobody set it."""
    told = [("-c", _overrides(config.command))]
    told += [(file, _file(tree, file)) for file in reversed(config.files)]
    return next((name for name, table in told if replace(config, table=table).get(*path)), "")


def trusted(environment: Environment, config: Config) -> list[str]:
    """The folders whose own configuration is read, root first.

    From the repository's root down to the working directory, each by its own level of trust, else
    the root's; where git knows no repository the working directory alone (witness: 0.171).
    """
    root = _root(environment, config.cwd)
    allowed = "--trust" in config.command.flags
    return [
        folder
        for folder in from_root(root, config.cwd)
        if allowed or _level(environment, config.table, folder, root) == "trusted"
    ]


def _trust(environment: Environment, cwd: str, table: Table) -> str:
    level = _level(environment, table, cwd, _root(environment, cwd))
    return level if level in {"trusted", "untrusted"} else ""


def _root(environment: Environment, cwd: str) -> str:
    git = environment.git
    return git.root if git is not None and git.root in ancestors(cwd) else cwd


def _level(environment: Environment, table: Json, folder: str, root: str) -> str:
    git = environment.git
    main = git.common_root or root if git is not None else root
    projects = json_table(table.get("projects"))
    given = [json_table(projects.get(path)).get("trust_level") for path in (folder, root, main)]
    return next((str(one) for one in given if one is not None), "")


def _overrides(command: Command) -> Table:
    table: Table = {}
    for assignment in command.all("config"):
        key, _, value = assignment.partition("=")
        _set(table, key.strip().split("."), _value(value.strip()))
    for option, key in _OPTIONS.items():
        given = command.last(option)
        if given is not None:
            table[key] = given
    if command.last("reviewer") and not command.last("sandbox"):
        table["sandbox_mode"] = "workspace-write"
    for option, on in (("enable", True), ("disable", False)):
        for feature in command.all(option):
            _set(table, ["features", feature], on)
    if command.all("add_dir"):
        _set(table, ["sandbox_workspace_write", "add_dirs"], command.all("add_dir"))
    return table


def _value(string: str) -> Any:  # noqa: ANN401 - any TOML value
    try:
        return tomllib.loads(f"value = {string}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
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
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def broken(tree: Tree, environment: Environment) -> Iterator[tuple[str, str]]:
    """Files of the configuration that are no TOML: Codex 0.171.0 does not start then (probe).

    The user's, a profile's and a trusted project's are alike in this.
    """
    for path in read(tree, environment).files:
        try:
            tomllib.loads((tree.read(path) or b"").decode("utf-8", "replace"))
        except tomllib.TOMLDecodeError as error:
            words = str(error)
            yield path, f"no TOML: {words[:1].lower()}{words[1:]}; the client does not start"


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
