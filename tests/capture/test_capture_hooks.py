"""The addon's hooks one by one, on mitmproxy's own test flows."""

import json
from typing import Any, cast

import pytest
from mitmproxy.test import tflow
from mitmproxy.test import tutils as untyped

from inspector import redact
from inspector.capture.addon import Capture, Plan
from inspector.capture.intake import Intake
from inspector.session import Exchange
from inspector.store import Store

tutils: Any = cast("Any", untyped)
MODEL = tutils.treq(
    scheme=b"https",
    host="api.anthropic.com",
    port=443,
    path=b"/v1/messages",
    method=b"POST",
    content=b'{"a":1}',
)


class Kept:
    """An addon and what it stored."""

    def __init__(self, plan: Plan | None = None) -> None:
        self.complete: list[Exchange] = []
        self.intake = Intake(
            "s", self.put, new_id=Store.new_id, given=redact.NOTHING_GIVEN, say=print
        )
        self.hooks = Capture(self.intake, plan)

    def put(self, exchange: Exchange, complete: bool) -> None:
        if complete:
            self.complete.append(exchange)

    def end(self) -> list[Exchange]:
        self.intake.close()
        return self.complete


def test_hooks_never_parse_a_body(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(*_: object, **__: object) -> None:
        raise AssertionError("parsed")

    monkeypatch.setattr(json, "loads", parse)
    kept = Kept()
    flow = tflow.tflow(req=MODEL.copy(), resp=tutils.tresp(content=b'{"b":2}'))
    kept.hooks.requestheaders(flow)
    kept.hooks.request(flow)
    kept.hooks.responseheaders(flow)
    kept.hooks.response(flow)
    (exchange,) = kept.end()
    assert (exchange.request, exchange.response) == (b'{"a":1}', b'{"b":2}')


def test_chunks_of_a_response_pass_through_as_they_came() -> None:
    kept = Kept()
    flow = tflow.tflow(req=MODEL.copy(), resp=tutils.tresp(content=None))
    kept.hooks.request(flow)
    kept.hooks.responseheaders(flow)
    assert flow.response is not None
    stream = flow.response.stream
    assert not isinstance(stream, bool)
    chunks = [b"data: 1\n", b"\n", b"data: [DONE]\n\n", b""]
    assert [stream(chunk) for chunk in chunks] == chunks
    kept.hooks.response(flow)
    (exchange,) = kept.end()
    assert exchange.response == b"".join(chunks)
    assert exchange.response_headers == (("header-response", "svalue"), ("content-length", "7"))


def test_another_host_is_streamed_through_both_ways_and_not_kept() -> None:
    kept = Kept()
    flow = tflow.tflow(req=tutils.treq(host="example.com"), resp=True)
    kept.hooks.requestheaders(flow)
    kept.hooks.request(flow)
    kept.hooks.responseheaders(flow)
    kept.hooks.response(flow)
    assert flow.response is not None
    assert (flow.request.stream, flow.response.stream, flow.request.host) == (
        True,
        True,
        "example.com",
    )
    assert kept.end() == []


def test_an_error_before_the_answer_ends_the_exchange() -> None:
    kept = Kept()
    flow = tflow.tflow(req=MODEL.copy(), err=True)
    kept.hooks.request(flow)
    assert not kept.hooks.idle.is_set()
    kept.hooks.error(flow)
    assert kept.hooks.idle.is_set()
    (exchange,) = kept.end()
    assert (exchange.status, exchange.error) == (None, "error")


def test_what_is_under_way_when_the_proxy_ends_is_kept_and_marked() -> None:
    kept = Kept()
    kept.hooks.request(tflow.tflow(req=MODEL.copy()))
    kept.hooks.done()
    (exchange,) = kept.end()
    assert (exchange.request, exchange.error) == (b'{"a":1}', "the proxy ended")


def test_without_an_intake_traffic_still_goes_where_the_plan_says() -> None:
    hooks = Capture(None, Plan(upstream="http://127.0.0.1:1/base"))
    flow = tflow.tflow(req=MODEL.copy(), resp=True)
    hooks.request(flow)
    hooks.responseheaders(flow)
    hooks.response(flow)
    assert flow.request.url == "http://127.0.0.1:1/base/v1/messages"


def test_the_host_header_follows_the_target_and_the_kept_one_does_not() -> None:
    kept = Kept(Plan(upstream="http://127.0.0.1:1"))
    request = MODEL.copy()
    request.headers["Host"] = "api.anthropic.com"
    flow = tflow.tflow(req=request, resp=True)
    kept.hooks.request(flow)
    assert flow.request.headers["Host"] == "127.0.0.1:1"
    kept.hooks.response(flow)
    (exchange,) = kept.end()
    assert exchange.header("host") == "api.anthropic.com"
