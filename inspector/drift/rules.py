"""Limits and behaviours that two profiles differ in, whether or not a workspace shows it."""

from collections.abc import Iterator

from inspector.drift.fact import Aspect, Fact, Subject
from inspector.profiles import Profile


def rules(profile: Profile) -> Iterator[tuple[Subject, Fact]]:
    """What a profile says besides texts."""
    for name, limit in profile.limits.items():
        yield Subject(Aspect.BUDGETS, f"limit {name}"), Fact(f"{limit:,}")
    if listing := _listing(profile):
        yield Subject(Aspect.BUDGETS, "limit of the skill listing"), Fact(f"{listing:,}")
    for name, value in profile.switches.items():
        yield Subject(Aspect.BEHAVIOUR, name), Fact(value)
    for name, value in profile.regions.items():
        yield Subject(Aspect.BEHAVIOUR, f"region of {name}"), Fact(value)


def _listing(profile: Profile) -> int:
    """The columns that the skill listing of Claude Code may take; 0 for other clients."""
    limits = profile.limits
    names = ("skill.window", "skill.bytes_per_token", "skill.share")
    window, bytes_, share = (limits.get(name, 0) for name in names)
    return window * bytes_ * share // 100
