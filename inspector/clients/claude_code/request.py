"""The request body and the headers of a turn."""

from collections.abc import Mapping

from inspector.clients import Request
from inspector.clients.claude_code import briefing, options, start, system, tools
from inspector.clients.claude_code.message import marked
from inspector.clients.claude_code.phrase import fact, phrase
from inspector.clients.claude_code.state import State
from inspector.text import Kind, Origin, Text, Value, text
from inspector.workspace import Environment, World


def request(state: State, world: World) -> Request:
    """What goes on the wire."""
    profile, process = state.profile, state.process
    environment = world.environment
    mark = _mark(environment)
    billing = system.billing(profile, environment, max(state.typed - 1, 0), state.prompts)
    parts: dict[str, Value] = {
        "model": briefing.model_id(profile, environment),
        "messages": marked(state.messages, mark, profile.lists["marked"]),
        "system": system.blocks(profile, billing, process.identity, process.parts, mark),
        "tools": tools.definitions(profile, process.pool, process.settings, state.loaded),
        "metadata": {"user_id": start.metadata(process)},
    }
    parts |= _params(state, environment)
    body = {name: parts[name] for name in profile.lists["members"] if name in parts}
    return Request(body, profile.unordered, _headers(state, environment))


def _mark(environment: Environment) -> Value | None:
    if options.on(environment, "DISABLE_PROMPT_CACHING"):
        return None
    if options.on(environment, "DISABLE_PROMPT_CACHING_OPUS"):
        return None
    if options.on(environment, "ENABLE_PROMPT_CACHING_1H"):
        return {"type": "ephemeral", "ttl": "1h"}
    return {"type": "ephemeral"}


def _params(state: State, environment: Environment) -> Mapping[str, Value]:
    out: dict[str, Value] = dict(state.profile.params)
    given = environment.env.get("CLAUDE_CODE_MAX_OUTPUT_TOKENS", "")
    if given.isdigit():
        out["max_tokens"] = int(given)
    if options.on(environment, "CLAUDE_CODE_DISABLE_THINKING"):
        out.pop("thinking", None)
        out.pop("context_management", None)
    if state.profile.switches["effort"]:
        out["output_config"] = {"effort": state.wanted}
    if state.profile.switches["diagnostics"] == "yes":
        reply = text(state.reply, Origin(Kind.REPLY, "id")) if state.reply else None
        out["diagnostics"] = {"previous_message_id": reply}
    return {name: value for name, value in out.items() if value is not None}


def _headers(state: State, environment: Environment) -> tuple[tuple[str, Text], ...]:
    profile = state.profile
    betas = [*profile.lists["betas"], *profile.lists["betas.more"]]
    if options.on(environment, "DISABLE_INTERLEAVED_THINKING"):
        betas = [beta for beta in betas if not beta.startswith("interleaved-thinking")]
    if not state.process.pool.searching:
        betas = [beta for beta in betas if beta not in profile.lists["betas.search"]]
    if options.on(environment, "ENABLE_PROMPT_CACHING_1H"):
        betas += profile.lists["betas.hour"]
    agent = phrase(
        profile,
        "header.agent",
        version=fact("version", environment.version),
        entry=system.entry(environment),
    )
    out = [
        ("User-Agent", agent),
        ("X-Claude-Code-Session-Id", state.process.session),
        ("anthropic-beta", text(",".join(betas), Origin(Kind.LITERAL, "betas"))),
        ("anthropic-version", phrase(profile, "header.version")),
        ("x-app", phrase(profile, "header.app")),
    ]
    if profile.switches["diagnostics"] == "yes":
        prompt = system.numbered(profile, "prompt_id", state.prompts)
        out.append(("x-claude-code-prompt-id", prompt))
    return tuple(out)
