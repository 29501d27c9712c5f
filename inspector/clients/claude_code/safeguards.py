"""What a session in plan or auto mode tells the API of its permissions (`flags_modes`)."""

import re
from collections.abc import Iterator, Mapping, Sequence

from inspector.clients.claude_code import options, system
from inspector.clients.claude_code.phrase import adopted, fact
from inspector.clients.claude_code.plain import items, mapping
from inspector.clients.claude_code.settings import absolute, resolved, scopes, settings
from inspector.errors import NotKept
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, Value, text
from inspector.workspace import Environment, Git, World

_OF_FILES = re.compile(r"(?:Read|Edit)\((.+)\)", re.DOTALL)
"""Rules whose pattern is one of paths."""

_WHO = ("GITHUB_ACTOR", "USER", "USERNAME")
"""Where the user's name stands; the first that is set counts (`ordinary_plan`)."""
_WINDOWS = ("WSL_DISTRO_NAME", "WSL_INTEROP")
_NO_NAME = re.compile(r"[^a-zA-Z0-9._-]")
_LONGEST = 64
_BRANCH = "ref: refs/heads/"


def safeguards(
    profile: Profile, world: World, allowed: Sequence[str] = (), judged: Sequence[Value] = ()
) -> list[Value]:
    """The one entry of `safeguards`."""
    environment = world.environment
    cwd = fact("cwd", environment.cwd)
    rules = dict(scopes(world.tree, environment))
    context: dict[str, Value] = {
        "v": 1,
        "permission_mode": profile.switches["safeguards"],
        "platform": fact("platform", _platform(profile, environment)),
        "live_cwd": cwd,
        "home_dir": fact("home", environment.home),
        "rule_roots": _roots(profile, environment),
        "trusted_directories": {
            "primary": {"path": cwd, "resolved": [cwd]},
            "additional": [
                *(_added(path, "localSettings") for path in configured(world)),
                *(_added(path, "cliArg") for path in _listed(environment)),
            ],
            "network": [],
            "block_reads_outside_working_directories": False,
        },
        "rules": {
            "allow": [*_rules(rules, environment, "allow"), *_commanded(allowed)],
            "deny": list(_rules(rules, environment, "deny")),
            "ask": list(_rules(rules, environment, "ask")),
        },
        **profile.values["safeguards.fixed"],
        "user_identity": _identity(environment),
        "git_state": _git(profile, environment),
        **({"prior_turn_context": list(judged)} if judged else {}),
        **profile.values["safeguards.last"],
    }
    return [{"type": "dangerous_tool_use", "classifier_context": context}]


def told(profile: Profile, world: World, calls: Sequence[str]) -> Value:
    """What later requests repeat of the one whose reply had calls that were judged."""
    environment = world.environment
    context: dict[str, Value] = {
        "git_state": {**_git(profile, environment), "visibility": None},
        "live_cwd": fact("cwd", environment.cwd),
        "platform": fact("platform", _platform(profile, environment)),
    }
    ids = [text(call, Origin(Kind.REPLY, call)) for call in calls]
    return {"tool_use_ids": ids, "context": context}


def named(world: World, kind: str) -> list[str]:
    """The rules of a kind as somebody wrote them."""
    rules = dict(scopes(world.tree, world.environment))
    return [str(mapping(one).get("rule")) for one in _rules(rules, world.environment, kind)]


def _commanded(allowed: Sequence[str]) -> Iterator[Value]:
    """The rules of a typed skill."""
    origin = Origin(Kind.COMPUTED, "allowed-tools")
    for rule in allowed:
        yield {"rule": text(rule, origin), "source": "command"}


def added(world: World) -> tuple[str, ...]:
    """Additional working directories: those of the settings, then those of the command line."""
    return tuple(dict.fromkeys([*configured(world), *_listed(world.environment)]))


def configured(world: World) -> tuple[str, ...]:
    """Folders that settings of any scope add (`settings_folders`); what is none is left out."""
    environment = world.environment
    listed = settings(world.tree, environment).strings("permissions", "additionalDirectories")
    paths = (resolved(path, environment.cwd, environment.home) for path in listed)
    return tuple(path for path in paths if _is_folder(world, path))


def _is_folder(world: World, path: str) -> bool:
    try:
        return world.tree.list(path) is not None
    except NotKept:
        return False


def _listed(environment: Environment) -> tuple[str, ...]:
    listed = options.options(environment.argv).all("--add-dir")
    return tuple(absolute(path, environment.cwd) for path in listed)


