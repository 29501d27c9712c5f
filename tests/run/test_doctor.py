"""`inspector doctor`: what it says, from a process of its own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LIMIT = 60


def doctor(
    tmp_path: Path, *options: str, env: dict[str, str] | None = None
) -> tuple[int, bytes, bytes]:
    root = str(Path(__file__).resolve().parents[2])
    ours = {
        "HOME": str(tmp_path / "home"),
        "PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin",
        "PYTHONPATH": root,
        "INSPECTOR_DATA": str(tmp_path / "data"),
    }
    ended = subprocess.run(
        [sys.executable, "-m", "inspector", "doctor", *options],
        env={**ours, **(env or {})},
        cwd=tmp_path,
        capture_output=True,
        timeout=LIMIT,
        check=False,
    )
    return ended.returncode, ended.stdout, ended.stderr


def document(
    tmp_path: Path, *options: str, env: dict[str, str] | None = None
) -> tuple[int, dict[str, Any]]:
    code, out, err = doctor(tmp_path, "--json", *options, env=env)
    assert err == b""
    return code, json.loads(out)


def client(tmp_path: Path, name: str, package: str, version: str) -> Path:
    """A program as npm installs it, which must never be run."""
    folder = tmp_path / "node_modules" / package
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"name": package, "version": version}))
    program = folder / name
    program.write_text(f"#!/bin/sh\ntouch {tmp_path / 'ran'}\n")
    program.chmod(0o755)
    (tmp_path / "bin").mkdir(exist_ok=True)
    (tmp_path / "bin" / name).symlink_to(program)
    return tmp_path / "bin" / name


def test_the_places_of_our_files_are_printed_alone(tmp_path: Path) -> None:
    code, out = document(
        tmp_path, "--paths", "--store", "x.db", env={"XDG_CACHE_HOME": str(tmp_path / "cache")}
    )
    data = tmp_path / "data"
    assert (code, out) == (
        0,
        {
            "schema": 1,
            "paths": {
                "data": str(data),
                "store": "x.db",
                "ca": str(data / "ca"),
                "texts": str(data / "texts"),
                "routes": str(data / "routes"),
                "cache": str(tmp_path / "cache" / "inspector"),
            },
            "files": [],
        },
    )
    assert not data.exists()
    code, text, _ = doctor(tmp_path, "--paths")
    assert (code, text.splitlines()[0]) == (0, f"data   {data}".encode())


def test_without_clients_everything_else_is_tried_and_works(tmp_path: Path) -> None:
    code, out = document(tmp_path)
    assert (code, out["problems"], out["routes"], out["store"]) == (0, [], [], "not made yet")
    assert [(item["client"], item["path"]) for item in out["clients"]] == [
        ("claude-code", None),
        ("codex", None),
    ]
    assert (tmp_path / "data" / "ca" / "mitmproxy-ca-cert.pem").exists()
    assert out["packages"]["mitmproxy"].startswith("12.")


def test_without_a_client_it_does_not_say_that_everything_works(tmp_path: Path) -> None:
    code, out, _ = doctor(tmp_path)
    assert code == 0
    assert out.decode().splitlines()[-1] == (
        "what is ours works, but no client was found, so no route to one was tried; install"
        " Claude Code or Codex, or both with `inspector demo --install-clients`"
    )


def test_a_client_that_the_demo_installed_is_found_and_named_by_its_path(tmp_path: Path) -> None:
    package = tmp_path / "cache/inspector/clients/node_modules/@anthropic-ai/claude-code-any"
    package.mkdir(parents=True)
    (package / "claude").write_text("#!/bin/sh\n")
    (package / "claude").chmod(0o755)
    code, out = document(tmp_path, env={"XDG_CACHE_HOME": str(tmp_path / "cache")})
    assert code == 0
    assert out["clients"][0]["path"] == str(package / "claude")
    assert f" {package / 'claude'}" in out["routes"][0]["line"]


def test_installed_clients_are_found_with_their_version_and_never_run(tmp_path: Path) -> None:
    claude = client(tmp_path, "claude", "@anthropic-ai/claude-code", "2.1.332")
    codex = client(tmp_path, "codex", "@openai/codex", "0.999.0")
    code, out = document(
        tmp_path,
        env={"ANTHROPIC_BASE_URL": "https://gw.example/x", "HTTPS_PROXY": "http://u:p@corp:1"},
    )
    assert code == 0
    first, second = out["clients"]
    assert first == {
        "client": "claude-code",
        "path": str(claude),
        "version": "2.1.332",
        "profile": "2.1.332",
        "exact": True,
        "gateway": "https://gw.example/x",
    }
    assert (second["path"], second["version"], second["exact"], second["gateway"]) == (
        str(codex),
        "0.999.0",
        False,
        None,
    )
    assert [(item["client"], item["route"], item["works"]) for item in out["routes"]] == [
        ("claude-code", "tls", True),
        ("claude-code", "base-url", True),
        ("claude-code", "raw-export", True),
        ("codex", "tls", True),
        ("codex", "base-url", True),
    ]
    assert out["proxy"] == "http://corp:1"
    assert "--mode reverse:https://gw.example " in out["routes"][1]["listener"]
    assert not (tmp_path / "ran").exists()


def test_what_does_not_work_is_a_problem_and_exit_1(tmp_path: Path) -> None:
    (tmp_path / "s.db").write_text("no store at all, just some text")
    (tmp_path / "file").write_text("")
    env = {"INSPECTOR_DATA": str(tmp_path / "file"), "HTTPS_PROXY": "socks5://x:1"}
    code, out = document(tmp_path, "--store", "s.db", env=env)
    assert code == 1
    assert out["problems"] == [
        "s.db: not a store; give another --store",
        "HTTPS_PROXY: no http or https proxy we can go through; correct it or unset it",
        f"{tmp_path / 'file' / 'ca'}: the CA cannot be kept there (Not a directory); set INSPECTOR_DATA",
    ]
    code, text, _ = doctor(tmp_path, "--store", "s.db", env=env)
    assert (code, text.decode().splitlines()[-3:]) == (1, out["problems"])


def test_every_file_we_keep_is_listed(tmp_path: Path) -> None:
    assert document(tmp_path)[0] == 0
    code, out = document(tmp_path, "--paths")
    kept = sorted(str(path) for path in (tmp_path / "data").rglob("*") if path.is_file())
    assert (code, sorted(out["files"])) == (0, kept)
    assert str(tmp_path / "data" / "ca" / "mitmproxy-ca.pem") in kept


def test_ca_files_that_cannot_be_used_are_named_with_their_variable(tmp_path: Path) -> None:
    (tmp_path / "text.pem").write_text("no certificate")
    env = {
        "NODE_EXTRA_CA_CERTS": str(tmp_path / "none.pem"),
        "SSL_CERT_FILE": str(tmp_path / "text.pem"),
        "SSL_CERT_DIR": str(tmp_path / "nowhere"),
    }
    code, out = document(tmp_path, env=env)
    assert (code, out["problems"]) == (
        1,
        [
            f"NODE_EXTRA_CA_CERTS: {tmp_path / 'none.pem'}: cannot be read (No such file or directory); correct it or unset it",
            f"SSL_CERT_FILE: {tmp_path / 'text.pem'}: holds no certificate in PEM form; correct it or unset it",
            f"SSL_CERT_DIR: {tmp_path / 'nowhere'}: no such folder; correct it or unset it",
        ],
    )
    code, out = document(tmp_path, env={"SSL_CERT_FILE": str(ours(tmp_path))})
    assert (code, out["problems"]) == (0, [])


def ours(tmp_path: Path) -> Path:
    """A bundle as systems have it."""
    return next((tmp_path / "data" / "ca").glob("bundle-*.pem"))


def test_a_program_that_is_not_the_clients_own_is_not_started_by_a_try(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    wrapper = tmp_path / "bin" / "claude"
    wrapper.write_text(f"#!/bin/sh\ntouch {tmp_path / 'ran'}\n")
    wrapper.chmod(0o755)
    code, out = document(tmp_path, "--try")
    assert (code, out["problems"]) == (0, [])
    assert not (tmp_path / "ran").exists()


def test_a_client_that_fails_its_try_is_a_problem_with_the_route_named(tmp_path: Path) -> None:
    client(tmp_path, "claude", "@anthropic-ai/claude-code", "2.1.332")
    code, out = document(tmp_path, "--try")
    said = [
        f"claude-code, route {route}: the script expects 1 main request, the client made 0"
        for route in ("tls", "base-url", "raw-export")
    ]
    assert (code, out["problems"]) == (1, said)
    assert (tmp_path / "ran").exists()
