"""What captured requests were for, and the turns of a user's session read from them."""

from collections.abc import Iterator, Mapping, Sequence

from inspector.clients.codex.argv import Command, parse
from inspector.clients.codex.calls import Call, call_of
from inspector.clients.codex.loose import Json, compact, parsed, table, tables, word
from inspector.clients.codex.outcomes import returned
from inspector.clients.codex.prompt import said
from inspector.clients.codex.replies import COMPACTED, TRANSCRIPT, blocks, by_model, streamed
from inspector.clients.codex.sockets import Sockets
from inspector.profiles import Profile, find, resolve
from inspector.session import WEBSOCKET, Exchange, ExchangeKind
from inspector.turns import Event, Failed, OtherBlock, Prompted, Replied, Said, Turn, Turns
from inspector.wire import openai_reply, unreadable
from inspector.wire.joined import Joined, joined
from inspector.workspace import Environment

_CONTEXT = ("# AGENTS.md instructions", "<environment_context>")
_IMAGE = ("<image name=", "</image>", "image content omitted")
_PROMPTING = frozenset({"exec", "resume", "tui"})
"""Commands that take a prompt as their argument."""

_SKILL = "<skill>\n<name>"
_AGENTS = frozenset({"subagent", "guardian_review"})
"""Threads beside the conversation; who reviews approvals is warmed up with it (ordinary_exec)."""
_KINDS = {"compaction": ExchangeKind.COMPACTION, "prewarm": ExchangeKind.WARMUP}


def kind(exchange: Exchange) -> ExchangeKind:
    """What a request was for, by its path and its own turn metadata."""
    path = exchange.url.partition("?")[0]
    if exchange.method not in ("POST", WEBSOCKET) or not path.endswith("/responses"):
        return ExchangeKind.COMPACTION if path.endswith("/responses/compact") else ExchangeKind.AUX
    body = parsed(exchange.request)
    # What cannot be read as a request was still sent to the model.
    if exchange.method == WEBSOCKET and body.get("type") != "response.create":
        return ExchangeKind.AUX
    metadata = _metadata(body)
    if exchange.header("x-openai-subagent") or metadata.get("thread_source") in _AGENTS:
        return ExchangeKind.SUBAGENT
    if metadata.get("thread_source") == "thread_title":  # [codex 0.171.0, terminal]
        return ExchangeKind.TITLE
    if body.get("generate") is False:
        return ExchangeKind.WARMUP
    return _KINDS.get(str(metadata.get("request_kind")), ExchangeKind.MAIN)


def _metadata(body: Json) -> Json:
    return parsed(word(table(body.get("client_metadata")).get("x-codex-turn-metadata")))


def turns(exchanges: Sequence[Exchange], environment: Environment) -> Turns:
    """The turns of a session, inputs taken from its capture."""
    found: list[Turn] = []
    sockets = Sockets()
    before: Exchange | None = None
    summing: Exchange | None = None
    sent = 0
    whole = joined(exchanges)
    profile = wording(environment)
    for exchange in exchanges:
        sockets.saw(exchange)
        if unreadable(exchange.request):
            continue
        if exchange.kind is ExchangeKind.COMPACTION:
            summing = exchange
        if exchange.kind is not ExchangeKind.MAIN:
            continue
        items = _items(exchange, whole)
        events: list[Event] = []
        if summing is not None:
            # Its last item asks for the summary.
            until = _items(summing, whole)[:-1]
            if before is None:
                events = [Replied(id=TRANSCRIPT, blocks=_history(until))]
            else:
                fresh = until[sent:]
                events = [*_answered(before, fresh), *_since(fresh, calls(until), profile)]
            reply = Replied(id=COMPACTED, blocks=streamed(summing.response))
            after = items[_summary(items, reply) :]
            events += [reply, *_said(after, environment, profile)]
        elif before is None:
            events = _first(items, parse(environment.argv), profile)
        else:
            since = _since(items[sent:], calls(items), profile)
            events = [*_answered(before, items[sent:]), *since]
        events = sockets.told(events, exchange)
        found.append(Turn(at=exchange.started, events=tuple(events)))
        before, sent, summing = exchange, len(items), None
    return Turns(client="codex", version=environment.version, turns=tuple(found))


def _items(exchange: Exchange, whole: Mapping[str, Joined]) -> list[Json]:
    view = whole.get(exchange.id)
    return tables(parsed(exchange.request if view is None else view.body).get("input"))


def _history(items: Sequence[Json]) -> tuple[OtherBlock, ...]:
    return tuple(OtherBlock(raw=compact(item)) for item in items)


def _summary(items: Sequence[Json], reply: Replied) -> int:
    """Where what was said after a compaction begins."""
    words = "".join(block.text for block in reply.blocks if isinstance(block, Said))
    if not words:
        sealed = (n for n in reversed(range(len(items))) if items[n].get("type") == "compaction")
        return next(sealed, len(items) - 1) + 1
    places = (n for n in reversed(range(len(items))) if _text(items[n]).endswith(f"\n{words}"))
    return next(places, len(items) - 1) + 1


def _said(items: Sequence[Json], environment: Environment, profile: Profile) -> Iterator[Prompted]:
    command = parse(environment.argv)
    typed = command.prompt if command.entry in _PROMPTING else None
    yield from (said(_text(item), typed, profile) for item in items if _is_prompt(item))


def wording(environment: Environment) -> Profile:
    """The client's words, which are the same for all its models and modes."""
    return resolve(find("codex", environment.version), {})


def calls(items: Sequence[Json]) -> dict[str, Call]:
    """The calls among input items, by their ids."""
    found = (call_of(block) for block in blocks(item for item in items if by_model(item)))
    return {call.id: call for call in found if call is not None}


def _first(items: Sequence[Json], command: Command, profile: Profile) -> list[Event]:
    """The first request: the prompt, and before it the history of a thread that goes on."""
    index = next((i for i in reversed(range(len(items))) if _is_prompt(items[i])), None)
    if index is None:
        return []
    typed = command.prompt if command.entry in _PROMPTING else None
    prompt = said(_text(items[index]), typed, profile)
    if not command.resumes:
        return [prompt]
    return [Replied(id=TRANSCRIPT, blocks=_history(items[:index])), prompt]


def _is_prompt(item: Json) -> bool:
    text = _text(item)
    return _of_user(item) and not text.startswith((*_CONTEXT, _SKILL))


def _of_user(item: Json) -> bool:
    return item.get("type") == "message" and item.get("role") == "user"


def _text(item: Json) -> str:
    texts = [word(part.get("text")) for part in tables(item.get("content"))]
    # Images stand before the words of a prompt, each between two short texts.
    return next((text for text in texts if text and not text.startswith(_IMAGE)), "")


def _answered(before: Exchange, fresh: Sequence[Json]) -> Iterator[Event]:
    answer = openai_reply.reply(before.response, status=before.status or 200)
    if isinstance(answer, Failed):
        yield answer
        return
    reply = streamed(before.response)
    echoed = blocks(item for item in fresh if by_model(item))
    # On a WebSocket the next request names the response it goes on from.
    whole = answer if before.method == WEBSOCKET and isinstance(answer, Replied) else Replied()
    if reply or echoed or whole.id:
        broken = whole.stop == "truncated"
        yield Replied(id=whole.id, blocks=reply or echoed, unfinished=broken)


def _since(fresh: Sequence[Json], known: Mapping[str, Call], profile: Profile) -> Iterator[Event]:
    for item in fresh:
        found = returned(item, known, profile)
        if found is not None:
            yield found
        elif _is_prompt(item):
            yield Prompted(text=_text(item))
