"""The turns of a golden: prompts from the command line, replies from the mock, results from the
client's own record of the thread (`$CODEX_HOME/sessions/…/rollout-*.jsonl`).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from inspector.clients.codex.argv import parse
from inspector.clients.codex.capture import result
from inspector.clients.codex.echo import call_id
from inspector.clients.codex.replies import blocks, by_model
from inspector.turns import Event, Failed, Prompted, Replied, Turn, Turns
from inspector.workspace import Environment

type Json = Mapping[str, Any]


def logged_turns(
    environment: Environment, replies: Sequence[tuple[str, Replied | Failed]], record: str
) -> Turns:
    """One turn for each main request that reached the mock."""
    lines = [json.loads(line) for line in record.splitlines() if line.strip()]
    found: list[Turn] = []
    for number, (at, _) in enumerate(replies):
        if number == 0:
            events = list(_opening(environment, lines, at))
        else:
            answer = replies[number - 1][1]
            events = [answer, *(_results(answer, lines) if isinstance(answer, Replied) else ())]
        found.append(Turn(at=at, events=tuple(events)))
    return Turns(client="codex", version=environment.version, turns=tuple(found))


def _opening(environment: Environment, lines: Sequence[Json], at: str) -> Iterator[Event]:
    command = parse(environment.argv)
    start = _task_start(lines, at)
    if command.resumes:
        reply = _last_reply(lines[:start])
        if reply.blocks:
            yield reply
    yield Prompted(text=_prompt(command.prompt, lines[start:]))


def _task_start(lines: Sequence[Json], at: str) -> int:
    """Where in the record the task begins whose first request arrived at this time."""
    arrived = _moment(at)
    starts = [
        number
        for number, line in enumerate(lines)
        if _payload(line).get("type") == "task_started" and _moment(line["timestamp"]) <= arrived
    ]
    return starts[-1] if starts else 0


def _moment(stamp: str) -> datetime:
    moment = datetime.fromisoformat(stamp)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _payload(line: Json) -> Json:
    payload = line.get("payload")
    return payload if isinstance(payload, dict) else {}


def _items(lines: Sequence[Json]) -> list[Json]:
    return [_payload(line) for line in lines if line.get("type") == "response_item"]


def _last_reply(lines: Sequence[Json]) -> Replied:
    items = _items(lines)
    start = len(items)
    while start and by_model(items[start - 1]):
        start -= 1
    return Replied(blocks=blocks(items[start:]))


def _prompt(typed: str | None, lines: Sequence[Json]) -> str:
    """The prompt as sent: the command line's, with piped input as the client recorded it."""
    recorded = next(
        (
            str(content[0].get("text", ""))
            for line in lines
            if _payload(line).get("type") == "item_completed"
            and (item := _payload(line).get("item") or {}).get("type") == "UserMessage"
            and (content := [part for part in item.get("content", []) if "text" in part])
        ),
        "",
    )
    if typed is None or typed == "-":
        return recorded
    piped = recorded.startswith(f"{typed}\n\n<stdin>\n")
    return recorded if piped else typed


def _results(reply: Replied, lines: Sequence[Json]) -> Iterator[Event]:
    wanted = {found for block in reply.blocks if (found := call_id(block)) is not None}
    for item in _items(lines):
        returned = result(item)
        if returned is not None and returned.call in wanted:
            yield returned
