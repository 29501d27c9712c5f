"""Building one session many times, as the laws of the workspace do with a change each time."""

from collections.abc import Sequence

from inspector.named import Found
from inspector.session import Exchange
from inspector.snapshot import SnapshotTree
from inspector.text import Built
from inspector.verify import Again, Carried, Comparison, MaskState, RequestReport, compare, verify


class Rebuilder:
    """Builds a session that was verified as it is, and does not compare what is built.

    A capture tells its builder the ids that are masked, and these do not hang on the workspace.
    """

    def __init__(self, verified: Sequence[RequestReport]) -> None:
        """Keep how the session's requests compare."""
        self._known = {item.exchange: item.comparison for item in verified if item.built}

    def requests(self, found: Found) -> Sequence[RequestReport]:
        """Every request of the session as it is built."""
        carried: Carried | None = None
        again = Again(None, self._compared)
        for earlier in found.earlier:
            carried = verify(earlier, {}, SnapshotTree, carried, again=again).carried
        return verify(found.recording, {}, SnapshotTree, carried, again=again).requests

    def _compared(
        self, exchange: Exchange, built: Built, captured: bytes, masks: MaskState
    ) -> Comparison:
        if exchange.id not in self._known:
            self._known[exchange.id] = compare(built, captured, masks)
        return self._known[exchange.id]
