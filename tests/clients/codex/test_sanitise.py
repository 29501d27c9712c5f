"""What a snapshot keeps of Codex's configuration: no secret of any layer."""

import pytest

from inspector.clients.codex import CLIENT

_HOME = "/home/ann/.codex"
_CONFIG = b"""model = "m"
unknown_key = "CANARY-1"
[mcp_servers.s]
command = "srv"
env = { TOKEN = "CANARY-2" }
[model_providers.p]
name = "p"
http_headers = { Authorization = "CANARY-3" }
"""


@pytest.mark.parametrize("name", ["config.toml", "work.config.toml"])
def test_no_layer_of_the_configuration_keeps_a_secret(name: str) -> None:
    kept = CLIENT.sanitise(f"{_HOME}/{name}", _CONFIG)
    assert b"CANARY" not in kept
    assert b'"model" = "m"' in kept
    assert b"srv" in kept


def test_credentials_are_empty_and_other_files_whole() -> None:
    assert CLIENT.sanitise(f"{_HOME}/auth.json", b"CANARY") == b""
    assert CLIENT.sanitise("/w/AGENTS.md", b"rule") == b"rule"
