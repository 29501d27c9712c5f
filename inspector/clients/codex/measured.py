"""Reading what programs printed, and a command's facts, from the client's frames around them."""

from inspector.clients.codex import templates
from inspector.clients.codex.loose import parsed
from inspector.clients.codex.shorten import cost
from inspector.jsontext import unquote
from inspector.profiles import Profile
from inspector.turns import Printed, Ran

_LOST = "\ufffd"
_MEMBERS = frozenset({"chunk_id", "wall_time_seconds", "original_token_count"})


def printed(string: str, profile: Profile, measure: int = 0) -> Printed:
    """A text as printed: whole, or in two ends where the client's warning and mark say so.

    Older versions give the `measure` of the whole elsewhere (0.116).
    """
    found = templates.start(profile.literals["output.warning"], string)
    if found is None:
        return Printed(text=string)
    lines, count = int(found[0]["lines"]), int(found[0].get("count", measure))
    return _ends(found[1], lines, count, profile) or Printed(text=string)


def _ends(string: str, lines: int, count: int, profile: Profile) -> Printed | None:
    """The two ends of a text whose middle is left out; None where it is whole."""
    cut = templates.search(profile.literals["output.mark"], string)
    if cut is not None:
        tokens = count or int(cut[1]["gone"]) + profile.limits["output.tokens"]
        return Printed(text=cut[0], rest=cut[2], tokens=tokens, lines=lines)
    cut = templates.search(profile.literals["output.mark.bytes"], string)
    if cut is not None:
        size = int(cut[1]["gone"]) + profile.limits["output.bytes"]
        return Printed(text=cut[0], rest=cut[2], size=size, lines=lines)
    return None


def command(string: str, profile: Profile) -> Ran | None:
    """A command's result, a text."""
    for name in ("output.command.ended", "output.command.session"):
        found = templates.holes(profile.literals[name], string)
        if found is not None:
            return _ran(found, found["output"], profile)
    return None


def shell(string: str, profile: Profile) -> Ran | None:
    """A command's result as the classic shell tells it: exit code, time, output."""
    for name in ("output.shell.long", "output.shell.ended"):
        found = templates.holes(profile.literals[name], string)
        if found is not None:
            said, lines = Printed(text=found["output"]), int(found.get("lines", 0))
            ends = _ends(found["output"], lines, 0, profile) if lines else None
            seconds, code = found["seconds"], found["code"]
            return Ran(chunk="", seconds=seconds, code=code, printed=ends or said)
    return None


def value(string: str, profile: Profile) -> Ran | None:
    """A command's result as a script prints it."""
    for name in ("output.object.ended", "output.object.session"):
        found = templates.holes(profile.literals[name], string)
        if found is not None:
            try:
                return _ran(found, unquote(f'"{found["output"]}"'), profile)
            except ValueError:
                return None
    return None


def like_value(string: str) -> bool:
    """Whether a text is nearly a command's result: a form of it this model does not know."""
    return len(_MEMBERS & set(parsed(string))) > 1


def cut_value(string: str, profile: Profile) -> tuple[Ran, int] | None:
    """A command's result whose middle a script left out, and the measure of the whole."""
    found = templates.start(profile.literals["output.warning"], string)
    if found is None:
        return None
    for name in ("output.object.ended", "output.object.session"):
        facts = templates.holes(profile.literals[name], found[1])
        if facts is None:
            continue
        cut = templates.search(profile.literals["output.mark"], facts["output"])
        if cut is not None:
            said = Printed(text=cut[0], rest=cut[2], tokens=int(facts["count"]))
            ran = Ran(
                chunk=facts["chunk"],
                seconds=facts["seconds"],
                code=facts.get("code"),
                session=facts.get("session"),
                printed=said,
            )
            return ran, int(found[0]["count"])
    return None


def _ran(facts: dict[str, str], output: str, profile: Profile) -> Ran:
    count = int(facts["count"])
    said = printed(output, profile, count)
    # Bytes that are no UTF-8 are counted as they were, and printed as something longer.
    lost = _LOST in output and count != cost(output)
    return Ran(
        chunk=facts["chunk"],
        seconds=facts["seconds"],
        code=facts.get("code"),
        session=facts.get("session"),
        printed=said.model_copy(update={"tokens": count}) if lost and said.rest is None else said,
    )
