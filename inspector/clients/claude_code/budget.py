"""What a session may cost, and what it has cost by then, told with every prompt and round.

The client reckons in floating point with its own list of prices, so its sums are made the same
way here: a sum of another order would show other digits. Witness: `budget`, `flags_more`.
"""

from collections.abc import Mapping

from inspector.clients.claude_code.options import options
from inspector.clients.claude_code.phrase import computed, fact, phrase
from inspector.clients.claude_code.state import State
from inspector.jsontext import javascript_number
from inspector.profiles import Profile
from inspector.text import Text
from inspector.turns import Replied
from inspector.workspace import Environment

_MILLION = 1e6


def told(state: State, environment: Environment) -> list[Text]:
    """The paragraph on what is left of a process's budget; none where there is none."""
    # A resumed session takes its cost along, and its process's own is the difference.
    spent = state.spent - state.paid
    given = options(environment.argv).value("--max-budget-usd")
    if given is None:
        return []
    most = fact("--max-budget-usd", javascript_number(given))
    left = computed(_number(max(float(given) - spent, 0)), "cost")
    return [
        phrase(state.profile, "budget", used=computed(_number(spent), "cost"), most=most, left=left)
    ]


def cost(profile: Profile, model: str, reply: Replied) -> float:
    """What a reply of a model cost, in dollars."""
    read, wrote = reply.cache_read_tokens or 0, reply.cache_write_tokens or 0
    sent, said = reply.input_tokens or 0, reply.output_tokens or 0
    prices = _prices(profile, model, sent + read + wrote)
    out = sent / _MILLION * prices["input"] + said / _MILLION * prices["output"]
    out += read / _MILLION * prices["read"]
    return out + wrote / _MILLION * prices["write"]


def _prices(profile: Profile, model: str, tokens: int) -> Mapping[str, float]:
    """The model's prices for a million tokens; a long prompt may have others."""
    tiers: Mapping[str, Mapping[str, float]] = profile.values["prices"]
    of_models: Mapping[str, str] = profile.values["prices.models"]
    known = [name for name in of_models if model.startswith(name)]
    tier = of_models[max(known, key=len)] if known else of_models["other"]
    prices = tiers[tier]
    long = f"{tier}.long"
    return tiers[long] if long in tiers and tokens > tiers[long]["above"] else prices


def _number(value: float) -> str:
    return javascript_number(repr(value))
