"""Which hosts are opened, which are told as near misses, and where plain requests go."""

import http.client
from pathlib import Path

import pytest

from inspector.capture import hosts, providers
from inspector.capture.addon import Plan
from inspector.errors import BadInput
from tests.capture.gate import Answering, gate, upstream


def test_hosts_are_taken_as_they_stand_in_requests() -> None:
    given = ["LLM.Example", "https://gw.example:8443/v1", "gw.example", "10.0.0.7:80"]
    assert hosts.chosen(given) == ("llm.example", "gw.example", "10.0.0.7")


@pytest.mark.parametrize("name", ["", "http://", "*.example", "a b"])
def test_a_name_that_is_no_host_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match="no host name"):
        hosts.chosen([name])


def test_near_misses_are_hosts_with_a_models_name() -> None:
    models = [
        "llm.corp.example", "api.deepseek.com", "openrouter.ai", "litellm.internal", "eu.api.openai.com",
        "generativelanguage.googleapis.com", "us-east5-aiplatform.googleapis.com", "api.x.ai",
        "bedrock-runtime.us-east-1.amazonaws.com", "my-ai-gateway.example",
    ]  # fmt: skip
    others = [
        "github.com", "registry.npmjs.org", "pypi.org", "statsig.anthropic.com", "auth.openai.com",
        "ab.chatgpt.com", "claude.ai", "mcp-proxy.anthropic.com", "email.example", "maintenance.example",
        "http-intake.logs.us5.datadoghq.com", "code.claude.com", "127.0.0.1",
    ]  # fmt: skip
    assert hosts.near([*models, *others]) == sorted(models)


@pytest.mark.parametrize(
    ("name", "value", "provider"),
    [
        ("CLAUDE_CODE_USE_BEDROCK", "1", "Amazon Bedrock"),
        ("CLAUDE_CODE_USE_VERTEX", "true", "Google Vertex AI"),
        ("CLAUDE_CODE_USE_FOUNDRY", "YES", "Microsoft Foundry"),
    ],
)
def test_providers_we_cannot_capture_are_named_in_one_line(
    name: str, value: str, provider: str
) -> None:
    with pytest.raises(BadInput, match=rf"{provider}: not captured yet \({name} is set\)"):
        providers.refuse("claude-code", {name: value})
    providers.refuse("claude-code", {name: "0"})
    providers.refuse("codex", {name: value})


def test_plain_http_to_another_host_passes_unrecorded_and_is_remembered(tmp_path: Path) -> None:
    def act(handler: Answering) -> None:
        handler.begin(content_length="2")
        handler.wfile.write(b"ok")

    with upstream(act) as url, gate(tmp_path, Plan()) as running:
        connection = http.client.HTTPConnection(running.host, running.port, timeout=20)
        connection.request("POST", f"{url}/v1/messages", b"{}")
        assert connection.getresponse().read() == b"ok"
        connection.close()
        assert running.stored() == []
        assert running.hooks.tunnelled == {"127.0.0.1"}


def test_a_base_url_without_a_gateway_leads_to_the_dialects_own_host(tmp_path: Path) -> None:
    seen: list[str] = []

    def act(handler: Answering) -> None:
        seen.append(handler.path)
        handler.begin(content_length="0")

    with upstream(act) as first, upstream(act) as second:
        plan = Plan(gateways={"anthropic": f"{first}/a", "openai": f"{second}/v1"})
        with gate(tmp_path, plan) as running:
            port = int(running.addresses.reverse.rpartition(":")[2])
            for path in ("/v1/messages", "/a/v1/messages", "/v1/responses"):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
                connection.request("POST", path, b"{}")
                connection.getresponse().read()
                connection.close()
            urls = [item.url for item in running.stored()]
    assert seen == ["/a/v1/messages", "/a/v1/messages", "/v1/responses"]
    assert urls == [f"{first}/a/v1/messages", f"{first}/a/v1/messages", f"{second}/v1/responses"]
