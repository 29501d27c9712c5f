"""The paragraphs the client tells the model besides the prompt: environment, tools, skills …"""

from collections.abc import Iterable, Mapping, Sequence

from inspector.clients.claude_code import mcp
from inspector.clients.claude_code.javascript import locale_key
from inspector.clients.claude_code.options import options
from inspector.clients.claude_code.phrase import computed, fact, lines, phrase
from inspector.clients.claude_code.settings import absolute
from inspector.profiles import Profile
from inspector.text import EMPTY, Text
from inspector.workspace import Environment, Listing


def surroundings(profile: Profile, environment: Environment) -> Text:
    """`# Environment`."""
    return phrase(
        profile,
        "environment",
        cwd=fact("cwd", environment.cwd),
        git=fact("git", "true" if environment.git else "false"),
        added=_added(profile, added(environment)),
        platform=fact("platform", environment.platform),
        shell=fact("shell", _shell(environment)),
        os=fact("os_version", environment.os_version),
        cautions=profile.known("environment.cautions"),
    )


def added(environment: Environment) -> tuple[str, ...]:
    """Additional working directories."""
    listed = options(environment.argv).all("--add-dir")
    return tuple(absolute(path, environment.cwd) for path in listed)


def removed(profile: Profile, folders: Iterable[str]) -> Text:
    """The paragraph that takes additional directories away."""
    entries = [phrase(profile, "environment.folder", path=fact("add-dir", path)) for path in folders]
    return phrase(profile, "environment.removed", folders=lines(entries))


def powered(profile: Profile) -> Text:
    """The paragraph that names the model."""
    return phrase(
        profile,
        "model",
        name=phrase(profile, "model.name"),
        id=phrase(profile, "model.id"),
        cutoff=phrase(profile, "model.cutoff"),
    )


def deferred(profile: Profile, names: Sequence[str]) -> Text | None:
    """The deferred tools by name, in code point order."""
    if not names:
        return None
    entries = [computed(name, "tool") for name in sorted(names)]
    return phrase(profile, "tools.deferred", names=lines(entries))


def agents(profile: Profile, environment: Environment) -> Text:
    """The agents the Agent tool can start."""
    safe = "--safe-mode" in options(environment.argv).flags
    names = sorted(profile.lists["agents.safe" if safe else "agents"], key=locale_key)
    entries = [profile.known(f"agent.{name}") for name in names]
    return phrase(profile, "agents", agents=lines(entries))


def servers(profile: Profile, listings: Sequence[Listing]) -> Text | None:
    """What MCP servers ask to be told."""
    return mcp.instructions(profile, listings)


def failed(profile: Profile, listings: Sequence[Listing]) -> Text | None:
    """MCP servers that could not be reached."""
    entries = [
        phrase(
            profile,
            "mcp.failed.server",
            server=computed(listing.server, "server"),
            reason=computed(listing.reason, "reason"),
        )
        for listing in listings
        if listing.state == "failed" and listing.reason
    ]
    if not entries:
        return None
    said = phrase(profile, "mcp.failed", servers=lines(entries))
    return said + profile.known("mcp.failed.advice") if "mcp.failed.advice" in profile.texts else said


def date(profile: Profile, environment: Environment) -> Text:
    """Today's date."""
    return phrase(profile, "date", date=fact("date", environment.date))


def tokens(profile: Profile, used: int) -> Text:
    """How many tokens are left, on models that are told."""
    left = profile.limits["tokens"] - used
    return phrase(profile, "tokens", left=computed(str(left), "tokens"))


def mode(profile: Profile) -> Text | None:
    """The paragraph of the permission mode; None where it has none."""
    name = profile.switches.get("mode.text", "")
    return profile.known(name) if name else None


def present(parts: Mapping[str, Text | None]) -> list[Text]:
    """The paragraphs that are there."""
    return [part for part in parts.values() if part]


def _added(profile: Profile, folders: Sequence[str]) -> Text:
    if not folders:
        return EMPTY
    entries = [phrase(profile, "environment.folder", path=fact("add-dir", path)) for path in folders]
    return phrase(profile, "environment.added", folders=lines(entries))


def _shell(environment: Environment) -> str:
    return environment.shell.rpartition("/")[2] or "bash"
