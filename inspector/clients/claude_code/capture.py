"""The turns of a user's session: prompts, replies and outcomes, read from its own capture."""

from collections.abc import Mapping, Sequence

from inspector import wire
from inspector.clients.claude_code import (
    apart,
    commands,
    hooked,
    limits,
    local,
    lost,
    notices,
    stopped,
    typedblocks,
)
from inspector.clients.claude_code.javascript import units
from inspector.clients.claude_code.options import Options, options
from inspector.clients.claude_code.plain import items, mapping
from inspector.jsontext import JSON, Number, dumps, loads
from inspector.session import Exchange, ExchangeKind
from inspector.turns import (
    Called,
    Counted,
    Event,
    Failed,
    Prompted,
    Replayed,
    Replied,
    ReplyBlock,
    Returned,
    Said,
    Thought,
    Turn,
    Turns,
)
from inspector.wire import anthropic_reply
from inspector.workspace import Environment

_OWN = ("<system-reminder>", "[structured-output-enforce]", "(Re-invocation of /", "Skill /")
_CUT = "<system-reminder>\nYour response above was cut off mid-stream."


def turns(exchanges: Sequence[Exchange], environment: Environment) -> Turns:
    """One turn for each main request."""
    given = options(environment.argv)
    out: list[Turn] = []
    before: Exchange | None = None
    counted: list[Event] = []
    for exchange in exchanges:
        if exchange.kind is ExchangeKind.COUNT_TOKENS:
            counted.append(_counted(exchange))
        if exchange.kind is not ExchangeKind.MAIN or wire.unreadable(exchange.request):
            continue
        messages = _messages(exchange)
        events = _first(messages, exchange, given) if before is None else _next(before, messages)
        if before is None:
            events += limits.of_exchanges(
                one for one in exchanges if one.started < exchange.started
            )
        events += counted
        counted = []
        if before is None or messages != _messages(before):
            events += hooked.of_messages(_texts_after_last_reply(messages))
            events += hooked.of_results(_blocks(messages[-1]) if messages else (), _named(events))
            events += notices.of_messages(_texts_after_last_reply(messages))
        out.append(Turn(at=exchange.started, events=tuple(events)))
        before = exchange
    return Turns(client="claude-code", version=environment.version, turns=tuple(out))


def _named(events: Sequence[Event]) -> Mapping[str, str]:
    """The tools of a turn's calls, by call."""
    blocks = [block for event in events if isinstance(event, Replied) for block in event.blocks]
    return {block.id: block.name for block in blocks if isinstance(block, Called)}


def _counted(exchange: Exchange) -> Event:
    """What the API said of a text or of tools; their size alone is taken from the request."""
    try:
        found = mapping(loads(exchange.response.decode("utf-8", "replace"))).get("input_tokens")
    except ValueError:
        found = None
    tokens = int(found.text) if isinstance(found, Number) else None
    try:
        asked = mapping(loads(exchange.request.decode("utf-8", "replace")))
    except ValueError:
        asked = {}
    if items(asked.get("tools")):
        return Counted(tokens=tokens)
    parts = [block.get("text") for message in _messages(exchange) for block in _blocks(message)]
    size = sum(units(part) for part in parts if isinstance(part, str))
    return Counted(tokens=tokens, what="text", size=size)


def _messages(exchange: Exchange) -> list[Mapping[str, JSON]]:
    return apart.apart(_sent(exchange))


def _sent(exchange: Exchange) -> list[Mapping[str, JSON]]:
    body = loads(exchange.request.decode("utf-8", "surrogatepass"))
    found = body.get("messages") if isinstance(body, dict) else None
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def _first(messages: list[Mapping[str, JSON]], exchange: Exchange, given: Options) -> list[Event]:
    events: list[Event] = []
    if given.resumes:
        sent = _sent(exchange)
        # Of use only where the session before is not at hand; else the builder takes no notice.
        last = max((n for n, m in enumerate(sent) if m.get("role") == "assistant"), default=0)
        events += [Replayed(messages=dumps([*map(dict, sent[:last])]))] if last else []
        reply = _last_reply(messages, exchange)
        if lost.is_answer(reply) and (before := _lost(messages, exchange)):
            events = before
        events += [reply] if reply else []
    return [*events, *_prompted(messages, given)]


