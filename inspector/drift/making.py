"""The requests of one client version on a workspace, built with its profile."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from inspector import clients
from inspector.build import Conversation, build
from inspector.errors import BadInput, InspectorError, reason
from inspector.profiles import Profile, find, resolve
from inspector.text import Built
from inspector.turns import Called, Prompted, Replied, Returned, Turn, Turns
from inspector.workspace import World

HOSTS: Mapping[str, str | None] = {"default": None, "custom": "http://127.0.0.1"}
"""Where a client thinks its model is: its own host, or one that the user named."""


@dataclass(frozen=True, slots=True)
class Material:
    """What both versions are built from."""

    client: str
    turns: Turns
    world: Callable[[str], World]
    """The world at a moment."""
    words: Mapping[str, str]

    def at(self, version: str, host: str, moment: str = "") -> World:
        """The same world with another client version in it, on a host of `HOSTS`."""
        world = self.world(moment)
        base = HOSTS[host]
        if base is not None:
            base = world.environment.base_url or base
        route = "tls" if base is None else "base-url"
        changed = {"version": version, "base_url": base, "route": route}
        return replace(world, environment=world.environment.model_copy(update=changed))


def profile_of(material: Material, version: str, host: str) -> Profile:
    """The profile that stands for a version there."""
    axes = clients.client(material.client).axes(material.at(version, host))
    return resolve(find(material.client, version), axes)


def conversation(material: Material, version: str, host: str) -> list[Built]:
    """The requests that a version would send. Raises `BadInput` where it cannot be built."""
    client = clients.client(material.client)
    profile = profile_of(material, version, host)
    try:
        begun = Conversation.begin(
            client, material.at(version, host), profile, material.words, None
        )
        turns = material.turns.turns
        return list(build(begun, turns, lambda turn: material.at(version, host, turn.at)))
    except InspectorError:
        raise
    except Exception as error:
        raise BadInput(
            f"{material.client} {version}: its requests cannot be built here"
            f" ({reason(error)}); try another --turns"
        ) from error


def example(client: str) -> Turns:
    """A short conversation where none is known: a prompt, in Claude Code a command after it."""
    turns = [Turn(events=(Prompted(text="hello"),))]
    if client == "claude-code":
        call = Called(id="toolu_1", name="Bash", input='{"command":"ls"}')
        reply = Replied(id="msg_1", blocks=(call,))
        turns.append(Turn(events=(reply, Returned(call="toolu_1", text="README.md"))))
    return Turns(client=client, version="", turns=tuple(turns))
