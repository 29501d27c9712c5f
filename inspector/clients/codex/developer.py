"""The parts of the developer messages that stand before the first prompt."""

from inspector.clients.codex import catalog
from inspector.clients.codex.approvals import approval
from inspector.clients.codex.config import Config
from inspector.clients.codex.environment_context import temporary, writable_roots
from inspector.clients.codex.fill import BLANK, fact, fill
from inspector.clients.codex.loose import Json
from inspector.clients.codex.paths import join
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.text import join as joined
from inspector.workspace import Environment, World

_TEMP = "/tmp"  # noqa: S108 - the client's own name for it


def base(world: World, config: Config, profile: Profile, found: Json) -> Text:
    """The base instructions: the user's file, trimmed, or the model's own."""
    path = config.string("model_instructions_file")
    own_text = config.string("instructions")
    if path is None and own_text is not None:
        return fact("config.instructions", own_text)
    if path is None:
        return catalog.instructions(world, found, profile)
    where = join(world.environment.config_home, path)
    data = world.tree.read(where)
    if data is None:
        return profile.known("base")
    return text(data.decode("utf-8", "replace"), Origin(Kind.FILE, where)).strip(BLANK)


def own(config: Config) -> Text:
    """The user's `developer_instructions`, verbatim."""
    return fact("config.developer_instructions", config.string("developer_instructions") or "")


def permissions(world: World, config: Config, profile: Profile) -> Text:
    """What the sandbox permits, and what can be approved beyond."""
    if not config.flag("include_permissions_instructions", default=True):
        return EMPTY
    if profile.switches["permissions"] == "empty":
        return profile.literal("permissions.open") + profile.literal("permissions.close")
    return joined(
        EMPTY,
        [
            profile.known(f"permissions.{config.sandbox}"),
            profile.literal("permissions.network." + ("on" if _network(config) else "off")),
            approval(world, config, profile),
            _roots(world.environment, config, profile),
            profile.literal("permissions.close"),
        ],
    )


def _network(config: Config) -> bool:
    if config.sandbox == "danger-full-access":
        return True
    allowed = config.flag("sandbox_workspace_write", "network_access", default=False)
    return config.sandbox == "workspace-write" and allowed


def _roots(environment: Environment, config: Config, profile: Profile) -> Text:
    if config.sandbox != "workspace-write":
        return EMPTY
    roots = _written(environment, config, profile)
    if "slash_tmp" in temporary(config):
        roots = [*roots, _TEMP]
    # A variable that is not set names no folder, though the context speaks of it all the same.
    unset = environment.env.get("TMPDIR", environment.temp) == _TEMP
    if "tmpdir" in temporary(config) and not unset:
        roots = [*roots, environment.temp]
    if profile.switches["permissions.roots"] == "sorted":
        roots = sorted(roots)
    quote = profile.literal("permissions.quote")
    named = [quote + fact("writable_root", root) + quote for root in dict.fromkeys(roots)]
    listed = joined(profile.literal("permissions.comma"), named)
    return fill(profile.literal("permissions.roots"), {"roots": listed})


def _written(environment: Environment, config: Config, profile: Profile) -> list[str]:
    """The folders that are no temporary ones.

    Older versions name the working directory last, and before it a folder of their own
    (witness: 0.116, policy).
    """
    cwd, *more = writable_roots(config)
    if profile.switches["permissions.roots"] == "sorted":
        return [cwd, *more]
    own = join(environment.config_home, profile.literals["permissions.memories"])
    return [*more, own, cwd]


def switched(now: Text, profile: Profile) -> Text:
    """What a model is told that goes on with another one's thread (witness: compact_switch).

    A model with its base instructions among the items is told nothing more.
    """
    if profile.switches["model_switch"] == "silent":
        return EMPTY
    return profile.literal("switch.open") + now + profile.literal("switch.close")


def collaboration(world: World, config: Config, profile: Profile, found: Json) -> Text:
    """The collaboration mode, for models whose catalog entry has one."""
    on = config.flag("include_collaboration_mode_instructions", default=True)
    if not on or "collaboration" not in profile.texts:
        return EMPTY
    said = catalog.collaboration(world, found, profile)
    return profile.literal("collaboration.open") + said + profile.literal("collaboration.close")


def role(world: World, profile: Profile, found: Json) -> Text:
    """The agent's role among agents, for models that have several."""
    if "role" not in profile.texts:
        return EMPTY
    return catalog.role(world, found, profile)


def mode(profile: Profile) -> Text:
    """When further agents may be started."""
    return profile.literal("mode") if "mode" in profile.literals else EMPTY
