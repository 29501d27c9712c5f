"""`--with`, `--without` and `--set` as a change of the world."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from posixpath import join, normpath
from typing import TYPE_CHECKING

from inspector.cli.options import say
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.explain import Item
    from inspector.workspace import World


def change(
    world: "World",
    items: "Sequence[Item]",
    added: Sequence[str],
    gone: Sequence[str],
    given: Sequence[str],
    version: str | None = None,
) -> "Callable[[World], World]":
    """What makes another world of one. Raises `BadInput` for what names nothing."""
    from inspector import clients, profiles
    from inspector.explain import Change

    cwd = world.environment.cwd
    paths: set[str] = set()
    servers: set[str] = set()
    for what in gone:
        found, named = _meant(items, cwd, what)
        paths |= found
        servers |= named
    files = dict(_file(cwd, entry) for entry in added)
    pairs = [_setting(entry) for entry in given]
    made = Change(files, frozenset(paths), frozenset(servers))
    client = clients.client(world.environment.client)

    if version and not (known := profiles.find(world.environment.client, version)).exact:
        say(profiles.unknown(world.environment.client, version, known.version))

    def otherwise(world: "World") -> "World":
        world = made.of(world)
        if version:
            there = world.environment.model_copy(update={"version": version})
            world = replace(world, environment=there)
        for key, value in pairs:
            world = client.setting(world, key, value)
        return world

    return otherwise


def _file(cwd: str, entry: str) -> tuple[str, bytes]:
    """A file's place in the world and its bytes; `PLACE` alone is a file of the disk."""
    place, _, file = entry.partition("=")
    path = Path(file or place)
    if not path.is_file():
        raise BadInput(f"--with {entry}: no file {path}; give PLACE=FILE")
    return normpath(join(cwd, place)), path.read_bytes()


def _meant(items: "Sequence[Item]", cwd: str, what: str) -> tuple[set[str], set[str]]:
    """Paths and servers that a word means: an item, or else a file or folder."""
    from inspector.explain import chosen

    found = chosen(items, what)
    servers = {item.name for item in found if item.kind == "server"}
    if any(item.kind == "tool" for item in found):
        raise BadInput(f"--without {what}: a tool; name its server")
    paths = {item.path for item in found if item.path.startswith("/")}
    whole = normpath(join(cwd, what))
    if not found and not any(item.path.startswith(f"{whole}/") for item in items):
        raise BadInput(f"--without {what}: nothing of that name; see `inspector explain`")
    return paths or ({whole} if not servers else set()), servers


def _setting(entry: str) -> tuple[str, str]:
    key, sign, value = entry.partition("=")
    if not sign or not all(key.split(".")):
        raise BadInput(f"--set {entry}: give KEY=VALUE")
    return key, value
