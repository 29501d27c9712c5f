"""An MCP server of the probes and the demo: serves one JSON file; standard library only."""

import json
import sys
from pathlib import Path

SPEC = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))


def called(name, arguments):
    text = SPEC.get("result", "nothing")
    for hole, value in arguments.items():
        text = text.replace("{" + hole + "}", str(value))
    said = {"content": [{"type": "text", "text": text}]}
    if "log" in SPEC:
        line = {"tool": name, "arguments": json.dumps(arguments), "result": json.dumps(said)}
        with Path(SPEC["log"]).open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
    return said


def answer(method, params):
    if method == "initialize":
        told = {"instructions": SPEC["instructions"]} if "instructions" in SPEC else {}
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": SPEC.get("name", "probe"), "version": "1"},
            **told,
        }
    if method == "tools/list":
        return {"tools": SPEC.get("tools", [])}
    if method == "tools/call":
        return called(params.get("name"), params.get("arguments") or {})
    return {} if method == "ping" else None


for line in sys.stdin:
    message = json.loads(line) if line.strip() else {}
    if "id" not in message:
        continue
    result = answer(message.get("method"), message.get("params") or {})
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    missing = {"error": {"code": -32601, "message": "no such method"}}
    reply |= missing if result is None else {"result": result}
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()
