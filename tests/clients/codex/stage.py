"""A small world on paper for the tests of the Codex client: files as a mapping, no disk."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.build import Conversation
from inspector.clients.codex import CLIENT
from inspector.clients.codex.config import Config, read
from inspector.clients.codex.thread import State
from inspector.profiles import Profile, find, resolve
from inspector.text import Built
from inspector.turns import Event, Prompted, Replied, Said, Turn
from inspector.workspace import Entry, EntryKind, Environment, Listing, World

HOME = "/home/ann"
WS = "/home/ann/ws"
CUSTOM = 'model_provider = "gateway"\nsandbox_mode = "danger-full-access"\n'


@dataclass(frozen=True, slots=True)
class Paper:
    """A tree of files given as text; folders follow from the paths, `/` at the end makes an empty one."""

    files: Mapping[str, str | bytes]

    def read(self, path: str) -> bytes | None:
        data = self.files.get(path)
        return data.encode() if isinstance(data, str) else data

    def list(self, path: str) -> tuple[Entry, ...] | None:
        below = [name[len(path) + 1 :] for name in self.files if name.startswith(f"{path}/")]
        if not below:
            return None
        found: dict[str, EntryKind] = {}
        for name in below:
            first, slash, _ = name.partition("/")
            if first:
                found[first] = EntryKind.DIRECTORY if slash else EntryKind.FILE
        return tuple(Entry(name, kind) for name, kind in found.items())


def world(
    files: Mapping[str, str | bytes] | None = None,
    *,
    config: str = CUSTOM,
    argv: tuple[str, ...] = ("exec", "hello"),
    cwd: str = WS,
    listings: tuple[Listing, ...] = (),
    date: str = "2026-11-29",
) -> World:
    """A world with these files and this configuration."""
    environment = Environment(
        client="codex",
        version="0.171.0",
        argv=argv,
        cwd=cwd,
        home=HOME,
        config_home=f"{HOME}/.codex",
        date=date,
    )
    tree = Paper({f"{HOME}/.codex/config.toml": config, **(files or {})})
    return World(tree, environment, listings)


def profile(of: World) -> Profile:
    """The profile for a world."""
    return resolve(find("codex", "0.171.0"), CLIENT.axes(of))


def configuration(of: World) -> Config:
    """The configuration of a world."""
    return read(of.tree, of.environment)


def begin(of: World, earlier: State | None = None) -> Conversation:
    """A process that starts in a world."""
    return Conversation.begin(CLIENT, of, profile(of), {}, earlier)


def first(of: World, prompt: str = "hello") -> Built:
    """The first request of a process in a world."""
    return begin(of).step(turn(Prompted(text=prompt)), of)


def turn(*events: Event) -> Turn:
    """A turn of these events."""
    return Turn(events=events)


def said(words: str) -> Replied:
    """A reply of words alone."""
    raw: dict[str, Any] = {
        "type": "message",
        "role": "assistant",
        "id": f"msg_{words}",
        "content": [{"type": "output_text", "text": words, "annotations": []}],
    }
    return Replied(blocks=(Said(text=words, raw=json.dumps(raw)),))


def items(built: Built) -> list[dict[str, Any]]:
    """The input items of a request."""
    found: list[dict[str, Any]] = json.loads(built.body)["input"]
    return found


def texts(item: dict[str, Any]) -> list[str]:
    """The texts of a message."""
    return [part["text"] for part in item["content"]]


def listing(server: str, *tools: dict[str, Any], instructions: str = "") -> Listing:
    """What a server said."""
    return Listing(
        server=server,
        initialize=json.dumps({"instructions": instructions}, ensure_ascii=False),
        tools=json.dumps({"tools": tools}, ensure_ascii=False),
    )


def skill(name: str, description: str, body: str = "BODY\n") -> str:
    """A SKILL.md."""
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}"
