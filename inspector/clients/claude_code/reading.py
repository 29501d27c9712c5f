"""What a recorded result tells of the world: the client's own words around it are read away.

The profile's literals say where the facts stand. What fits none of them is unread: the builder
adopts it, so that words of the client's that we do not know never count as input.
"""

from collections.abc import Mapping, Sequence

from inspector.clients.claude_code import mcplong
from inspector.clients.claude_code.plain import items, mapping
from inspector.clients.claude_code.templates import holes
from inspector.jsontext import JSON, dumps, javascript_number, javascript_order, loads
from inspector.profiles import Profile
from inspector.turns import Answered, Called, Outcome, Returned, Shelled, Unread


def recorded(given: Returned) -> JSON:
    """The content of the result as the client wrote it."""
    return loads(given.raw) if given.raw is not None else given.text


def unread(given: Returned) -> Unread:
    """A result whose form we do not know."""
    return Unread(raw=dumps(recorded(given)))


def shell(profile: Profile, given: Returned, cwd: str) -> Outcome:
    """The result of a shell command."""
    said = recorded(given)
    detached = profile.literals["shell.detached"]
    if not isinstance(said, str) or (_strange(profile, said) and holes(detached, said) is None):
        return unread(given)
    if given.error:
        first, _, printed = said.partition("\n")
        ended = holes(profile.literals["shell.code"], first)
        if ended is None or not ended["code"].isdigit():
            return unread(given)
        first, _, rest = printed.partition("\n")
        if holes(profile.literals["shell.stopped"], first) is not None:
            return _shortened(profile, Shelled(code=ended["code"], printed=rest, stopped=True))
        return _shortened(profile, Shelled(code=ended["code"], printed=printed))
    return _printed(profile, said, cwd)


def _shortened(profile: Profile, ended: Shelled) -> Shelled:
    """An error of which the client left out the middle."""
    found = holes("{start}" + profile.literals["result.cut"] + "{end}", ended.printed)
    if found is None or not found["count"].isdigit():
        return ended
    more = {"printed": found["start"], "left_out": found["count"], "rest": found["end"]}
    return ended.model_copy(update=more)


def _printed(profile: Profile, said: str, cwd: str) -> Shelled:
    if said == profile.literals["result.silent"].replace("{tool}", "Bash"):
        return Shelled()
    if holes(profile.literals["shell.detached"], said) is not None:
        return Shelled(detached=True)
    slow = holes("{printed}" + profile.literals["shell.slow"] + "{advice}", said)
    if slow is not None and (not slow["printed"] or slow["printed"].endswith("\n")):
        printed = slow["printed"].removesuffix("\n")
        return Shelled(printed=printed, stopped=True, detached=True)
    kept = holes(profile.literals["result.saved"], said)
    if kept is not None:
        return Shelled(printed=kept["beginning"], size=kept["size"])
    reset = profile.literals["shell.reset"].replace("{cwd}", cwd)
    if said == reset or said.endswith(f"\n{reset}"):
        return Shelled(printed=said.removesuffix(reset).removesuffix("\n"), reset=True)
    return Shelled(printed=said)


def _strange(profile: Profile, said: str) -> bool:
    """Whether a text holds a mark of the client's that this model does not write."""
    return any(mark in said for mark in profile.lists["shell.marks"])


def server(profile: Profile, call: Called, given: Returned) -> Outcome:
    """The result of an MCP call, as the server's own JSON-RPC result."""
    said = recorded(given)
    if given.error:
        return _refused(profile, given, said)
    if isinstance(said, str):
        return _whole(profile, call, given, said)
    blocks = _blocks(profile, call.name.split("__")[1], items(said))
    return unread(given) if blocks is None else Answered(result=dumps({"content": blocks}))


def _refused(profile: Profile, given: Returned, said: JSON) -> Outcome:
    own = profile.lists["mcp.own"]
    if not isinstance(said, str) or said.startswith(own):
        return unread(given)
    said = said.partition(profile.literals["mcp.unloaded"].partition("{")[0])[0]
    block: dict[str, JSON] = {"type": "text", "text": said}
    return Answered(result=dumps({"content": [block], "isError": True}))


def _whole(profile: Profile, call: Called, given: Returned, said: str) -> Outcome:
    """A result that is one string: nothing, or structured content."""
    if said == profile.literals["mcp.empty"].replace("{tool}", call.name):
        return Answered(result='{"content":[]}')
    kept = mcplong.read(profile, call, said)
    if kept is not None:
        return kept
    try:
        value = loads(said)
    except ValueError:
        return unread(given)
    if dumps(value, number=javascript_number, order=javascript_order) != said:
        return unread(given)
    return Answered(result=dumps({"content": [], "structuredContent": value}))


def _blocks(profile: Profile, name: str, sent: Sequence[object]) -> list[JSON] | None:
    out: list[JSON] = []
    pictured = False
    for entry in sent:
        block = mapping(entry)
        if block.get("type") == "image":
            source = mapping(block.get("source"))
            kind, data = str(source.get("media_type")), str(source.get("data"))
            out.append({"type": "image", "mimeType": kind, "data": data})
        elif block.get("type") != "text" or not isinstance(block.get("text"), str):
            return None
        elif not (pictured and holes(profile.literals["mcp.image"], block["text"])):
            out.append(_block(profile, name, block["text"]))
        pictured = block.get("type") == "image"
    return out


def _block(profile: Profile, name: str, said: str) -> JSON:
    """A text block: the server's text, or what the client made of a resource."""
    found = holes(profile.literals["mcp.resource"], said)
    if found is not None and found["server"] == name:
        resource: dict[str, JSON] = {"uri": found["uri"], "text": found["text"]}
        return {"type": "resource", "resource": resource}
    link = profile.literals["mcp.link"]
    for template in (link + profile.literals["mcp.link.described"], link):
        linked = holes(template, said)
        if linked is not None and " " not in linked["uri"]:
            described: Mapping[str, JSON] = (
                {"description": linked["text"]} if "text" in linked else {}
            )
            return {
                "type": "resource_link",
                "uri": linked["uri"],
                "name": linked["name"],
                **described,
            }
    return {"type": "text", "text": said}
