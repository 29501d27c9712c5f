"""The mock: what it puts on the wire is what its log says, in every dialect and form."""

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector import mock, wire
from inspector.errors import BadInput
from inspector.mock import anthropic, responses
from inspector.mock.answer import Answer, Ids
from inspector.turns import Called, Failed, Replied, Said, Thought

EXEC = {"type": "custom", "name": "exec"}
CODE_MODE = {
    "input": [
        {
            "type": "additional_tools",
            "tools": [{"type": "namespace", "name": "functions", "tools": [EXEC]}],
        }
    ]
}


def read(answer: Answer, dialect: str) -> Replied | Failed | None:
    return wire.reply(
        wire.named(dialect), b"".join(answer.chunks), answer.content_type, answer.status
    )


def send(url: str, body: object, **headers: str) -> tuple[int, str, bytes]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status, response.headers["content-type"], response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["content-type"], error.read()


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
inputs = st.dictionaries(
    texts, st.none() | st.booleans() | st.integers() | texts | st.lists(texts), max_size=4
)
replies = st.builds(
    mock.Reply,
    thinking=st.none() | texts,
    redacted=st.none() | texts,
    text=st.none() | texts,
    tools=st.lists(
        st.builds(mock.ToolCall, name=st.sampled_from(["Read", "é"]), input=inputs), max_size=3
    ),
    usage=st.fixed_dictionaries(
        {}, optional={"input_tokens": st.integers(0, 10**9), "output_tokens": st.integers(0, 9)}
    ),
    stop=st.none() | st.sampled_from(["max_tokens", "pause_turn"]),
)


