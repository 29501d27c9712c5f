"""Settings of every scope, merged as the client merges them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.options import SWITCHES, Options, on, options
from inspector.clients.claude_code.plain import is_list, is_mapping, items, mapping
from inspector.errors import NotKept
from inspector.jsontext import read
from inspector.profiles import Profile
from inspector.workspace import EntryKind, Environment, Tree, World

MANAGED = "/etc/claude-code"
"""Where an organisation puts its files."""

KEYS = (
    "alwaysThinkingEnabled",
    "attribution",
    "autoMemoryDirectory",
    "autoMemoryEnabled",
    "claudeMd",
    "claudeMdExcludes",
    "hooks",
    "disableBundledSkills",
    "disabledMcpjsonServers",
    "effortLevel",
    "env",
    "enabledMcpjsonServers",
    "includeCoAuthoredBy",
    "includeGitInstructions",
    "language",
    "model",
    "outputStyle",
    "permissions",
    "promptCacheTtl",
    "skillListingBudgetFraction",
    "skillListingMaxDescChars",
    "skillOverrides",
)
"""Settings that change a request; a snapshot keeps these and no others."""

GRANTS = ("allow", "additionalDirectories")
"""Permissions that a project's settings give only in a workspace somebody trusts."""

_NO_GIT = "CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS"
_NO_BUNDLED = "CLAUDE_CODE_DISABLE_BUNDLED_SKILLS"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one session."""

    merged: Mapping[str, Any]
    sources: frozenset[str]
    """Which of `user`, `project`, `local` are read."""
    managed: Mapping[str, Any]
    scopes: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    """Every scope by the client's name for it, the weakest first."""

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 - JSON of the user's
        """A setting, or the default where no scope has it."""
        return self.merged.get(name, default)

    def without(self, names: Sequence[str]) -> "Settings":
        """The settings as a version reads them that does not know some of their names."""
        if not names:
            return self
        merged = {key: value for key, value in self.merged.items() if key not in names}
        return replace(self, merged=merged)

    def having(self, name: str, value: object) -> "Settings":
        """The settings with one more, which the client wrote itself."""
        return replace(self, merged={**self.merged, name: value})

    def strings(self, *path: str) -> tuple[str, ...]:
        """A list of strings below a path of keys."""
        value: Any = self.merged
        for key in path:
            value = mapping(value).get(key)
        return tuple(item for item in items(value) if isinstance(item, str))


def known(world: World, profile: Profile) -> Settings:
    """The settings of a session as the version reads them that a profile is of."""
    chosen = settings(world.tree, world.environment)
    return chosen.without(profile.lists["settings.unknown"])


def settings(tree: Tree, environment: Environment) -> Settings:
    """Read every scope the command line allows; later scopes win, lists grow."""
    merged: dict[str, Any] = {}
    every = scopes(tree, environment)
    for _, scope in every:
        _merge(merged, scope)
    here = applied(environment, merged)
    if here.env.get(_NO_GIT):  # it wins over the setting, whatever it says
        merged["includeGitInstructions"] = not on(here, _NO_GIT)
    if on(here, _NO_BUNDLED):
        merged["disableBundledSkills"] = True
    return Settings(merged, _sources(environment), every[-1][1], every)


def applied(environment: Environment, merged: Mapping[str, Any]) -> Environment:
    """The environment with what the settings' `env` puts over it (`settings_env`)."""
    given = mapping(merged.get("env"))
    more = {name: given[name] for name in SWITCHES if isinstance(given.get(name), str)}
    return environment.model_copy(update={"env": {**environment.env, **more}})


def scopes(tree: Tree, environment: Environment) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Every scope by the client's name for it; one that is not read is empty."""
    given = options(environment.argv)
    sources = _sources(environment)
    files = _files(environment)
    taken = {name: _load(tree, path) if name in sources else {} for name, path in files.items()}
    if not trusted(tree, environment):
        taken |= {name: _withheld(taken[name]) for name in ("project", "local")}
    return (
        *((f"{name}Settings", found) for name, found in taken.items()),
        ("flagSettings", flagged(tree, environment, given)),
        ("policySettings", _policy(tree)),
    )


def placed(tree: Tree, environment: Environment) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The settings as written: source, file (or `--settings`) and values, the weakest first."""
    for name, path in _files(environment).items():
        if name in _sources(environment):
            yield name, path, _load(tree, path)
    value = options(environment.argv).value("--settings") or "{"
    path = "--settings" if value.lstrip().startswith("{") else absolute(value, environment.cwd)
    yield "flag", path, flagged(tree, environment, options(environment.argv))
    for path, values in _policies(tree):
        yield "policy", path, values


def _files(environment: Environment) -> dict[str, str]:
    return {
        "user": f"{environment.config_home}/settings.json",
        "project": f"{environment.cwd}/.claude/settings.json",
        "local": f"{environment.cwd}/.claude/settings.local.json",
    }


def config_file(environment: Environment) -> str:
    """The client's own state file."""
    if environment.env.get("CLAUDE_CONFIG_DIR"):
        return f"{environment.config_home}/.claude.json"
    return f"{environment.home}/.claude.json"


