"""The index of auto-memory."""

from inspector.clients.claude_code.javascript import decode, trim
from inspector.clients.claude_code.phrase import computed, phrase
from inspector.clients.claude_code.rules import Memory
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import Tree


def index(profile: Profile, tree: Tree, folder: str) -> list[Memory]:
    """`MEMORY.md`, cut to its limits; none where there is none."""
    path = f"{folder}MEMORY.md"
    data = tree.read(path)
    if not data:
        return []
    body = trim(text(decode(data), Origin(Kind.FILE, path)))
    return [Memory(path, "auto", _cut(profile, body))] if body else []


def _cut(profile: Profile, body: Text) -> Text:
    every = body.split("\n")
    limit = profile.limits["automemory.lines"]
    if len(every) <= limit:
        return _shortened(profile, body)
    kept = body[: sum(len(line) + 1 for line in every[:limit]) - 1]
    return kept + phrase(
        profile,
        "automemory.cut",
        lines=computed(str(len(every)), "lines"),
        limit=computed(str(limit), "limit"),
        lost=computed(str(len(every) - limit), "lost"),
        next=computed(str(limit + 1), "next"),
        line=every[limit],
    )


def _shortened(profile: Profile, body: Text) -> Text:
    """Few lines, but long ones: the client cuts the characters and says so."""
    limit = profile.limits["automemory.chars"]
    if len(body) <= limit:
        return body
    line = str(body)[:limit].count("\n") + 1
    return body[:limit] + phrase(
        profile,
        "automemory.long",
        size=computed(_size(len(body)), "size"),
        limit=computed(_size(limit), "limit"),
        chars=computed(str(limit), "chars"),
        line=computed(str(line), "line"),
    )


def _size(units: int) -> str:
    return f"{units / 1024:.1f}KB"
