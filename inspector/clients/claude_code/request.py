"""The request body and the headers of a turn."""

from collections.abc import Mapping, Sequence
from functools import partial

from inspector.clients import Request
from inspector.clients.claude_code import (
    betas,
    briefing,
    caching,
    effort,
    flagged,
    forms,
    metadata,
    safeguards,
    system,
    thinking,
    tooldefinitions,
)
from inspector.clients.claude_code.message import Message, Shared, marked
from inspector.clients.claude_code.options import number
from inspector.clients.claude_code.phrase import fact, phrase
from inspector.clients.claude_code.state import State
from inspector.jsontext import dumps, javascript_number, javascript_order, loads
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Raw, Text, Value, text
from inspector.workspace import Environment, World


def request(state: State, world: World) -> Request:
    """What goes on the wire."""
    profile, process = state.profile, state.process
    environment = world.environment
    sent = str(briefing.model_id(profile, process.given))
    mark = caching.mark(profile, environment, sent, hour=profile.switches["cache"] == "hour")
    billing = system.billing(state, environment)
    shared = state.messages[0].shared if state.messages else Shared()
    told = (profile, billing, process.identity, process.parts, mark)
    pool = (process.offered, process.pool, process.settings, state.loaded)
    parts: dict[str, Value] = {
        "model": briefing.model_id(profile, process.given),
        "messages": marked(_messages(state), mark, profile.lists["marked"], _after(state)),
        "system": shared.kept("system", told, partial(system.blocks, *told)),
        "tools": shared.kept("tools", pool, partial(tooldefinitions.definitions, *pool)),
        "metadata": {"user_id": metadata.user_id(process, environment)},
    }
    parts |= _params(state, environment)
    if profile.switches["safeguards"] != "no" and "unjudged" not in state.latched:
        parts["safeguards"] = safeguards.safeguards(profile, world, state.allowed, state.judged)
    given, late = _given(environment), profile.lists["members.late"]
    first = {name: parts[name] for name in profile.lists["members"] if name in parts}
    last = {name: first.pop(name) for name in late if name in first}
    # Members of the user's own stand before the last ones, or take the place of ours.
    body = {**first, **given, **{name: given.get(name, value) for name, value in last.items()}}
    return Request(body, profile.unordered, _headers(state, environment))


def _messages(state: State) -> Sequence[Message]:
    announced = state.wanted and state.profile.switches["effort.announced"] == "yes"
    messages: Sequence[Message] = state.messages
    messages = messages if announced else effort.quiet(messages)
    if state.profile.switches["thinking.others"] == "dropped":
        messages = forms.said_by(messages, state.sender)
    ahead = state.process.ahead
    messages = (*ahead, *messages) if ahead else messages
    return flagged.messages(state.profile, messages)


def _after(state: State) -> Text | None:
    """What this request alone says behind its last message."""
    return phrase(state.profile, "batching") if state.batching else None


def _given(environment: Environment) -> dict[str, Value]:
    """The members that an environment variable adds; what is no object is ignored."""
    try:
        found = loads(environment.env.get("CLAUDE_CODE_EXTRA_BODY", ""))
    except ValueError:
        return {}
    origin = Origin(Kind.FACT, "CLAUDE_CODE_EXTRA_BODY")
    order = javascript_order(found) if isinstance(found, dict) else []
    members = found if isinstance(found, dict) else {}
    return {
        name: Raw(dumps(members[name], number=javascript_number, order=javascript_order), origin)
        for name in order
    }


def _params(state: State, environment: Environment) -> Mapping[str, Value]:
    out: dict[str, Value] = dict(state.profile.params)
    given = number(environment, "CLAUDE_CODE_MAX_OUTPUT_TOKENS")
    if given is not None:
        out["max_tokens"] = given
    if state.whole:
        most = state.profile.limits["whole.tokens"]
        out |= {"stream": False, "max_tokens": min(int(str(out["max_tokens"])), most)}
    out = thinking.applied(out, state.profile, environment, state.process.settings)
    if state.profile.switches["effort"] and state.wanted:
        thinks = out.get("thinking") != {"type": "disabled"}
        out["output_config"] = {"effort": effort.sent(state.profile, state.wanted, thinks=thinks)}
    if state.profile.switches["diagnostics"] == "yes":
        reply = text(state.reply, Origin(Kind.REPLY, "id")) if state.reply else None
        out["diagnostics"] = {"previous_message_id": reply}
    return {name: value for name, value in out.items() if value is not None}


def _headers(state: State, environment: Environment) -> tuple[tuple[str, Text], ...]:
    """The headers this model makes, in wire order; what is left out is nobody's to know."""
    profile = state.profile
    made = {
        name: text(value, Origin(Kind.LITERAL, f"header {name}"))
        for name, value in profile.values["headers"].items()
    }
    made["User-Agent"] = phrase(
        profile,
        "header.agent",
        version=fact("version", environment.version),
        entry=_started(profile, environment),
    )
    made["X-Claude-Code-Session-Id"] = state.process.session
    made["anthropic-beta"] = text(
        ",".join(betas.betas(state, environment)), Origin(Kind.LITERAL, "betas")
    )
    if profile.switches["diagnostics"] == "yes" and state.identified:
        number = system.numbered(profile, "prompt_id", state.identified)
        made["x-claude-code-prompt-id"] = number
    if "yes" in {profile.switches["diagnostics"], profile.switches["requests.numbered"]}:
        made["x-client-request-id"] = profile.mask("request_id")
    return tuple((name, made[name]) for name in profile.lists["headers"] if name in made)


def _started(profile: Profile, environment: Environment) -> Text:
    """How the client was started, and by which SDK."""
    entry, kit = system.entry(environment), environment.env.get("CLAUDE_AGENT_SDK_VERSION")
    if not kit:
        return entry
    return entry + phrase(profile, "header.agent.sdk", version=fact("sdk", kit))
