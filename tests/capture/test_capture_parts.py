"""The small parts of a capture: user agents, codings, the CA, programs."""

import gzip
import json
import os
import ssl
import stat
import zlib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.capture import ca, codec, other
from inspector.capture.agent import Agent, agent
from inspector.capture.parent import Parent, parent
from inspector.capture.program import program
from inspector.capture.target import joined
from inspector.errors import BadInput


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("claude-cli/2.1.332 (external, sdk-cli)", Agent("claude-code", "2.1.332")),
        (
            "codex_exec/0.171.0 (Debian 12.0.0; x86_64) xterm (codex_exec; 0.171.0)",
            Agent("codex", "0.171.0"),
        ),
        ("codex_cli_rs/0.42.0-alpha.1 (Mac OS)", Agent("codex", "0.42.0-alpha.1")),
        ("Python-urllib/3.12", None),
        ("my claude-cli/2.1.332", None),
        ("", None),
    ],
)
def test_a_user_agent_names_client_and_version(text: str, found: Agent | None) -> None:
    assert agent(text) == found


@given(
    st.binary(max_size=300),
    st.lists(st.sampled_from(["gzip", "br", "zstd", "deflate"]), max_size=2),
)
def test_every_coding_is_undone_in_the_reverse_order(data: bytes, codings: list[str]) -> None:
    from mitmproxy.net import encoding

    wire = data
    for coding in codings:
        encoded = encoding.encode(wire, coding)
        assert isinstance(encoded, bytes)
        wire = encoded
    assert codec.decode(wire, ", ".join(codings)) == codec.Decoded(data)


@pytest.mark.parametrize(
    ("wire", "coding", "data", "fault"),
    [
        (b"plain", "lzma", b"plain", "unknown content-encoding lzma"),
        (b"plain", "gzip", b"plain", "gzip body cannot be decoded"),
        (b"plain", "br", b"plain", "br body ends early"),
        (b"{" * 20, "br", b"{" * 20, "br body cannot be decoded"),
        (b"plain", "zstd", b"plain", "zstd body cannot be decoded"),
        (gzip.compress(b"a" * 99)[:-9], "gzip", b"a" * 99, "gzip body ends early"),
        (zlib.compress(b"a" * 99)[2:-4], "deflate", b"a" * 99, ""),
        (gzip.compress(b"a") + gzip.compress(b"b"), "gzip", b"ab", ""),
        (gzip.compress(b"a") + b"rubbish", "gzip", b"a", ""),
        (b"", "br", b"", ""),
    ],
)
def test_a_body_that_does_not_decode_keeps_what_there_is_and_says_why(
    wire: bytes, coding: str, data: bytes, fault: str
) -> None:
    decoded = codec.decode(wire, coding)
    assert decoded.data == data
    assert decoded.fault.startswith(fault)
    assert bool(decoded.fault) == bool(fault)


@pytest.mark.parametrize(
    ("base", "path", "url"),
    [
        ("http://h:1", "/v1/x?y", "http://h:1/v1/x?y"),
        ("http://h:1/", "/v1/x", "http://h:1/v1/x"),
        ("https://h/p/", "/v1", "https://h/p/v1"),
        ("https://h/v1", "/v1?beta", "https://h/v1?beta"),
    ],
)
def test_a_path_is_joined_to_a_base_that_may_hold_its_beginning(
    base: str, path: str, url: str
) -> None:
    assert joined(base, path) == url


def test_the_ca_is_made_once_and_kept_private(tmp_path: Path) -> None:
    first = ca.authority(tmp_path, {})
    key = (first.folder / "mitmproxy-ca.pem").read_bytes()
    assert stat.S_IMODE(first.folder.stat().st_mode) == 0o700
    assert ca.authority(tmp_path, {}) == first
    assert (first.folder / "mitmproxy-ca.pem").read_bytes() == key
    assert first.roots != first.bundle


def test_many_first_runs_at_once_end_with_one_ca(tmp_path: Path) -> None:
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(partial(ca.authority, env={}), [tmp_path] * 6))
    certificate = (tmp_path / "ca" / "mitmproxy-ca-cert.pem").read_bytes()
    assert certificate in (tmp_path / "ca" / "mitmproxy-ca.pem").read_bytes().replace(b"\r", b"")
    assert all(certificate.strip() in one.bundle.read_bytes() for one in found)


def test_the_bundle_holds_the_system_the_users_company_and_us(tmp_path: Path) -> None:
    company = ca.authority(tmp_path / "company", {}).folder / "mitmproxy-ca-cert.pem"
    made = ca.authority(
        tmp_path / "ours", {"NODE_EXTRA_CA_CERTS": str(company), "SSL_CERT_FILE": "/nowhere"}
    )
    bundle, roots = made.bundle.read_bytes(), made.roots.read_bytes()
    ours = (made.folder / "mitmproxy-ca-cert.pem").read_bytes().strip()
    assert company.read_bytes().strip() in bundle
    assert company.read_bytes().strip() in roots
    assert ours in bundle
    assert ours not in roots
    alone = ca.authority(tmp_path / "ours", {})
    counts = [
        len(ssl.create_default_context(cafile=str(path)).get_ca_certs())
        for path in (made.bundle, made.roots, alone.roots)
    ]
    assert counts == [counts[2] + 2, counts[2] + 1, counts[2]]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "localhost,127.0.0.1,::1"),
        ("corp.example,10.0.0.0/8", "corp.example,10.0.0.0/8,localhost,127.0.0.1,::1"),
        ("*", "localhost,127.0.0.1,::1"),
        (".anthropic.com, a.example", "a.example,localhost,127.0.0.1,::1"),
        ("thropic.com", "thropic.com,localhost,127.0.0.1,::1"),
    ],
)
def test_a_users_proxy_exceptions_stay_but_for_model_hosts(before: str, after: str) -> None:
    assert other.no_proxy({"NO_PROXY": before}, ["api.anthropic.com"])["no_proxy"] == after


