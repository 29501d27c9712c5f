"""Output styles of the user's own."""

from dataclasses import dataclass

from inspector.clients.claude_code.frontmatter import document
from inspector.clients.claude_code.javascript import decode, trim
from inspector.clients.claude_code.settings import Settings
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import Environment, Tree


@dataclass(frozen=True, slots=True)
class Style:
    """An output style in use."""

    name: Text
    body: Text


def chosen(
    profile: Profile, tree: Tree, environment: Environment, settings: Settings
) -> Style | None:
    """The style the settings name; None for the default one."""
    name = settings.get("outputStyle")
    if not isinstance(name, str) or name in {"", "default"}:
        return None
    if name in profile.lists["styles"]:
        return Style(text(name, Origin(Kind.COMPUTED, "style")), profile.known(f"style.{name}"))
    for root in (f"{environment.cwd}/.claude", environment.config_home):
        for entry in tree.list(f"{root}/output-styles") or ():
            path = f"{root}/output-styles/{entry.name}"
            data = tree.read(path) if entry.name.endswith(".md") else None
            if data is None:
                continue
            origin = Origin(Kind.FILE, path)
            front = document(text(decode(data), origin))
            if name == str(front.values.get("name", entry.name.removesuffix(".md"))):
                return Style(text(name, origin), trim(front.body))
    return None
