"""How much a request lets the model think: its own way, a budget, or not at all.

Witness: `thinking_budget`. Newest models are not asked to stop, whatever is said.
"""

import re
from collections.abc import Mapping

from inspector.clients.claude_code.options import on, options
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.settings import Settings
from inspector.profiles import Profile
from inspector.text import Value
from inspector.workspace import Environment

_LEADING = re.compile(r"\s*([+-]?[0-9]+)")
_ON = frozenset({"adaptive", "enabled"})


def applied(
    params: Mapping[str, Value], profile: Profile, environment: Environment, chosen: Settings
) -> dict[str, Value]:
    """The parameters of a request, with what is said of thinking put in."""
    out = dict(params)
    shown = mapping(out.get("thinking"))
    if profile.switches["thinking.display"] == "updates" and "display" in shown:
        # A stream of events shows what is thought (`stream_models`).
        out["thinking"] = {**shown, "display": "updates"}
    if on(environment, "CLAUDE_CODE_DISABLE_THINKING"):
        return _without(out, profile)
    kind = profile.switches["thinking"]
    tokens = _tokens(environment)
    if kind != "always" and _unwanted(environment, chosen, tokens):
        out = _without(out, profile)
        return out if kind == "plain" else {**out, "thinking": {"type": "disabled"}}
    counted = kind == "budget" or (
        kind == "free" and on(environment, "CLAUDE_CODE_DISABLE_ADAPTIVE_THINKING")
    )
    if counted and out.get("thinking") is not None:
        most = int(str(out["max_tokens"])) - 1
        least = profile.limits["thinking.least"]
        budget = min(max(tokens, least), most) if tokens else most
        shown = {name: item for name, item in mapping(out["thinking"]).items() if name == "display"}
        out["thinking"] = {"budget_tokens": budget, "type": "enabled", **shown}
    return out


def _without(out: dict[str, Value], profile: Profile) -> dict[str, Value]:
    """No thinking; some models are then told a temperature."""
    out |= {"thinking": None, "context_management": None}
    return out | ({"temperature": 1} if profile.switches["temperature"] == "one" else {})


def _tokens(environment: Environment) -> int | None:
    """How many tokens somebody gives it; none where nobody says, nothing where it is no number."""
    given = options(environment.argv)
    if given.value("--thinking") in _ON:
        return None
    said = environment.env.get("MAX_THINKING_TOKENS") or given.value("--max-thinking-tokens")
    if not said:
        return None
    match = _LEADING.match(said)
    return int(match[1]) if match else 0


def _unwanted(environment: Environment, chosen: Settings, tokens: int | None) -> bool:
    said = options(environment.argv).value("--thinking")
    if said is not None:
        return said == "disabled"
    if tokens is not None:
        return tokens <= 0
    return chosen.get("alwaysThinkingEnabled") is False
