"""Taking a snapshot: run the client's own start over the disk, and keep what it looked at.

Rule: whatever enters a snapshot passes `Keeper`: configuration loses all keys the client model
does not name, then secrets are replaced.
"""

import posixpath
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from inspector import profiles, redact
from inspector.clients import Client, State
from inspector.errors import reason
from inspector.session import FileVersion, FolderVersion, Snapshot
from inspector.snapshot.trees import DiskTree, KeepingTree, RecordingTree
from inspector.turns import Prompted, Turn
from inspector.workspace import Environment, Listing, Tree, World

BUDGET_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class Keeper:
    """What may be kept of a file."""

    client: Client | None
    given: redact.Given = redact.NOTHING_GIVEN

    def __call__(self, path: str, data: bytes) -> bytes:
        """The bytes to keep."""
        if self.client is not None:
            data = self.client.sanitise(path, data)
        return redact.data(data, self.given)[0]


def take(
    client: Client | None,
    environment: Environment,
    listings: Sequence[Listing] = (),
    *,
    given: redact.Given = redact.NOTHING_GIVEN,
    tree: Tree | None = None,
) -> Snapshot:
    """Keep what the client reads at start. A fault of the client model is noted, never raised."""
    recording = RecordingTree(KeepingTree(tree or DiskTree(), Keeper(client, given)))
    environment = _without_secrets(environment, given)
    listings = tuple(_listing(listing, given) for listing in listings)
    notes = [
        f"{item.server}: {item.state} ({item.reason})" for item in listings if item.state != "ready"
    ]
    if client is not None:
        notes.extend(_begin(client, World(recording, environment, listings)))
    files, dropped = _within(recording.files.items())
    if dropped:
        notes.append(f"over {BUDGET_BYTES} bytes: not kept: {', '.join(sorted(dropped))}")
    return Snapshot(
        environment=environment,
        files={path: (FileVersion("", data),) for path, data in files.items()},
        folders={
            path: (FolderVersion("", entries),) for path, entries in recording.folders.items()
        },
        listings=listings,
        notes=tuple(notes),
    )


def _begin(client: Client, world: World) -> list[str]:
    environment = world.environment
    try:
        found = profiles.find(environment.client, environment.version)
        profile = profiles.resolve(found, client.axes(world))
        state = client.begin(world, profile, None)
        _prompt(client, state, world)
    except Exception as error:  # noqa: BLE001 - a fault of the model must not stop the capture
        return [f"reading as the client reads stopped: {reason(error)}"]
    for path in (environment.cwd, environment.config_home):
        world.tree.list(posixpath.normpath(path))
    # No text of it enters a request; it tells which servers the client starts.
    with suppress(Exception):
        client.servers(world.tree, environment)
    # Nor of what is left out; without it `explain` could not say why.
    with suppress(Exception):
        client.missing(world, profile)
    return []


def _prompt(client: Client, state: State, world: World) -> None:
    """Look at what the prompts of the command line name (`@file`), as the first request will."""
    words = [word for word in world.environment.argv if not word.startswith("-")]
    events = tuple(Prompted(text=word) for word in words if "@" in word or "$" in word)
    if events:
        # A word that is no prompt may well be refused; what was looked at until then is kept.
        with suppress(Exception):
            client.step(state, Turn(events=events), world)


def _within(files: Iterable[tuple[str, bytes | None]]) -> tuple[dict[str, bytes | None], list[str]]:
    kept, dropped, size = dict[str, bytes | None](), list[str](), 0
    for path, data in files:
        size += len(data or b"")
        if size > BUDGET_BYTES and data:
            size -= len(data)
            dropped.append(path)
        else:
            kept[path] = data
    return kept, dropped


def _without_secrets(environment: Environment, given: redact.Given) -> Environment:
    return Environment.model_validate_json(
        redact.data(environment.model_dump_json().encode(), given)[0]
    )


def _listing(listing: Listing, given: redact.Given) -> Listing:
    return Listing.model_validate_json(redact.data(listing.model_dump_json().encode(), given)[0])


def merged(snapshot: Snapshot, recording: RecordingTree, at: str) -> Snapshot:
    """The snapshot with what a recording tree saw from `at` on, where that is news."""
    seen = Snapshot(
        snapshot.environment,
        {path: (FileVersion(at, data),) for path, data in recording.files.items()},
        {path: (FolderVersion(at, entries),) for path, entries in recording.folders.items()},
    )
    return snapshot.joined(seen)
