"""JSON pointers (RFC 6901)."""


def escape(token: str) -> str:
    """One pointer token with `~` and `/` escaped."""
    return token.replace("~", "~0").replace("/", "~1")


def pointer(*steps: str | int) -> str:
    """The pointer made of member names and item numbers."""
    return "".join(f"/{escape(str(step))}" for step in steps)


def tokens(path: str) -> list[str]:
    """The unescaped tokens of a pointer."""
    if not path:
        return []
    if not path.startswith("/"):
        raise ValueError(f"not a JSON pointer: {path!r}")
    return [token.replace("~1", "/").replace("~0", "~") for token in path[1:].split("/")]
