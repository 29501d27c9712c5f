"""Plain bodies and JSONL."""

from pathlib import Path
from typing import Any

import pytest

from inspector import formats, wire
from inspector.formats import Read
from tests.formats.requests import (
    AGENT,
    EVENTS,
    items,
    messages,
    responses,
    skipped,
    spelled,
    unseen,
)


def read(path: Path, data: bytes) -> list[Read]:
    path.write_bytes(data)
    return list(formats.read(path, unseen))


@pytest.mark.parametrize(
    "body",
    [
        messages("größer"),
        responses("hi"),
        messages("a")
        .replace(b'"a"', b'"\\ud800 \\u00e9 \\/"')
        .replace(b'"max_tokens":1', b'"max_tokens":1e0'),
        b'{\n  "messages": [\n    {"role": "user", "content": "pretty"}\n  ],\n  "model": "m", "max_tokens": 1\n}\n',
    ],
)
def test_a_body_is_the_bytes_of_its_file(tmp_path: Path, body: bytes) -> None:
    (item,) = items(read(tmp_path / "x", body))
    assert item.request.data == body
    assert item.method == "POST"
    assert item.url == ("/v1/responses" if b'"input":' in body else "/v1/messages")


def test_a_line_holds_a_body_and_a_damaged_line_is_named(tmp_path: Path) -> None:
    bodies = [messages("a"), responses("b"), messages("c")]
    data = bodies[0] + b"\n" + bodies[1] + b"\r\n\n" + bodies[0][:-5] + b"\n" + bodies[2]
    found = read(tmp_path / "x.jsonl", data)
    assert [item.request.data for item in items(found)] == bodies
    at = len(bodies[0]) + len(bodies[1]) + 4
    assert skipped(found) == [f"damaged line at byte {at}"]


def test_a_lone_line_loses_its_line_end(tmp_path: Path) -> None:
    (item,) = items(read(tmp_path / "x.jsonl", messages("a") + b"\n"))
    assert item.request.data == messages("a")


def test_a_damaged_first_line_costs_no_other(tmp_path: Path) -> None:
    found = read(tmp_path / "x", b'{"model":\n' + messages("a") + b"\n" + messages("b") + b"\n")
    assert [item.request.data for item in items(found)] == [messages("a"), messages("b")]
    assert skipped(found) == ["damaged line at byte 0"]


def test_a_list_of_bodies_is_read(tmp_path: Path) -> None:
    bodies = [messages("a"), messages("b")]
    found = read(tmp_path / "x", b"[\n" + b",\n".join(bodies) + b"\n]")
    assert [item.request.data for item in items(found)] == bodies


REPLY: dict[str, Any] = {"id": "msg_1", "type": "message", "content": []}


@pytest.mark.parametrize(
    ("request_", "response", "expected"),
    [
        (messages("é"), spelled(REPLY), ("/v1/messages", 200, spelled(REPLY))),
        (spelled(messages("é").decode()), spelled(EVENTS.decode()), ("/v1/messages", 200, EVENTS)),
        (
            b'{"method":"POST","url":"https://h/v1/messages","headers":'
            + spelled(dict(AGENT)) + b',"body":' + messages("é") + b"}",
            b'{"status":529,"headers":[["content-type","text/plain"]],"body":"busy"}',
            ("https://h/v1/messages", 529, b"busy"),
        ),
        (
            b'{"path":"/v1/messages","headers":'
            + spelled([{"name": name, "value": value} for name, value in AGENT])
            + b',"body_raw":' + spelled(messages("é").decode()) + b"}",
            b'{"status_code":200,"body":null}',
            ("/v1/messages", 200, b""),
        ),
    ],
)  # fmt: skip
def test_a_line_holds_a_pair_in_the_shapes_that_loggers_write(
    tmp_path: Path, request_: bytes, response: bytes, expected: tuple[Any, ...]
) -> None:
    line = (
        b'{"timestamp":"2026-01-02T03:04:05Z","request":'
        + request_
        + b',"response":'
        + response
        + b"}\n"
    )
    found = items(read(tmp_path / "x", line * 2))
    assert [item.request.data for item in found] == [messages("é")] * 2
    assert {(item.url, item.status, item.response.data) for item in found} == {expected}
    assert {item.started for item in found} == {"2026-01-02T03:04:05Z"}
    if b"headers" in request_:
        assert {item.request_headers for item in found} == {AGENT}


def test_json_that_is_no_request_is_named(tmp_path: Path) -> None:
    assert skipped(read(tmp_path / "a", b'{"name": "x"}')) == ["no model request"]
    assert skipped(read(tmp_path / "b", b'{"name": "x"}\n{"name": "y"}')) == [
        "no model request at byte 0",
        "no model request at byte 14",
    ]
    assert skipped(read(tmp_path / "c", b"")) == ["an empty file"]
    assert skipped(read(tmp_path / "d", b"plain text")) == [
        "no HAR, flow file, request body or JSONL"
    ]


def test_a_folder_of_bodies_stands_together_in_the_order_of_names(tmp_path: Path) -> None:
    for number in (10, 9, 1):
        (tmp_path / f"{number}.json").write_bytes(messages(f"{number}", conversation=f"{number}"))
    found = items(list(formats.read(tmp_path, unseen)))
    assert [item.request.data for item in found] == [
        messages(f"{number}", conversation=f"{number}") for number in (1, 9, 10)
    ]
    assert {item.group for item in found} == {str(tmp_path)}


def test_folders_below_stand_apart_and_exports_below_are_exports(tmp_path: Path) -> None:
    for name in ("a", "b", "export"):
        (tmp_path / name).mkdir()
    for name in ("a", "b"):
        (tmp_path / name / "1.json").write_bytes(messages(name))
    exported = messages("c").replace(b',"metadata"', b',"betas":["x"],"metadata"', 1)
    (tmp_path / "export" / "1.request.json").write_bytes(exported)
    found = items(list(formats.read(tmp_path, unseen)))
    assert [item.request.data for item in found] == [messages(name) for name in "abc"]
    assert [item.group for item in found] == [str(tmp_path / "a"), str(tmp_path / "b"), ""]
    assert [item.route for item in found] == ["", "", "raw-export"]


def test_a_recording_is_named_and_not_taken_apart(tmp_path: Path) -> None:
    (tmp_path / "session.json").write_bytes(b"{}")
    assert skipped(list(formats.read(tmp_path, unseen))) == [
        f"a recording already; name it as it is: inspector show {tmp_path}"
    ]


def test_hidden_files_of_a_folder_are_left_alone_and_others_are_named(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "a.json").write_bytes(messages("no"))
    (tmp_path / "b.json").write_bytes(messages("yes"))
    (tmp_path / "README.md").write_bytes(b"# Bodies\n")
    found = list(formats.read(tmp_path, unseen))
    assert [item.request.data for item in items(found)] == [messages("yes")]
    assert skipped(found) == ["no HAR, flow file, request body or JSONL"]


def test_the_input_that_codex_prints_is_a_request_of_its_own(tmp_path: Path) -> None:
    printed = b"""[
  {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "be brief"}]},
  {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "1e2 caf\xc3\xa9"}]}
]
"""
    path = tmp_path / "input.json"
    path.write_bytes(printed)
    (item,) = formats.read(path, unseen)
    assert isinstance(item, formats.Item)
    assert item.request.data == b'{"model":"","input":%s}' % printed.strip()
    assert item.url == "/v1/responses"
    assert item.error.startswith("the input alone")
    assert [segment.role for segment in wire.split(item.request.data).segments] == [
        "developer",
        "user",
    ]
