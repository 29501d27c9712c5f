"""A workspace and a home on disk, and the requests built from them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspector import clients, profiles
from inspector.build import Conversation
from inspector.profiles import Profile
from inspector.snapshot import DiskTree
from inspector.text import Kind, Origin, Text, text
from inspector.turns import Called, Event, Prompted, Replied, Said, Turn
from inspector.workspace import Environment, Git, Listing, World

CLIENT = clients.client("claude-code")


@dataclass
class Place:
    """Files below a root: the workspace is `ws/`, the home `home/`."""

    root: Path
    argv: tuple[str, ...] = ("-p", "hello")
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    git: Git | None = None
    listings: tuple[Listing, ...] = ()
    version: str = "2.1.332"

    def write(self, files: Mapping[str, str | bytes]) -> "Place":
        """Put files there; the workspace and the home are made in any case."""
        for folder in ("ws", "home"):
            (self.root / folder).mkdir(exist_ok=True)
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return self

    @property
    def cwd(self) -> str:
        """The working directory."""
        return str(self.root / "ws")

    def environment(self) -> Environment:
        """The facts of the session."""
        return Environment(
            client="claude-code",
            version=self.version,
            argv=self.argv,
            cwd=self.cwd,
            home=str(self.root / "home"),
            config_home=str(self.root / "home/.claude"),
            date="2026-01-02",
            os_version="Linux 6.1.0",
            env=self.env,
            git=self.git,
            route="base-url",
            base_url="http://127.0.0.1:1",
        )

    def world(self) -> World:
        """What the client can read now."""
        return World(DiskTree(), self.environment(), self.listings)

    def profile(self) -> Profile:
        """The wire format for this session."""
        found = profiles.find("claude-code", self.version)
        return profiles.resolve(found, CLIENT.axes(self.world()))

    def begin(self, earlier: Any = None) -> Conversation:
        """The client, started."""
        return Conversation.begin(CLIENT, self.world(), self.profile(), {}, earlier)

    def body(self, conversation: Conversation, *events: Event) -> dict[str, Any]:
        """The next request."""
        built = conversation.step(Turn(events=events), self.world())
        body: dict[str, Any] = json.loads(built.body)
        return body

    def first(self, prompt: str = "hello") -> dict[str, Any]:
        """The request for a first prompt."""
        return self.body(self.begin(), Prompted(text=prompt))


def called(number: int, name: str, **values: object) -> Replied:
    """A reply with one call."""
    call = Called(id=f"toolu_{number}", name=name, input=json.dumps(values))
    return Replied(id=f"msg_{number}", blocks=(call,), stop="tool_use")


def said(number: int, words: str) -> Replied:
    """A reply of words."""
    return Replied(id=f"msg_{number}", blocks=(Said(text=words),), stop="end_turn")


def texts(message: Mapping[str, Any]) -> list[str]:
    """The texts of a message."""
    content = message["content"]
    if isinstance(content, str):
        return [content]
    return [block["text"] for block in content if block["type"] == "text"]


def mentioned(strings: Sequence[str], words: str) -> str:
    """The one text that holds some words."""
    found = [string for string in strings if words in string]
    assert len(found) == 1, found
    return found[0]


def literal(string: str) -> Text:
    """A text from a file."""
    return text(string, Origin(Kind.FILE, "/f"))
