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
        return body
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
