"""What the client tells of by itself between two answers: another folder, a command that ended.

Both come from the shell: where it stands, and when a command in the background ends, are facts of
the turn. Witness: `shell_background`, `shell_folders`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from inspector.clients.claude_code import shelltool, system
from inspector.clients.claude_code.message import Message, text_block
from inspector.clients.claude_code.phrase import adopted, computed, fact, phrase, reminder, template
from inspector.clients.claude_code.plain import is_list, items, mapping
from inspector.clients.claude_code.state import State
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.turns import Ended, Event, Interposed, Moved, Prompted, Turn
from inspector.workspace import Environment, World

_MOVED = re.compile(
    r"(?:^|\n\n)# Environment update\n - Primary working directory: (.*?) \(was [^\n]*\)(?=\n\n|\Z)"
)
_ENDED = re.compile(
    r"<task-notification>\n<task-id>[^\n]*</task-id>\n<tool-use-id>(?P<call>[^\n]*)</tool-use-id>\n"
    r"<output-file>[^\n]*</output-file>\n<status>(?P<status>\w+)</status>\n"
    r"<summary>Background command \".*?\" (?P<end>[^\"]*?)</summary>\n</task-notification>",
    re.DOTALL,
)
_MEANWHILE = re.compile(
    r"(?:<system-reminder>\n)?The user sent a new message while you were working:\n(.*?)"
    r"\n\nThis is how Claude Code surfaces messages [^\n]*(?:\n</system-reminder>)?\n?",
    re.DOTALL,
)
_WOKEN = "<system-reminder>\n[SYSTEM NOTIFICATION"
_NAMES = {"&": "amp", "<": "lt", ">": "gt"}
_MARKUP = re.compile("[&<>]")
_CODE = re.compile(r"exit code (\d+)")


def of_messages(messages: Sequence[tuple[str, str]]) -> Iterator[Event]:
    """The notices in the texts behind the last reply of a request, given with their roles."""
    for role, said in messages:
        if role == "system" or said.startswith(_WOKEN):
            yield from _read(said)
        elif (meanwhile := _MEANWHILE.fullmatch(said)) is not None:
            yield Interposed(text=meanwhile[1])


def of_record(lines: Sequence[Mapping[str, Any]]) -> Iterator[Event]:
    """The notices of a stretch of a transcript."""
    for line in lines:
        attached = mapping(line.get("attachment"))
        changes = attached.get("changes")
        if attached.get("type") == "environment" and changes:
            yield Moved(cwd=str(mapping(attached.get("snapshot")).get("workingDirectory")))
        elif attached.get("commandMode") == "prompt":
            yield from (Interposed(text=part) for part in _typed(attached.get("prompt")))
        elif attached.get("commandMode") == "task-notification":
            yield from _read(str(attached.get("prompt")))
        elif mapping(line.get("origin")).get("kind") == "task-notification":
            yield from _read(str(mapping(line.get("message")).get("content")))


def _typed(prompt: object) -> Iterator[str]:
    """The texts of a prompt, which is one or a list of blocks."""
    if isinstance(prompt, str):
        yield prompt
    texts = (mapping(block).get("text") for block in (items(prompt) if is_list(prompt) else ()))
    yield from (part for part in texts if isinstance(part, str))


def meanwhile(profile: Profile, turn: Turn) -> list[Text]:
    """What is said of prompts that came while the model worked."""
    origin = Origin(Kind.PROMPT, "prompt")
    given = [event.text for event in turn.events if isinstance(event, Interposed)]
    return [phrase(profile, "prompt.meanwhile", text=text(said, origin)) for said in given]


def _read(said: str) -> Iterator[Event]:
    for match in _MOVED.finditer(said):
        yield Moved(cwd=match[1])
    for match in _ENDED.finditer(said):
        code = _CODE.search(match["end"])
        yield Ended(call=match["call"], status=match["status"], code=code[1] if code else None)


def detached(
    profile: Profile, environment: Environment, session: Text, call: str, limit: float | None
) -> Text:
    """The result of a command that goes on in the background; `limit` is what it has passed."""
    task, path = _task(profile, environment, session, call)
    if limit is None:
        return phrase(profile, "shell.detached", task=task, path=path)
    longest = shelltool.limits(profile, environment).background
    return template(
        profile,
        "shell.slow",
        seconds=computed(str(max(round(limit / 1000), 1)), "time limit"),
        longest=computed(_short(longest), "time limit"),
        task=task,
        path=path,
    )


def _short(milliseconds: int) -> str:
    """A time without the zeros at its end: `10m`, `1h 30m`."""
    seconds = milliseconds // 1000
    parts = [(seconds // 3600, "h"), (seconds // 60 % 60, "m"), (seconds % 60, "s")]
    while len(parts) > 1 and not parts[-1][0]:
        parts.pop()
    while len(parts) > 1 and not parts[0][0]:
        parts.pop(0)
    return " ".join(f"{number}{unit}" for number, unit in parts)


def _task(
    profile: Profile, environment: Environment, session: Text, call: str
) -> tuple[Text, Text]:
    """A task's id, and the file its output goes to."""
    task = system.numbered(profile, "task_id", call)
    path = phrase(
        profile,
        "shell.output",
        temp=fact("temp", environment.temp),
        user=profile.mask("user"),
        project=fact("project", system.slug(environment.cwd)),
        session=session,
        task=task,
    )
    return task, path


def woken(state: State, turn: Turn, world: World) -> State:
    """A command that ends after the answer wakes the model up."""
    ended = [event for event in turn.events if isinstance(event, Ended)]
    told = [reminder(state.profile, _ended(state, event, world)) for event in ended]
    messages = [Message("user", (text_block(part),)) for part in told]
    state = replace(state, messages=(*state.messages, *messages))
    if not messages or any(isinstance(event, Prompted) for event in turn.events):
        return state
    state = replace(state, wakes=state.wakes + 1, roused=True)
    return replace(state, identified=state.turns)


def paragraphs(state: State, turn: Turn, world: World) -> list[Text]:
    """What is said of all that happened meanwhile."""
    profile, out = state.profile, list[Text]()
    was = state.cwd or world.environment.cwd
    for event in turn.events:
        if isinstance(event, Moved):
            here, there = fact("cwd", was), text(event.cwd, Origin(Kind.OUTCOME, "Bash"))
            out.append(phrase(profile, "environment.moved", cwd=there, was=here))
            was = event.cwd
    ended = [event for event in turn.events if isinstance(event, Ended)]
    return [*out, *(_ended(state, event, world) for event in ended)]


def _escaped(label: str, call: str) -> Text:
    whole = text(label, Origin(Kind.REPLY, call))
    return whole.sub(_MARKUP, lambda match: computed(f"&{_NAMES[match[0]]};", "escape"))


def _ended(state: State, event: Ended, world: World) -> Text:
    profile = state.profile
    task, path = _task(profile, world.environment, state.process.session, event.call)
    origin = Origin(Kind.OUTCOME, event.call)
    end = f"notice.{event.status}"
    if end not in profile.literals:
        return adopted("a command that ended in an unknown way")
    return template(
        profile,
        "notice",
        task=task,
        path=path,
        call=text(event.call, Origin(Kind.REPLY, "id")),
        status=computed(event.status, "status"),
        label=_escaped(state.detached.get(event.call, ""), event.call),
        end=phrase(profile, end, code=text(event.code or "", origin)),
    )
