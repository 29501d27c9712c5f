"""claude-tap's compact traces."""

import json
from pathlib import Path
from typing import Any

from inspector import formats
from tests.formats.requests import unseen

BODY = '{"model":"claude-x","max_tokens":9,"messages":[{"role":"user","content":"caf\u00e9 1e2"}],"tools":[{"name":"T"}]}'


def ref(name: str) -> dict[str, Any]:
    return {"__claude_tap_blob_ref__": {"version": 1, "kind": "json", "hash": name, "bytes": 9}}


def trace(*, lost: bool = False) -> bytes:
    """As `claude-tap export` writes one [claude-tap 0.1.146]."""
    request = {
        "method": "POST", "path": "/v1/messages", "headers": {"User-Agent": "claude-cli/2.1.332 (external, cli)"},
        "body": {"model": "claude-x", "max_tokens": 9, "messages": [ref("sha256:a")], "tools": ref("sha256:b")},
    }  # fmt: skip
    answer = {
        "status": 200,
        "headers": {"Content-Type": "text/event-stream"},
        "body": {"type": "message", "id": "m"},
    }
    record = {
        "timestamp": "2026-11-30T14:04:32.000000+00:00", "duration_ms": 1500, "request": request, "response": answer,
        "upstream_base_url": "https://api.anthropic.com",
    }  # fmt: skip
    blobs: dict[str, Any] = {
        "sha256:a": {"kind": "json", "payload": {"role": "user", "content": "café 1e2"}}
    }
    if not lost:
        blobs["sha256:b"] = {"kind": "json", "payload": [{"name": "T"}]}
    document = {
        "__claude_tap_compact_trace__": {"version": 1},
        "records": [{"record": record}],
        "blobs": blobs,
    }
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()


def test_a_trace_gives_its_requests_with_the_shared_values_in_place(tmp_path: Path) -> None:
    (tmp_path / "trace").write_bytes(trace())
    (item,) = formats.read(tmp_path / "trace", unseen)
    assert isinstance(item, formats.Item)
    assert item.request.data == BODY.encode()
    assert (item.method, item.url, item.status) == (
        "POST",
        "https://api.anthropic.com/v1/messages",
        200,
    )
    assert item.response.data == b'{"type":"message","id":"m"}'
    assert item.response_headers == (("content-type", "application/json"),)
    assert item.ended == "2026-11-30T14:04:33.500000+00:00"
    assert item.error.startswith("claude-tap wrote the body anew")


def test_a_record_whose_values_are_lost_is_named(tmp_path: Path) -> None:
    (tmp_path / "trace").write_bytes(trace(lost=True))
    (skipped,) = formats.read(tmp_path / "trace", unseen)
    assert isinstance(skipped, formats.Skipped)
    assert skipped.reason == "record 1: the value sha256:b is not in the trace"
