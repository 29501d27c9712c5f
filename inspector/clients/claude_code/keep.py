"""What a snapshot may keep of the client's own configuration."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from inspector.clients.claude_code import service
from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.options import SWITCHES
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.settings import KEYS, parsed

_CONFIG = ("userID", "skillUsage")
_ACCOUNT = ("accountUuid", "emailAddress")
_PROJECT = (
    "hasClaudeMdExternalIncludesApproved",
    "hasTrustDialogAccepted",
    "disabledMcpServers",
    "disabledMcpjsonServers",
    "enabledMcpjsonServers",
)
_SETTINGS = frozenset({"settings.json", "settings.local.json", "managed-settings.json"})
_SERVERS = frozenset({".mcp.json", "managed-mcp.json"})


def sanitise(path: str, data: bytes) -> bytes:
    """The file with only the keys this model reads; other files stay as they are."""
    name = path.rpartition("/")[2]
    if name == ".claude.json":
        return _written(_config(parsed(decode(data))))
    if name in _SETTINGS or path.rpartition("/")[0].endswith("/managed-settings.d"):
        return _written(_settings(parsed(decode(data))))
    if name in _SERVERS or _has_servers(name, data):
        return _written({"mcpServers": _servers(parsed(decode(data)))})
    return data


def _has_servers(name: str, data: bytes) -> bool:
    """A file given with `--mcp-config` may have any name."""
    return name.endswith(".json") and b'"mcpServers"' in data


def _settings(value: Mapping[str, Any]) -> dict[str, Any]:
    out = {key: item for key, item in value.items() if key in KEYS}
    given = mapping(out.pop("env", None))
    switches = {name: given[name] for name in SWITCHES if name in given}
    return {**out, "env": switches} if switches else out


def _config(value: Mapping[str, Any]) -> dict[str, Any]:
    out = {key: value[key] for key in _CONFIG if key in value}
    for name in service.KEPT:
        if name in value:
            kept = mapping(value[name])
            out[name] = {flag: kept[flag] for flag in service.FLAGS.values() if flag in kept}
    account = mapping(value.get("oauthAccount"))
    if account:
        out["oauthAccount"] = {key: account[key] for key in _ACCOUNT if key in account}
    if "mcpServers" in value:
        out["mcpServers"] = _servers(value)
    projects = mapping(value.get("projects"))
    if projects:
        out["projects"] = {path: _project(mapping(entry)) for path, entry in projects.items()}
    return out


def _project(entry: Mapping[str, Any]) -> dict[str, Any]:
    out = {key: entry[key] for key in _PROJECT if key in entry}
    if "mcpServers" in entry:
        out["mcpServers"] = _servers(entry)
    return out


def _servers(value: Mapping[str, Any]) -> dict[str, Any]:
    found = mapping(value.get("mcpServers"))
    return {name: _server(mapping(entry)) for name, entry in found.items()}


def _server(entry: Mapping[str, Any]) -> dict[str, Any]:
    out = dict(entry)
    for key in ("env", "headers"):
        if key in entry:
            given = mapping(entry[key])
            out[key] = {name: _digest(value) for name, value in given.items()}
    return out


def _digest(value: object) -> str:
    return "sha256:" + sha256(str(value).encode()).hexdigest()


def _written(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()
