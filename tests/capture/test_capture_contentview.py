"""A model request in mitmproxy's own user interface."""

import json
from collections.abc import Generator
from typing import Any, cast

import pytest
from mitmproxy import contentviews
from mitmproxy.http import HTTPFlow
from mitmproxy.test import taddons, tflow
from mitmproxy.test import tutils as untyped

from inspector.capture.contentview import ModelRequest

tutils: Any = cast("Any", untyped)
BODY: dict[str, Any] = {
    "model": "claude-x",
    "messages": [
        {"role": "user", "content": "hel\nlo"},
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "é", "cache_control": {"type": "ephemeral"}}],
        },
    ],
    "system": [{"type": "text", "text": "be kind"}],
    "tools": [{"name": "Bash", "description": "runs", "input_schema": {}}],
}
EXPECTED = """\
anthropic request, 304 bytes, 4 segments
  model: "claude-x"

messages: 2 segments, 79 bytes
  /messages/0/content  user  9 bytes
    hel
    lo
  /messages/1/content/0  assistant  text  70 bytes  cache mark {"type": "ephemeral"}
    é

system: 1 segment, 35 bytes
  /system/0  text  35 bytes
    be kind

tools: 1 segment, 59 bytes
  /tools/0  Bash  59 bytes
    runs"""


@pytest.fixture(autouse=True)
def view() -> Generator[None]:
    with cast("Any", taddons).context():
        contentviews.add(ModelRequest())
        yield


def flow(path: bytes, content: bytes) -> HTTPFlow:
    headers = [(b"content-type", b"application/json")]
    request = tutils.treq(path=path, method=b"POST", content=content, headers=headers)
    return tflow.tflow(req=request, resp=True)


def test_a_model_request_is_shown_as_sections_and_segments() -> None:
    body = json.dumps(BODY, ensure_ascii=False).encode()
    made = flow(b"/v1/messages?beta=true", body)
    shown = contentviews.prettify_message(made.request, made)
    assert (shown.view_name, shown.text) == ("Model request", EXPECTED)


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (b"/v1/models", json.dumps(BODY).encode()),
        (b"/v1/messages", b'{"a":1}'),
    ],
)
def test_other_requests_keep_mitmproxys_own_view(path: bytes, content: bytes) -> None:
    made = flow(path, content)
    assert contentviews.prettify_message(made.request, made).view_name == "JSON"


def test_a_body_that_only_looks_like_a_model_request_is_shown_by_another_view() -> None:
    made = flow(b"/v1/messages", b'{"messages": 1')
    shown = contentviews.prettify_message(made.request, made)
    assert '"messages": 1' in shown.text


def test_a_response_is_left_to_the_other_views() -> None:
    made = flow(b"/v1/messages", json.dumps(BODY).encode())
    assert made.response is not None
    made.response.content = json.dumps(BODY).encode()
    assert contentviews.prettify_message(made.response, made).view_name != "Model request"
