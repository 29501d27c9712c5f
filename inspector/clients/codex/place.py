"""What a result may be made from besides the turn, and how long it may be."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.clients.codex.config import Config
from inspector.clients.codex.mcp import Namespace
from inspector.profiles import Profile
from inspector.workspace import Tree


@dataclass(frozen=True, slots=True)
class Place:
    """What a result may be made from besides the turn."""

    config: Config
    tree: Tree
    spaces: Sequence[Namespace]
    profile: Profile
    shell: str = ""
    """The user's shell, a path."""

    @property
    def limit(self) -> int:
        """The most tokens of an output the client keeps."""
        chosen = self.config.get("tool_output_token_limit")
        return chosen if isinstance(chosen, int) else self.profile.limits["output.tokens"]

    @property
    def budget(self) -> int:
        """The most tokens of a result a request carries."""
        return self.limit * self.profile.limits["output.percent"] // 100
