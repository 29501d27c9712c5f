"""Workspace files that the client reads otherwise than their author meant, each with the reason."""

from collections.abc import Iterator

from inspector.clients.claude_code import skills
from inspector.clients.claude_code.frontmatter import document
from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.settings import settings
from inspector.text import Kind, Origin, text
from inspector.workspace import World


def faults(world: World) -> Iterator[str]:
    """Skills and commands whose frontmatter is no YAML."""
    chosen = settings(world.tree, world.environment)
    for skill in skills.found(world.tree, world.environment, chosen):
        data = world.tree.read(skill.path)
        if data is None:
            continue
        front = document(text(decode(data), Origin(Kind.FILE, skill.path)))
        if front.problem:
            kept = "mended and read" if front.values else "left out"
            reason = f"its frontmatter is no YAML ({front.problem})"
            yield f"{skill.path}: {reason}; {kept} by the client"
