"""Tool results: what the client makes itself is rebuilt, what the world gave is taken as input."""

from inspector.clients.claude_code import (
    echo,
    mcplong,
    mcpprompts,
    mcpresult,
    readfile,
    search,
    searched,
    sentences,
    shell,
    unreached,
)
from inspector.clients.claude_code.message import Block, text_block
from inspector.clients.claude_code.phrase import adopted, phrase, reminder, template
from inspector.clients.claude_code.readlong import Counted
from inspector.clients.claude_code.resultblock import Around, Result, error, plain, success
from inspector.clients.claude_code.settings import absolute
from inspector.clients.claude_code.tools import Pool
from inspector.errors import NotKept
from inspector.jsontext import dumps, javascript_number, javascript_order, loads
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Raw, Text, Value, text
from inspector.turns import Answered, Called, Kept, Returned, Searched, Shelled, Told, Unread
from inspector.workspace import World

_LISTS = frozenset({"ListMcpResourcesTool"})
_FILES = frozenset({"Read", "Write", "Edit", "NotebookEdit"})


def result(
    profile: Profile, call: Called, outcome: Returned | None, world: World, around: Around
) -> Result:
    """The result of any tool but Skill."""
    searches = call.name == "ToolSearch" and profile.switches["search"] == "off"
    if not searches and not around.pool.has(call.name):
        name = _lacking(profile, call.name)
        said = phrase(profile, name, name=text(call.name, Origin(Kind.REPLY, call.id)))
        return Result(error(profile, call.id, said))
    here = around.here or world
    if call.name == "Read":
        return _read(profile, call, outcome, here, around.counted(call.id))
    listed = _listed(call, outcome, world) if call.name in _LISTS else None
    if listed is not None:
        return Result(success(call.id, listed))
    if call.name == "ToolSearch":
        return _search(profile, call, outcome, around.pool, world)
    if outcome is not None and isinstance(outcome.outcome, Shelled):
        return _shelled(profile, call, outcome.outcome, world, around)
    return _acted(profile, call, outcome, here, around)


def _lacking(profile: Profile, name: str) -> str:
    """Which sentence says that the session has no tool of a name (`tools_unknown`)."""
    own, lists = f"error.no_tool.{name}", profile.lists
    if own in profile.literals:
        return own
    if profile.values["search.aliases"].get(name, name) in lists["tools.resources"]:
        return "error.no_tool.absent"
    known = (*lists["tools"], *lists["tools.deferred"], *lists["tools.known"])
    return "error.no_tool.disabled" if name in known else "error.no_tool"


def _shelled(
    profile: Profile, call: Called, ended: Shelled, world: World, around: Around
) -> Result:
    said = shell.result(profile, world.environment, around.session, call, ended)
    failed = ended.code is not None
    made = error(profile, call.id, said) if failed else success(call.id, said, flagged=True)
    return Result(made)


def _listed(call: Called, outcome: Returned | None, world: World) -> Text | None:
    """The resources of all servers, or of one."""
    if outcome is not None and outcome.error:
        return None
    said = mcpprompts.resources(world.listings, echo.argument(call, "server"))
    return text(said, Origin(Kind.LISTING, "resources")) if said is not None else None


def _acted(
    profile: Profile, call: Called, outcome: Returned | None, world: World, around: Around
) -> Result:
    if call.name in _FILES:
        return Result(_told(profile, call, outcome, world), touched=_path(call, world))
    if outcome is not None and isinstance(outcome.outcome, Searched):
        return Result(_searched(profile, call, outcome, world, around))
    if call.name.startswith("mcp__"):
        return Result(_answered(profile, call, outcome, world, around))
    return Result(_told(profile, call, outcome, world))


def _searched(
    profile: Profile, call: Called, outcome: Returned, world: World, around: Around
) -> Block:
    made = outcome.outcome
    assert isinstance(made, Searched)
    if outcome.error:
        return error(profile, call.id, searched.refused(profile, call, made))
    said = searched.result(profile, world.environment, around.session, call, made)
    return success(call.id, said)


