"""What hooks print, where the client tells it to the model (`hooks`, `hooks_stop`)."""

from collections.abc import Iterator, Sequence

from inspector.clients.claude_code.javascript import trim
from inspector.clients.claude_code.phrase import adopted, computed, phrase, template
from inspector.clients.claude_code.plain import items, mapping
from inspector.clients.claude_code.settings import Settings
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.turns import Hooked

AFTER_A_CALL = ("PostToolUse", "PostToolUseFailure")
ABOUT_A_CALL = ("PreToolUse", *AFTER_A_CALL)
"""Events of hooks that run round a call."""


def paragraphs(profile: Profile, hooked: Sequence[Hooked], *events: str) -> list[Text]:
    """The paragraphs for what hooks of some events printed, in the order they ended."""
    return [
        phrase(
            profile,
            f"hook.{event.form}",
            name=computed(event.name or event.event, "hook"),
            output=_output(event),
        )
        for event in hooked
        if event.event in events and event.form != "block"
    ]


def refusal(profile: Profile, settings: Settings, blocked: Hooked) -> Text:
    """The error of a call that a hook blocked."""
    name = computed(blocked.name or blocked.event, "hook")
    if not blocked.command:
        return phrase(profile, "hook.deny", name=name, output=_output(blocked))
    command = _command(settings, blocked)
    return phrase(profile, "hook.block", name=name, command=command, output=_output(blocked))


def feedback(profile: Profile, settings: Settings, blocked: Hooked) -> Text:
    """What sends the model back to work when a Stop hook blocks."""
    return template(
        profile,
        "hook.stop",
        command=_command(settings, blocked),
        output=_output(blocked),
    )


def _output(event: Hooked) -> Text:
    printed = text(event.output, Origin(Kind.HOOK, event.name or event.event))
    return trim(printed) if event.form == "success" else printed


def _command(settings: Settings, blocked: Hooked) -> Text:
    """The hook's command, which is the settings' word; one they do not have is adopted."""
    for command in commands(settings, blocked.event):
        if command == blocked.command:
            return text(command, Origin(Kind.FACT, "settings.hooks"))
    return adopted("a hook that the settings do not have")


def commands(settings: Settings, event: str) -> Iterator[str]:
    """The commands of an event's hooks."""
    for group in items(mapping(settings.get("hooks")).get(event)):
        for hook in items(mapping(group).get("hooks")):
            command = mapping(hook).get("command")
            if isinstance(command, str):
                yield command
