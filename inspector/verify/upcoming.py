"""The next request of a conversation, and the token counts that come before it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from inspector.build import Conversation
from inspector.errors import InspectorError, reason
from inspector.session import ExchangeKind
from inspector.text import Built
from inspector.turns import Turn
from inspector.verify.compare import compare
from inspector.verify.ledger import MaskState
from inspector.workspace import World

NO_TURN = "no turn is known for it"
NOTHING = "nothing is known to be counted here"


type Aside = tuple[ExchangeKind, Built]


@dataclass(slots=True)
class Upcoming:
    """The turns of a conversation that are not built yet, and what was built ahead."""

    conversation: Conversation
    turns: list[Turn]
    world: Callable[[str], World]
    ahead: Built | str | None = None
    """The next main request, or why it was not built, where a count before it asked for it."""
    counts: list[Built] = field(default_factory=list[Built])
    """Counts of tokens before it that no captured one was held against."""
    uncounted: int = 0
    """Counts of tokens that were built and are not among the captured ones."""
    asides: list[Aside] = field(default_factory=list["Aside"])
    """Warm-ups and compactions before it that no captured one was held against."""
    unsent: int = 0
    """Warm-ups and compactions that were built and are not among the captured ones."""

    def main(self) -> Built | str:
        """The next main request, or why there is none."""
        made = self._next()
        self.ahead = None
        self.uncounted += len(self.counts)
        self.unsent += len(self.asides)
        self.counts, self.asides = [], []
        return made

    def aside(self, kind: ExchangeKind, *, answered: bool) -> Built | str:
        """The next warm-up or compaction; one that failed is sent again."""
        made = self._next()
        found = next((one for one in self.asides if one[0] is kind), None)
        if found is None:
            return made if isinstance(made, str) and made != NO_TURN else not_built(kind)
        if answered:
            self.asides.remove(found)
        return found[1]

    def count(self, captured: bytes, masks: MaskState, *, answered: bool) -> Built | str:
        """The count a captured one is; several that are asked for at once come in any order."""
        made = self._next()
        if not self.counts:
            return made if isinstance(made, str) else NOTHING
        equal = (one for one in self.counts if compare(one, captured, masks).equal)
        found = next(equal, self.counts[0])
        if answered:
            # The client asks again for what the API gave an error.
            self.counts.remove(found)
        return found

    def _next(self) -> Built | str:
        if self.ahead is None:
            if not self.turns:
                return NO_TURN
            turn = self.turns.pop(0)
            try:
                self.ahead = self.conversation.step(turn, self.world(turn.at))
                self.counts = self.conversation.counts()
                self.asides = self.conversation.asides()
            except Exception as error:  # noqa: BLE001 - one builder fault must not lose the others
                self.ahead = spell(error)
        return self.ahead


def not_built(kind: ExchangeKind) -> str:
    """Why nothing is made of a request of this kind."""
    return f"{kind} requests are not built"


def spell(error: Exception) -> str:
    """A builder's fault in one sentence."""
    if isinstance(error, InspectorError):
        return str(error)
    return f"the builder failed: {reason(error)}"