def _roots(profile: Profile, environment: Environment) -> Value:
    """Where the rules of each source start; inline settings live in the client's own folder."""
    cwd = fact("cwd", environment.cwd)
    roots: dict[str, Value] = dict.fromkeys(profile.lists["safeguards.roots"], cwd)
    roots["userSettings"] = fact("config_home", environment.config_home)
    given = options.options(environment.argv).value("--settings")
    if given is not None and given.lstrip().startswith("{"):
        folder = text(f"{environment.temp}/claude-", Origin(Kind.FACT, "temp"))
        roots["flagSettings"] = folder + profile.mask("user")
    elif given is not None:
        whole = absolute(given, environment.cwd)
        roots["flagSettings"] = fact("--settings", whole.rpartition("/")[0])
    return roots


def _added(path: str, source: str) -> Value:
    shown = fact("add-dir", path)
    return {"path": shown, "resolved": [shown], "source": source}


def _rules(
    scopes: Mapping[str, Mapping[str, object]], environment: Environment, kind: str
) -> Iterator[Value]:
    """The rules of a kind: what the command line denies comes first, what it allows last."""
    found = [
        (source, rule, "settings.permissions")
        for source, values in scopes.items()
        for rule in items(mapping(values.get("permissions")).get(kind))
    ]
    flag = {"allow": "--allowedTools", "deny": "--disallowedTools"}.get(kind)
    given = options.options(environment.argv).all(flag) if flag else ()
    own = [("cliArg", rule, flag or "") for rule in options.names(given)]
    for source, rule, fact_name in [*found, *own] if kind == "allow" else [*own, *found]:
        if isinstance(rule, str):
            where = _where(rule, kind, source, environment)
            yield {"rule": fact(fact_name, rule), "source": source, **where}


def _where(rule: str, kind: str, source: str, environment: Environment) -> Mapping[str, Value]:
    """Where the pattern of a rule for files starts, and what is left of it (`flags_rules`)."""
    match = _OF_FILES.fullmatch(rule)
    if match is None:
        return {}
    folder, left = None, match[1].removeprefix("./")
    if left.startswith("//"):
        folder, left = "/", left[1:]
    elif left.startswith("~/"):
        folder, left = environment.home, left[1:]
    elif left.startswith("/"):
        folder = environment.config_home if source == "userSettings" else environment.cwd
    short = left.removesuffix("/**")
    if short and short != left:
        # A folder that is allowed is the one beside the settings, not any of that name.
        left = f"/{short}" if kind == "allow" and folder is None and "/" not in short else short
    return {"root": folder and fact("root", folder), "pattern": fact("settings.permissions", left)}


def _platform(profile: Profile, environment: Environment) -> str:
    """The system as the client's own code calls it: Windows' Linux is one of its own."""
    kernel = environment.os_version.lower()
    windows = any(environment.env.get(name) for name in _WINDOWS) or "microsoft" in kernel
    system = "wsl" if environment.platform == "linux" and windows else environment.platform
    names: Mapping[str, str] = profile.values["safeguards.platforms"]
    return names.get(system, system)


def _identity(environment: Environment) -> Value:
    """Who the environment says the user is, or else git's address; null for nobody."""
    given = next(
        ((name, environment.env[name]) for name in _WHO if environment.env.get(name)), None
    )
    mailbox = environment.git.user_mailbox if environment.git else environment.mailbox
    source, name = given or ("git.user_mailbox", mailbox or "")
    shown = _NO_NAME.sub("", name)[:_LONGEST]
    return fact(source, shown) if shown else None


def _git(profile: Profile, environment: Environment) -> dict[str, Value]:
    git = environment.git
    remotes: Sequence[Value] = [
        adopted("what the client makes of remotes") for _ in (git.remotes if git else ())
    ]
    visibility: Value = {
        "origin": None,
        "push_remote": "origin" if git else None,
        "remotes": remotes,
        "visibility_cache": [],
    }
    state: dict[str, Value] = {
        "cwd": fact("cwd", environment.cwd),
        "root": fact("git.root", git.root) if git else None,
        "branch": _branch(git) if git else None,
        "default_branch": None,
        "status": None,
        "visibility": visibility if profile.switches["safeguards.visibility"] == "told" else None,
    }
    return state if git else {**state, **profile.values["safeguards.outside"]}


def _branch(git: Git) -> Value:
    """The branch, where it has a commit; git calls a commit without one `HEAD`."""
    on_branch = git.head.startswith(_BRANCH)
    return (
        fact("git.head", git.head.removeprefix(_BRANCH) if on_branch else "HEAD")
        if git.log
        else None
    )


def plan_path(profile: Profile, environment: Environment, prompt: str) -> Text:
    """The plan's file: the prompt's first words, then two random ones; three where it has none."""
    first = system.words(prompt)
    return (
        fact("config_home", f"{environment.config_home}/plans/")
        + (text(f"{first}-", Origin(Kind.COMPUTED, "plan")) if first else EMPTY)
        + profile.mask("plan_name")
        + text(".md", Origin(Kind.COMPUTED, "plan"))
    )
