"""Claude Code: one module a mechanism, each from (tree, facts, profile) to pieces."""

from inspector.clients.claude_code.client import ClaudeCode

CLIENT = ClaudeCode()
"""The client module of Claude Code."""

__all__ = ["CLIENT"]