def _lost(messages: list[Mapping[str, JSON]], exchange: Exchange) -> list[Event]:
    """The reply, and what was seen of its calls, in which the process before was killed."""
    places = [n for n, message in enumerate(messages) if message.get("role") == "assistant"]
    reply = _last_reply(messages[: places[-1]], exchange)
    if reply is None:
        return []
    calls = [block for block in reply.blocks if isinstance(block, Called)]
    given = [block for message in messages[places[-2] : places[-1]] for block in _blocks(message)]
    events: list[Event] = [reply, *_returned(calls, given)]
    return (
        [Replayed(messages=dumps([*map(dict, messages[: places[-2]])])), *events]
        if (lost.any_lost(events))
        else []
    )


def _next(before: Exchange, messages: list[Mapping[str, JSON]]) -> list[Event]:
    reply = _answer(before)
    if messages == _messages(before):
        return [_again(before, reply)]
    if (ended := _interrupted(messages)) is not None:
        return [*_echoed(before, reply, messages), *ended]
    if reply is None:
        return []
    last = _after_last_reply(messages)
    if isinstance(reply, Replied) and any(str(b.get("text")).startswith(_CUT) for b in last):
        # The whole stream came by here, but the client lost its end.
        reply = reply.model_copy(update={"stop": "truncated"})
    events: list[Event] = [reply]
    calls = [block for block in getattr(reply, "blocks", ()) if isinstance(block, Called)]
    events += _returned(calls, last)
    if isinstance(reply, Replied) and not calls:
        events += _prompted(messages, Options())
    return events


def _interrupted(messages: list[Mapping[str, JSON]]) -> list[Event] | None:
    """Somebody stopped the model: that, and the prompt after it."""
    texts = [str(block.get("text")) for block in _after_last_reply(messages)]
    marks = [place for place, said in enumerate(texts) if list(stopped.of_texts([said]))]
    if not marks:
        return None
    given = [said for said in texts[marks[-1] + 1 :] if not said.startswith(_OWN)]
    prompts = [Prompted(text=said.removesuffix("\n")) for said in given[:-1]]
    return [
        *stopped.of_texts(texts),
        *prompts,
        *(Prompted(text=said) for said in given[-1:]),
    ]


def _echoed(
    before: Exchange, reply: Replied | Failed | None, messages: list[Mapping[str, JSON]]
) -> list[Event]:
    """What the client kept of a reply that somebody stopped, and the results of its calls."""
    now, then = (
        sum(message.get("role") == "assistant" for message in found)
        for found in (messages, _messages(before))
    )
    if reply is None or now == then:
        return []
    calls = [block for block in getattr(reply, "blocks", ()) if isinstance(block, Called)]
    return [reply, *_returned(calls, _after_last_reply(messages))]


def _answer(exchange: Exchange) -> Replied | Failed | None:
    headers = ((name.lower(), value) for name, value in exchange.response_headers)
    kind = next((value for name, value in headers if name == "content-type"), "")
    return anthropic_reply.reply(exchange.response, kind, exchange.status or 0)


def _again(before: Exchange, reply: Replied | Failed | None) -> Failed:
    """The client asks once more with nothing added: whatever came was no reply to it."""
    if isinstance(reply, Failed):
        return reply
    empty = (reply is None or not reply.blocks) and not before.error
    return Failed(status=before.status or 0, empty=empty)


def _after_last_reply(messages: list[Mapping[str, JSON]]) -> list[Mapping[str, JSON]]:
    """The blocks of the user messages behind the last assistant message."""
    last = max((n for n, m in enumerate(messages) if m.get("role") == "assistant"), default=-1)
    out: list[Mapping[str, JSON]] = []
    for message in messages[last + 1 :]:
        if message.get("role") == "user":
            out += _blocks(message)
    return out


def _texts_after_last_reply(messages: list[Mapping[str, JSON]]) -> list[tuple[str, str]]:
    """Role and text of every text block behind the last assistant message."""
    last = max((n for n, m in enumerate(messages) if m.get("role") == "assistant"), default=-1)
    return [
        (str(message.get("role")), str(block["text"]))
        for message in messages[last + 1 :]
        for block in _blocks(message)
        if block.get("type") == "text"
    ]


def _blocks(message: Mapping[str, JSON]) -> list[Mapping[str, JSON]]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    items = content if isinstance(content, list) else []
    return [block for block in items if isinstance(block, dict)]


