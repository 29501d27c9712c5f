"""Prompt-cache stability: what an API's rules say of a conversation, and why it broke."""

from inspector.cache.causes import Cause
from inspector.cache.finding import Finding
from inspector.cache.report import Report, renamed, report
from inspector.cache.simulate import Sent, Turn, Usage

__all__ = ["Cause", "Finding", "Report", "Sent", "Turn", "Usage", "renamed", "report"]
