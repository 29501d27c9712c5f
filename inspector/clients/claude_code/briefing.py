"""The paragraphs the client tells the model besides the prompt: environment, tools, skills …."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from inspector.clients.claude_code import context, countdown, mcp, models, safeguards
from inspector.clients.claude_code.mcpschema import tidied
from inspector.clients.claude_code.options import on, options
from inspector.clients.claude_code.phrase import (
    computed,
    fact,
    lines,
    paragraphs,
    phrase,
    template,
)
from inspector.clients.claude_code.settings import Settings
from inspector.clients.claude_code.style import Style
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.workspace import Environment, Listing, World

_DEEP = re.compile(r"\bultrathink\b", re.IGNORECASE | re.ASCII)


def in_system(
    profile: Profile, world: World, settings: Settings, chosen: Style | None
) -> Mapping[str, Text | None]:
    """What this version puts into the system prompt, by the name that slots have for it."""
    made = {
        "environment": surroundings(profile, world),
        "style": styled(profile, chosen),
        "language": language(profile, settings),
        "servers": servers(profile, world.listings),
        "git": context.git_status(profile, world.environment, settings),
    }
    kept = {name: part for name, part in made.items() if profile.regions.get(name) == "system"}
    return {**kept, "tokens": countdown.section(profile, world.environment, settings)}


def surroundings(profile: Profile, world: World) -> Text:
    """`# Environment`."""
    environment = world.environment
    return phrase(
        profile,
        "environment",
        cwd=fact("cwd", environment.cwd),
        copy=_copy(profile, environment),
        git=fact("git", "true" if environment.git else "false"),
        added=_added(profile, safeguards.added(world)),
        platform=fact("platform", environment.platform),
        shell=_shell(profile, environment),
        os=fact("os_version", environment.os_version),
        model=powered(profile, given_model(environment)),
        cautions=profile.known("environment.cautions"),
    )


def removed(profile: Profile, folders: Iterable[str]) -> Text:
    """The paragraph that takes additional directories away."""
    entries = [
        phrase(profile, "environment.folder", path=fact("add-dir", path)) for path in folders
    ]
    return phrase(profile, "environment.removed", folders=lines(entries))


def given_model(environment: Environment) -> str:
    """The model as the user wrote it."""
    given = options(environment.argv).value("--model")
    return models.named(environment, given or environment.env.get("ANTHROPIC_MODEL", ""))


def model_id(profile: Profile, given: str) -> Text:
    """The model's id; one the profile does not know is sent as somebody wrote it."""
    return phrase(profile, "model.id", given=fact("--model", models.sent(profile, given)))


def powered(profile: Profile, given: str) -> Text:
    """The paragraph that names the model."""
    return phrase(
        profile,
        "model",
        name=phrase(profile, "model.name"),
        id=phrase(profile, "model.id", given=fact("--model", given)),
        cutoff=phrase(profile, "model.cutoff"),
    )


def deferred(profile: Profile, names: Sequence[str]) -> Text | None:
    """The deferred tools by name, in code point order."""
    if not names:
        return None
    entries = [computed(name, "tool") for name in sorted(names)]
    return phrase(profile, "tools.deferred", names=lines(entries))


def styled(profile: Profile, style: Style | None) -> Text | None:
    """The output style the user chose."""
    if style is None:
        return None
    return phrase(profile, "style", name=style.name, text=style.body)


def style_active(profile: Profile, style: Style | None) -> Text | None:
    """The reminder that an output style is active."""
    if style is None:
        return None
    if not style.shipped and profile.switches["style.reminder"] == "shipped":
        return None
    own = f"style.active.{style.name}" if style.shipped else ""
    return phrase(profile, own if own in profile.literals else "style.active", name=style.name)


def language(profile: Profile, settings: Settings) -> Text | None:
    """The language the user chose."""
    chosen = settings.get("language")
    if not isinstance(chosen, str) or not chosen:
        return None
    return template(profile, "language", language=fact("settings.language", _escaped(chosen)))


def _escaped(string: str) -> str:
    """A value that stands in the client's own sentence (settings_disagree)."""
    return string.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def deep(profile: Profile, environment: Environment, prompt: str) -> Text | None:
    """What is said of a prompt with the word `ultrathink`."""
    if on(environment, "CLAUDE_CODE_DISABLE_ULTRATHINK") or not _DEEP.search(prompt):
        return None
    return phrase(profile, "deep")


def servers(profile: Profile, listings: Sequence[Listing]) -> Text | None:
    """What MCP servers ask to be told."""
    return mcp.instructions(profile, listings)


def dropped(profile: Profile, listings: Sequence[Listing], named: mcp.Named) -> Text | None:
    """MCP tools left out because the API would refuse their schemas."""
    most = profile.limits["mcp.dropped"]
    entries: list[Text] = []
    for server, found in groupby(mcp.dropped(profile, listings, named), key=lambda entry: entry[0]):
        told = list(found)
        if len(told) > most:
            count = computed(str(len(told)), "count")
            entries.append(phrase(profile, "mcp.dropped.many", server=_tidy(server), count=count))
        else:
            entries += [_dropped(profile, *entry) for entry in told]
    if not entries:
        return None
    said = profile.known("mcp.dropped") + lines(sorted(entries, key=str))
    return paragraphs([said, phrase(profile, "ambient")])


def _dropped(profile: Profile, server: str, name: str, reason: Text) -> Text:
    called = _tidy(name, f"{server}/{name}")
    holes = {"server": _tidy(server), "name": called, "reason": tidied(reason)}
    return phrase(profile, "mcp.dropped.tool", **holes)


def _tidy(name: str, source: str = "") -> Text:
    return tidied(text(name, Origin(Kind.LISTING, source or name)))


def date(profile: Profile, environment: Environment) -> Text:
    """Today's date."""
    return phrase(profile, "date", date=fact("date", environment.date))


def mode(profile: Profile, environment: Environment, name: str, prompt: str) -> Text | None:
    """The paragraph of the permission mode; None where it has none."""
    if name in profile.templates:
        path = safeguards.plan_path(profile, environment, prompt)
        return template(profile, name, path=path)
    return profile.known(name) if name else None


def present(parts: Mapping[str, Text | None]) -> list[Text]:
    """The paragraphs that are there."""
    return [part for part in parts.values() if part]


def _copy(profile: Profile, environment: Environment) -> Text:
    """What is said in a linked work tree."""
    git = environment.git
    if git is None or git.common_root in {None, git.root}:
        return EMPTY
    return phrase(profile, "environment.copy", stash=profile.known("environment.worktree"))


def _added(profile: Profile, folders: Sequence[str]) -> Text:
    if not folders:
        return EMPTY
    entries = [
        phrase(profile, "environment.folder", path=fact("add-dir", path)) for path in folders
    ]
    return phrase(profile, "environment.added", folders=lines(entries))


def _shell(profile: Profile, environment: Environment) -> Text:
    """The shell by the last part of its path, or by which of two its path names."""
    if profile.switches["shell.name"] != "last":
        known = (name for name in ("zsh", "bash") if name in environment.shell)
        return fact("shell", next(known, environment.shell or "unknown"))
    # The shell of the tool, and the user's own where that is another one (`switches_shell`).
    login = environment.shell.rpartition("/")[2]
    used = environment.tool_shell.rpartition("/")[2] or login or "bash"
    if login in {"", used}:
        return fact("shell", used)
    holes = {"shell": fact("shell", used), "login": fact("shell", login)}
    return phrase(profile, "environment.shell", **holes)
