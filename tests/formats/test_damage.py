"""Law: whatever is done to a file, what is read of it is exchanges and reasons, and it can be stored."""

import json
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector import formats, importing, redact
from inspector.errors import InspectorError
from inspector.formats import Item, Skipped
from inspector.store import Store
from tests.formats.loopback import flow_file
from tests.formats.requests import AGENT, EVENTS, messages, responses, spelled, unseen

BODIES = (messages("one"), messages("one", "zwölf"), responses("three"))


def entry(body: bytes) -> dict[str, Any]:
    return {
        "startedDateTime": "2026-01-02T03:04:05Z",
        "time": 5,
        "request": {
            "method": "POST",
            "url": "https://api.anthropic.com/v1/messages",
            "headers": [{"name": name, "value": value} for name, value in AGENT],
            "postData": {"text": body.decode()},
            "bodySize": len(body),
        },
        "response": {"status": 200, "headers": [], "content": {"text": EVENTS.decode()}},
        "_webSocketMessages": [{"type": "send", "time": 1.5, "opcode": 1, "data": "{}"}],
    }


@cache
def flows() -> bytes:
    from mitmproxy.http import Headers
    from mitmproxy.test import tflow as module

    tflow: Any = module
    made = [tflow.tflow(resp=True) for _ in BODIES]
    for flow, body in zip(made, BODIES, strict=True):
        flow.request.headers = Headers([(n.encode(), v.encode()) for n, v in AGENT])
        flow.request.method, flow.request.raw_content = "POST", body
    with tempfile.TemporaryDirectory() as folder:
        return flow_file(Path(folder) / "x", made).read_bytes()


FILES: dict[str, Callable[[], bytes]] = {
    "har": lambda: json.dumps({"log": {"entries": [entry(body) for body in BODIES]}}).encode(),
    "flows": flows,
    "jsonl": lambda: b"\n".join(BODIES),
    "pairs": lambda: b"\n".join(
        b'{"request":' + body + b',"response":{"status":2}}' for body in BODIES
    ),
    "list": lambda: b"[" + b",".join(BODIES) + b"]",
    "body": lambda: json.dumps(json.loads(BODIES[0]), indent=1).encode(),
    "index": lambda: spelled({"request_file": "x.request.json", "response_file": "y"}),
}
wounds = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 40), st.binary(max_size=6) | st.sampled_from([b'"', b"{", b"}", b"\\", b"]", b"9", b"null", b"[]", b"-1"])),
    min_size=1,
    max_size=4,
)  # fmt: skip


def unwatched(_: Path, __: int) -> None:
    """Nobody watches."""


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=int(os.environ.get("INSPECTOR_DAMAGE_ROUNDS", "20")))
@given(wounds=wounds)
def test_a_damaged_file_gives_exchanges_and_reasons(
    name: str, wounds: list[tuple[float, int, bytes]]
) -> None:
    data = FILES[name]()
    for place, size, new in wounds:
        at = int(place * len(data))
        data = data[:at] + new + data[at + size :]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "in"
        folder.mkdir()
        if name == "index":
            (folder / "x.request.json").write_bytes(BODIES[0])
        (folder / ("index.jsonl" if name == "index" else "x")).write_bytes(data)
        found = list(formats.read(folder, unseen))
        assert {type(item) for item in found} <= {Item, Skipped}
        with Store.open(Path(made) / "s.db") as store:
            stored, said = 0, ""
            try:
                brought = importing.bring([folder], store, redact.NOTHING_GIVEN, "", unwatched)
                stored = sum(map(len, brought.rows.values()))
            except InspectorError as error:
                said = str(error)
            kept = [store.exchanges(session.id) for session in store.sessions()]
            assert (sum(map(len, kept)), "\n" in said) == (stored, False)


def test_undamaged_each_file_is_read_whole(tmp_path: Path) -> None:
    for name in ("har", "flows", "jsonl", "pairs", "list"):
        (tmp_path / name).write_bytes(FILES[name]())
        found = [item for item in formats.read(tmp_path / name, unseen) if isinstance(item, Item)]
        assert [item.request.data for item in found if item.method == "POST"] == list(BODIES)
