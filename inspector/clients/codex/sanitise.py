"""What a snapshot may keep of Codex's own configuration: the keys this model reads, no secrets."""

import hashlib
import tomllib
from collections.abc import Mapping
from typing import Any, cast

from inspector.clients.codex.catalog import FILE, reduced

_KEPT = frozenset({
    "model", "model_provider", "model_providers", "profile", "profiles", "sandbox_mode",
    "sandbox_workspace_write", "approval_policy", "openai_base_url", "model_reasoning_effort",
    "tool_output_token_limit", "compact_prompt", "instructions", "model_context_window",
    "model_reasoning_summary", "model_verbosity", "service_tier", "developer_instructions",
    "model_instructions_file", "project_doc_max_bytes", "project_doc_fallback_filenames",
    "project_root_markers", "projects", "skills", "features", "mcp_servers", "web_search",
    "include_permissions_instructions", "include_collaboration_mode_instructions",
    "include_environment_context", "approvals_reviewer", "analytics",
})  # fmt: skip
_PROVIDER = frozenset({"name", "base_url", "wire_api", "env_key", "requires_openai_auth"})
_SECRET = frozenset({"env", "http_headers", "bearer_token", "query_params"})


def sanitise(path: str, data: bytes) -> bytes:
    """The kept form of a file: `config.toml` cut down, credential files empty, others whole.

    A profile's own `NAME.config.toml` is configuration, too.
    """
    name = path.rpartition("/")[2]
    if name == "auth.json":
        return b""
    if name == FILE:
        return reduced(data)
    if name != "config.toml" and not name.endswith(".config.toml"):
        return data
    try:
        table = tomllib.loads(data.decode("utf-8", "replace"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return b""
    return _written(_kept(table)).encode()


def _kept(table: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: value for key, value in table.items() if key in _KEPT}
    for key in ("model_providers", "mcp_servers", "profiles"):
        inner = found.get(key)
        if isinstance(inner, dict):
            entries = cast("Mapping[str, Any]", inner)
            found[key] = {name: _entry(key, entry) for name, entry in entries.items()}
    return found


def _entry(key: str, entry: object) -> object:
    if not isinstance(entry, dict):
        return entry
    table = cast("Mapping[str, Any]", entry)
    if key == "profiles":
        return _kept(table)
    if key == "model_providers":
        return {name: value for name, value in table.items() if name in _PROVIDER}
    return {name: _digests(value) if name in _SECRET else value for name, value in table.items()}


def _digests(value: object) -> object:
    if isinstance(value, dict):
        return {k: _digests(v) for k, v in cast("Mapping[str, object]", value).items()}
    return "sha256:" + hashlib.sha256(str(value).encode()).hexdigest()


def _written(table: Mapping[str, Any]) -> str:
    """The table as TOML, every nested value inline."""
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _key(key: str) -> str:
    return _value(key)


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _string(value)
        case dict():
            table = cast("Mapping[str, object]", value)
            return "{" + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in table.items()) + "}"
        case list():
            return "[" + ", ".join(_value(item) for item in cast("list[object]", value)) + "]"
        case _:
            return str(value)


def _string(value: str) -> str:
    out = ""
    for char in value:
        if char in '"\\':
            out += "\\" + char
        elif char < " " or char == "\x7f":
            out += f"\\u{ord(char):04x}"
        else:
            out += char
    return f'"{out}"'