def file_of(call: Called, world: World) -> str:
    """The file a call is about; empty where it names none."""
    path = echo.arguments(call).get("file_path")
    if not isinstance(path, str):
        return ""
    # An empty one is the working directory (`results_errors`).
    return absolute(path, world.environment.cwd) if path else world.environment.cwd


def _path(call: Called, world: World) -> tuple[str, ...]:
    path = file_of(call, world)
    return (path,) if path else ()


def _read(
    profile: Profile,
    call: Called,
    outcome: Returned | None,
    world: World,
    tokens: Counted | None,
) -> Result:
    paths = _path(call, world)
    if not paths or (outcome is not None and isinstance(outcome.outcome, Told)):
        # What was not permitted is not looked at: no memory comes with it (`ordinary_linked`).
        begun = () if _is_told(outcome, "error.linked.read") else paths
        return Result(_told(profile, call, outcome, world), touched=begun)
    unknown = outcome is not None and isinstance(outcome.outcome, Unread)
    try:
        made = readfile.read(profile, world, paths[0], echo.arguments(call), tokens)
    except NotKept:
        return Result(not_kept(call, outcome), touched=paths)
    if made is None or (unknown and not made.error):
        return Result(_told(profile, call, outcome, world), touched=paths)
    if made.error and isinstance(made.content, Text):
        return Result(error(profile, call.id, made.content), touched=paths)
    said = (made.said,) if made.said is not None else ()
    return Result(success(call.id, made.content), touched=paths, said=said)


def _is_told(outcome: Returned | None, name: str) -> bool:
    told = outcome.outcome if outcome is not None else None
    return isinstance(told, Told) and told.name == name


def makes_read(profile: Profile, call: Called, world: World) -> bool:
    """Whether the result of a Read is made here, so that nobody need tell it."""
    paths = _path(call, world)
    try:
        return (
            bool(paths)
            and readfile.read(profile, world, paths[0], echo.arguments(call)) is not None
        )
    except NotKept:
        return False


def not_kept(call: Called, outcome: Returned | None) -> Block:
    """The result of reading a file whose bytes at that moment are not in the snapshot."""
    if outcome is None or (outcome.text is None and outcome.raw is None):
        return success(call.id, adopted("a file that is not in the snapshot"))
    return _given(call, outcome, Origin(Kind.FILE_NOT_KEPT, call.id))


def _given(call: Called, outcome: Returned, origin: Origin) -> Block:
    if outcome.raw is not None:
        content: Value = Raw(_rewritten(outcome.raw), origin)
    else:
        content = text(outcome.text or "", origin)
    return success(call.id, content)


def _told(profile: Profile, call: Called, outcome: Returned | None, world: World) -> Block:
    """One of the client's own sentences, or the words of a tool that acts on the world."""
    if outcome is None:
        return success(call.id, adopted(f"the result of {call.name} is unknown"))
    told = outcome.outcome
    if isinstance(told, Told):
        said = sentences.said(profile, told, call, world)
        made = error(profile, call.id, said) if outcome.error else success(call.id, said)
        return {**made, "is_error": False} if call.name == "Bash" and not outcome.error else made
    if told is None and call.name in profile.lists["results.world"]:
        return _given(call, outcome, Origin(Kind.OUTCOME, call.id))
    reason = adopted(f"a result of {call.name} in words that are not modelled")
    return error(profile, call.id, reason) if outcome.error else success(call.id, reason)


