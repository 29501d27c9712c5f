"""A snapshot holds what the client reads at start, filtered and without secrets."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from inspector import redact, snapshot
from inspector.clients import Client
from inspector.errors import NotKept
from inspector.profiles import Profile
from inspector.session import FileVersion, FolderVersion, Snapshot
from inspector.snapshot import RecordingTree, SnapshotTree
from inspector.snapshot.take import merged
from inspector.turns import Prompted, Turn
from inspector.workspace import Entry, EntryKind, Environment, Listing, World

KEY = "sk-ant-api03-" + "Ab1_" * 10


class Reader:
    """A client that reads some paths below its working directory at start."""

    id = "codex"

    def __init__(self, *names: str, fault: bool = False) -> None:
        self.names, self.fault = names, fault

    def axes(self, world: World) -> Mapping[str, str]:
        return {"entry": world.environment.client}

    def sanitise(self, path: str, data: bytes) -> bytes:
        return b"filtered" if path.endswith("config.toml") else data

    def begin(self, world: World, profile: Profile, earlier: object) -> object:
        assert (profile.client, earlier) == ("codex", None)
        for name in self.names:
            world.tree.read(f"{world.environment.cwd}/{name}")
        if self.fault:
            raise LookupError("no such literal")
        return None


def client(*names: str, fault: bool = False) -> Client:
    return cast("Client", cast("Any", Reader(*names, fault=fault)))


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    (tmp_path / "ws").mkdir()
    (tmp_path / "home").mkdir()
    return Environment(
        client="codex", version="0.171.0", argv=("exec", f"use {KEY}"), cwd=str(tmp_path / "ws"), date="2026-11-29",
        home=str(tmp_path / "home"), config_home=str(tmp_path / "home"),
    )  # fmt: skip


def test_what_was_looked_at_is_kept_and_nothing_else(environment: Environment) -> None:
    ws = Path(environment.cwd)
    for name in ("read", "config.toml", "unread", "auth.json"):
        (ws / name).write_text(f"{name} {KEY}")
    taken = snapshot.take(client("read", "config.toml", "none", "auth.json"), environment)
    assert taken.files == {
        f"{ws}/read": (FileVersion("", f"read {redact.stand_in(KEY)}".encode()),),
        f"{ws}/config.toml": (FileVersion("", b"filtered"),),
        f"{ws}/none": (FileVersion("", None),),
        f"{ws}/auth.json": (FileVersion("", None),),
    }
    assert KEY not in repr(taken)
    assert taken.environment.argv == ("exec", f"use {redact.stand_in(KEY)}")
    with pytest.raises(NotKept):
        SnapshotTree(taken).read(f"{ws}/unread")


def test_the_working_directory_and_the_configuration_home_are_listed(
    environment: Environment,
) -> None:
    (Path(environment.cwd) / "a").write_text("")
    taken = snapshot.take(client(), environment)
    assert taken.folders == {
        environment.cwd: (FolderVersion("", (Entry("a", EntryKind.FILE),)),),
        environment.home: (FolderVersion("", ()),),
    }


def test_listings_are_kept_without_secrets_and_servers_not_asked_are_named(
    environment: Environment,
) -> None:
    taken = snapshot.take(
        client(),
        environment,
        [
            Listing(server="a", tools=f'{{"tools":["{KEY}"]}}'),
            Listing(server="b", state="not-asked", reason="needs a login"),
        ],
    )
    assert taken.listings[0].tools == f'{{"tools":["{redact.stand_in(KEY)}"]}}'
    assert taken.notes == ("b: not-asked (needs a login)",)


def test_given_secrets_go(environment: Environment) -> None:
    (Path(environment.cwd) / "f").write_text("hunter2-hunter2")
    given = redact.NOTHING_GIVEN.more(["hunter2-hunter2"])
    taken = snapshot.take(client("f"), environment, given=given)
    assert taken.files[f"{environment.cwd}/f"] == (
        FileVersion("", redact.stand_in("hunter2-hunter2").encode()),
    )


def test_a_fault_of_the_client_model_is_noted_and_what_was_read_is_kept(
    environment: Environment,
) -> None:
    (Path(environment.cwd) / "f").write_text("x")
    taken = snapshot.take(client("f", fault=True), environment)
    assert taken.files == {f"{environment.cwd}/f": (FileVersion("", b"x"),)}
    assert taken.notes == ("reading as the client reads stopped: no such literal",)


def test_an_unknown_client_has_a_snapshot_of_its_environment(environment: Environment) -> None:
    taken = snapshot.take(None, environment)
    assert (taken.files, taken.folders, taken.environment.cwd) == ({}, {}, environment.cwd)


def test_files_over_the_budget_are_named_and_not_kept(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib

    monkeypatch.setattr(importlib.import_module("inspector.snapshot.take"), "BUDGET_BYTES", 10)
    for name in ("a", "b", "c"):
        (Path(environment.cwd) / name).write_text(name * 6)
    taken = snapshot.take(client("a", "b", "none", "c"), environment)
    assert sorted(taken.files) == [f"{environment.cwd}/a", f"{environment.cwd}/none"]
    assert taken.notes == (f"over 10 bytes: not kept: {environment.cwd}/b, {environment.cwd}/c",)


def test_what_is_seen_later_is_kept_once_and_in_the_order_of_time() -> None:
    early, late = "2026-11-29T10:00:00+00:00", "2026-11-29T11:00:00+00:00"
    environment = Environment(
        client="codex", version="1", cwd="/w", home="/h", config_home="/h", date="2026-11-29"
    )
    files: dict[str, tuple[FileVersion, ...]] = {
        "same": (FileVersion("", b"1"),), "changed": (FileVersion("", b"1"),),
        "same, known later": (FileVersion(late, b"1"),), "another, known later": (FileVersion(late, b"2"),),
    }  # fmt: skip
    held: dict[str, bytes | None] = {**dict.fromkeys(files, b"1"), "changed": b"2", "new": None}
    seen = RecordingTree(snapshot.DiskTree(), files=held)
    assert merged(Snapshot(environment, files), seen, early).files == {
        "same": (FileVersion("", b"1"),),
        "changed": (FileVersion("", b"1"), FileVersion(early, b"2")),
        "same, known later": (FileVersion(early, b"1"),),
        "another, known later": (FileVersion(early, b"1"), FileVersion(late, b"2")),
        "new": (FileVersion(early, None),),
    }


def test_files_that_a_prompt_names_are_kept(environment: Environment) -> None:
    class Mentioning(Reader):
        def step(self, _: object, turn: Turn, world: World) -> None:
            for event in turn.events:
                assert isinstance(event, Prompted)
                world.tree.read(f"{world.environment.cwd}/{event.text.partition('@')[2]}")
            raise LookupError("not all of it is a prompt")

    (Path(environment.cwd) / "f.txt").write_text("x")
    named = environment.model_copy(update={"argv": ("-p", "read @f.txt", "--model", "m")})
    taken = snapshot.take(cast("Client", cast("Any", Mentioning())), named)
    assert (taken.files, taken.notes) == (
        {f"{environment.cwd}/f.txt": (FileVersion("", b"x"),)},
        (),
    )


def test_which_mcp_servers_the_client_starts_is_kept_without_what_they_are_given(
    tmp_path: Path, environment: Environment
) -> None:
    from inspector import clients

    facts = {"client": "claude-code", "version": "2.1.332", "config_home": str(tmp_path / "c")}
    environment = environment.model_copy(update=facts)
    config = {"mcpServers": {"docs": {"command": "docs", "env": {"WORD": "hush-hush"}}}}
    (tmp_path / "ws" / ".mcp.json").write_text(json.dumps(config))
    model = clients.client("claude-code")
    taken = snapshot.take(model, environment)
    tree = SnapshotTree(taken, "")
    assert [server.name for server in model.servers(tree, environment)] == ["docs"]
    assert b"hush" not in (tree.read(f"{environment.cwd}/.mcp.json") or b"")


def test_what_is_left_out_is_kept_so_that_explain_can_say_why(
    tmp_path: Path, environment: Environment
) -> None:
    from inspector import clients

    facts = {"client": "claude-code", "version": "2.1.332", "config_home": str(tmp_path / "c")}
    off = {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}
    environment = environment.model_copy(update={**facts, "env": off})
    (tmp_path / "ws" / "CLAUDE.md").write_text("rules")
    tree = SnapshotTree(snapshot.take(clients.client("claude-code"), environment))
    assert tree.read(f"{environment.cwd}/CLAUDE.md") == b"rules"
