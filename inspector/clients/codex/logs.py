"""The turns of a golden, nothing taken from its capture.

Prompts come from the command line, replies from the mock, results from the client's own record of
the thread (`$CODEX_HOME/sessions/…/rollout-*.jsonl`).
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from inspector.clients.codex.argv import parse
from inspector.clients.codex.capture import result
from inspector.clients.codex.echo import call_id
from inspector.clients.codex.loose import Json, parsed, table, tables, word
from inspector.clients.codex.replies import blocks, by_model
from inspector.clients.codex.shorten import shortened
from inspector.turns import Event, Failed, Prompted, Replied, Turn, Turns
from inspector.workspace import Environment


def logged_turns(
    environment: Environment, replies: Sequence[tuple[str, Replied | Failed]], record: str
) -> Turns:
    """One turn for each main request that reached the mock."""
    lines = [parsed(line) for line in record.splitlines() if line.strip()]
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
    return table(line.get("payload"))


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
    recorded = next(_typed(lines), "")
    if typed is None or typed == "-":
        return recorded
    piped = recorded.startswith(f"{typed}\n\n<stdin>\n")
    return recorded if piped else typed


def _typed(lines: Sequence[Json]) -> Iterator[str]:
    for line in lines:
        item = table(_payload(line).get("item"))
        if _payload(line).get("type") == "item_completed" and item.get("type") == "UserMessage":
            yield from (
                word(part["text"]) for part in tables(item.get("content")) if "text" in part
            )


def _results(reply: Replied, lines: Sequence[Json]) -> Iterator[Event]:
    wanted = {found for block in reply.blocks if (found := call_id(block)) is not None}
    for line in lines:
        if line.get("type") == "response_item":
            returned = result(_as_sent(_payload(line), table(line.get("metadata"))))
            if returned is not None and returned.call in wanted:
                yield returned


def _as_sent(item: Json, metadata: Json) -> Json:
    """The item as requests carry it: the record keeps a longer result than is sent."""
    budget, output = metadata.get("fallback_token_limit_override"), item.get("output")
    if not isinstance(budget, int) or output is None:
        return item
    whole = output if isinstance(output, str) else tables(output)
    return {**item, "output": shortened(whole, budget)}
