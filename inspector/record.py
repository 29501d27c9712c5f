"""Sessions, exchanges and snapshots as JSON values, for the store and for folders.

Law: `X_from(X_data(x)) == x`. Whatever is missing or of another type raises `ValueError`; callers
add which file it was.
"""

import base64
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields
from typing import Any, cast, get_args

import orjson

from inspector.session import (
    Exchange,
    ExchangeKind,
    FileVersion,
    FolderVersion,
    Headers,
    Session,
    Snapshot,
)
from inspector.workspace import Entry, EntryKind, Environment, Listing

_SURROGATE = re.compile("[\ud800-\udfff]")
type _Fields = dict[str, Any]
_SPOKEN: Mapping[type[object], str] = {
    dict: "an object",
    list: "a list",
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}
_BODIES = frozenset({"request", "request_wire", "response"})
_NAMES = {shape: tuple(item.name for item in fields(shape)) for shape in (Exchange, Session)}


def dump(value: object, *, indent: int | None = None) -> bytes:
    """JSON as UTF-8; lone surrogates (undecodable header and path bytes) as escapes."""
    if indent is None:
        with suppress(orjson.JSONEncodeError):  # it takes no lone surrogates
            return orjson.dumps(value)
    string = json.dumps(value, ensure_ascii=False, indent=indent)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", string).encode()


def exchange_data(exchange: Exchange) -> dict[str, Any]:
    """Everything but the bodies."""
    data = _plain(exchange, _BODIES)
    data["request_headers"] = [list(pair) for pair in exchange.request_headers]
    data["response_headers"] = [list(pair) for pair in exchange.response_headers]
    return data


def exchange_from(data: object, *, request: bytes, wire: bytes, response: bytes) -> Exchange:
    """The exchange with these bodies."""
    members = _members(data)
    values = _checked(Exchange, members, _BODIES | {"request_headers", "response_headers", "kind"})
    return Exchange(
        **values,
        request=request,
        request_wire=wire,
        response=response,
        request_headers=_headers(members.get("request_headers")),
        response_headers=_headers(members.get("response_headers", [])),
        kind=ExchangeKind(_string(members.get("kind", "aux"))),
    )


def session_data(session: Session) -> dict[str, Any]:
    """A session's own fields."""
    return _plain(session, frozenset())


def session_from(data: object) -> Session:
    """The session."""
    return Session(**_checked(Session, data, frozenset()))


def snapshot_data(snapshot: Snapshot) -> dict[str, Any]:
    """A snapshot: texts as text (a list of lines when there are several), other bytes as base64."""
    return {
        "environment": snapshot.environment.model_dump(mode="json", exclude_defaults=True),
        "files": {
            path: [_file_data(version) for version in versions]
            for path, versions in sorted(snapshot.files.items())
        },
        "folders": {
            path: [_folder_data(version) for version in versions]
            for path, versions in sorted(snapshot.folders.items())
        },
        "listings": [listing.model_dump(exclude_defaults=True) for listing in snapshot.listings],
        "notes": list(snapshot.notes),
    }


def snapshot_from(data: object) -> Snapshot:
    """The snapshot."""
    members = _members(data)
    return Snapshot(
        environment=Environment.model_validate(members.get("environment"), strict=False),
        files=_versions(members.get("files"), _file_from),
        folders=_versions(members.get("folders"), _folder_from),
        listings=tuple(
            Listing.model_validate(item) for item in _items(members.get("listings", []))
        ),
        notes=tuple(str(note) for note in _items(members.get("notes", []))),
    )


def _file_data(version: FileVersion) -> dict[str, Any]:
    data: dict[str, Any] = {"at": version.at} if version.at else {}
    if version.data is None:
        return data
    try:
        lines = version.data.decode().split("\n")
    except UnicodeDecodeError:
        return {**data, "base64": base64.b64encode(version.data).decode()}
    parts = [line + "\n" for line in lines[:-1]] + lines[-1:]
    kept = [part for part in parts if part]
    return {**data, "text": kept if len(kept) > 1 else "".join(kept)}


def _file_from(data: object) -> FileVersion:
    members = _members(data)
    at = _string(members.get("at", ""))
    if "base64" in members:
        return FileVersion(at, base64.b64decode(_string(members["base64"]), validate=True))
    if "text" not in members:
        return FileVersion(at, None)
    text = members["text"]
    lines = [text] if isinstance(text, str) else _items(text)
    return FileVersion(at, "".join(map(_string, lines)).encode())


def _folder_data(version: FolderVersion) -> dict[str, Any]:
    data: dict[str, Any] = {"at": version.at} if version.at else {}
    if version.entries is not None:
        data["entries"] = [_entry_data(entry) for entry in version.entries]
    return data


def _entry_data(entry: Entry) -> list[str | None]:
    plain: list[str | None] = [entry.name, entry.kind.value]
    return [*plain, entry.target, entry.links_to] if entry.kind is EntryKind.LINK else plain


def _folder_from(data: object) -> FolderVersion:
    members = _members(data)
    at = _string(members.get("at", ""))
    if "entries" not in members:
        return FolderVersion(at, None)
    return FolderVersion(at, tuple(_entry_from(item) for item in _items(members["entries"])))


def _entry_from(data: object) -> Entry:
    name, kind, *link = _items(data)
    target, links_to = link or (None, None)
    return Entry(
        _string(name),
        EntryKind(_string(kind)),
        None if target is None else _string(target),
        None if links_to is None else EntryKind(_string(links_to)),
    )


def _versions[Version](
    data: object, make: Callable[[object], Version]
) -> dict[str, tuple[Version, ...]]:
    return {
        path: tuple(make(item) for item in _items(items))
        for path, items in _members(data or {}).items()
    }


def _plain(value: Exchange | Session, leave_out: frozenset[str]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in _NAMES[type(value)] if name not in leave_out}


def _checked(shape: type[Exchange | Session], data: object, leave_out: frozenset[str]) -> _Fields:
    members, out = _members(data), dict[str, Any]()
    for item in fields(shape):
        if item.name in leave_out:
            continue
        if item.name not in members:
            if item.default is MISSING:
                raise ValueError(f"{item.name} is missing")
            continue
        value = members[item.name]
        if not isinstance(value, get_args(item.type) or cast("type", item.type)):
            raise _another(item.name, value)
        out[item.name] = value
    return out


def _headers(data: object) -> Headers:
    pairs = [_items(pair) for pair in _items(data)]
    return tuple((_string(name), _string(value)) for name, value in pairs)


def _members(data: object) -> Mapping[str, object]:
    if not isinstance(data, dict):
        raise _another("an object", data)
    return cast("dict[str, object]", data)


def _items(data: object) -> list[object]:
    if not isinstance(data, list):
        raise _another("a list", data)
    return cast("list[object]", data)


def _string(data: object) -> str:
    if not isinstance(data, str):
        raise _another("a string", data)
    return data


def _another(wanted: str, data: object) -> ValueError:
    return ValueError(
        f"{wanted} is wanted, {_SPOKEN.get(type(data), 'another value')} stands there"
    )
