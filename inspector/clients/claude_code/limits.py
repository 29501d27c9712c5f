"""What the service says an organisation allows, as far as a request shows it.

On the default host the client asks before its first message. Where no answer has the form it wants,
or an answer forbids feedback, it has one command less (docs/routes.md).
"""

from collections.abc import Iterable

from inspector.clients.claude_code.plain import is_mapping, mapping
from inspector.jsontext import read
from inspector.session import Exchange
from inspector.turns import Limited

_ASKED = "/api/claude_code/policy_limits"
_FEEDBACK = "allow_product_feedback"
_GOOD = 200


def of_exchanges(exchanges: Iterable[Exchange]) -> list[Limited]:
    """That feedback is not allowed, by the answers to what was asked before the first message."""
    asked = [one for one in exchanges if one.url.partition("?")[0].endswith(_ASKED)]
    return [Limited()] if asked and not any(map(_allows, asked)) else []


def _allows(exchange: Exchange) -> bool:
    if exchange.status != _GOOD:
        return False
    try:
        said = mapping(read(exchange.response.decode("utf-8", "replace")))
    except ValueError:
        return False
    found = said.get("restrictions")
    feedback = mapping(mapping(found).get(_FEEDBACK))
    return is_mapping(found) and feedback.get("allowed") is not False
