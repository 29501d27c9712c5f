"""What a proof says: of one request, of a session, and what a session hands on."""

from dataclasses import dataclass, field
from functools import reduce

from inspector.clients import State
from inspector.session import ExchangeKind
from inspector.text import Built
from inspector.turns import Turn
from inspector.verify.headers import HeaderReport
from inspector.verify.ledger import Comparison, Counts, MaskState


@dataclass(frozen=True, slots=True)
class Carried:
    """What a session hands to the one that resumes it."""

    state: State
    masks: MaskState


@dataclass(frozen=True, slots=True)
class RequestReport:
    """One request's proof."""

    exchange: str
    number: int
    kind: ExchangeKind
    exact: bool
    sha256_checked: bool
    reason: str
    """Why the digest was not checked, or why nothing was built; empty when neither."""
    comparison: Comparison
    headers: HeaderReport
    captured: bytes
    built: Built | None
    """None: nothing was built."""
    before: MaskState = field(default_factory=dict[str, str])
    """Mask values seen in the session before this request."""

    @property
    def counts_as_exact(self) -> bool:
        """Whether a share may count it: exact, and no input that stands apart (design 8)."""
        counts = self.comparison.counts
        return self.exact and not counts.transcript and not counts.file_not_kept


@dataclass(frozen=True, slots=True)
class SessionReport:
    """A session's proof."""

    session: str
    client: str
    version: str
    route: str
    profile: str
    """Version of the profile used; empty when there is none."""
    profile_exact: bool
    requests: tuple[RequestReport, ...] = ()
    notes: tuple[str, ...] = ()
    missing: int = 0
    """Turns whose request is not among the captured ones."""
    uncounted: int = 0
    """Counts of tokens that were built and are not among the captured ones."""
    unsent: int = 0
    """Warm-ups and compactions that were built and are not among the captured ones."""
    faults: tuple[str, ...] = ()
    """Workspace files the client refuses or cuts, each `PATH: reason`."""
    turns: tuple[Turn, ...] = field(default=(), repr=False)
    """The turns that were built, with only what the world said in them."""
    carried: Carried | None = field(default=None, repr=False)

    @property
    def counts(self) -> Counts:
        """The bytes of all requests."""
        return reduce(Counts.__add__, (item.comparison.counts for item in self.requests), Counts())

    @property
    def exact(self) -> bool:
        """Whether every main request is exact, there is one, and none is missing.

        Side calls other than counts of tokens are not built; they stand in the counts as adopted.
        """
        main = [request for request in self.requests if request.kind is ExchangeKind.MAIN]
        whole = bool(main) and not self.missing
        return whole and all(request.exact for request in main)
