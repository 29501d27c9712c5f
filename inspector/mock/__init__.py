"""Our own model server: answers from a script, on loopback only, without a key or a network."""

from inspector.mock.script import Fault, Reply, Script, ToolCall, script
from inspector.mock.server import Server, read_log, serve

__all__ = ["Fault", "Reply", "Script", "Server", "ToolCall", "read_log", "script", "serve"]
