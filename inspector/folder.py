"""A recording as a folder that can be reviewed in git.

    session.json          the session
    snapshot.json         environment, files (texts as lines), folders, MCP listings
    turns.yaml            the turns, where they are given from outside
    exchanges/NNN.json    one exchange's facts and headers
    exchanges/NNN.request its decoded body; NNN.wire, where another was sent; NNN.response

Equal recordings give equal bytes. Files with other names are left alone and not read.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import yaml
from pydantic import ValidationError

from inspector import record
from inspector.errors import BadInput, yaml_reason
from inspector.jsontext import read as read_json
from inspector.session import Exchange, Recording, Snapshot
from inspector.turns import Event, Replied, ReplyBlock, Turn, Turns
from inspector.turns.check import is_json
from inspector.workspace import Environment, Listing

_NUMBERED = re.compile(r"\d{3,}\.json")
_ODD = re.compile("[^\t\n -~\u00a0-\u2027\u2030-\ud7ff\ue000-\ufefe\uff00-\ufffd]")
"""Characters that YAML folds, drops or refuses unless they are escaped."""
_PARTS = (".json", ".request", ".wire", ".response")


_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is no known key",
    "string_type": "is no text; quote it",
    "tuple_type": "is no list",
    "model_type": "is no mapping of keys to values",
    "dict_type": "is no mapping of keys to values",
    "union_tag_not_found": "`type` is missing",
    "union_tag_invalid": "{tag!r} is no known type; known are {expected_tags}",
}
"""What pydantic says, for people who write YAML."""


class _Dumper(yaml.SafeDumper):
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, indentless=False)


class _Loader(yaml.CSafeLoader):
    """Refuses a key that is there twice: YAML lets the last one win without a word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[tuple[str, str]] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if (key.tag, key.value) in seen:
                    problem = f"the key {key.value!r} is there twice"
                    raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
                seen.add((key.tag, key.value))
        return super().construct_mapping(node, deep)


def _yaml(path: Path) -> object:
    return yaml.load(_bytes(path), Loader=_Loader)  # noqa: S506 - a safe loader, and stricter


def _represent(_: yaml.SafeDumper, string: str) -> yaml.ScalarNode:
    style = "|" if "\n" in string.rstrip("\n") else None
    if _ODD.search(string):
        style = '"'
    return yaml.ScalarNode("tag:yaml.org,2002:str", string, style=style)


_Dumper.add_representer(str, _represent)


def write(recording: Recording, path: Path) -> None:
    """Write a recording, taking the place of one written there before."""
    exchanges = path / "exchanges"
    try:
        exchanges.mkdir(parents=True, exist_ok=True)
        _clear(path)
        _json(path / "session.json", record.session_data(recording.session))
        if recording.snapshot is not None:
            _json(path / "snapshot.json", record.snapshot_data(recording.snapshot))
        if recording.turns is not None:
            (path / "turns.yaml").write_bytes(turns_yaml(recording.turns))
        for exchange in recording.exchanges:
            _write_exchange(exchange, exchanges)
    except OSError as error:
        raise BadInput(
            f"{path}: cannot be written ({error.strerror}); give another folder"
        ) from error


def read(path: Path) -> Recording:
    """Read a recording. Raises `BadInput` naming the file that is missing or damaged."""
    session = _value(path / "session.json", record.session_from)
    snapshot = path / "snapshot.json"
    turns = path / "turns.yaml"
    return Recording(
        session,
        tuple(_read_exchange(file) for file in _numbered(path / "exchanges")),
        _value(snapshot, _snapshot) if snapshot.exists() else None,
        read_turns(turns) if turns.exists() else None,
    )


def _snapshot(data: object) -> Snapshot:
    found = record.snapshot_from(data)
    _checked(found.listings)
    return found


def is_recording(path: Path) -> bool:
    """Whether a folder looks like a recording."""
    return (path / "session.json").is_file()


def turns_yaml(turns: Turns) -> bytes:
    """A turns file: defaults left out, long texts as blocks."""
    whole = {
        "schema_version": turns.schema_version,
        "client": turns.client,
        "version": turns.version,
        **_held(turns),
        "turns": [
            {
                **({"at": turn.at} if turn.at else {}),
                **_held(turn),
                "events": [_typed(event) for event in turn.events],
            }
            for turn in turns.turns
        ],
    }
    string: str = yaml.dump(  # pyright: ignore[reportUnknownMemberType]
        whole, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=2**31 - 1
    )
    return string.encode()


def _held(where: Turn | Turns) -> dict[str, Any]:
    """What changed in the workspace, where something did."""
    return where.model_dump(mode="json", include={"files", "folders"}, exclude_defaults=True)


def read_turns(path: Path) -> Turns:
    """A turns file, YAML or JSON. Raises `BadInput`."""
    try:
        data = _yaml(path)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: no YAML ({_line(error)}); mend it") from error
    try:
        return Turns.model_validate(data, strict=False)
    except ValueError as error:
        raise BadInput(f"{path}: no turns file ({_line(error)}); see `inspector turns`") from error


