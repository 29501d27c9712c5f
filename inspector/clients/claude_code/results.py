"""Tool results: what the client makes itself is rebuilt, what the world gave is taken as input."""

from dataclasses import dataclass, field

from inspector.clients.claude_code import echo, mcpresult, readfile
from inspector.clients.claude_code.message import Block, text_block
from inspector.clients.claude_code.phrase import fact, phrase
from inspector.clients.claude_code.settings import absolute
from inspector.errors import NotKept
from inspector.jsontext import dumps, javascript_number, javascript_order, loads
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Raw, Text, Value, text
from inspector.turns import Called, Returned
from inspector.workspace import World

_FILES = frozenset({"Read", "Write", "Edit", "NotebookEdit"})


@dataclass(frozen=True, slots=True)
class Result:
    """One tool result, and what it brings along."""

    block: Block
    attached: tuple[tuple[Block, ...], ...] = ()
    """Files shown along with it; they come before `after`."""
    after: tuple[tuple[Block, ...], ...] = ()
    """User messages that follow it."""
    touched: tuple[str, ...] = ()
    """Files whose nested memory comes in."""
    loaded: tuple[str, ...] = ()
    """Deferred tools that were loaded."""
    effort: str | None = None
    rendered: dict[str, str] = field(default_factory=dict[str, str])
    """Skills now in the conversation, by name."""


def error(profile: Profile, call: str, said: Text) -> Block:
    """A result that is an error; its keys stand in an order of their own."""
    del profile
    return {
        "type": "tool_result",
        "content": said,
        "is_error": True,
        "tool_use_id": text(call, Origin(Kind.REPLY, "id")),
    }


def success(call: str, content: Value, *, flagged: bool = False) -> Block:
    """A result of a tool that worked; the shell's says so."""
    out: dict[str, Value] = {
        "tool_use_id": text(call, Origin(Kind.REPLY, "id")),
        "type": "tool_result",
        "content": content,
    }
    if flagged:
        out["is_error"] = False
    return out


def plain(call: str, content: Value) -> Block:
    """A result of Skill or ToolSearch, whose keys stand in another order."""
    return {
        "type": "tool_result",
        "tool_use_id": text(call, Origin(Kind.REPLY, "id")),
        "content": content,
    }


def result(
    profile: Profile, call: Called, outcome: Returned | None, world: World, known: bool
) -> Result:
    """The result of any tool but Skill."""
    if not known:
        own = f"error.no_tool.{call.name}"
        name = own if own in profile.literals else "error.no_tool"
        said = phrase(profile, name, name=text(call.name, Origin(Kind.REPLY, call.id)))
        return Result(error(profile, call.id, said))
    if call.name == "Read":
        return _read(profile, call, outcome, world)
    if call.name in _FILES:
        return Result(_told(profile, call, outcome, world), touched=_path(call, world))
    if call.name == "ToolSearch":
        return _search(profile, call, outcome)
    return Result(_told(profile, call, outcome, world))


def _path(call: Called, world: World) -> tuple[str, ...]:
    path = echo.argument(call, "file_path")
    return (absolute(path, world.environment.cwd),) if path else ()


def _read(profile: Profile, call: Called, outcome: Returned | None, world: World) -> Result:
    paths = _path(call, world)
    if not paths:
        return Result(_told(profile, call, outcome, world))
    if outcome is not None and outcome.error:
        own = _sentence(profile, call, outcome, world)
        if own is not None:
            return Result(error(profile, call.id, own), touched=paths)
    values = echo.arguments(call)
    try:
        made = readfile.read(profile, world, paths[0], values)
    except NotKept:
        return Result(_not_kept(profile, call, outcome), touched=paths)
    if made is None:
        return Result(_told(profile, call, outcome, world), touched=paths)
    if made.error and isinstance(made.content, Text):
        return Result(error(profile, call.id, made.content), touched=paths)
    return Result(success(call.id, made.content), touched=paths)


