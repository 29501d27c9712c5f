"""What a script of the client's code mode put out: a heading of the client's, then its parts."""

from collections.abc import Iterator

from inspector.clients.codex import answers, printed, told
from inspector.clients.codex.calls import Call, Use, script_limit, uses
from inspector.clients.codex.fill import computed, fill
from inspector.clients.codex.place import Place
from inspector.clients.codex.plain import adopted
from inspector.clients.codex.shorten import Output
from inspector.jsontext import loads
from inspector.text import Origin, Text, Value, text
from inspector.turns import (
    Answered,
    Pictured,
    Ran,
    Scripted,
    ScriptPart,
    Threw,
    Told,
    Unread,
    Wrote,
)


def script_output(scripted: Scripted, call: Call, origin: Origin, place: Place) -> Output:
    """The output of a script's call; a heading alone is no list (witness: tools)."""
    profile = place.profile
    holes = {"seconds": text(scripted.seconds, origin), "cell": text(scripted.cell or "", origin)}
    heading = fill(profile.literal(f"output.script.{scripted.state}"), holes)
    parts = list(_parts(scripted, call, origin, place))
    return [_words(heading), *parts] if parts else heading


def _parts(scripted: Scripted, call: Call, origin: Origin, place: Place) -> Iterator[Value]:
    profile = place.profile
    printing = uses(call.input)
    limit = script_limit(call.input) or profile.limits["output.tokens"]
    if scripted.tokens is not None:
        yield _words(_cut(scripted, limit, origin, place))
        return
    alone = len(scripted.parts) == 1
    for number, part in enumerate(scripted.parts):
        use = printing[number] if number < len(printing) else Use("", "")
        if isinstance(part, Pictured):
            # A script's image loses its detail on the way (witness: tools).
            yield {"type": "input_image", "image_url": text(part.url, origin)}
        elif isinstance(part, Unread):
            yield adopted(loads(part.raw))
        elif isinstance(part, Answered) and part.cut is not None:
            yield _words(answers.cut_value(part.cut, limit, origin, profile))
        elif isinstance(part, Wrote):
            yield _words(printed.printed(part.printed, limit, origin, profile))
        else:
            made = _result(part, use, call, origin, place)
            yield _words(printed.within(made, limit, profile) if alone else made)


def _cut(scripted: Scripted, limit: int, origin: Origin, place: Place) -> Text:
    """The one command's result that a whole script put out, its middle left out."""
    count = scripted.tokens or 0
    made = printed.warning(text(str(count), origin), computed("lines", "1"), place.profile)
    for part in scripted.parts:
        if isinstance(part, Ran):
            made += printed.value(part, limit, origin, place.profile, count - limit)
    return made


def _result(part: ScriptPart, use: Use, call: Call, origin: Origin, place: Place) -> Text:
    """A tool's result, or the exception a script ended with."""
    profile, cwd = place.profile, place.config.cwd
    if isinstance(part, Ran):
        return printed.value(part, use.limit or 0, origin, profile)
    if isinstance(part, Answered):
        return answers.value_text(part, use.tool, origin, place.spaces, profile)
    if isinstance(part, Told):
        name = use.tool or call.name
        said = told.told(part.name, Call(call.id, call.kind, name, _given(use, call)), cwd, profile)
        if part.name == "patched":
            return said
    else:
        said = text(part.error if isinstance(part, Threw) else "", origin)
    return fill(profile.literal("output.script.error"), {"error": said})


def _given(use: Use, call: Call) -> str:
    return use.source if use.tool else call.input


def _words(words: Text) -> Value:
    return {"type": "input_text", "text": words}
