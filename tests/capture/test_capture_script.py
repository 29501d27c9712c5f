"""The addon under mitmdump itself, in a process of its own."""

import http.client
import os
import ssl
import subprocess
import sys
from pathlib import Path

from inspector import mock
from inspector.capture import ca, script
from inspector.store import Store
from tests.capture.gate import LIMIT

MITMDUMP = Path(sys.executable).with_name("mitmdump")


def test_mitmdump_with_the_script_keeps_a_session_in_the_store(tmp_path: Path, root: Path) -> None:
    store, data = tmp_path / "s.db", tmp_path / "data"
    authority = ca.authority(data, {})
    with mock.serve(mock.script([{"text": "hello"}])) as server:
        settings = {
            "confdir": str(authority.folder),
            "connection_strategy": "lazy",
            "inspector_store": str(store),
            "inspector_session": "chosen",
            "inspector_upstream": server.url,
            "inspector_closed": "true",
        }
        words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
        command = [
            str(MITMDUMP),
            "-s",
            script.__file__,
            "--listen-host",
            "127.0.0.1",
            "-p",
            "0",
            *words,
        ]
        env = {
            **os.environ,
            "INSPECTOR_DATA": str(data),
            "PYTHONUNBUFFERED": "1",
            "PYTHONPATH": str(root),
        }
        with subprocess.Popen(
            command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as proxy:
            assert proxy.stdout is not None
            line = next(line for line in proxy.stdout if "listening at" in line)
            port = int(line.rpartition(":")[2].strip(" ./\n"))
            trust = ssl.create_default_context(cafile=str(authority.bundle))
            connection = http.client.HTTPSConnection(
                "127.0.0.1", port, timeout=LIMIT, context=trust
            )
            connection.set_tunnel("api.anthropic.com", 443)
            agent = "claude-cli/2.1.332 (external, cli)"
            connection.request("POST", "/v1/messages", b'{"tools":[{}]}', {"user-agent": agent})
            answer = connection.getresponse().read()
            connection.close()
            proxy.terminate()
            assert proxy.wait(LIMIT) == 0
    with Store.open(store) as kept:
        recording = kept.recording("chosen")
    session, (exchange,) = recording.session, recording.exchanges
    assert (session.client, session.version, session.source) == ("claude-code", "2.1.332", "proxy")
    assert (exchange.request, exchange.response, exchange.status) == (
        b'{"tools":[{}]}',
        answer,
        200,
    )
    assert exchange.url == "https://api.anthropic.com/v1/messages"
