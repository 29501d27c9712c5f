"""The results of the model's calls: the client's items, its own words around what turns tell.

Turns hold facts (times, codes, what a program printed); every word of the client is the profile's.
"""

from inspector.clients.codex import answers, printed, quoting, told
from inspector.clients.codex.calls import Call
from inspector.clients.codex.fill import computed, fill
from inspector.clients.codex.items import Counter, Item, labelled, named
from inspector.clients.codex.loose import word
from inspector.clients.codex.paths import join
from inspector.clients.codex.pictures import address
from inspector.clients.codex.place import Place
from inspector.clients.codex.plain import adopted
from inspector.clients.codex.script_output import script_output
from inspector.clients.codex.search import results
from inspector.clients.codex.shorten import Output, shortened
from inspector.jsontext import loads
from inspector.text import Kind, Origin, Text, Value, text
from inspector.turns import (
    Answered,
    Patched,
    Pictured,
    Ran,
    Returned,
    Scripted,
    Told,
    Unread,
)


def output_item(returned: Returned, call: Call, counter: Counter, place: Place) -> Item:
    """The item that carries a call's result."""
    profile = place.profile
    members: dict[str, Value] = {
        **named({"type": call.kind}, call.kind, counter, profile),
        "call_id": text(returned.call, Origin(Kind.REPLY, returned.call)),
    }
    if returned.notice:
        members["name"] = text(call.name, Origin(Kind.REPLY, returned.call))
    if call.kind == "tool_search_output":
        members |= results(returned.raw or "{}", place.spaces, profile)
    else:
        members["output"] = _output(returned, call, place)
    return labelled(dict(members), counter, profile, None, made=True)


def _output(returned: Returned, call: Call, place: Place) -> Value:
    outcome = returned.outcome
    if isinstance(outcome, Unread):
        return adopted(loads(outcome.raw))
    if outcome is None and not returned.notice:
        return adopted(returned.text or loads(returned.raw or '""'))
    made = _framed(returned, call, place)
    if isinstance(outcome, Answered):
        if outcome.cut is not None:
            return made
        if place.profile.switches["mcp.output"] == "whole":
            return _shortened(made, place)
        # Cut when it is recorded and again when it is sent (witness: mcp_results_classic).
        made = _shortened(made, place)
    if isinstance(outcome, Scripted) and any(isinstance(p, Unread) for p in outcome.parts):
        return made
    return _shortened(made, place)


def _framed(returned: Returned, call: Call, place: Place) -> Output:
    origin = Origin(Kind.OUTCOME, returned.call)
    match returned.outcome:
        case Answered() as answered:
            return answers.direct(answered, call, place.spaces, place.profile)
        case Scripted() as scripted:
            return script_output(scripted, call, origin, place)
        case Pictured() as pictured:
            return [_picture(pictured, call, place)]
        case Ran() | Patched() | Told() as outcome:
            return _sentence(outcome, call, origin, place)
        case _:
            # A notice has the script's words and none of the client's.
            return text(returned.text or "", origin)


def _shortened(made: Output, place: Place) -> Output:
    return shortened(made, place.budget, place.profile)


def _line(call: Call, place: Place) -> Text:
    """The command line of a call, which older versions repeat before its output."""
    given = call.arguments
    shell = word(given.get("shell")) or place.shell or place.profile.literals["shell"]
    flag = "-c" if given.get("login") is False else "-lc"
    return computed("command", quoting.line([shell, flag, word(given.get("cmd"))]))


def _picture(pictured: Pictured, call: Call, place: Place) -> Value:
    path = join(place.config.cwd, word(call.arguments.get("path")))
    image = address(place.tree.read(path), path, pictured.url, place.profile)
    shown: dict[str, Value] = {"type": "input_image", "image_url": image}
    detail = place.profile.literal("image.detail")
    return {**shown, "detail": detail} if detail else shown


def _sentence(outcome: Ran | Patched | Told, call: Call, origin: Origin, place: Place) -> Text:
    profile = place.profile
    if isinstance(outcome, Told):
        return told.told(outcome.name, call, place.config.cwd, profile)
    if isinstance(outcome, Ran):
        if call.name in profile.lists["output.shell"]:
            return printed.shell(outcome, origin, profile)
        asked = call.arguments.get("max_output_tokens")
        limit = min(asked, place.limit) if isinstance(asked, int) else place.limit
        return printed.command(outcome, _line(call, place), limit, origin, profile)
    seconds = text(outcome.seconds, origin)
    holes = {"seconds": seconds, "files": told.patched(call.input, profile)}
    return fill(profile.literal("output.patched"), holes)