@given(replies, st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_messages_reply_reads_back_as_the_outcome_it_logs(
    reply: mock.Reply, stream: bool
) -> None:
    answer = anthropic.answer(reply, {"model": "m", "stream": stream}, Ids(3))
    assert read(answer, "anthropic") == answer.outcome


@given(replies, st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_responses_reply_reads_back_as_the_outcome_it_logs(
    reply: mock.Reply, stream: bool
) -> None:
    answer = responses.answer(reply, {"model": "m", "stream": stream}, Ids(3))
    assert read(answer, "openai") == answer.outcome


@pytest.mark.parametrize("events", range(8))
@pytest.mark.parametrize(
    "make", [(anthropic, "anthropic"), (responses, "openai")], ids=["messages", "responses"]
)
def test_a_cut_stream_logs_what_came_before_the_cut(make: tuple[Any, str], events: int) -> None:
    module, dialect = make
    answer = module.answer(
        mock.Reply(text="one", thinking="two", cut=events), {"stream": True}, Ids()
    )
    assert len(answer.chunks) <= events
    assert (read(answer, dialect) or Failed(status=200)) == answer.outcome


def test_a_tools_input_given_as_text_goes_out_letter_by_letter() -> None:
    reply = mock.Reply(tools=[mock.ToolCall(name="t", input='{"b":1.50,"a":1e3}')])
    for stream in (True, False):
        outcome = read(anthropic.answer(reply, {"stream": stream}, Ids()), "anthropic")
        assert isinstance(outcome, Replied)
        assert outcome.blocks == (
            Called(id="toolu_000000000000000000000002", name="t", input='{"b":1.50,"a":1e3}'),
        )


@pytest.mark.parametrize(
    ("reply", "body", "name", "source", "namespace"),
    [
        (
            {"shell": "ls"},
            CODE_MODE,
            "exec",
            'const r = await tools.exec_command({"cmd": "ls"}); text(r);',
            None,
        ),
        (
            {"shell": "ls"},
            {"tools": [{"type": "function", "name": "exec_command"}]},
            "exec_command",
            '{"cmd":"ls"}',
            None,
        ),
        (
            {"shell": "ls"},
            {"tools": [{"type": "function", "name": "shell_command"}]},
            "shell_command",
            '{"command":"ls"}',
            None,
        ),
        ({"shell": "ls"}, {}, "shell", '{"command":["bash","-lc","ls"]}', None),
        ({"js": "text(1)"}, CODE_MODE, "exec", "text(1)", None),
        (
            {"patch": "P"},
            CODE_MODE,
            "exec",
            'const r = await tools.apply_patch("P"); text(r);',
            None,
        ),
        (
            {"patch": "P"},
            {"tools": [{"type": "custom", "name": "apply_patch"}]},
            "apply_patch",
            "P",
            None,
        ),
        (
            {"mcp": "srv/echo", "input": {"x": 1}},
            CODE_MODE,
            "exec",
            'const r = await tools.mcp__srv__echo({"x": 1}); text(r);',
            None,
        ),
        (
            {"mcp": "srv/echo", "input": {"x": 1}},
            {
                "tools": [
                    {
                        "type": "namespace",
                        "name": "mcp__srv",
                        "tools": [{"type": "function", "name": "echo"}],
                    }
                ]
            },
            "echo",
            '{"x":1}',
            "mcp__srv",
        ),
        ({"custom": {"name": "c", "input": "free"}}, {}, "c", "free", None),
    ],
)
def test_codex_acts_go_through_the_tool_the_client_offers(
    reply: dict[str, Any], body: dict[str, Any], name: str, source: str, namespace: str | None
) -> None:
    answer = responses.answer(mock.Reply(**reply), body, Ids())
    assert isinstance(answer.outcome, Replied)
    (call,) = answer.outcome.blocks
    assert isinstance(call, Called)
    assert (call.name, call.input, call.namespace) == (name, source, namespace)
    assert read(answer, "openai") == answer.outcome


def test_items_stand_in_the_response_as_the_script_has_them() -> None:
    items: list[dict[str, Any]] = [
        {"type": "web_search_call", "status": "completed"},
        {"type": "message", "content": [{"type": "output_text", "text": "x"}]},
    ]
    answer = responses.answer(mock.Reply(items=items), {"stream": True}, Ids())
    assert [
        json.loads(c.split(b"data: ")[1])["item"] for c in answer.chunks if b"item.done" in c
    ] == items
    assert read(answer, "openai") == answer.outcome


def test_a_session_without_tools_is_a_conversation_and_a_title_is_none() -> None:
    told: dict[str, Any] = {"system": [], "tools": [], "output_config": {"effort": "low"}}
    assert anthropic.kind(told) == "main"
    assert anthropic.kind(told | {"output_config": {"format": {}}}) == "aux"
    assert anthropic.kind({"messages": []}) == "aux"


def test_each_kind_of_request_gets_its_own_replies_and_only_main_ones_are_logged(
    tmp_path: Path,
) -> None:
    script = mock.script(
        {
            "replies": [{"text": "m1"}, {"error": 529}],
            "sub": [{"text": "s1"}],
            "aux": {"text": "a"},
            "expect": 4,
        }
    )
    main: dict[str, Any] = {"tools": [{}]}
    sub: dict[str, Any] = {**main, "system": [{"type": "text", "text": "x cc_is_subagent=1"}]}
    aux: dict[str, Any] = {"messages": []}
    log = tmp_path / "log"
    with mock.serve(script, log=log, run=7) as server:
        url = f"{server.url}/v1/messages?beta=true"
        said = [send(url, body) for body in (main, aux, sub, main, main, sub)]
        assert server.complaint() == "the script expects 4 main requests, the client made 3"
    texts = [
        json.loads(data).get("content", [{"text": status}])[0]["text"] for status, _, data in said
    ]
    assert texts == ["m1", "a", "s1", 529, "done", "done"]
    logged = [answer for _, answer in mock.read_log(log)]
    assert [getattr(answer, "id", None) for answer in logged] == [
        "msg_000700000000000000000001",
        None,
        "msg_000700000000000000000004",
    ]
    assert logged[1] == Failed(status=529)


def test_a_title_of_codex_takes_no_reply_of_the_conversation(tmp_path: Path) -> None:
    def body(source: str) -> dict[str, Any]:
        turn = json.dumps({"thread_source": source}, separators=(",", ":"))
        return {"input": [], "client_metadata": {"x-codex-turn-metadata": turn}}

    script = mock.script({"replies": [{"text": "m1"}], "aux": {"text": "a title"}, "expect": 1})
    log = tmp_path / "log"
    with mock.serve(script, log=log) as server:
        url = f"{server.url}/v1/responses"
        said = [json.loads(send(url, body(source))[2]) for source in ("thread_title", "user")]
        assert server.complaint() is None
    texts = [answer["output"][0]["content"][0]["text"] for answer in said]
    assert texts == ["a title", "m1"]
    assert len(mock.read_log(log)) == 1


def test_start_up_requests_of_both_clients_get_answers_they_accept() -> None:
    with mock.serve(mock.script([])) as server:
        asked = {}
        for path in (
            "/api/hello",
            "/v1/models",
            "/backend-api/wham/accounts/check",
            "/api/claude_code/policy_limits",
        ):
            with urllib.request.urlopen(server.url + path, timeout=20) as response:
                asked[path] = json.loads(response.read())
        with pytest.raises(urllib.error.HTTPError) as absent:
            urllib.request.urlopen(f"{server.url}/api/claude_code/settings", timeout=20)
        with absent.value as error:
            settings = error.code
        head = urllib.request.Request(f"{server.url}/api/hello", method="HEAD")
        with urllib.request.urlopen(head, timeout=20) as response:
            assert response.read() == b""
        tokens = send(f"{server.url}/v1/messages/count_tokens", {})
        compacted = send(f"{server.url}/v1/responses/compact", {})
        upgrade = urllib.request.Request(
            f"{server.url}/v1/responses", headers={"Upgrade": "websocket", "Connection": "Upgrade"}
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(upgrade, timeout=20)
        with refused.value as error:
            assert error.code == 426
    assert asked["/backend-api/wham/accounts/check"]["default_account_id"] == "acct-mock"
    assert asked["/v1/models"]["data"] == []
    assert asked["/api/claude_code/policy_limits"] == {"restrictions": {}}
    assert settings == 404
    assert json.loads(tokens[2]) == {"input_tokens": 1000}
    assert json.loads(compacted[2])["output"][0]["type"] == "compaction"


def test_a_body_that_is_no_json_is_an_invalid_request() -> None:
    with mock.serve(mock.script([])) as server:
        status, _, data = send(f"{server.url}/v1/messages", b"\xff{")
    assert (status, json.loads(data)["error"]["type"]) == (400, "invalid_request_error")


@pytest.mark.parametrize("coding", ["gzip", "zstd", "br"])
def test_a_compressed_request_is_understood(coding: str) -> None:
    from mitmproxy.net import encoding

    body = encoding.encode(json.dumps({"tools": [{}], "stream": False}).encode(), coding)
    with mock.serve(mock.script([{"text": "main"}])) as server:
        _, _, data = send(f"{server.url}/v1/messages", body, **{"content-encoding": coding})
    assert json.loads(data)["content"][0]["text"] == "main"


def test_holes_are_filled_in_every_string_of_a_script(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text("- tools: [{name: Read, input: {'{WS}': ['{WS}/a', 1]}}]\n")
    (reply,) = mock.script(path, {"{WS}": "/w"}).replies
    assert reply.tools[0].input == {"/w": ["/w/a", 1]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("- {text: 1}", "replies.0.text: Input should be a valid string"),
        ("- {txt: a}", "replies.0.txt: no such key"),
        ("- {mcp: echo}", "replies.0.mcp: String should match pattern '^[^/]+/.+$'"),
        ("replies: {", "no valid YAML or JSON"),
        ("just text", "top level: Input should be"),
    ],
)
def test_a_mistake_in_a_script_is_one_line_that_names_the_place(
    tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(content)
    with pytest.raises(BadInput) as error:
        mock.script(path)
    assert str(error.value).startswith(f"{path}: {message}")
    assert "\n" not in str(error.value)


def test_a_missing_script_is_named() -> None:
    with pytest.raises(
        BadInput, match=r"^/nowhere/s.yaml: cannot be read as a script \(No such file"
    ):
        mock.script(Path("/nowhere/s.yaml"))


def test_a_port_in_use_is_bad_input() -> None:
    with mock.serve(mock.script([])) as server:
        port = int(server.url.rpartition(":")[2])
        with (
            pytest.raises(BadInput, match=f"^port {port}: cannot listen on 127.0.0.1"),
            mock.serve(mock.script([]), port=port),
        ):
            pass


def test_thinking_text_and_calls_come_in_the_order_a_model_gives_them() -> None:
    reply = mock.Reply(thinking="t", redacted="r", text="x", signature="s")
    answer = anthropic.answer(reply, {"stream": True}, Ids())
    assert isinstance(answer.outcome, Replied)
    assert answer.outcome.blocks == (
        Thought(text="t", signature="s"),
        Thought(redacted="r"),
        Said(text="x"),
    )


def test_token_counts_come_from_the_script_and_are_logged_apart(tmp_path: Path) -> None:
    script = mock.script({"counts": [7, {"status": 500}], "replies": []})
    log = tmp_path / "log"
    with mock.serve(script, log=log) as server:
        url = f"{server.url}/v1/messages/count_tokens"
        bodies: list[dict[str, Any]] = [{"tools": [{}]}, {"tools": []}, {"messages": []}]
        said = [send(url, body) for body in bodies]
    assert [(status, json.loads(data).get("input_tokens")) for status, _, data in said] == [
        (200, 7),
        (500, None),
        (200, 1000),
    ]
    assert [mock.read_log(log), len(mock.read_log(log, "tools"))] == [[], 1]
    assert [answer for _, answer in mock.read_log(log, "text")] == [
        Failed(status=500),
        Replied(input_tokens=1000),
    ]
