"""Reading what programs printed, and a command's facts, from the client's frames around them."""

from inspector.clients.codex import templates
from inspector.clients.codex.loose import parsed
from inspector.clients.codex.shorten import cost
from inspector.jsontext import unquote
from inspector.profiles import Profile
from inspector.turns import Printed, Ran

_LOST = "\ufffd"
_MEMBERS = frozenset({"chunk_id", "wall_time_seconds", "original_token_count"})


def printed(string: str, profile: Profile) -> Printed:
    """A text as printed: whole, or in two ends where the client's warning and mark say so."""
    found = templates.start(profile.literals["output.warning"], string)
    if found is None:
        return Printed(text=string)
    lines = int(found[0]["lines"])
    cut = templates.search(profile.literals["output.mark"], found[1])
    if cut is not None:
        count = int(found[0]["count"])
        return Printed(text=cut[0], rest=cut[2], tokens=count, lines=lines)
    cut = templates.search(profile.literals["output.mark.bytes"], found[1])
    if cut is not None:
        size = int(cut[1]["gone"]) + profile.limits["output.bytes"]
        return Printed(text=cut[0], rest=cut[2], size=size, lines=lines)
    return Printed(text=string)


def command(string: str, profile: Profile) -> Ran | None:
    """A command's result, a text."""
    for name in ("output.command.ended", "output.command.session"):
        found = templates.holes(profile.literals[name], string)
        if found is not None:
            return _ran(found, found["output"], profile)
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
    said, count = printed(output, profile), int(facts["count"])
    # Bytes that are no UTF-8 are counted as they were, and printed as something longer.
    lost = _LOST in output and count != cost(output)
    return Ran(
        chunk=facts["chunk"],
        seconds=facts["seconds"],
        code=facts.get("code"),
        session=facts.get("session"),
        printed=said.model_copy(update={"tokens": count}) if lost and said.rest is None else said,
    )
