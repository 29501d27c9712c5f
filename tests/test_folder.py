"""A recording as a folder: nothing lost, stable bytes, damage named."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector import folder
from inspector.errors import BadInput
from inspector.session import (
    Exchange,
    ExchangeKind,
    FileVersion,
    FolderVersion,
    Recording,
    Session,
    Snapshot,
)
from inspector.turns import (
    Called,
    Failed,
    Hooked,
    OtherBlock,
    Prompted,
    Replied,
    Returned,
    Said,
    ServerChanged,
    Thought,
    Turn,
    Turns,
)
from inspector.workspace import Entry, EntryKind, Environment, Git, Listing

TURNS = Turns(
    client="codex",
    version="0.171.0",
    turns=(
        Turn(
            at="2026-11-29T10:00:00.000+00:00", events=(Prompted(text="say hi\n\n  then  \nstop"),)
        ),
        Turn(
            events=(
                Replied(
                    id="msg_1",
                    blocks=(
                        Thought(text="hm", signature="c2ln"),
                        Said(text="two\nlines\n"),
                        Called(id="call_1", name="shell", input='{"a": 1.50}'),
                        OtherBlock(raw="{}"),
                    ),
                    stop="tool_use",
                    input_tokens=3,
                ),
                Returned(call="call_1", text="\ttab\r\nand \x1b[0m é 漢 \U0001f600", error=True),
                Hooked(event="Stop", output="0x1F"),
                ServerChanged(server="fx", state="ready"),
                Failed(status=529),
            )
        ),
    ),
)
SNAPSHOT = Snapshot(
    environment=Environment(
        client="codex",
        version="0.171.0",
        argv=("exec", "hi"),
        cwd="/ws",
        home="/h",
        config_home="/h/.codex",
        date="2026-11-29",
        env={"NO_COLOR": "1"},
        git=Git(root="/ws", head="ref: refs/heads/main", status=" M a\n"),
    ),
    files={
        "/ws/AGENTS.md": (
            FileVersion("", b"# Rules\r\n\nbe kind\n"),
            FileVersion("2026-11-29T10:00:01.000+00:00", b"one line"),
            FileVersion("2026-11-29T10:00:02.000+00:00", None),
        ),
        "/ws/empty": (FileVersion("", b""),),
        "/ws/image": (FileVersion("", b"\xff\x00\xfe"),),
        "/ws/odd\udcff": (FileVersion("", None),),
    },
    folders={
        "/ws": (
            FolderVersion(
                "",
                (
                    Entry("z", EntryKind.FILE),
                    Entry("a", EntryKind.LINK, "../x", EntryKind.DIRECTORY),
                    Entry("broken", EntryKind.LINK, "nowhere", None),
                ),
            ),
        ),
        "/none": (FolderVersion("", None),),
    },
    listings=(Listing(server="fx", scope="user", initialize='{"a":1.50}', tools='{"tools":[]}'),),
    notes=("login: not asked",),
)
EXCHANGE = Exchange(
    id="e1", session="s1", number=1, method="POST", url="https://api.example/v1/responses",
    request_headers=(("Host", "api.example"), ("x-odd", "\udce9")), request_wire=b"\x28\xb5\x2f\xfd", request=b'{"a":1}',
    request_sha256="0" * 64, wire_sha256="1" * 64, status=200, response_headers=(("content-type", "text/event-stream"),),
    response=b"data: x\n\n", started="2026-11-29T10:00:00.000+00:00", kind=ExchangeKind.MAIN,
)  # fmt: skip
RECORDING = Recording(
    Session(
        "s1",
        "codex",
        "0.171.0",
        "tls",
        "2026-11-29T10:00:00.000+00:00",
        conversation="c",
        exit_code=0,
    ),
    (
        EXCHANGE,
        replace(EXCHANGE, id="e2", number=2, request_wire=b'{"a":1}', response=b"", status=None),
    ),
    SNAPSHOT,
    TURNS,
)


def contents(path: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()
    }


def test_a_recording_comes_back_as_it_was_written(tmp_path: Path) -> None:
    folder.write(RECORDING, tmp_path / "r")
    assert folder.read(tmp_path / "r") == RECORDING


def test_a_recording_needs_neither_snapshot_nor_turns(tmp_path: Path) -> None:
    bare = Recording(RECORDING.session, ())
    folder.write(bare, tmp_path)
    assert folder.read(tmp_path) == bare


def test_equal_recordings_give_equal_bytes_and_take_the_place_of_older_ones(tmp_path: Path) -> None:
    folder.write(RECORDING, tmp_path / "a")
    folder.write(RECORDING, tmp_path / "b")
    folder.write(replace(RECORDING, exchanges=RECORDING.exchanges[:1], turns=None), tmp_path / "c")
    folder.write(RECORDING, tmp_path / "c")
    folder.write(replace(RECORDING, exchanges=RECORDING.exchanges[:1], turns=None), tmp_path / "d")
    assert contents(tmp_path / "a") == contents(tmp_path / "b") == contents(tmp_path / "c")
    folder.write(replace(RECORDING, exchanges=RECORDING.exchanges[:1], turns=None), tmp_path / "a")
    assert contents(tmp_path / "a") == contents(tmp_path / "d")


def test_files_read_well_in_a_review(tmp_path: Path) -> None:
    folder.write(RECORDING, tmp_path)
    snapshot = json.loads((tmp_path / "snapshot.json").read_bytes())
    assert snapshot["files"]["/ws/AGENTS.md"][0] == {"text": ["# Rules\r\n", "\n", "be kind\n"]}
    assert snapshot["files"]["/ws/image"] == [{"base64": "/wD+"}]
    assert "漢" in (tmp_path / "turns.yaml").read_text(encoding="utf-8")


def test_files_with_other_names_are_left_alone_and_not_read(tmp_path: Path) -> None:
    folder.write(RECORDING, tmp_path)
    (tmp_path / "gaps.yaml").write_text("- anything")
    (tmp_path / "exchanges" / "notes.json").write_text("no JSON")
    folder.write(RECORDING, tmp_path)
    assert folder.read(tmp_path) == RECORDING
    assert (tmp_path / "gaps.yaml").read_text() == "- anything"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("session.json", b"{"),
        ("session.json", b"[]"),
        ("session.json", b'{"id": 1}'),
        ("session.json", b'{"id": "s"}'),
        ("snapshot.json", b"\xff"),
        ("snapshot.json", b'{"files": {}}'),
        ("snapshot.json", b'{"environment": {}}'),
        ("turns.yaml", b"a: ["),
        ("turns.yaml", b"turns: 3"),
        ("exchanges/001.json", b'{"kind": "nonsense"}'),
        ("exchanges/001.json", b"null"),
        ("exchanges/001.request", None),
    ],
)
def test_a_damaged_file_is_named_in_one_line(
    tmp_path: Path, name: str, content: bytes | None
) -> None:
    folder.write(RECORDING, tmp_path)
    if content is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(BadInput) as raised:
        folder.read(tmp_path)
    assert str(raised.value).startswith(f"{tmp_path / name}: ")
    assert "\n" not in str(raised.value)


def test_a_folder_that_is_no_recording_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"session\.json: cannot be read"):
        folder.read(tmp_path)
    assert not folder.is_recording(tmp_path)


@settings(max_examples=300, deadline=None)
@given(texts=st.lists(st.text(), min_size=1, max_size=4))
def test_turns_hold_any_text(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    turns = Turns(
        client="c", version="v", turns=(Turn(events=tuple(Prompted(text=text) for text in texts)),)
    )
    path = tmp_path_factory.getbasetemp() / "turns.yaml"
    path.write_bytes(folder.turns_yaml(turns))
    assert folder.read_turns(path) == turns


@settings(max_examples=100, deadline=None)
@given(data=st.binary() | st.text().map(str.encode))
def test_snapshots_hold_any_bytes(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    snapshot = replace(SNAPSHOT, files={"/f": (FileVersion("", data),)})
    path = tmp_path_factory.getbasetemp() / "any"
    folder.write(replace(RECORDING, snapshot=snapshot, exchanges=()), path)
    assert folder.read(path).snapshot == snapshot