@pytest.mark.parametrize(
    ("env", "found"),
    [
        ({}, None),
        ({"HTTPS_PROXY": ""}, None),
        ({"HTTPS_PROXY": "http://proxy.corp:3128"}, Parent("http", "proxy.corp", 3128)),
        ({"https_proxy": "proxy.corp:3128"}, Parent("http", "proxy.corp", 3128)),
        (
            {"ALL_PROXY": "https://me:p%40ss@proxy.corp"},
            Parent("https", "proxy.corp", 443, "me:p@ss"),
        ),
        (
            {"HTTPS_PROXY": "http://p", "NO_PROXY": "a.example, .b"},
            Parent("http", "p", 80, direct=("a.example", ".b")),
        ),
    ],
)
def test_the_users_own_proxy_is_read_from_the_environment(
    env: dict[str, str], found: Parent | None
) -> None:
    assert parent(env) == found


@pytest.mark.parametrize("value", ["socks5://p:1", "http://:1", "http://p:x"])
def test_a_proxy_we_cannot_go_through_is_bad_input(value: str) -> None:
    with pytest.raises(BadInput, match=r"^HTTPS_PROXY: no http or https proxy"):
        parent({"HTTPS_PROXY": value})


def test_loopback_and_the_users_exceptions_are_reached_without_the_users_proxy() -> None:
    outer = Parent("http", "p", 1, direct=("corp.example", "10.1.2.3"))
    hosts = ["api.anthropic.com", "localhost", "127.0.0.9", "::1", "gw.corp.example", "10.1.2.3"]
    assert [outer.serves(host) for host in hosts] == [True, False, False, False, False, False]


def installed(
    folder: Path, package: str, version: str, at: str, *, link: str | None = None
) -> Path:
    """A program as npm lays it out."""
    root = folder / "node_modules" / package
    path = root / at
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    (root / "package.json").write_text(json.dumps({"name": package, "version": version}))
    if link is None:
        return path
    made = folder / "bin" / link
    made.parent.mkdir(exist_ok=True)
    made.symlink_to(path)
    return made


@pytest.mark.parametrize(
    ("package", "version", "at", "link", "client", "found"),
    [
        (
            "@anthropic-ai/claude-code-linux-x64",
            "2.1.332",
            "claude",
            None,
            "claude-code",
            "2.1.332",
        ),
        (
            "@anthropic-ai/claude-code",
            "2.1.300",
            "bin/claude.exe",
            "claude",
            "claude-code",
            "2.1.300",
        ),
        (
            "@anthropic-ai/claude-code",
            "2.1.300",
            "bin/claude.exe",
            "agent",
            "claude-code",
            "2.1.300",
        ),
        ("@openai/codex", "0.171.0-linux-x64", "vendor/x/bin/codex", None, "codex", "0.171.0"),
        ("@openai/codex", "0.170.1", "bin/codex.js", "codex", "codex", "0.170.1"),
        ("something", "1.2.3", "bin/tool", None, "other", ""),
    ],
)
def test_a_program_is_known_by_its_name_or_its_package(
    tmp_path: Path, package: str, version: str, at: str, link: str | None, client: str, found: str
) -> None:
    path = installed(tmp_path, package, version, at, link=link)
    started = program([str(path), "-p", "hi"], {})
    assert (started.client, started.version, started.arguments) == (client, found, ("-p", "hi"))
    by_name = program([path.name, "x"], {"PATH": str(path.parent)})
    assert (by_name.client, by_name.version, by_name.argv) == (client, found, (str(path), "x"))


def test_a_script_under_node_is_the_program_and_not_its_argument(tmp_path: Path) -> None:
    path = installed(tmp_path, "@openai/codex", "0.170.1", "bin/codex.js")
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\n")
    node.chmod(0o755)
    started = program([str(node), str(path), "exec", "hi"], {})
    assert (started.client, started.version, started.arguments) == (
        "codex",
        "0.170.1",
        ("exec", "hi"),
    )


def test_a_client_without_a_package_has_the_newest_version_we_know(tmp_path: Path) -> None:
    path = tmp_path / "codex"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    started = program([str(path)], {})
    assert started.client == "codex"
    assert tuple(map(int, started.version.split("."))) >= (0, 171, 0)


@pytest.mark.parametrize(
    ("command", "message"),
    [([], "no command"), (["no-such-client"], "no-such-client: no such command")],
)
def test_a_command_that_is_not_there_is_bad_input(command: list[str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        program(command, dict(os.environ))
