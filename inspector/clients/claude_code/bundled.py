"""The client's own skills: which ones are at hand, and what they put into a conversation.

Their words are known by digest (equal on three workspaces unlike each other), and so is where most
put their arguments; of the others what they say with some is a named gap. Witness: `skill_bundled`,
`skill_bundled_arguments`.
"""

from inspector.clients.claude_code.javascript import trim
from inspector.clients.claude_code.phrase import computed, fact, phrase
from inspector.clients.claude_code.settings import Settings
from inspector.clients.claude_code.state import State
from inspector.profiles import Profile
from inspector.text import Text
from inspector.workspace import Environment


def there(state: State, name: str) -> bool:
    """Whether a name is one of the client's own skills that is not switched off."""
    profile, settings = state.profile, state.process.settings
    if name not in profile.lists["skills.shipped"]:
        return False
    return name in profile.lists["skills.always"] or not _switched_off(settings)


def typable(state: State, name: str) -> bool:
    """Whether somebody may type a name of the client's own; built-in ones always."""
    return name in state.profile.lists["skills.builtin"] or there(state, name)


def body(profile: Profile, environment: Environment, name: str, args: Text | None) -> Text | None:
    """The text of one of the client's own skills; None where its words are not known."""
    form = f"skill.asked.{name}"
    if args and name in profile.lists["skills.trimmed"]:
        args = trim(args)
    if f"skill.body.{name}" not in profile.texts or (args and form not in profile.literals):
        return None
    said = profile.known(f"skill.body.{name}")
    if args:
        said = phrase(profile, form, body=said, args=args)
    if name not in profile.lists["skills.folders"]:
        return said
    base = phrase(
        profile,
        "skill.base.bundled",
        temp=fact("temp", environment.temp),
        user=profile.mask("user"),
        version=fact("version", environment.version),
        folder=profile.mask("bundled"),
        name=computed(name, "skill"),
    )
    return base + said


def _switched_off(settings: Settings) -> bool:
    return settings.get("disableBundledSkills") is True
