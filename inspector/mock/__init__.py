"""Our own model server: answers from a script, on loopback only, without a key or a network."""

from inspector.mock.checks import Check
from inspector.mock.desk import read_log
from inspector.mock.script import Fault, Reply, Script, ToolCall, script
from inspector.mock.server import Server, serve

__all__ = ["Check", "Fault", "Reply", "Script", "Server", "ToolCall", "read_log", "script", "serve"]
