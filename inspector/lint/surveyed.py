"""What rules look at: the workspace, what landed of it, what did not and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspector.clients import Client, Missing
from inspector.errors import NotKept
from inspector.explain import Item
from inspector.profiles import Profile
from inspector.workspace import World, files_below


@dataclass(frozen=True, slots=True)
class Surveyed:
    """One client's view of one workspace, at start."""

    client: Client
    profile: Profile
    world: World
    items: Sequence[Item]
    missing: Sequence[Missing]

    @property
    def folders(self) -> tuple[str, ...]:
        """Where files of the user's own stand."""
        here = self.world.environment
        return here.cwd, here.config_home, here.home

    def text(self, path: str) -> str:
        """A file's text; empty where there is none."""
        try:
            data = self.world.tree.read(path)
        except NotKept:
            data = None
        return (data or b"").decode("utf-8", "replace")

    def line(self, path: str, needle: str) -> int | None:
        """The first line of a file that holds a text."""
        lines = enumerate(self.text(path).splitlines(), start=1)
        return next((number for number, text in lines if needle and needle in text), None)

    def files(self) -> Sequence[str] | None:
        """The files below the working directory; None where there are too many to look at."""
        return files_below(self.world.tree, self.world.environment.cwd)

    def memory(self) -> Mapping[str, str]:
        """The texts of the rules that landed, by path."""
        rules = [item for item in self.items if item.kind in {"rule", "file"} and item.landed]
        return {item.path: self.text(item.path) for item in rules if item.path.startswith("/")}
