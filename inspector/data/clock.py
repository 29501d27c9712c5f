"""The demo's MCP server: a clock that always shows the same time; standard library only."""

import json
import sys

TOOLS = [
    {
        "name": "now",
        "description": "The time at a harbour.",
        "inputSchema": {
            "type": "object",
            "properties": {"harbour": {"type": "string", "description": "its name"}},
            "required": ["harbour"],
        },
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "slack",
        "description": "Minutes of slack water, by height in metres.",
        "inputSchema": {
            "type": "object",
            "properties": {"height": {"type": "number", "default": 2.5}},
        },
    },
]


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "clock", "version": "1"},
            "instructions": "Times are local to the harbour.",
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        harbour = (params.get("arguments") or {}).get("harbour", "?")
        return {"content": [{"type": "text", "text": f"05:40 at {harbour}"}]}
    return {} if method == "ping" else None


for line in sys.stdin:
    message = json.loads(line) if line.strip() else {}
    if "id" not in message:
        continue
    result = answer(message.get("method"), message.get("params") or {})
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    reply |= (
        {"error": {"code": -32601, "message": "no such method"}}
        if result is None
        else {"result": result}
    )
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()
