"""Requests of both dialects, as clients send them, for the readers of formats."""

import json
from typing import Any

from inspector.formats import Item, Read, Skipped

CONVERSATION = "10bf0b80-4328-40bc-a113-13699ba0a85c"
KEY = "sk-ant-api03-" + "k" * 40
EVENTS = (
    'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","usage":'
    '{"input_tokens":7,"output_tokens":1}}}\n\n'
    'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"né 🎉"}}\n\n'
    'event: message_stop\ndata: {"type":"message_stop"}\n\n'
).encode()
AGENT = (
    ("User-Agent", "claude-cli/2.1.332 (external, sdk-cli)"),
    ("X-Claude-Code-Session-Id", CONVERSATION),
)


def spelled(value: object) -> bytes:
    """JSON as clients write it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def messages(*texts: str, conversation: str = CONVERSATION) -> bytes:
    """A Messages request with one user message a text."""
    user = {"device_id": "d", "account_uuid": "", "session_id": conversation}
    body: dict[str, Any] = {
        "model": "claude-opus-5-5",
        "messages": [{"role": "user", "content": text} for text in texts],
        "system": [
            {"type": "text", "text": "x-anthropic-billing-header: cc_version=2.1.332.9a2; cch=0;"}
        ],
        "tools": [],
        "metadata": {"user_id": spelled(user).decode()},
        "max_tokens": 1,
    }
    return spelled(body)


def responses(text: str, key: str = "thread-1") -> bytes:
    """A Responses request with one user message."""
    item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    told = {"x-codex-installation-id": "i"}
    body = {"model": "gpt-6.2-sol", "input": [item], "prompt_cache_key": key}
    return spelled({**body, "client_metadata": told})


def items(found: list[Read]) -> list[Item]:
    """What was read."""
    return [item for item in found if isinstance(item, Item)]


def skipped(found: list[Read]) -> list[str]:
    """Why the rest was not."""
    return [item.reason for item in found if isinstance(item, Skipped)]


def unseen(_: int) -> None:
    """Nobody watches."""
