"""Claude Code's raw-body exports, laid out as 2.1.332 writes them."""

import json
from pathlib import Path

import pytest

from inspector import formats
from inspector.formats import export
from inspector.formats.export import without_betas
from tests.formats.requests import CONVERSATION, items, messages, skipped, spelled, unseen

BETAS = ["claude-code-20250219", "effort-2025-11-24"]
REPLY = spelled({"id": "msg_1", "type": "message", "content": [], "usage": {"input_tokens": 1}})


def exported(body: bytes) -> bytes:
    """A body as the export writes it: one more member, in the middle."""
    return body.replace(b',"metadata":', b',"betas":' + spelled(BETAS) + b',"metadata":', 1)


def write(folder: Path, name: str, body: bytes, reply: bytes | None = REPLY) -> bytes:
    """The files of one exchange; its line in the index."""
    (folder / f"{name}.request.json").write_bytes(exported(body))
    row = {"timestamp": "2026-01-02T03:04:05.678Z", "session_id": CONVERSATION}
    row["request_file"] = f"{name}.request.json"
    if reply is not None:
        (folder / f"{name}.response.json").write_bytes(reply)
        row["response_file"] = f"{name}.response.json"
    return spelled(row) + b"\n"


def test_bodies_come_in_the_order_of_the_index_without_the_added_member(tmp_path: Path) -> None:
    bodies = [
        messages("é", "\ud83c\udf89".encode("utf-16", "surrogatepass").decode("utf-16")),
        messages("b"),
    ]
    lines = [write(tmp_path, "zz", bodies[0]), write(tmp_path, "aa", bodies[1])]
    (tmp_path / "index.jsonl").write_bytes(b"".join(lines))
    found = items(list(formats.read(tmp_path, unseen)))
    assert [item.request.data for item in found] == bodies
    assert [item.response.data for item in found] == [REPLY, REPLY]
    assert {item.request_headers for item in found} == {(("anthropic-beta", ",".join(BETAS)),)}
    assert {(item.route, item.conversation, item.status) for item in found} == {
        ("raw-export", CONVERSATION, 200)
    }
    assert found[0].ended == "2026-01-02T03:04:05.678+00:00"


def test_what_the_index_does_not_name_or_names_in_vain_is_not_lost_silently(tmp_path: Path) -> None:
    line = write(tmp_path, "named", messages("a"))
    write(tmp_path, "unnamed", messages("b"), None)
    lost = spelled({"request_file": "lost.request.json"}) + b"\n"
    broken = write(tmp_path, "broken", messages("c"))
    (tmp_path / "broken.request.json").write_bytes(b'{"model":')
    (tmp_path / "index.jsonl").write_bytes(line + b'{"request_file": "na\n' + lost + broken)
    found = list(formats.read(tmp_path, unseen))
    assert [item.request.data for item in items(found)] == [messages("a"), messages("b")]
    assert items(found)[1].error == "no response was exported"
    assert skipped(found) == [
        f"damaged line at byte {len(line)}",
        "cannot be read (No such file or directory)",
        "damaged (invalid JSON: ends too early, at byte 9)",
    ]


def test_an_index_cannot_name_files_elsewhere(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    write(folder, "one", messages("a"))
    (tmp_path / "secret.json").write_bytes(messages("secret"))
    (folder / "index.jsonl").write_bytes(spelled({"request_file": "../secret.json"}))
    found = list(formats.read(folder, unseen))
    assert [item.request.data for item in items(found)] == [messages("a")]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"a":1,"betas":["x","y"],"b":2}', (b'{"a":1,"b":2}', "x,y")),
        (b'{"a":1,"betas":["x"]}', (b'{"a":1}', "x")),
        (b'{"betas":["x"],"b":2}', (b'{"b":2}', "x")),
        (b'{"betas":["x"]}', (b"{}", "x")),
        (b'{"a":{"betas":["x"]}}', (b'{"a":{"betas":["x"]}}', "")),
    ],
)
def test_the_added_member_is_cut_out_and_nothing_else(
    data: bytes, expected: tuple[bytes, str]
) -> None:
    assert without_betas(data) == expected
    assert json.loads(expected[0]) is not None


def test_an_answer_counts_once_it_is_written_whole(tmp_path: Path) -> None:
    row = {"request_file": "a.request.json", "response_file": "/elsewhere/a.response.json"}
    answer = tmp_path / "a.response.json"
    told = [export.answered(tmp_path, row)]
    for written in (b"", b'{"id":"msg_1","content":[', b'{"id":"msg_1","content":[]}'):
        answer.write_bytes(written)
        told.append(export.answered(tmp_path, row))
    assert told == [False, False, False, True]
    assert export.answered(tmp_path, {"request_file": "a.request.json"})
