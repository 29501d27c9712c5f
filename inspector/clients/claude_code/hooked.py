"""What hooks printed, read from the client's record of a run or from a captured request."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from inspector.clients.claude_code.plain import items, mapping
from inspector.jsontext import read
from inspector.turns import Hooked

type Form = Literal["success", "context", "block", "reason", "ask", "input", "output"]

_SAID = (
    r"((SessionStart|UserPromptSubmit|UserPromptExpansion|PreToolUse|PostToolUseFailure|PostToolUse"
    r"|PostToolBatch|Stop)(?::[\w.-]+)?)"
    r" hook (success|additional context|blocking error from command: \"(?P<command>[^\n]*?)\"): "
)
_PARAGRAPH = re.compile(rf"(?:^|\n\n){_SAID}")
_REMINDER = re.compile(
    rf"<system-reminder>\n{_SAID}(?P<output>.*?)\n</system-reminder>\n?", re.DOTALL
)
_FORMS: Mapping[str, Literal["success", "context", "reason"]] = {
    "success": "success",
    "additional context": "context",
}
_GIVEN: Mapping[Form, str] = {"input": "updatedInput", "output": "updatedToolOutput"}
_ABOUT_A_CALL = frozenset({"PreToolUse", "PostToolUse", "PostToolUseFailure"})
_REQUEST = "PermissionRequest"
_END = re.compile(
    r"\n\n(?:# Environment(?: update)?\n|You are powered by the model |Today's date is "
    r"|\[SYSTEM NOTIFICATION|The user hasn't heard from you|[^\n]{1,80} output style is active\. )"
)
_STOP = re.compile(
    r"(?:^|\n)Stop hook feedback:\n\[(.*?)\]: (.*?)(?:\n</system-reminder>|\Z)", re.DOTALL
)


def of_record(lines: Sequence[Mapping[str, Any]]) -> Iterator[Hooked]:
    """The hooks of a stretch of a transcript; only those the client passed on or heard."""
    for line in lines:
        attached = mapping(line.get("attachment"))
        if line.get("rowSource") == "hook":
            yield from _stopped(str(mapping(line.get("message")).get("content")))
        elif attached.get("type") == "hook_success":
            if "rendered" in line:
                yield _hooked(attached, "success", str(attached.get("content")))
            yield from _answered(attached)
        elif attached.get("type") == "hook_additional_context":
            said = "\n".join(str(item) for item in items(attached.get("content")))
            yield _hooked(attached, "context", said)
        elif attached.get("type") == "hook_blocking_error" and "rendered" in line:
            error = mapping(attached.get("blockingError"))
            said, command = str(error.get("blockingError")), str(error.get("command"))
            yield _refused(_hooked(attached, "reason", said), command)
        elif attached.get("type") == "hook_permission_decision":
            yield _hooked(attached, "input" if attached.get("decision") == "allow" else "ask", "")


def _answered(attached: Mapping[str, Any]) -> Iterator[Hooked]:
    """What a hook's JSON asks of the client, without a word to the model."""
    try:
        printed = mapping(read(str(attached.get("stdout"))))
    except ValueError:
        return
    said = mapping(printed.get("hookSpecificOutput"))
    if said.get("permissionDecision") == "ask":
        yield _hooked(attached, "ask", str(said.get("permissionDecisionReason", "")))
    for form, key in _GIVEN.items():
        if key in said:
            yield _hooked(attached, form, _json(said[key]))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


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
            yield _of_match(match, said[match.end() : end])


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
    return _of_match(found, found["output"]) if found is not None else None


def _of_match(match: re.Match[str], output: str) -> Hooked:
    form = _FORMS.get(match[3], "reason")
    made = Hooked(event=match[2], name=match[1], output=output, form=form)
    return _refused(made, match["command"]) if form == "reason" else made


def _refused(said: Hooked, command: str) -> Hooked:
    """An error that a hook wanted told: one that ended with the code for it names itself."""
    own = f"[{command}]: "
    by_code = said.output.startswith(own)
    output = said.output.removeprefix(own)
    return said.model_copy(
        update={"output": output, "command": command, "form": "block" if by_code else "reason"}
    )


def _stopped(said: str) -> Iterator[Hooked]:
    found = _STOP.search(said)
    if found is not None:
        yield Hooked(event="Stop", form="block", command=found[1], output=found[2])


def _hooked(attached: Mapping[str, Any], form: Form, output: str) -> Hooked:
    event = str(attached.get("hookEvent"))
    name = str(attached.get("hookName", event))
    call = attached.get("toolUseID") if event in {*_ABOUT_A_CALL, _REQUEST} else None
    about = call if isinstance(call, str) else None
    return Hooked(event=event, name=name, output=output, form=form, call=about)
