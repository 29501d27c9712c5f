"""What hooks answer, where the client tells it to the model or acts on it.

Witness: `hooks`, `hooks_stop`, `hooks_before`, `hooks_after`, `hooks_asked`.
"""

from collections.abc import Iterator, Mapping, Sequence

from inspector.clients.claude_code.javascript import trim
from inspector.clients.claude_code.phrase import adopted, computed, phrase, reminder, template
from inspector.clients.claude_code.plain import items, mapping
from inspector.clients.claude_code.settings import Settings
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.turns import Called, Hooked

AFTER_A_CALL = ("PostToolUse", "PostToolUseFailure")
ABOUT_A_CALL = ("PreToolUse", *AFTER_A_CALL)
"""Events of hooks that run round a call."""
AFTER_A_ROUND = "PostToolBatch"
ON_A_PROMPT = ("UserPromptExpansion", "UserPromptSubmit")
_TOLD = frozenset({"success", "context"})
_REFUSED = frozenset({"block", "reason"})


def paragraphs(
    profile: Profile, settings: Settings, hooked: Sequence[Hooked], *events: str
) -> list[Text]:
    """The paragraphs for what hooks of some events said, in the order they ended."""
    return [
        _paragraph(profile, settings, event)
        for event in hooked
        if event.event in events
        and (event.form in _TOLD or (event.form in _REFUSED and event.event != "PreToolUse"))
    ]


def _paragraph(profile: Profile, settings: Settings, event: Hooked) -> Text:
    name, said = computed(event.name or event.event, "hook"), _output(profile, event)
    if event.form in _TOLD:
        return phrase(profile, f"hook.{event.form}", name=name, output=said)
    command = _command(settings, event)
    if event.form == "block":
        said = phrase(profile, "hook.ended", command=command, output=said)
    return phrase(profile, "hook.error", name=name, command=command, output=said)


def refusal(profile: Profile, settings: Settings, refused: Hooked) -> Text:
    """The error of a call that a hook blocked, or of which it would have had somebody asked."""
    said = _output(profile, refused)
    if refused.form == "ask":
        return said
    name = computed(refused.name or refused.event, "hook")
    if not refused.command:
        return phrase(profile, "hook.deny", name=name, output=said)
    command = _command(settings, refused)
    return phrase(profile, "hook.block", name=name, command=command, output=said)


def keeps(event: Hooked) -> bool:
    """Whether a hook keeps its call from running."""
    return event.form == "ask" or (event.form == "block" and event.event == "PreToolUse")


def altered(hooked: Sequence[Hooked], call: Called) -> Called:
    """A call with the input that a hook gave it; the model is shown the call as it made it."""
    given = [event.output for event in hooked if event.form == "input" and event.call == call.id]
    return call.model_copy(update={"input": given[-1]}) if given else call


def replaced(hooked: Sequence[Hooked], call: Called) -> Hooked | None:
    """The hook that gave a call another output; the last one wins."""
    given = [event for event in hooked if event.form == "output" and event.call == call.id]
    return given[-1] if given else None


def feedback(profile: Profile, settings: Settings, said: Hooked) -> Text:
    """What sends the model back to work when it would stop."""
    output = _output(profile, said)
    if said.form == "context":
        name = computed(said.name or said.event, "hook")
        return reminder(profile, phrase(profile, "hook.context", name=name, output=output))
    if said.form == "reason":
        return template(profile, "hook.stop.reason", output=output)
    return template(profile, "hook.stop", command=_command(settings, said), output=output)


def silent(profile: Profile, said: str) -> str:
    """A hook's own words: none where the client put some in their place."""
    return "" if said in {profile.literals[name] for name in _SILENT.values()} else said


_SILENT: Mapping[bool, str] = {True: "hook.silent.ended", False: "hook.silent.reason"}
"""By whether a hook blocked with its exit code: what the client says for one without a word."""


def _output(profile: Profile, event: Hooked) -> Text:
    if event.form in _REFUSED and not event.output:
        ended = event.form == "block" and bool(event.command)
        return phrase(profile, _SILENT[ended])
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
