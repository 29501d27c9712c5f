"""The turns of a golden: prompts from the command line, the rest from logs and the transcript."""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from inspector.clients import McpCall
from inspector.clients.claude_code import (
    commands,
    hooked,
    local,
    lost,
    mcp,
    notices,
    stopped,
    typedblocks,
)
from inspector.clients.claude_code.options import options
from inspector.clients.claude_code.plain import items, mapping
from inspector.jsontext import read
from inspector.turns import (
    Called,
    Event,
    Failed,
    Prompted,
    Replied,
    ReplyBlock,
    Returned,
    Said,
    Thought,
    Turn,
    Turns,
)
from inspector.workspace import Environment

type Line = dict[str, Any]


def turns(
    environment: Environment,
    replies: Sequence[tuple[str, Replied | Failed]],
    record: str,
    mcp_calls: Sequence[McpCall],
) -> Turns:
    """One turn for each main request; the last reply answers no request and is left out."""
    lines = _lines(record)
    waiting = list(mcp_calls)
    out: list[Turn] = []
    for number, (at, _) in enumerate(replies):
        before = replies[number - 1][1] if number else None
        events = (
            _first(environment, replies, lines)
            if before is None
            else _next(before, lines, waiting)
            if _kept(before, lines)
            else []
        )
        events += _streamed(environment, _stretch(lines, replies, number))
        events += hooked.of_record(_stretch(lines, replies, number))
        events += notices.of_record(_stretch(lines, replies, number))
        out.append(Turn(at=at, events=tuple(events)))
    return Turns(client="claude-code", version=environment.version, turns=tuple(out))


def _streamed(environment: Environment, lines: list[Line]) -> list[Event]:
    """Prompts that came as a stream of JSON; several that waited together stand in one message."""
    given = options(environment.argv)
    if given.words or given.value("--input-format") is None:
        return []
    out: list[Event] = [
        *stopped.of_record(lines),
        *local.of_record(lines),
        *_typed_commands(lines),
    ]
    for line in lines:
        if line.get("type") != "user" or line.get("isMeta") or "promptSource" not in line:
            continue
        content = mapping(line.get("message")).get("content")
        blocks = [mapping(block) for block in items(content)] or [{"text": content}]
        out += typedblocks.prompts([one for one in blocks if isinstance(one.get("text"), str)])
    return out


def _typed_commands(lines: list[Line]) -> Iterator[Event]:
    """A skill or command typed in a stream."""
    for line, after in pairwise(lines):
        said = mapping(line.get("message")).get("content")
        if isinstance(said, str) and said.startswith("<command-message>"):
            content = mapping(after.get("message")).get("content")
            blocks = [mapping(block) for block in items(content)]
            texts = [block.get("text") for block in blocks]
            yield typedblocks.command(commands.typed_as(said), blocks)
            body = texts[-1] if texts and isinstance(texts[-1], str) else None
            yield Returned(call=commands.PROMPT, text=body)


def _stretch(
    lines: list[Line], replies: Sequence[tuple[str, Replied | Failed]], number: int
) -> list[Line]:
    """The lines between the reply before a request and its own."""
    own = {reply.id for _, reply in replies if isinstance(reply, Replied)}
    before = replies[number - 1][1] if number else None
    if isinstance(before, Failed):
        return []
    if before is not None and not _kept(before, lines):
        rest = _since_interrupt(lines)
        said = (at for at, line in enumerate(rest) if line.get("type") == "assistant")
        return rest[: next(said, len(rest))]
    spoken = [(at, mapping(line.get("message")).get("id")) for at, line in enumerate(lines)]
    spoken = [(at, ident) for at, ident in spoken if lines[at].get("type") == "assistant"]
    if before is None:
        starts = [at for at, ident in spoken if ident not in own]
    else:
        starts = [at for at, ident in spoken if ident == before.id]
    start = starts[-1] + 1 if starts else 0
    end = next((at for at, _ in spoken if at >= start), len(lines))
    if not _kept(replies[number][1], lines):
        end = min(end, len(lines) - len(_since_interrupt(lines)))
    return lines[start:end]


def _kept(reply: Replied | Failed, lines: list[Line]) -> bool:
    """Whether a reply is in the conversation; one that was stopped before its first word is not."""
    if isinstance(reply, Failed):
        return True
    ids = {mapping(line.get("message")).get("id") for line in lines}
    return reply.id in ids or not any(list(stopped.of_record([line])) for line in lines)


def _since_interrupt(lines: list[Line]) -> list[Line]:
    """The lines from the first interrupt on."""
    places = [at for at, line in enumerate(lines) if list(stopped.of_record([line]))]
    return lines[places[0] :] if places else []


def _lines(record: str) -> list[Line]:
    out: list[Line] = []
    for source in record.splitlines():
        try:
            value = read(source)
        except ValueError:
            continue
        line = mapping(value)
        if line and not line.get("isSidechain"):
            out.append(line)
    return out


