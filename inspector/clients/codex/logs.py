"""The turns of a golden, nothing taken from its capture.

Prompts come from the command line, replies from the mock, MCP results from the servers' log, and
the facts of other results (times, codes, output) from the client's own record of the thread
(`$CODEX_HOME/sessions/…/rollout-*.jsonl`).
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from inspector.clients import McpCall
from inspector.clients.codex.argv import parse
from inspector.clients.codex.calls import call_of
from inspector.clients.codex.capture import wording
from inspector.clients.codex.loose import Json, parsed, table, tables, word
from inspector.clients.codex.mcp import plain_name
from inspector.clients.codex.outcomes import Logged, returned
from inspector.clients.codex.prompt import said
from inspector.clients.codex.replies import COMPACTED, blocks, by_model
from inspector.profiles import Profile
from inspector.turns import Event, Failed, Prompted, Replied, Turn, Turns
from inspector.workspace import Environment


def logged_turns(
    environment: Environment,
    replies: Sequence[tuple[str, Replied | Failed]],
    record: str,
    mcp_calls: Sequence[McpCall],
) -> Turns:
    """One turn for each main request that reached the mock."""
    profile, logged = wording(environment), _logged(mcp_calls)
    lines = [parsed(line) for line in record.splitlines() if line.strip()]
    found: list[Turn] = []
    for number, (at, _) in enumerate(replies):
        if number == 0:
            since = _started(lines, at)
            events = list(_opening(environment, lines, at, profile))
        else:
            since, answer = replies[number - 1]
            results = _results(answer, lines, profile, logged)
            events = [answer, *results, *_typed_later(lines, since, at, profile)]
        summary = _summary(lines, since, at)
        if summary is not None:
            # Before what was typed: a thread is compacted before its next prompt is sent.
            prompts = [event for event in events if isinstance(event, Prompted)]
            rest = [event for event in events if not isinstance(event, Prompted)]
            events = [*rest, summary, *prompts]
        found.append(Turn(at=at, events=tuple(events)))
    return Turns(client="codex", version=environment.version, turns=tuple(found))


def _logged(mcp_calls: Sequence[McpCall]) -> Logged:
    """What the servers' log has for the next call of each tool, each entry once."""
    kept = list(mcp_calls)

    def take(name: str) -> str | None:
        for number, call in enumerate(kept):
            if f"mcp__{plain_name(call.server)}__{plain_name(call.tool)}" == name:
                return kept.pop(number).result
        return None

    return take


def _opening(
    environment: Environment, lines: Sequence[Json], at: str, profile: Profile
) -> Iterator[Event]:
    command = parse(environment.argv)
    start = _task_start(lines, at)
    if command.resumes:
        reply = _last_reply(lines[:start])
        if reply.blocks:
            yield reply
    yield _prompt(command.prompt, next(_typed(lines[start:]), ""), profile)


def _typed_later(
    lines: Sequence[Json], since: str, until: str, profile: Profile
) -> Iterator[Prompted]:
    """What a person typed who waited for the answer before (witness: ordinary_terminal)."""
    start = _task_start(lines, until)
    if lines and _moment(since) < _moment(word(lines[start].get("timestamp")) or since):
        yield from (said(typed, None, profile) for typed in (*_typed(lines[start:]),)[:1])


def _prompt(typed: str | None, recorded: str, profile: Profile) -> Prompted:
    """The command line's prompt; what was piped in as the client recorded it."""
    read = said(recorded, typed, profile)
    return read if typed in {None, "-", read.text} else Prompted(text=typed or "")


def _task_start(lines: Sequence[Json], at: str) -> int:
    """Where in the record the task begins whose first request arrived at this time."""
    arrived = _moment(at)
    starts = [
        number
        for number, line in enumerate(lines)
        if _payload(line).get("type") == "task_started" and _moment(line["timestamp"]) <= arrived
    ]
    return starts[-1] if starts else 0


def _started(lines: Sequence[Json], at: str) -> str:
    """When that task began; the request's own time in an empty record."""
    start = lines[_task_start(lines, at) :]
    return word(start[0].get("timestamp")) if start else at


def _summary(lines: Sequence[Json], since: str, until: str) -> Replied | None:
    """What the model made of the thread, where the client compacted it between two moments."""
    for number, line in enumerate(lines):
        if line.get("type") != "compacted":
            continue
        if _moment(since) <= _moment(line["timestamp"]) <= _moment(until):
            # The reply before may stand right before it: its last message is the summary.
            return Replied(id=COMPACTED, blocks=_last_reply(lines[:number]).blocks[-1:])
    return None


def _moment(stamp: str) -> datetime:
    moment = datetime.fromisoformat(stamp)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _payload(line: Json) -> Json:
    return table(line.get("payload"))


def _items(lines: Sequence[Json]) -> list[Json]:
    return [_payload(line) for line in lines if line.get("type") == "response_item"]


def _last_reply(lines: Sequence[Json]) -> Replied:
    compacted = [n for n, line in enumerate(lines) if line.get("type") == "compacted"]
    items = _items(lines[compacted[-1] :] if compacted else lines)
    start = len(items)
    while start and by_model(items[start - 1]):
        start -= 1
    return Replied(blocks=blocks(items[start:]))


def _typed(lines: Sequence[Json]) -> Iterator[str]:
    for line in lines:
        item = table(_payload(line).get("item"))
        if _payload(line).get("type") == "item_completed" and item.get("type") == "UserMessage":
            yield from (
                word(part["text"]) for part in tables(item.get("content")) if "text" in part
            )


def _results(
    answer: Replied | Failed, lines: Sequence[Json], profile: Profile, logged: Logged
) -> Iterator[Event]:
    if isinstance(answer, Failed):
        return
    found = (call_of(block) for block in answer.blocks)
    wanted = {call.id: call for call in found if call is not None}
    for line in lines:
        item = _payload(line)
        if line.get("type") == "response_item" and item.get("call_id") in wanted:
            outcome = returned(item, wanted, profile, logged)
            if outcome is not None:
                yield outcome
