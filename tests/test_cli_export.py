"""Sessions in the formats of other tools, read back by those tools and by our own import."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector import folder
from inspector.seal import without_ids
from inspector.session import WEBSOCKET, Exchange
from inspector.store import Store
from tests.commands import Run
from tests.golden.scenario import ROOT

GOLDEN = ROOT / "captures/claude-code/2.1.332/cache_6turn/r0"
SOCKET = next(
    file.parent.parent
    for file in sorted((ROOT / "captures/codex").rglob("exchanges/*.json"))
    if f'"{WEBSOCKET}"' in file.read_text(encoding="utf-8")
)


def told(exchanges: tuple[Exchange, ...]) -> list[tuple[object, ...]]:
    return [
        (one.method, one.url, one.request, one.status, one.response, one.started)
        for one in exchanges
    ]


@pytest.mark.parametrize("kind", ["har", "flows", "jsonl"])
@pytest.mark.parametrize("golden", [GOLDEN, SOCKET])
def test_what_is_exported_is_imported_byte_for_byte(
    run: Run, tmp_path: Path, kind: str, golden: Path
) -> None:
    out, store = tmp_path / f"session.{kind}", tmp_path / "store.db"
    assert run("export", golden, "--format", kind, "--out", out)[0] == 0
    assert run("import", out, "--store", store)[0] == 0
    with Store.open(store, create=False) as opened:
        found = [one for item in opened.sessions() for one in opened.exchanges(item.id)]
    wanted = without_ids(folder.read(golden)).exchanges
    bodies = [(one.method, one.url, one.request, one.status) for one in wanted]
    assert [(one.method, one.url, one.request, one.status) for one in found] == bodies
    answers = [one.response for one in wanted]
    assert [one.response for one in found] == answers
    if kind != "flows":  # which is in seconds
        assert [one.started[:19] for one in found if one.method != WEBSOCKET] == [
            one.started[:19] for one in wanted if one.method != WEBSOCKET
        ]


def test_mitmproxy_reads_the_flows_and_the_har(run: Run, tmp_path: Path) -> None:
    from mitmproxy.http import HTTPFlow
    from mitmproxy.io import FlowReader

    wanted = without_ids(folder.read(GOLDEN)).exchanges
    for kind in ("flows", "har"):
        out = tmp_path / f"session.{kind}"
        run("export", GOLDEN, "--format", kind, "--out", out)
        with out.open("rb") as file:
            flows = [flow for flow in FlowReader(file).stream() if isinstance(flow, HTTPFlow)]
        assert [flow.request.get_content() for flow in flows] == [one.request for one in wanted]
        assert [flow.request.pretty_url for flow in flows] == [one.url for one in wanted]
        answers = [flow.response.get_content() if flow.response else b"" for flow in flows]
        assert answers == [one.response for one in wanted]


def test_bytes_that_are_no_text_come_back(run: Run, tmp_path: Path) -> None:
    from dataclasses import replace

    recording = folder.read(GOLDEN)
    first = recording.exchanges[0]
    odd = replace(
        first, response=bytes(range(256)), response_headers=(("content-type", "image/png"),)
    )
    folder.write(replace(recording, exchanges=(odd,)), tmp_path / "odd")
    for kind in ("har", "flows", "jsonl"):
        out, store = tmp_path / kind, tmp_path / f"{kind}.db"
        run("export", tmp_path / "odd", "--format", kind, "--out", out)
        run("import", out, "--store", store)
        with Store.open(store, create=False) as opened:
            (found,) = opened.exchanges(opened.sessions()[0].id)
        assert found.response == odd.response


def test_a_folder_is_what_every_command_takes(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "folder"
    code, printed, _ = run("export", GOLDEN, "--format", "folder", "--out", out, "--json")
    number = len(folder.read(GOLDEN).exchanges)
    assert (code, json.loads(printed)["exchanges"]) == (0, number)
    assert folder.read(out) == without_ids(folder.read(GOLDEN))
    assert run("show", out)[0] == 0


def attributes(span: dict[str, Any]) -> dict[str, Any]:
    return {item["key"]: next(iter(item["value"].values())) for item in span["attributes"]}


def test_a_model_request_is_a_span_with_its_messages_tools_and_usage(
    run: Run, tmp_path: Path
) -> None:
    out = tmp_path / "spans.json"
    run("export", GOLDEN, "--format", "otel", "--out", out)
    document = json.loads(out.read_bytes())
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    rows = json.loads(run("show", GOLDEN, "--json")[1])["exchanges"]
    calls = [row for row in rows if row["kind"] not in {"aux", "count_tokens"}]
    found = [attributes(span) for span in spans]
    assert [one["inspector.exchange.id"] for one in found] == [row["id"] for row in calls]
    assert [one["gen_ai.request.model"] for one in found] == [row["model"] for row in calls]
    assert [int(one["gen_ai.usage.output_tokens"]) for one in found] == [
        row["usage"]["output"] for row in calls
    ]
    assert {len(span["traceId"]) for span in spans} == {32}
    last = json.loads(found[-1]["gen_ai.input.messages"])
    body = json.loads(folder.read(GOLDEN).exchanges[-1].request)
    assert [item["role"] for item in last] == [item["role"] for item in body["messages"]]
    assert len(json.loads(found[-1]["gen_ai.tool.definitions"])) == len(body["tools"])


def test_a_place_that_cannot_be_written_is_one_line(run: Run, tmp_path: Path) -> None:
    code, _, err = run("export", GOLDEN, "--format", "har", "--out", tmp_path / "no" / "a.har")
    assert (code, err.count("\n")) == (2, 1)
