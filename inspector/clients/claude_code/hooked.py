"""What hooks printed, read from the client's record of a run or from a captured request."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from inspector.clients.claude_code.plain import items, mapping
from inspector.turns import Hooked

_PARAGRAPH = re.compile(
    r"(?:^|\n\n)((SessionStart|UserPromptSubmit|PreToolUse|PostToolUseFailure|PostToolUse)(?::[\w.-]+)?)"
    r" hook (success|additional context): "
)
_REMINDER = re.compile(
    r"<system-reminder>\n((SessionStart|UserPromptSubmit|PreToolUse|PostToolUseFailure|PostToolUse)(?::[\w.-]+)?)"
    r" hook (success|additional context): (.*?)\n</system-reminder>\n?",
    re.DOTALL,
)
_ABOUT_A_CALL = frozenset({"PreToolUse", "PostToolUse", "PostToolUseFailure"})
_END = re.compile(
    r"\n\n(?:# Environment(?: update)?\n|You are powered by the model |Today's date is "
    r"|\[SYSTEM NOTIFICATION|The user hasn't heard from you|[^\n]{1,80} output style is active\. )"
)
_STOP = re.compile(
    r"(?:^|\n)Stop hook feedback:\n\[(.*?)\]: (.*?)(?:\n</system-reminder>|\Z)", re.DOTALL
)


def of_record(lines: Sequence[Mapping[str, Any]]) -> Iterator[Hooked]:
    """The hooks of a stretch of a transcript; only those the client passed on."""
    for line in lines:
        attached = mapping(line.get("attachment"))
        if line.get("rowSource") == "hook":
            yield from _stopped(str(mapping(line.get("message")).get("content")))
        elif attached.get("type") == "hook_success" and "rendered" in line:
            yield _hooked(attached, "success", str(attached.get("content")))
        elif attached.get("type") == "hook_additional_context":
            said = "\n".join(str(item) for item in items(attached.get("content")))
            yield _hooked(attached, "context", said)


def of_messages(messages: Sequence[tuple[str, str]]) -> Iterator[Hooked]:
    """The hooks in the texts behind the last reply of a request, given with their roles."""
    for role, said in messages:
        if role == "user":
            yield from _stopped(said) if said.startswith("<system-reminder>") else ()
            yield from _reminded(said)
            continue
        found = list(_PARAGRAPH.finditer(said))
        for number, match in enumerate(found):
            stop = _END.search(said, match.end())
            following = found[number + 1 : number + 2] + ([stop] if stop else [])
            end = min((other.start() for other in following), default=len(said))
            yield Hooked(
                event=match[2],
                name=match[1],
                output=said[match.end() : end],
                form="success" if match[3] == "success" else "context",
            )


def _reminded(said: str) -> Iterator[Hooked]:
    """A hook that belongs to no call, told in a reminder of its own (`hooks` of 2.1.88)."""
    found = _told(said)
    if found is not None and found.event not in _ABOUT_A_CALL:
        yield found


def of_results(blocks: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> Iterator[Hooked]:
    """The hooks told in reminders beside the results of a message's calls.

    `names` are the tools by call.
    """
    results = {
        str(block.get("tool_use_id")): place
        for place, block in enumerate(blocks)
        if block.get("type") == "tool_result"
    }
    told: set[tuple[str, str]] = set()
    for place, block in enumerate(blocks):
        found = _told(str(block.get("text", "")))
        if found is None or found.event not in _ABOUT_A_CALL:
            continue
        tool = found.name.partition(":")[2]
        own = {call: at for call, at in results.items() if names.get(call) == tool}
        free = [call for call in own if (found.event, call) not in told]
        call = next(iter([*_beside(found, own, place, max(results.values())), *free, *own]), None)
        if call is not None:
            told.add((found.event, call))
            yield found.model_copy(update={"call": call})


def _beside(found: Hooked, own: Mapping[str, int], place: int, last: int) -> list[str]:
    """The call whose result a hook's words stand beside; none where all stand behind the last.

    A hook that ran before its call stands before its result, one that ran after it behind it.
    """
    if place > last and len(own) > 1:
        return []
    if found.event != "PreToolUse":
        return [call for call, at in own.items() if at < place][-1:]
    return [call for call, at in own.items() if at > place]


def _told(said: str) -> Hooked | None:
    found = _REMINDER.fullmatch(said)
    if found is None:
        return None
    form: Literal["success", "context"] = "success" if found[3] == "success" else "context"
    return Hooked(event=found[2], name=found[1], output=found[4], form=form)


def _stopped(said: str) -> Iterator[Hooked]:
    found = _STOP.search(said)
    if found is not None:
        yield Hooked(event="Stop", form="block", command=found[1], output=found[2])


def _hooked(
    attached: Mapping[str, Any], form: Literal["success", "context"], output: str
) -> Hooked:
    event, name = str(attached.get("hookEvent")), str(attached.get("hookName"))
    call = attached.get("toolUseID") if event in _ABOUT_A_CALL else None
    about = call if isinstance(call, str) else None
    return Hooked(event=event, name=name, output=output, form=form, call=about)
