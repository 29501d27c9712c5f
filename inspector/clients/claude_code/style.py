"""Output styles of the user's own."""

from dataclasses import dataclass

from inspector.clients.claude_code.frontmatter import document
from inspector.clients.claude_code.javascript import decode, trim
from inspector.clients.claude_code.settings import Settings
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import Environment, Tree

_KEEPS = "keep-coding-instructions"


@dataclass(frozen=True, slots=True)
class Style:
    """An output style in use."""

    name: Text
    body: Text
    coding: bool = True
    """Whether the client's own instructions for coding stay."""
    shipped: bool = False
    """Whether the client brought it along."""


def chosen(
    profile: Profile, tree: Tree, environment: Environment, settings: Settings
) -> Style | None:
    """The style the settings name; None for the default one."""
    name = settings.get("outputStyle")
    if not isinstance(name, str) or name in {"", "default"}:
        return None
    if name in profile.lists["styles"]:
        said = text(name, Origin(Kind.COMPUTED, "style"))
        return Style(said, profile.known(f"style.{name}"), shipped=True)
    for root in (f"{environment.cwd}/.claude", environment.config_home):
        for entry in tree.list(f"{root}/output-styles") or ():
            path = f"{root}/output-styles/{entry.name}"
            data = tree.read(path) if entry.name.endswith(".md") else None
            if data is None:
                continue
            origin = Origin(Kind.FILE, path)
            front = document(text(decode(data), origin))
            if name == str(front.values.get("name", entry.name.removesuffix(".md"))):
                coding = front.values.get(_KEEPS) in {True, "true"}
                return Style(text(name, origin), trim(front.body), coding)
    return None