def facts_yaml(snapshot: Snapshot) -> bytes:
    """What `build` cannot find in the workspace: the environment and the MCP listings."""
    facts: dict[str, Any] = {
        **snapshot.environment.model_dump(mode="json", exclude_defaults=True),
        "listings": [item.model_dump(exclude_defaults=True) for item in snapshot.listings],
    }
    string: str = yaml.dump(  # pyright: ignore[reportUnknownMemberType]
        facts, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=2**31 - 1
    )
    return string.encode()


def listings_yaml(listings: tuple[Listing, ...]) -> bytes:
    """MCP listings alone, as `facts_yaml` has them."""
    facts = {"listings": [item.model_dump(exclude_defaults=True) for item in listings]}
    string: str = yaml.dump(  # pyright: ignore[reportUnknownMemberType]
        facts, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=2**31 - 1
    )
    return string.encode()


def read_listings(path: Path) -> tuple[Listing, ...]:
    """A file `listings_yaml` wrote. Raises `BadInput`."""
    try:
        loaded: object = _yaml(path) or {}
        if not isinstance(loaded, dict) or "listings" not in loaded:
            raise BadInput(f"{path}: it has no `listings`; see `inspector mcp snapshot`")
        return _listings(cast("dict[str, Any]", loaded)["listings"])
    except (yaml.YAMLError, TypeError, ValueError) as error:
        raise BadInput(
            f"{path}: no listings file ({_line(error)}); see `inspector mcp snapshot`"
        ) from error


def read_facts(path: Path, client: str, version: str) -> tuple[Environment, tuple[Listing, ...]]:
    """A file `facts_yaml` wrote, or one by hand. Raises `BadInput`."""
    try:
        loaded: object = _yaml(path) or {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: no YAML ({_line(error)}); mend it") from error
    if not isinstance(loaded, dict):
        raise BadInput(f"{path}: no environment file; see `inspector turns --environment`")
    values: dict[str, Any] = {
        "client": client,
        "version": version,
        **cast("dict[str, Any]", loaded),
    }
    listings: list[Any] = values.pop("listings", None) or []
    try:
        return (
            Environment.model_validate(values, strict=False),
            _listings(listings),
        )
    except (TypeError, ValueError) as error:
        raise BadInput(
            f"{path}: no environment file ({_line(error)}); see `inspector turns --environment`"
        ) from error


def _listings(data: Any) -> tuple[Listing, ...]:  # noqa: ANN401 - as YAML gave it
    return _checked(tuple(Listing.model_validate(item) for item in data))


def _checked(listings: tuple[Listing, ...]) -> tuple[Listing, ...]:
    """The same listings. Raises `ValueError` where one of their texts is no JSON."""
    for number, listing in enumerate(listings):
        for name in ("initialize", "tools", "prompts", "resources", "templates"):
            spelled: str | None = getattr(listing, name)
            if spelled is not None and not is_json(spelled):
                raise ValueError(f"listings.{number}.{name}: no JSON")
    return listings


def _typed(event: Event | ReplyBlock) -> dict[str, Any]:
    data = {"type": event.type, **event.model_dump(mode="json", exclude_defaults=True)}
    if isinstance(event, Replied) and event.blocks:
        data["blocks"] = [_typed(block) for block in event.blocks]
    return data


def _write_exchange(exchange: Exchange, folder: Path) -> None:
    stem = folder / f"{exchange.number:03d}"
    _json(stem.with_suffix(".json"), record.exchange_data(exchange))
    stem.with_suffix(".request").write_bytes(exchange.request)
    if exchange.request_wire != exchange.request:
        stem.with_suffix(".wire").write_bytes(exchange.request_wire)
    if exchange.response:
        stem.with_suffix(".response").write_bytes(exchange.response)


def _read_exchange(file: Path) -> Exchange:
    request = _bytes(file.with_suffix(".request"))
    wire, response = file.with_suffix(".wire"), file.with_suffix(".response")
    sent = _bytes(wire) if wire.exists() else request
    answer = _bytes(response) if response.exists() else b""
    return _value(
        file, lambda data: record.exchange_from(data, request=request, wire=sent, response=answer)
    )


def _clear(path: Path) -> None:
    for name in ("session.json", "snapshot.json", "turns.yaml"):
        (path / name).unlink(missing_ok=True)
    for file in _numbered(path / "exchanges"):
        for part in _PARTS:
            file.with_suffix(part).unlink(missing_ok=True)


def _numbered(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    found = [file for file in folder.iterdir() if _NUMBERED.fullmatch(file.name)]
    return sorted(found, key=lambda file: int(file.stem))


def _json(path: Path, value: object) -> None:
    path.write_bytes(record.dump(value, indent=1) + b"\n")


def _value[Value](path: Path, make: Callable[[Any], Value]) -> Value:
    try:
        return make(read_json(_bytes(path)))
    except ValueError as error:
        raise BadInput(f"{path}: damaged ({_line(error)}); record it again") from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(
            f"{path}: cannot be read ({error.strerror}); is this a recording's folder?"
        ) from error


def _line(error: Exception) -> str:
    """What does not fit, in one line: where it stands, and what is wrong there."""
    if isinstance(error, yaml.YAMLError):
        return yaml_reason(error)
    if not isinstance(error, ValidationError):
        return " ".join(str(error).split())[:200]
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    told = _WORDS.get(first["type"], first["msg"]).format_map(first.get("ctx", {}))[:200]
    return f"{where}: {told}" if where else told
