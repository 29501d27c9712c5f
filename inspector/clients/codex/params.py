"""Everything of a request that is no input item: members, client metadata, headers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from inspector.clients.codex.attribution import Source, attribution
from inspector.clients.codex.config import Config
from inspector.clients.codex.fill import computed, fact, fill, mask
from inspector.clients.codex.items import Counter
from inspector.clients.codex.paths import join
from inspector.jsontext import quote, serde
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Raw, Text, Value, encode, text
from inspector.text import join as joined
from inspector.workspace import Git, World


@dataclass(frozen=True, slots=True)
class Process:
    """What the members say of the running process."""

    config: Config
    counter: Counter
    history: str
    """`new` or `cold_resume`."""
    installation: Text
    schema: Raw | None
    """What the answer must look like."""
    workspaces: Text
    """What git says of the working directory, as JSON text; empty outside a repository."""
    base: Text
    """The base instructions, which older versions have as a member."""
    sources: tuple[Source, ...] = ()
    """MCP tools the thread has used."""
    kind: str = "turn"
    """What the request is for: `turn`, `prewarm` or `compaction`."""
    about: Text = EMPTY
    """Of a compaction: why and how, as JSON text."""


def installation(world: World, profile: Profile) -> Text:
    """The installation's id; a home without one gets it in the first run."""
    path = f"{world.environment.config_home}/installation_id"
    data = world.tree.read(path)
    if data is None:
        return mask(profile, "installation_id")
    return text(data.decode("utf-8", "replace").strip(), Origin(Kind.FILE, path))


def model(config: Config, profile: Profile) -> Text:
    """The model's name."""
    chosen = config.string("model")
    return profile.literal("model") if chosen is None else fact("model", chosen)


def workspaces(git: Git | None) -> Text:
    """The repository's root, remotes, commit, and whether anything in it changed."""
    if git is None:
        return EMPTY
    facts: dict[str, Value] = {}
    if git.remotes:
        facts["associated_remote_urls"] = {
            name: fact("git.remotes", url) for name, url in sorted(git.remotes.items())
        }
    if git.commit is not None:
        facts["latest_git_commit_hash"] = fact("git.commit", git.commit)
    facts["has_changes"] = bool(git.status)
    body = encode({git.root: facts}).body.decode("utf-8", "surrogatepass")
    return text(body, Origin(Kind.FACT, "git"))


@dataclass(frozen=True, slots=True)
class Frame:
    """What a request has on a WebSocket only."""

    previous: Text | None
    """The response it goes on from."""


def members(
    process: Process,
    items: list[Value],
    tools: list[Value] | None,
    profile: Profile,
    metadata: Value,
    frame: Frame | None = None,
) -> Value:
    """The whole request, members in wire order."""
    config = process.config
    made: dict[str, Callable[[], Value]] = {
        "type": lambda: profile.literal("frame.type"),
        "previous_response_id": lambda: None if frame is None else frame.previous,
        "generate": lambda: False if process.kind == "prewarm" else None,
        "model": lambda: model(config, profile),
        "instructions": lambda: process.base,
        "service_tier": lambda: _tier(config, profile),
        "input": lambda: items,
        "tools": lambda: tools,
        "reasoning": lambda: _reasoning(config, profile) or None,
        "prompt_cache_key": lambda: mask(profile, "thread_id"),
        "text": lambda: _text(config, process.schema, profile) or None,
        "client_metadata": lambda: metadata,
    }
    request: dict[str, Value] = {}
    for key in profile.lists["request" if frame is None else "request.frame"]:
        value = made[key]() if key in made else profile.params[key]
        if value is not None or key in profile.lists["request.null"]:
            request[key] = value
    return request


def _tier(config: Config, profile: Profile) -> Value:
    tier = config.string("service_tier")
    if tier == "fast":
        tier = "priority"
    offered = profile.lists["service_tiers"]
    return fact("config.service_tier", tier) if tier is not None and tier in offered else None


def effort(config: Config, profile: Profile) -> Text:
    """The reasoning effort: configured, else the catalog's; empty for a model outside it."""
    chosen = config.string("model_reasoning_effort")
    if chosen is not None:
        return fact("config.model_reasoning_effort", chosen)
    return profile.literal("effort") if "effort" in profile.literals else EMPTY


def _reasoning(config: Config, profile: Profile) -> dict[str, Value]:
    found: dict[str, Value] = {}
    chosen = effort(config, profile)
    if chosen:
        found["effort"] = chosen
    summary = config.string("model_reasoning_summary")
    if summary is not None and summary != "none":
        found["summary"] = fact("config.model_reasoning_summary", summary)
    elif summary is None and profile.switches["summary"] == "default":
        found["summary"] = profile.literal("summary")
    if "reasoning.context" in profile.literals:
        found["context"] = profile.literal("reasoning.context")
    return found


def _text(config: Config, schema: Raw | None, profile: Profile) -> dict[str, Value]:
    found: dict[str, Value] = {}
    chosen = config.string("model_verbosity")
    if "verbosity" in profile.literals:
        given = None if chosen is None else fact("config.model_verbosity", chosen)
        found["verbosity"] = given or profile.literal("verbosity")
    if schema is not None:
        found["format"] = {
            "type": "json_schema",
            "strict": True,
            "schema": schema,
            "name": profile.literal("schema.name"),
        }
    return found


