"""The blocks before the first prompt: git status and attribution."""

from inspector.clients.claude_code import rules
from inspector.clients.claude_code.javascript import cut, units
from inspector.clients.claude_code.phrase import fact, lines, paragraphs, phrase, reminder, template
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.rules import Memory
from inspector.clients.claude_code.settings import Settings
from inspector.profiles import Profile
from inspector.text import EMPTY, Text
from inspector.workspace import Environment, Git

_SPACES = " \t\r\n\f\v"


def of_session(
    profile: Profile, environment: Environment, settings: Settings, address: Text, *, git: bool
) -> Text | None:
    """What is told of the account and of git: one block, the tail behind both (`login_oauth`)."""
    if not address:
        return git_status(profile, environment, settings) if git else None
    said = _git(profile, environment, settings) if git else None
    advice = profile.known("account.advice")
    sections = [phrase(profile, "account.address", address=address, advice=advice)]
    if said:
        sections.append(phrase(profile, "account.git", text=said))
    tail = phrase(profile, "git.tail")
    return phrase(profile, "account", sections=lines(sections), tail=tail)


def git_status(profile: Profile, environment: Environment, settings: Settings) -> Text | None:
    """The git status block; None outside a repository or when switched off."""
    said = _git(profile, environment, settings)
    if said is None:
        return None
    tail = phrase(profile, "git.tail")
    return phrase(profile, "git", text=paragraphs([said, *([tail] if tail else [])]))


def _git(profile: Profile, environment: Environment, settings: Settings) -> Text | None:
    """The state of git."""
    git = environment.git
    if git is None or settings.get("includeGitInstructions") is False:
        return None
    branch = fact("git.head", _branch(git))
    main = fact("git.default_branch", _main(git))
    parts = [
        phrase(profile, "git.head", branch=branch),
        phrase(profile, "git.main", main=main),
    ]
    if git.user_name:
        user = phrase(profile, "git.user", user=fact("git.user_name", git.user_name))
        parts += [user] if user else []
    parts.append(phrase(profile, "git.status", status=_status(profile, git)))
    parts.append(phrase(profile, "git.log", log=fact("git.log", git.log.strip(_SPACES))))
    return paragraphs(parts)


def block(profile: Profile, environment: Environment, memories: list[Memory]) -> Text | None:
    """The reminder that holds all memory files, and the date where it stands with them."""
    said = rules.entries(profile, memories)
    if profile.regions["date"] != "context":
        return phrase(profile, "memory", entries=said) if said else None
    sections = [phrase(profile, "memory.files", entries=said)] if said else []
    sections.append(phrase(profile, "date", date=fact("date", environment.date)))
    return phrase(profile, "memory", entries=lines(sections))


def attribution(profile: Profile, settings: Settings) -> Text | None:
    """The attribution reminder; None where nothing is attributed."""
    if settings.get("includeGitInstructions") is False:
        return None
    commit, pull = attributions(profile, settings)
    parts = [
        phrase(profile, f"attribution.{name}", text=said)
        for name, said in (("commit", commit), ("pr", pull))
        if said
    ]
    if not parts:
        return None
    return reminder(profile, template(profile, "attribution", parts=lines(parts)))


def attributions(profile: Profile, settings: Settings) -> tuple[Text, Text]:
    """What commits and pull requests end with."""
    given = settings.get("attribution")
    if given is False or (given is None and settings.get("includeCoAuthoredBy") is False):
        return EMPTY, EMPTY
    own = mapping(given)
    out: list[Text] = []
    for name in ("commit", "pr"):
        said = own.get(name)
        model = phrase(profile, "model.author")
        default = phrase(profile, f"attribution.{name}.default", model=model)
        out.append(fact("settings.attribution", said) if isinstance(said, str) else default)
    return out[0], out[1]


def _branch(git: Git) -> str:
    head = git.head.strip(_SPACES)
    name = head.removeprefix("ref: refs/heads/")
    # A branch whose name is not plain ASCII shows as HEAD (ctx_git r4).
    return name if name != head and name.isascii() else "HEAD"


def _main(git: Git) -> str:
    default = (git.default_branch or "").strip(_SPACES)
    return default.removeprefix("refs/remotes/origin/") or "main"


def _status(profile: Profile, git: Git) -> Text:
    # The status of one file may begin with a space; some versions trim it away.
    whole = profile.switches["git.status"] == "whole"
    said = git.status.rstrip(_SPACES) if whole else git.status.strip(_SPACES)
    status = fact("git.status", said)
    if not status:
        return phrase(profile, "git.clean")
    limit = profile.limits["git.status"]
    if units(str(status)) <= limit:
        return status
    return cut(status, limit) + phrase(profile, "git.cut")
