"""Reading results: from the client's item, in a capture or in its record, to the facts of a turn.

The profile's templates say where the facts stand. What fits no template is unread: the builder
adopts it, so that a word the client changed shows.
"""

from collections.abc import Callable, Mapping, Sequence

from inspector.clients.codex import mcp_reading, scripts, templates
from inspector.clients.codex.calls import Call
from inspector.clients.codex.loose import Json, compact, tables, word
from inspector.clients.codex.measured import command, shell
from inspector.clients.codex.search import names
from inspector.clients.codex.told import sentence
from inspector.profiles import Profile
from inspector.turns import Outcome, Patched, Pictured, Returned, Told, Unread

type Logged = Callable[[str], str | None]
"""The raw result that a server's log has for the next call of a tool of this name."""


def nothing_logged(_: str) -> str | None:
    """No server's log is at hand."""
    return None


def returned(
    item: Json, calls: Mapping[str, Call], profile: Profile, logged: Logged = nothing_logged
) -> Returned | None:
    """A call's result; None for an item that is none."""
    call_id, kind = item.get("call_id"), word(item.get("type"))
    if not isinstance(call_id, str) or not kind.endswith("_output"):
        return None
    if kind == "tool_search_output":
        return Returned(call=call_id, raw=compact({"tools": names(item.get("tools"))}))
    output, call = item.get("output"), calls.get(call_id)
    if "name" in item and isinstance(output, str):
        return Returned(call=call_id, text=output, notice=True)
    unread = Unread(raw=compact(output))
    found = None if call is None else _outcome(output, call, profile, logged)
    return Returned(call=call_id, outcome=found or unread)


def _outcome(output: object, call: Call, profile: Profile, logged: Logged) -> Outcome | None:
    if isinstance(output, str):
        return _of_text(output, call, profile, logged)
    parts = tables(output)
    if not isinstance(output, list) or len(parts) != len(output):  # pyright: ignore[reportUnknownArgumentType]
        return None
    if call.namespace is not None:
        return mcp_reading.read(parts, profile, logged(call.full_name))
    return _of_parts(parts, call, profile, logged)


def _of_parts(
    parts: Sequence[Json], call: Call, profile: Profile, logged: Logged
) -> Outcome | None:
    if call.name in profile.lists["output.script"]:
        return scripts.read(parts, call, profile, logged)
    if call.name in profile.lists["output.image"]:
        return _picture(parts)
    if call.name.startswith(profile.literals["mcp.prefix"]):
        return mcp_reading.pictured(parts, logged(call.full_name))
    return None


def _of_text(output: str, call: Call, profile: Profile, logged: Logged) -> Outcome | None:
    said = sentence(output, profile)
    if said is not None:
        return Told(name=said)
    if call.namespace is not None:
        return mcp_reading.structured(output, profile, logged(call.full_name))
    if call.name.startswith(profile.literals["mcp.prefix"]):
        return mcp_reading.whole(output, profile, logged(call.full_name))
    if call.name in profile.lists["output.script"]:
        return scripts.read([{"type": "input_text", "text": output}], call, profile, logged)
    kinds = ("output.shell", shell), ("output.command", command), ("output.patch", _patched)
    read = next((read for kind, read in kinds if call.name in profile.lists[kind]), None)
    return None if read is None else read(output, profile)


def _patched(output: str, profile: Profile) -> Patched | None:
    """A patch's result; older versions record it in another form than they send (0.116)."""
    for name in ("output.patched", "output.patched.recorded"):
        found = templates.holes(profile.literals[name], output)
        if found is not None:
            return Patched(seconds=found["seconds"].removesuffix(".0"))
    return None


def _picture(parts: Sequence[Json]) -> Outcome | None:
    if len(parts) != 1 or set(parts[0]) - {"detail"} != {"type", "image_url"}:
        return None
    return Pictured(url=word(parts[0]["image_url"]))
