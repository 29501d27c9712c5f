"""What commands and scripts print, framed as the client frames it: measures, warnings, the cut."""

from inspector.clients.codex.fill import computed, fill
from inspector.clients.codex.shorten import TOKEN, cost, mark, middle_cut
from inspector.jsontext import quote
from inspector.profiles import Profile
from inspector.text import EMPTY, Origin, Text, text
from inspector.turns import Printed, Ran


def command(ran: Ran, line: Text, limit: int, origin: Origin, profile: Profile) -> Text:
    """A command's result as a text; `line` is the command as a shell would read it."""
    name = "output.command.ended" if ran.session is None else "output.command.session"
    made = printed(ran.printed, limit, origin, profile)
    holes = {**_facts(ran, origin), "output": made, "command": line}
    return fill(profile.literal(name), holes)


def shell(ran: Ran, origin: Origin, profile: Profile) -> Text:
    """A command's result as the classic shell tells it."""
    said, facts = ran.printed, _facts(ran, origin)
    words = text(said.text, origin)
    if said.rest is None:
        return fill(profile.literal("output.shell.ended"), {**facts, "output": words})
    gone = mark((said.tokens or 0) - profile.limits["output.tokens"], profile)
    if said.size is not None:
        gone = _bytes_mark(said.size, profile)
    words += gone + text(said.rest, origin)
    lines = text(str(said.lines), origin)
    holes = {**facts, "output": words, "lines": lines}
    return fill(profile.literal("output.shell.long"), holes)


def value(ran: Ran, limit: int, origin: Origin, profile: Profile, outer: int | None = None) -> Text:
    """A command's result as a script prints it; `outer` tokens are left out of the whole."""
    if outer is None:
        output = escaped(printed(ran.printed, limit, origin, profile))
    else:
        head, tail = (text(s or "", origin) for s in (ran.printed.text, ran.printed.rest))
        output = head + mark(outer, profile) + tail
    name = "output.object.ended" if ran.session is None else "output.object.session"
    return fill(profile.literal(name), {**_facts(ran, origin), "output": output})


def _facts(ran: Ran, origin: Origin) -> dict[str, Text]:
    measure = ran.printed.tokens
    count = computed("tokens", str(_tokens(ran.printed)))
    return {
        "chunk": text(ran.chunk, origin),
        "seconds": text(ran.seconds, origin),
        "code": text(ran.code or "", origin),
        "session": text(ran.session or "", origin),
        "count": count if measure is None else text(str(measure), origin),
    }


def _tokens(said: Printed) -> int:
    """The tokens of a whole whose text or size is at hand."""
    return cost(said.text) if said.size is None else -(-said.size // TOKEN)


def printed(said: Printed, limit: int, origin: Origin, profile: Profile) -> Text:
    """What was printed; where a part is left out, with the warning and the mark."""
    if said.rest is None:
        return text(said.text, origin)
    lines = text(str(said.lines), origin)
    if said.size is None:
        gone = mark((said.tokens or 0) - limit, profile)
        head = warning(text(str(said.tokens), origin), lines, profile)
    else:
        # Models outside the catalog: the limit is one of bytes (witness: unk_shell).
        gone = _bytes_mark(said.size, profile)
        head = warning(computed("tokens", str(_tokens(said))), lines, profile)
    return head + text(said.text, origin) + gone + text(said.rest, origin)


def _bytes_mark(size: int, profile: Profile) -> Text:
    """What stands where bytes of a whole of this size are left out."""
    left_out = computed("bytes", str(size - profile.limits["output.bytes"]))
    return fill(profile.literal("output.mark.bytes"), {"gone": left_out})


def warning(count: Text, lines: Text, profile: Profile) -> Text:
    """What stands before an output of which a part is left out."""
    return fill(profile.literal("output.warning"), {"count": count, "lines": lines})


def within(whole: Text, limit: int, profile: Profile) -> Text:
    """A script's whole output within its limit."""
    if cost(str(whole)) <= limit:
        return whole
    lines = len(str(whole).splitlines())
    head = warning(
        computed("tokens", str(cost(str(whole)))), computed("lines", str(lines)), profile
    )
    return head + middle_cut(whole, limit, profile)


def escaped(words: Text) -> Text:
    """The text inside a JSON string."""
    made = EMPTY
    for piece in words.pieces:
        made += text(quote(piece.text)[1:-1], piece.origin)
    return made