def _returned(calls: Sequence[Called], blocks: Sequence[Mapping[str, JSON]]) -> list[Event]:
    bodies = [
        str(block["text"])
        for block in blocks
        if block.get("type") == "text" and not str(block.get("text")).startswith(_OWN)
    ]
    out: dict[str, Event] = {}
    results = [block for block in blocks if block.get("type") == "tool_result"]
    for block in results:
        call = str(block.get("tool_use_id"))
        out[call] = _outcome(call, block)
    for asked in calls:
        outcome = out.get(asked.id)
        if asked.name == "Skill" and isinstance(outcome, Returned) and not outcome.error:
            body = bodies.pop(0) if bodies else None
            out[asked.id] = Returned(call=asked.id, text=body)
    return list(out.values())


def _outcome(call: str, block: Mapping[str, JSON]) -> Returned:
    content = block.get("content")
    error = block.get("is_error") is True
    if isinstance(content, str):
        return Returned(call=call, text=content, error=error)
    return Returned(call=call, raw=dumps(content) if content is not None else None, error=error)


def _prompted(messages: list[Mapping[str, JSON]], given: Options) -> list[Event]:
    prompt = _prompt(messages, given)
    if prompt is None:
        return []
    if not given.words:
        typed = _typed_blocks(messages)
        found, rest = local.of_texts([str(block["text"]) for block in typed])
        said = typedblocks.prompts([block for block in typed if block["text"] in rest])
        if found or said[1:] or any(one.ahead or one.cache_control for one in said):
            return [*found, *(said or [Prompted(text=prompt)])]
    if not prompt.startswith("/"):
        return [Prompted(text=prompt)]
    # What a typed command's shell expansions printed is told apart by the builder.
    blocks = [block for block in _after_last_reply(messages) if block.get("type") == "text"]
    body = str(blocks[-1].get("text")) if blocks else None
    asked = Prompted(text=prompt) if given.words else typedblocks.command(prompt, _body(blocks))
    return [asked, Returned(call="prompt", text=body)]


def _body(blocks: list[Mapping[str, JSON]]) -> list[Mapping[str, JSON]]:
    """The blocks of a typed command behind the one that names it."""
    said = [str(block.get("text")) for block in blocks]
    heads = [at for at, one in enumerate(said) if one.startswith("<command-message>")]
    return (
        [
            block
            for block, one in list(zip(blocks, said, strict=True))[heads[-1] + 1 :]
            if not one.startswith(_OWN)
        ]
        if heads
        else []
    )


def _prompt(messages: list[Mapping[str, JSON]], given: Options) -> str | None:
    blocks = _after_last_reply(messages)
    texts = [str(block["text"]) for block in blocks if block.get("type") == "text"]
    asked = given.words[0] if given.words else None
    if asked is not None and not (texts and texts[-1].startswith(f"{asked}\n")):
        return asked
    command = next((text for text in texts if text.startswith("<command-message>")), None)
    if command is not None:
        return commands.typed_as(command)
    return texts[-1] if texts and not texts[-1].startswith(_OWN[:2]) else None


def _typed_blocks(messages: list[Mapping[str, JSON]]) -> list[Mapping[str, JSON]]:
    """The texts behind the last reply that somebody typed; none where a command was."""
    blocks = _after_last_reply(typedblocks.unmarked(messages))
    texts = [block for block in blocks if block.get("type") == "text"]
    if any(str(block["text"]).startswith("<command-message>") for block in texts):
        return []
    return [block for block in texts if not str(block["text"]).startswith(_OWN)]


def _last_reply(messages: list[Mapping[str, JSON]], exchange: Exchange) -> Replied | None:
    """The reply that ended the earlier process: no request of this session follows on it."""
    found = [message for message in messages if message.get("role") == "assistant"]
    if not found:
        return None
    blocks = tuple(made for block in _blocks(found[-1]) if (made := _block(block)) is not None)
    return Replied(id=_previous(exchange), blocks=blocks)


def _block(block: Mapping[str, JSON]) -> ReplyBlock | None:
    kind = block.get("type")
    if kind == "text":
        return Said(text=str(block.get("text")))
    if kind == "thinking":
        return Thought(text=str(block.get("thinking")), signature=str(block.get("signature")))
    if kind == "redacted_thinking":
        return Thought(redacted=str(block.get("data")))
    if kind == "tool_use":
        return Called(
            id=str(block.get("id")), name=str(block.get("name")), input=dumps(block.get("input"))
        )
    return None


def _previous(exchange: Exchange) -> str | None:
    body = mapping(loads(exchange.request.decode("utf-8", "surrogatepass")))
    value = mapping(body.get("diagnostics")).get("previous_message_id")
    return value if isinstance(value, str) else None
