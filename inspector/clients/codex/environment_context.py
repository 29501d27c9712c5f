"""The `<environment_context>` part: directory, shell, date, time zone, sandbox."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.clients.codex.config import Config
from inspector.clients.codex.fill import escaped, fact, fill
from inspector.clients.codex.paths import join, name
from inspector.profiles import Profile
from inspector.text import EMPTY, Text
from inspector.text import join as joined
from inspector.workspace import Environment


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the part says; a later turn repeats only what changed."""

    cwd: Text
    shell: Text
    date: Text
    timezone: Text
    filesystem: Text

    def whole(self, profile: Profile) -> Text:
        """The part at the start of a thread, or after a change of directory."""
        return fill(profile.literal("environment.whole"), self._holes())

    def partial(self, profile: Profile) -> Text:
        """The part after a change that leaves directory and shell alone."""
        return fill(profile.literal("environment.partial"), self._holes())

    def _holes(self) -> dict[str, Text]:
        return {
            "cwd": self.cwd,
            "shell": self.shell,
            "date": self.date,
            "timezone": self.timezone,
            "filesystem": self.filesystem,
        }


def surroundings(environment: Environment, config: Config, profile: Profile) -> Surroundings:
    """Read the facts the part is made of."""
    shell = name(environment.shell) or profile.literals["environment.shell"]
    return Surroundings(
        cwd=escaped(fact("cwd", config.cwd)),
        shell=fact("shell", shell),
        date=fact("date", environment.date),
        timezone=fact("timezone", environment.timezone),
        filesystem=_filesystem(config, profile),
    )


def writable_roots(config: Config) -> list[str]:
    """The folders a `workspace-write` sandbox may write to, the working directory first."""
    more = (
        *config.strings("sandbox_workspace_write", "add_dirs"),
        *config.strings("sandbox_workspace_write", "writable_roots"),
    )
    return list(dict.fromkeys((config.cwd, *(join(config.cwd, root) for root in more))))


def temporary(config: Config) -> list[str]:
    """The temporary folders it may write to, by the names the client has for them."""
    off = [
        name
        for key, name in (("exclude_slash_tmp", "slash_tmp"), ("exclude_tmpdir_env_var", "tmpdir"))
        if config.flag("sandbox_workspace_write", key, default=False)
    ]
    return [name for name in ("slash_tmp", "tmpdir") if name not in off]


def _filesystem(config: Config, profile: Profile) -> Text:
    roots = writable_roots(config)
    return fill(
        profile.literal(f"environment.filesystem.{config.sandbox}"),
        {
            "roots": joined(EMPTY, [_path("environment.root", root, profile) for root in roots]),
            "entries": joined(EMPTY, _entries(config, roots, profile)),
        },
    )


def _entries(config: Config, roots: Sequence[str], profile: Profile) -> list[Text]:
    guarded = [
        join(root, hidden) for hidden in profile.lists["environment.guarded"] for root in roots
    ]
    return [
        *(_path("environment.write", root, profile) for root in roots),
        *(profile.literal(f"environment.write.{name}") for name in temporary(config)),
        *(_path("environment.read", path, profile) for path in guarded),
    ]


def _path(literal: str, path: str, profile: Profile) -> Text:
    return fill(profile.literal(literal), {"path": escaped(fact("workspace_root", path))})