def output_schema(world: World, config: Config) -> Raw | None:
    """The schema given with `--output-schema`, written again."""
    given = config.command.last("output_schema")
    path = join(config.cwd, given) if given is not None else ""
    data = world.tree.read(path) if path else None
    if data is None:
        return None
    try:
        return Raw(serde(data.decode("utf-8", "replace")), Origin(Kind.FILE, path))
    except ValueError:
        return None


def client_metadata(process: Process, profile: Profile, *, frame: bool) -> Value:
    """The string map whose key order is random on the wire."""
    warm = process.kind == "prewarm"
    made = {
        "x-codex-installation-id": process.installation,
        "session_id": mask(profile, "thread_id"),
        "thread_id": mask(profile, "thread_id"),
        "turn_id": EMPTY if warm else mask(profile, "turn_id", process.counter.tasks),
        "root_turn_id": EMPTY if warm else mask(profile, "turn_id", process.counter.tasks),
        "x-codex-window-id": window(process.counter, profile),
        "x-codex-turn-metadata": turn_metadata(process, profile),
        "mcp_attribution": _attribution(process, profile),
        "x-codex-ws-stream-request-start-ms": profile.mask("stream_started_at"),
        "guardian_credits_requested": profile.literal("guardian_credits_requested"),
    }
    for key in profile.lists["frame.headers"]:
        made[key] = profile.literal(f"frame.{key}")
    names = profile.lists["client_metadata"]
    names += profile.lists["frame.metadata"] + profile.lists["frame.headers"] if frame else ()
    # Before the first turn there is an id of it, with nothing in it (witness: websocket).
    return {key: made[key] for key in names if made[key] or (warm and key == "turn_id")}


def _attribution(process: Process, profile: Profile) -> Text:
    builtin = process.config.provider == "builtin"
    return attribution(process.sources, profile) if builtin else EMPTY


def window(counter: Counter, profile: Profile) -> Text:
    """The context window's id: the thread's and a number."""
    return mask(profile, "thread_id") + fill(
        profile.literal("window"), {"number": _number(counter)}
    )


def _number(counter: Counter) -> Text:
    return computed("window", str(counter.windows))


def turn_metadata(process: Process, profile: Profile) -> Text:
    """The JSON text that says which turn this is; the same in the body and in a header."""
    number = process.counter.tasks
    config = process.config
    strings = {
        "installation_id": process.installation,
        "session_id": mask(profile, "thread_id"),
        "thread_id": mask(profile, "thread_id"),
        "turn_id": mask(profile, "turn_id", number),
        "root_turn_id": mask(profile, "turn_id", number),
        "window_id": window(process.counter, profile),
        "context_window_id": mask(profile, "context_window_id", process.counter.windows),
        "history_initialization": text(process.history, Origin(Kind.COMPUTED, "history")),
        "sandbox_mode": fact("config.sandbox_mode", config.sandbox),
        "model": model(config, profile),
        "reasoning_effort": effort(config, profile),
    }
    plain = {
        "window_number": _number(process.counter),
        "turn_started_at_unix_ms": mask(profile, "turn_started_at", number),
        "workspaces": process.workspaces,
        "request_kind": profile.literal(f"turn_metadata.request_kind.{process.kind}"),
        "compaction": process.about,
        "auto_review_enabled": _flag("auto_review", on=config.reviewed),
        "analytics_enabled": _flag(
            "analytics", on=config.flag("analytics", "enabled", default=True)
        ),
    }
    if process.kind == "prewarm":
        strings.pop("turn_id")
        plain["turn_id"] = profile.literal("turn_metadata.no_turn")
    parts: list[Text] = []
    for key in profile.lists[f"turn_metadata.{process.kind}"]:
        quoted = strings.get(key)
        if quoted:
            parts.append(_pair(key, _quoted(quoted)))
        elif quoted is None:
            value = plain[key] if key in plain else profile.literal(f"turn_metadata.{key}")
            if value:
                parts.append(_pair(key, value))
    comma = text(",", Origin(Kind.LITERAL, "turn_metadata"))
    return (
        text("{", comma.pieces[0].origin) + joined(comma, parts) + text("}", comma.pieces[0].origin)
    )


def _flag(name: str, *, on: bool) -> Text:
    return computed(name, "true" if on else "false")


def _pair(key: str, value: Text) -> Text:
    return text(f'"{key}":', Origin(Kind.LITERAL, "turn_metadata")) + value


def _quoted(value: Text) -> Text:
    mark = text('"', Origin(Kind.LITERAL, "turn_metadata"))
    pieces = [replace(piece, text=quote(piece.text)[1:-1]) for piece in value.pieces]
    return mark + Text(pieces) + mark


def _hint(process: Process, profile: Profile) -> Text:
    name = model(process.config, profile)
    return fill(profile.literal("header.x-codex-routing-hint"), {"model": name})


def headers(
    process: Process, profile: Profile, names: Sequence[str]
) -> tuple[tuple[str, Text], ...]:
    """The headers this model makes, in wire order."""
    made = {
        "x-codex-window-id": window(process.counter, profile),
        "x-codex-turn-metadata": turn_metadata(process, profile),
        "x-client-request-id": mask(profile, "thread_id"),
        "session-id": mask(profile, "thread_id"),
        "session_id": mask(profile, "thread_id"),
        "thread-id": mask(profile, "thread_id"),
        "x-codex-routing-hint": _hint(process, profile),
    }
    return tuple((name, made.get(name) or profile.literal(f"header.{name}")) for name in names)