def trusted(tree: Tree, environment: Environment) -> bool:
    """Whether somebody said in the client's dialogue that the workspace may be trusted.

    Its git folder is what is trusted. A folder above it or `CLAUDE_CODE_SANDBOXED` does not count
    here [claude-code 2.1.332, mix_dont_ask].
    """
    if f"{environment.cwd}/.claude" == environment.config_home:
        return True
    config = _load(tree, config_file(environment))
    return of_project(config, environment).get("hasTrustDialogAccepted") is True


def of_project(config: Mapping[str, Any], environment: Environment) -> Mapping[str, Any]:
    """What the client's state file says of the project: its git folder's, if it has one."""
    git = environment.git
    top = (git.common_root or git.root) if git is not None else environment.cwd
    return mapping(mapping(config.get("projects")).get(top))


def _withheld(values: Mapping[str, Any]) -> dict[str, Any]:
    """A project's settings without what they would allow it themselves."""
    given = mapping(values.get("permissions"))
    left = {key: item for key, item in given.items() if key not in GRANTS}
    return {**values, "permissions": left} if given else dict(values)


def _policy(tree: Tree) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for _, values in _policies(tree):
        _merge(merged, values)
    return merged


def _policies(tree: Tree) -> Iterator[tuple[str, dict[str, Any]]]:
    """An organisation's settings: one file, then those of a folder by name (rules_managed)."""
    path = f"{MANAGED}/managed-settings.json"
    yield path, _load(tree, path)
    folder = f"{MANAGED}/managed-settings.d"
    try:
        entries = tree.list(folder) or ()
    except NotKept:
        # Snapshots of before 0.2 did not look there.
        return
    for name in sorted(entry.name for entry in entries if entry.kind is not EntryKind.DIRECTORY):
        if name.endswith(".json") and not name.startswith("."):
            yield f"{folder}/{name}", _load(tree, f"{folder}/{name}")


def restricted(environment: Environment) -> bool:
    """Whether the session is kept to what the command line and the organisation say."""
    return "--restricted" in options(environment.argv).flags or on(
        environment, "CLAUDE_CODE_RESTRICTED"
    )


def _sources(environment: Environment) -> frozenset[str]:
    given = options(environment.argv)
    if "--bare" in given.flags or restricted(environment):
        return frozenset()
    chosen = given.value("--setting-sources")
    if chosen is None:
        return frozenset({"user", "project", "local"})
    return frozenset(name.strip() for name in chosen.split(","))


def flagged(tree: Tree, environment: Environment, given: Options) -> dict[str, Any]:
    """What `--settings` says, as JSON or as a file's name."""
    value = given.value("--settings")
    if value is None:
        return {}
    if value.lstrip().startswith("{"):
        return parsed(value)
    return _load(tree, absolute(value, environment.cwd))


def given(world: World, key: str, value: str) -> World:
    """The world as if a setting (`a.b`) were given with `--settings`, beside the others there."""
    here = world.environment
    whole = flagged(world.tree, here, options(here.argv))
    # Variables are texts.
    nested: Any = value if key.startswith("env.") else _value(value)
    for part in reversed(key.split(".")):
        nested = {part: nested}
    _merge(whole, nested)
    argv: list[str] = []
    for word in here.argv:
        if argv and argv[-1] == "--settings":
            argv.pop()
        elif not word.startswith("--settings="):
            argv.append(word)
    argv += ["--settings", json.dumps(whole)]
    return replace(world, environment=here.model_copy(update={"argv": tuple(argv)}))


def _value(spelled: str) -> object:
    try:
        return read(spelled)
    except ValueError:
        return spelled


def absolute(path: str, cwd: str) -> str:
    """An absolute path without `.` and `..`."""
    whole = path if path.startswith("/") else f"{cwd}/{path}"
    out: list[str] = []
    for part in whole.split("/"):
        if part == "..":
            del out[-1:]
        elif part not in {"", "."}:
            out.append(part)
    return "/" + "/".join(out)


def resolved(path: str, folder: str, home: str) -> str:
    """An absolute path; `~/` is the home folder."""
    return absolute(path[2:], home) if path.startswith("~/") else absolute(path, folder)


def parsed(source: str) -> dict[str, Any]:
    """A JSON object; empty for anything else."""
    try:
        return mapping(read(source))
    except ValueError:
        return {}


def _load(tree: Tree, path: str) -> dict[str, Any]:
    data = tree.read(path)
    return parsed(decode(data)) if data else {}


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        old = into.get(key)
        if is_mapping(old) and is_mapping(value):
            _merge(mapping(old), mapping(value))
        elif is_list(old) and is_list(value):
            into[key] = [*items(old), *(item for item in items(value) if item not in items(old))]
        else:
            into[key] = dict(mapping(value)) if is_mapping(value) else value