def _not_kept(profile: Profile, call: Called, outcome: Returned | None) -> Block:
    origin = Origin(Kind.FILE_NOT_KEPT, call.id)
    if outcome is None or (outcome.text is None and outcome.raw is None):
        origin = Origin(Kind.ADOPTED, f"result of {call.name}: not in the snapshot")
        return success(call.id, text("", origin))
    return _given(profile, call, outcome, origin)


def _given(profile: Profile, call: Called, outcome: Returned, origin: Origin) -> Block:
    if outcome.raw is not None:
        content: Value = Raw(_rewritten(outcome.raw), origin)
    else:
        content = text(outcome.text or "", origin)
    if outcome.error and isinstance(content, Text):
        return error(profile, call.id, content)
    return success(call.id, content, flagged=call.name == "Bash")


def _told(profile: Profile, call: Called, outcome: Returned | None, world: World) -> Block:
    """A result whose words are the world's, or one of the client's own sentences."""
    if outcome is None:
        return success(call.id, text("", Origin(Kind.ADOPTED, f"result of {call.name}: unknown")))
    if call.name.startswith("mcp__"):
        answered = _answered(profile, call, outcome)
        if answered is not None:
            return answered
    own = _sentence(profile, call, outcome, world)
    if own is not None:
        made = error(profile, call.id, own) if outcome.error else success(call.id, own)
        return {**made, "is_error": False} if call.name == "Bash" and not outcome.error else made
    client = (outcome.text or "").startswith("<tool_use_error>") or (
        outcome.error and call.name != "Bash" and not call.name.startswith("mcp__")
    )
    kind = Kind.ADOPTED if client or call.name in _FILES else Kind.OUTCOME
    return _given(profile, call, outcome, Origin(kind, call.id))


def _answered(profile: Profile, call: Called, outcome: Returned) -> Block | None:
    """A result given as the server's own JSON-RPC result (goldens); None for one given as sent."""
    value = loads(outcome.raw) if outcome.raw else None
    if not isinstance(value, dict):
        return None
    server = call.name.split("__")[1]
    made = mcpresult.answer(profile, server, call.name, value)
    if made is None:
        return success(call.id, text("", Origin(Kind.ADOPTED, f"result of {call.name}")))
    if made.error and isinstance(made.content, Text):
        return error(profile, call.id, made.content)
    return success(call.id, made.content)


def _sentence(profile: Profile, call: Called, outcome: Returned, world: World) -> Text | None:
    """The client's own sentence for this outcome; only which one it is comes from the outcome."""
    values = echo.arguments(call)
    holes = {
        name: text(value, Origin(Kind.REPLY, call.id))
        for name, value in values.items()
        if isinstance(value, str)
    }
    holes["cwd"] = fact("cwd", world.environment.cwd)
    holes["tool"] = text(call.name, Origin(Kind.REPLY, call.id))
    names = profile.lists["results.errors" if outcome.error else "results.successes"]
    for name in names:
        said = phrase(profile, name, **holes)
        if str(said) == outcome.text:
            return said
    return None


def _search(profile: Profile, call: Called, outcome: Returned | None) -> Result:
    """Which tools a search found is the client's own ranking; their names come from the outcome."""
    names = _references(outcome)
    if not names:
        said = phrase(profile, "search.nothing")
        return Result(plain(call.id, said))
    origin = Origin(Kind.OUTCOME, call.id)
    content: list[Value] = [
        {"type": "tool_reference", "tool_name": text(name, origin)} for name in names
    ]
    block = plain(call.id, content)
    after = ((text_block(phrase(profile, "search.loaded")),),)
    return Result(block, after=after, loaded=names)


def _references(outcome: Returned | None) -> tuple[str, ...]:
    value = loads(outcome.raw) if outcome is not None and outcome.raw else None
    entries = value if isinstance(value, list) else []
    names = [entry.get("tool_name") for entry in entries if isinstance(entry, dict)]
    return tuple(name for name in names if isinstance(name, str))


def _rewritten(raw: str) -> str:
    return dumps(loads(raw), number=javascript_number, order=javascript_order)
