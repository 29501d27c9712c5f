"""Which hosts are opened, and which of those left closed have the name of a model's host."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from inspector.errors import BadInput

HOSTS = ("api.anthropic.com", "api.openai.com", "chatgpt.com")
"""The default hosts of the clients' models."""

_LIKE = re.compile(
    r"anthropic|openai|chatgpt|claude|gpt|gemini|generativelanguage|aiplatform|bedrock|mistral"
    r"|deepseek|openrouter|litellm|(^|[.-])(llms?|models?|inference|ai|groq|together|cohere|x\.ai"
    r"|fireworks|moonshot|dashscope|genai|copilot|gateway)([.-]|$)",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"^(statsig|console|platform|auth|auth0|login|docs|status|support|cdn|files|downloads|mcp-proxy"
    r"|code|www|ab|telemetry|events|registry)\.|^(claude\.ai|claude\.com|openai\.com)$",
    re.IGNORECASE,
)
"""Hosts of the same companies where no model is."""


def chosen(names: Iterable[str]) -> tuple[str, ...]:
    """Hosts a user named, as they stand in a request: lower case, without scheme and port."""
    return tuple(dict.fromkeys(map(_host, names)))


def near(hosts: Iterable[str]) -> list[str]:
    """Of hosts that stayed closed, those with a name as a model's host has."""
    return sorted(host for host in hosts if _LIKE.search(host) and not _ASIDE.search(host))


def _host(name: str) -> str:
    try:
        parts = urlsplit(name if "://" in name else f"//{name}")
        host = parts.hostname
    except ValueError:
        host = None
    if not host or any(letter in host for letter in "*/ "):
        raise BadInput(f"--host {name}: no host name; give one like llm.example.com")
    return host