def _first(
    environment: Environment, replies: Sequence[tuple[str, Replied | Failed]], lines: list[Line]
) -> list[Event]:
    given = options(environment.argv)
    events: list[Event] = []
    if given.resumes:
        ids = {reply.id for _, reply in replies if isinstance(reply, Replied)}
        earlier = _earlier(lines, ids)
        events += _lost(lines, ids) if lost.is_answer(earlier) else []
        events += [earlier] if earlier else []
    if given.words:
        events.append(Prompted(text=given.words[0]))
        if given.words[0].startswith("/"):
            events.append(Returned(call="prompt", text=_typed_body(lines)))
    return events


def _lost(lines: list[Line], own: set[str | None]) -> list[Event]:
    """The reply, and what was seen of its calls, in which the process before was killed."""
    spoken = [line for line in lines if not _is_answer(line)]
    reply = _earlier(spoken, own)
    events = _next(reply, lines, []) if reply is not None else []
    return events if lost.any_lost(events) else []


def _is_answer(line: Line) -> bool:
    blocks = items(mapping(line.get("message")).get("content"))
    said = [made for block in blocks if (made := _block(mapping(block))) is not None]
    return line.get("type") == "assistant" and lost.is_answer(Replied(blocks=tuple(said)))


def _typed_body(lines: list[Line]) -> str | None:
    """The text a typed command put into the conversation last."""
    found: str | None = None
    for line, after in pairwise(lines):
        said = mapping(line.get("message")).get("content")
        if isinstance(said, str) and said.startswith("<command-message>"):
            content = mapping(after.get("message")).get("content")
            texts = [mapping(block).get("text") for block in items(content)]
            found = texts[-1] if texts and isinstance(texts[-1], str) else found
    return found


def _next(reply: Replied | Failed, lines: list[Line], waiting: list[McpCall]) -> list[Event]:
    events: list[Event] = [reply]
    if isinstance(reply, Replied):
        calls = {block.id: block for block in reply.blocks if isinstance(block, Called)}
        for line in lines:
            result = _result(line) if line.get("type") == "user" else {}
            call = calls.get(str(result.get("tool_use_id")))
            if call is not None:
                events.append(_returned(call, result, lines, waiting))
    return events


def _result(line: Line) -> dict[str, Any]:
    content = mapping(line.get("message")).get("content")
    for block in items(content):
        if mapping(block).get("type") == "tool_result":
            return mapping(block)
    return {}


def _returned(
    call: Called, result: dict[str, Any], lines: list[Line], waiting: list[McpCall]
) -> Returned:
    error = result.get("is_error") is True
    content = result.get("content")
    if call.name.startswith("mcp__"):
        logged = _logged(call, waiting)
        if logged is not None:
            return Returned(call=call.id, raw=logged.result, error=error)
    if call.name == "Read" and not error:
        # The builder reads the file itself; a golden's snapshot keeps it.
        return Returned(call=call.id)
    if call.name == "Skill" and not error:
        return Returned(call=call.id, text=_body(call, lines))
    if isinstance(content, str):
        return Returned(call=call.id, text=content, error=error)
    raw = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return Returned(call=call.id, raw=raw, error=error)


def _logged(call: Called, waiting: list[McpCall]) -> McpCall | None:
    """The server's own log of a call: the first one of that name not used yet."""
    for logged in waiting:
        if mcp.full_name(logged.server, logged.tool) == call.name:
            waiting.remove(logged)
            return logged
    return None


def _body(call: Called, lines: list[Line]) -> str | None:
    """What a Skill call put into the conversation: only shell output is taken from it."""
    for line in reversed(lines):
        content = mapping(line.get("message")).get("content")
        if line.get("sourceToolUseID") != call.id:
            continue
        if isinstance(content, str):
            return content
        texts = [mapping(block).get("text") for block in items(content)]
        if texts and isinstance(texts[-1], str):
            return texts[-1]
    return None


def _earlier(lines: list[Line], own: set[str | None]) -> Replied | None:
    """The last reply of the process before: the last one that is none of this process's."""
    ident: str | None = None
    for line in lines:
        message = mapping(line.get("message"))
        if line.get("type") == "assistant" and message.get("id") in own:
            break
        if line.get("type") == "assistant" and isinstance(message.get("id"), str):
            ident = message["id"]
    if ident is None:
        return None
    blocks: list[ReplyBlock] = []
    usage: dict[str, Any] = {}
    for line in lines:
        message = mapping(line.get("message"))
        if line.get("type") == "assistant" and message.get("id") == ident:
            blocks += [made for block in message["content"] if (made := _block(block)) is not None]
            usage = message.get("usage", {})
    return Replied(
        id=ident,
        blocks=tuple(blocks),
        input_tokens=usage.get("input_tokens"),
        cache_read_tokens=usage.get("cache_read_input_tokens"),
        cache_write_tokens=usage.get("cache_creation_input_tokens"),
        output_tokens=usage.get("output_tokens"),
    )


def _block(block: dict[str, Any]) -> ReplyBlock | None:
    match block.get("type"):
        case "text":
            return Said(text=block["text"])
        case "thinking":
            return Thought(text=block["thinking"], signature=block["signature"])
        case "redacted_thinking":
            return Thought(redacted=block["data"])
        case "tool_use":
            source = json.dumps(block["input"], ensure_ascii=False, separators=(",", ":"))
            return Called(id=block["id"], name=block["name"], input=source)
        case _:
            return None