def _answered(
    profile: Profile, call: Called, outcome: Returned | None, world: World, around: Around
) -> Block:
    """What an MCP server answered, given as its own JSON-RPC result."""
    told = outcome.outcome if outcome is not None else None
    if isinstance(told, Kept):
        folder = shell.folder(profile, world.environment, around.session)
        return success(call.id, mcplong.shown(profile, call, told, folder))
    raw = told.result if isinstance(told, Answered) else outcome.raw if outcome else None
    value = loads(raw) if raw and (told is None or isinstance(told, Answered)) else None
    made = None
    if isinstance(value, dict):
        folder = shell.folder(profile, world.environment, around.session)
        tokens = around.counted(call.id)
        made = mcpresult.answer(profile, call, value, world.environment, folder, tokens)
    if made is None:
        unread = told if isinstance(told, Told) else Unread(raw="")
        return _told(
            profile, call, outcome and outcome.model_copy(update={"outcome": unread}), world
        )
    if made.error and isinstance(made.content, Text):
        said = made.content + _unloaded(profile, call, around)
        return error(profile, call.id, said)
    return success(call.id, made.content)


def _unloaded(profile: Profile, call: Called, around: Around) -> Text:
    """What the client adds to the error of a tool whose schema the model was not shown."""
    pool = around.pool
    tool = next((tool for tool in pool.servers if tool.name == call.name), None)
    if tool is None or tool.always or not pool.searching or call.name in around.loaded:
        return EMPTY
    if around.explained:
        return EMPTY
    name = text(call.name, Origin(Kind.REPLY, call.id))
    schema = text(tool.given.json, Origin(Kind.LISTING, f"{tool.server}/{tool.name}"))
    return template(profile, "mcp.unloaded", name=name, schema=schema)


def _search(
    profile: Profile, call: Called, outcome: Returned | None, pool: Pool, world: World
) -> Result:
    """What a search for tools found, and the tools it names that need none."""
    found = search.found(profile, pool, call)
    names, origin = found.names, Origin(Kind.COMPUTED, "search")
    if not found.known:
        names = _references(outcome)
        origin = Origin(Kind.ADOPTED, "a search by words whose ranking is not certain")
    says = found.at_hand and profile.switches["search.at_hand"] == "told"
    told = [text_block(_at_hand(profile, found.at_hand))] if says else []
    if not names:
        without = unreached.searched(profile, world)
        if without.again is not None:
            told.insert(0, text_block(reminder(profile, without.again)))
        return Result(plain(call.id, without.said), after=(tuple(told),) if told else ())
    content: list[Value] = [
        {"type": "tool_reference", "tool_name": text(name, origin)} for name in names
    ]
    if profile.switches["search"] == "off":
        # A model without references runs the search all the same: its result loses them.
        content[:], names = [text_block(phrase(profile, "search.removed"))], ()
    loaded = (text_block(phrase(profile, "search.loaded")),) if _loaded(profile) else ()
    after = (tuple(told),) if told else ()
    return Result(plain(call.id, content), beside=loaded, after=after, loaded=names)


def _loaded(profile: Profile) -> bool:
    """Whether the model is told in words that tools are loaded: some newest ones need none."""
    return profile.switches["search.loaded"] == "told" or profile.switches["context"] != "system"


def _at_hand(profile: Profile, names: tuple[str, ...]) -> Text:
    """The reminder that tools are there already."""
    listed = text(", ".join(names), Origin(Kind.COMPUTED, "tool"))
    few = len(names) == 1
    said = phrase(profile, "search.at_hand" if few else "search.at_hand.several", names=listed)
    return reminder(profile, said)


def _references(outcome: Returned | None) -> tuple[str, ...]:
    told = outcome.outcome if outcome is not None else None
    raw = told.raw if isinstance(told, Unread) else outcome.raw if outcome is not None else None
    value = loads(raw) if raw else None
    entries = value if isinstance(value, list) else []
    names = [entry.get("tool_name") for entry in entries if isinstance(entry, dict)]
    return tuple(name for name in names if isinstance(name, str))


def _rewritten(raw: str) -> str:
    return dumps(loads(raw), number=javascript_number, order=javascript_order)
