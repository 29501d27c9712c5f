"""The task list of a conversation, and what its tools say of it.

Witness: Claude Code 2.1.332, `tasks`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from inspector.clients.claude_code import echo
from inspector.clients.claude_code.phrase import computed, lines, phrase
from inspector.clients.claude_code.plain import items, mapping
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, join, text
from inspector.turns import Called

NAMES = frozenset({"TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "TodoWrite"})
_DONE = "completed"
_COMMA = Origin(Kind.STRUCTURE, "list")
_WORDS = ("subject", "description", "activeForm", "owner")
"""What an update may change, in the order in which it is named."""


@dataclass(frozen=True, slots=True)
class Task:
    """One task."""

    words: Mapping[str, Text]
    """Subject, description, active form and owner, where it has them."""
    status: str = "pending"
    blocks: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    """Tasks by number that must be done before it."""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Tasks:
    """The list."""

    tasks: Mapping[str, Task] = field(default_factory=dict[str, Task])
    """By number, in order."""
    made: int = 0
    """Tasks ever made: a number never comes again."""

    def open(self, numbers: Sequence[str]) -> list[str]:
        """Those that are not done yet."""
        return [one for one in numbers if one not in self.tasks or self.tasks[one].status != _DONE]


def done(profile: Profile, tasks: Tasks, call: Called) -> tuple[Tasks, Text]:
    """The list after a call of one of its tools, and the tool's answer."""
    if call.name == "TodoWrite":
        return tasks, phrase(profile, "todo.done")
    if call.name == "TaskCreate":
        return _create(profile, tasks, call)
    if call.name == "TaskList":
        return tasks, _listed(profile, tasks)
    number = echo.argument(call, "taskId") or ""
    if number not in tasks.tasks:
        return tasks, phrase(profile, "task.missing")
    if call.name == "TaskGet":
        return tasks, _shown(profile, tasks, number)
    return _update(profile, tasks, number, call)


def _create(profile: Profile, tasks: Tasks, call: Called) -> tuple[Tasks, Text]:
    number = str(tasks.made + 1)
    hidden = bool(mapping(echo.arguments(call).get("metadata")).get("_internal"))
    # Nobody owns a new task, whatever the call says.
    words = {name: said for name, said in _words(call).items() if name != "owner"}
    task, ident = Task(words, hidden=hidden), computed(number, "task")
    said = phrase(profile, "task.created", id=ident, subject=words.get("subject", EMPTY))
    return Tasks({**tasks.tasks, number: task}, tasks.made + 1), said


def _words(call: Called) -> dict[str, Text]:
    found = {name: echo.argument_text(call, name) for name in _WORDS}
    return {name: said for name, said in found.items() if said is not None}


def _update(profile: Profile, tasks: Tasks, number: str, call: Called) -> tuple[Tasks, Text]:
    task, given = tasks.tasks[number], echo.arguments(call)
    words = {
        name: said
        for name, said in _words(call).items()
        if str(said) != str(task.words.get(name, EMPTY))
    }
    named = [*words, *(["metadata"] if "metadata" in given else [])]
    status = given.get("status")
    if status == "deleted":
        left = {one: _without(other, number) for one, other in tasks.tasks.items() if one != number}
        return replace(tasks, tasks=left), _updated(profile, number, ["deleted"])
    task = replace(task, words={**task.words, **words})
    if isinstance(status, str) and status != task.status:
        task, named = replace(task, status=status), [*named, "status"]
    tasks = replace(tasks, tasks={**tasks.tasks, number: task})
    for name, member, other in (
        ("blocks", "addBlocks", "blocked"),
        ("blockedBy", "addBlockedBy", "blocks"),
    ):
        mine = task.blocks if name == "blocks" else task.blocked
        fresh = [one for one in _numbers(given.get(member)) if one not in mine]
        for one in fresh:
            tasks = _linked(tasks, *((number, one) if other == "blocked" else (one, number)))
        named += [name] if fresh else []
    return tasks, _updated(profile, number, named)


def _numbers(value: object) -> list[str]:
    return [one for one in items(value) if isinstance(one, str)]


def _linked(tasks: Tasks, first: str, later: str) -> Tasks:
    """The list with a task that blocks another, where there are both."""
    if first not in tasks.tasks or later not in tasks.tasks:
        return tasks
    one, two = tasks.tasks[first], tasks.tasks[later]
    both = {
        first: replace(one, blocks=(*one.blocks, later)),
        later: replace(two, blocked=(*two.blocked, first)),
    }
    return replace(tasks, tasks={**tasks.tasks, **both})


def _without(task: Task, number: str) -> Task:
    blocks = tuple(one for one in task.blocks if one != number)
    return replace(task, blocks=blocks, blocked=tuple(n for n in task.blocked if n != number))


def _updated(profile: Profile, number: str, named: Sequence[str]) -> Text:
    fields = computed(", ".join(named), "fields")
    return phrase(profile, "task.updated", id=computed(number, "task"), fields=fields)


def _listed(profile: Profile, tasks: Tasks) -> Text:
    shown = {number: task for number, task in tasks.tasks.items() if not task.hidden}
    if not shown:
        return phrase(profile, "task.none")
    return lines([_line(profile, tasks, number, task) for number, task in shown.items()])


def _line(profile: Profile, tasks: Tasks, number: str, task: Task) -> Text:
    owner = task.words.get("owner", EMPTY)
    waits = tasks.open(task.blocked)
    return phrase(
        profile,
        "task.line",
        id=computed(number, "task"),
        status=computed(task.status, "status"),
        subject=task.words.get("subject", EMPTY),
        owner=phrase(profile, "task.owner", owner=owner) if owner else EMPTY,
        blocked=phrase(profile, "task.blocked", tasks=_hashed(waits)) if waits else EMPTY,
    )


def _shown(profile: Profile, tasks: Tasks, number: str) -> Text:
    task = tasks.tasks[number]
    said = [
        phrase(
            profile,
            "task.shown",
            id=computed(number, "task"),
            subject=task.words.get("subject", EMPTY),
            status=computed(task.status, "status"),
            description=task.words.get("description", EMPTY),
        )
    ]
    waits = tasks.open(task.blocked)
    for name, numbers in (("task.waits", waits), ("task.blocks", task.blocks)):
        said += [phrase(profile, name, tasks=_hashed(numbers))] if numbers else []
    return lines(said)


def _hashed(numbers: Sequence[str]) -> Text:
    return join(text(", ", _COMMA), [computed(f"#{number}", "task") for number in numbers])
