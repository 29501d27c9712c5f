"""Where a request that came by base URL goes on to."""

from urllib.parse import urlsplit

ENDPOINTS = {"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com"}
"""Where a dialect is spoken by default."""

_OPENAI = ("responses", "chat/completions", "backend-api")


def dialect(path: str) -> str:
    """The dialect of a path below a base URL: OpenAI's clients ask for a few, all else is not."""
    return "openai" if any(f"/{word}" in path for word in _OPENAI) else "anthropic"


def joined(base: str, path: str) -> str:
    """A path below a base URL; a path that has the base's own path already keeps it once."""
    parts = urlsplit(base)
    prefix = parts.path.rstrip("/")
    if prefix and (path == prefix or path.startswith((f"{prefix}/", f"{prefix}?"))):
        prefix = ""
    return f"{parts.scheme}://{parts.netloc}{prefix}{path}"
