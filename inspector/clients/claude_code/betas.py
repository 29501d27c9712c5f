"""The `anthropic-beta` header of a request."""

from collections.abc import Mapping, Sequence

from inspector.clients.claude_code import effort
from inspector.clients.claude_code.options import on, options
from inspector.clients.claude_code.state import State
from inspector.profiles import Profile
from inspector.workspace import Environment


def betas(state: State, environment: Environment) -> list[str]:
    """The betas in wire order."""
    profile = state.profile
    out = [*profile.lists["betas"]]
    lists = profile.lists
    for beta in (*lists["betas.more"], *lists["betas.plan"], *lists["betas.login"]):
        _put(profile, out, beta, beta)
    # Those of the user's own stand where the model's end (`switches_headers`, `flags_more`).
    for name, own in _own(environment).items():
        for beta in own:
            _put(profile, out, beta, name)
    gone = _without(state)
    out = [beta for beta in out if beta not in gone]
    if on(environment, "DISABLE_INTERLEAVED_THINKING"):
        out = [beta for beta in out if not beta.startswith("interleaved-thinking")]
    if not state.wanted and (not state.process.fixed or effort.is_number(environment)):
        # A skill asked for an effort that is none (`skill_effects`).
        out = [beta for beta in out if not beta.startswith("effort-")]
    if profile.switches["cache"] == "hour":
        for beta in profile.lists["betas.hour"]:
            _put(profile, out, beta, beta)
    return [*out, *(profile.lists["betas.refused"] if "refused" in state.latched else ())]


def _own(environment: Environment) -> Mapping[str, Sequence[str]]:
    """The betas that the user asks for, by what asks for them."""
    given = environment.env.get("ANTHROPIC_BETAS", "")
    return {
        "ANTHROPIC_BETAS": [name.strip() for name in given.split(",") if name.strip()],
        "--betas": options(environment.argv).all("--betas"),
    }


def _without(state: State) -> set[str]:
    """Betas that this request does without."""
    profile = state.profile
    gone: set[str] = set()
    if profile.switches["attachments"] == "no" or profile.switches["pool"] == "simple":
        gone |= {*profile.lists["betas.told"]}
    if not state.process.pool.searching:
        gone |= {*profile.lists["betas.search"]}
    if "rejected" in state.latched:
        gone |= {*profile.lists["betas.rejected"]}
    return gone


def _put(profile: Profile, into: list[str], beta: str, place: str) -> None:
    """Put a beta before the first of those that its place names, or else at the end."""
    before: Mapping[str, Sequence[str]] = profile.values["betas.before"]
    after = (into.index(other) for other in before.get(place, ()) if other in into)
    into.insert(next(after, len(into)), beta)
