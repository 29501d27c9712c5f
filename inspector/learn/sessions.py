"""The sessions that are learned from, and which of them can be."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector import profiles
from inspector.errors import BadInput
from inspector.learn.draft import Axes
from inspector.learn.unlike import demand
from inspector.session import Recording

CLASS = ("host", "login", "traffic")
"""Axes that make an account class: what flags the server gives depends on them."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A session to learn from, with those it continues."""

    recording: Recording
    axes: Axes
    earlier: tuple[Recording, ...] = ()

    @property
    def name(self) -> str:
        """The session's id."""
        return self.recording.session.id

    @property
    def account(self) -> dict[str, str]:
        """The account class."""
        return {axis: self.axes.get(axis, "") for axis in CLASS}


def check(taken: Sequence[Taken]) -> None:
    """Raises `BadInput` where sessions are too few, of several sorts, or too much alike."""
    sorts = {(one.recording.session.client, one.recording.session.version) for one in taken}
    if len(sorts) > 1:
        named = ", ".join(" ".join(sort) for sort in sorted(sorts))
        raise BadInput(f"learn --from: sessions of {named}; give those of one version")
    ((client, version),) = sorts
    if client not in profiles.PROBED:
        raise BadInput(
            f"{client}: its texts do not depend on an account as far as known, so nothing is"
            f" learned from sessions; {', '.join(profiles.PROBED)} can be"
        )
    found = profiles.find(client, version)
    if not found.exact:
        raise BadInput(
            f"{client} {version}: no profile for this version yet;"
            f" {profiles.learning(client, version)} first"
        )
    if len(taken) < 2:
        raise BadInput(
            f"{taken[0].name}: one session; a text is the client's only where two or more in unlike"
            " workspaces show it (another folder, day, git state, names and files)"
        )
    accounts = [one.account for one in taken]
    differing = [axis for axis in CLASS if len({one[axis] for one in accounts}) > 1]
    if differing:
        said = "; ".join(f"{one.name} {' '.join(one.account.values())}" for one in taken)
        raise BadInput(
            f"learn --from: sessions of several account classes ({said}); give those of one"
            f" ({', '.join(differing)} differ)"
        )
    demand([one.recording for one in taken])
