"""Command line, configuration, servers, what a snapshot keeps, and how to launch."""

import hashlib
import tomllib

import pytest

from inspector.clients.codex import CLIENT
from inspector.clients.codex.argv import parse
from inspector.clients.codex.config import read, source
from inspector.errors import BadInput
from inspector.workspace import Git, World
from tests.clients.codex.stage import CUSTOM, HOME, WS, configuration, world


@pytest.mark.parametrize(
    ("argv", "entry", "thread", "prompt"),
    [
        (("exec", "hi"), "exec", None, "hi"),
        (("-c", "a=1", "exec", "--skip-git-repo-check", "-m", "x", "hi"), "exec", None, "hi"),
        (("exec", "resume", "--last", "hi"), "resume", None, "hi"),
        (("exec", "resume", "01a2", "hi"), "resume", "01a2", "hi"),
        (("exec", "-i", "a.png", "b.png", "--", "-hi"), "exec", None, "-hi"),
        (("exec", "-"), "exec", None, "-"),
        (("exec",), "exec", None, None),
    ],
)
def test_a_command_line_is_read(
    argv: tuple[str, ...], entry: str, thread: str | None, prompt: str | None
) -> None:
    command = parse(argv)
    assert (command.entry, command.thread, command.prompt) == (entry, thread, prompt)


_TRUST = '[projects."/home/ann/ws"]\ntrust_level = "trusted"\n'


def test_later_layers_win() -> None:
    config = f'model = "a"\nmodel_provider = "g"\n{_TRUST}'
    files: dict[str, str | bytes] = {
        f"{WS}/.codex/config.toml": 'model = "c"\nservice_tier = "flex"\n',
        f"{HOME}/.codex/p.config.toml": 'model = "b"\nmodel_verbosity = "high"\n',
    }
    flags = ("-p", "p", "-c", "features.goals=false", "-c", "k=plain", "x")
    found = configuration(world(files, config=config, argv=("exec", *flags)))
    names = ("model", "model_verbosity", "service_tier", "k")
    assert [found.string(name) for name in names] == ["c", "high", "flex", "plain"]
    assert found.get("features", "goals") is False
    given = configuration(world(files, config=config, argv=("exec", "-m", "d", "x")))
    assert given.string("model") == "d"


def test_a_value_comes_from_the_last_layer_that_has_it() -> None:
    files: dict[str, str | bytes] = {
        f"{HOME}/.codex/fast.config.toml": 'model = "b"\n',
        f"{WS}/.codex/config.toml": 'sandbox_mode = "read-only"\n',
    }
    argv = ("--profile", "fast", "-c", "approval_policy=never", "exec", "hi")
    here = world(files, config=f'model = "a"\nreview_model = "r"\n{_TRUST}', argv=argv)
    config = read(here.tree, here.environment)
    keys = ("model", "review_model", "sandbox_mode", "approval_policy", "nothing")
    assert [source(here.tree, config, key) for key in keys] == [
        f"{HOME}/.codex/fast.config.toml",
        f"{HOME}/.codex/config.toml",
        f"{WS}/.codex/config.toml",
        "-c",
        "",
    ]


@pytest.mark.parametrize(
    ("more", "git", "model"),
    [
        ('[projects."/home/ann/ws"]\ntrust_level = "trusted"\n', False, None),
        ('[projects."/home/ann/ws"]\ntrust_level = "trusted"\n', True, "root"),
        ('[projects."/home/ann/ws/sub"]\ntrust_level = "trusted"\n', False, None),
        (
            '[projects."/home/ann/ws"]\ntrust_level = "trusted"\n'
            '[projects."/home/ann/ws/sub"]\ntrust_level = "untrusted"\n',
            True,
            "root",
        ),
    ],
)
def test_trust_is_a_repositorys_or_the_working_directorys(
    more: str, git: bool, model: str | None
) -> None:
    files: dict[str, str | bytes] = {
        f"{WS}/.git/": "",
        f"{WS}/.codex/config.toml": 'model = "root"\n',
    }
    of = world(files, config=CUSTOM + more, cwd=f"{WS}/sub")
    facts = Git(root=WS, head="ref: refs/heads/main") if git else None
    environment = of.environment.model_copy(update={"git": facts})
    assert read(of.tree, environment).string("model") == model


def test_an_untrusted_projects_configuration_is_not_read() -> None:
    files: dict[str, str | bytes] = {f"{WS}/.git/": "", f"{WS}/.codex/config.toml": 'model = "c"\n'}
    assert configuration(world(files)).string("model") is None


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("", ("builtin", "lite", "read-only")),
        (CUSTOM, ("custom", "lite", "danger-full-access")),
        ('model = "gpt-5.5"\n', ("builtin", "classic", "read-only")),
        ('model = "my-own"\n', ("builtin", "outside", "read-only")),
    ],
)
def test_axes_follow_the_configuration(config: str, expected: tuple[str, str, str]) -> None:
    axes = CLIENT.axes(world(config=config))
    assert (axes["provider"], axes["model_class"], axes["mode"]) == expected


def _servers(of: World) -> list[tuple[str, str, tuple[str, ...], str | None]]:
    return [(s.name, s.kind, s.command, s.url) for s in CLIENT.servers(of.tree, of.environment)]


def test_servers_are_those_the_process_would_start() -> None:
    config = CUSTOM + (
        '[mcp_servers.a]\ncommand = "x"\nargs = ["y"]\n[mcp_servers.off]\ncommand = "x"\nenabled = false\n'
        '[mcp_servers.web]\nurl = "http://h/mcp"\n'
    )
    of = world(config=config, argv=("exec", "-c", 'mcp_servers.b={command="z"}', "hi"))
    assert _servers(of) == [
        ("a", "stdio", ("x", "y"), None),
        ("web", "http", (), "http://h/mcp"),
        ("b", "stdio", ("z",), None),
    ]


def test_a_snapshot_keeps_no_secret_of_the_configuration() -> None:
    secret = "plain-" + "secret"
    source = (
        f'model = "m"\nnotify = ["x"]\n[model_providers.g]\nbase_url = "u"\nexperimental_bearer_token = "{secret}"\n'
        f'[mcp_servers.a]\ncommand = "x"\n[mcp_servers.a.env]\nTOKEN = "{secret}"\n'
    )
    kept = CLIENT.sanitise(f"{HOME}/.codex/config.toml", source.encode())
    assert secret.encode() not in kept
    digest = "sha256:" + hashlib.sha256(secret.encode()).hexdigest()
    assert tomllib.loads(kept.decode()) == {
        "model": "m",
        "model_providers": {"g": {"base_url": "u"}},
        "mcp_servers": {"a": {"command": "x", "env": {"TOKEN": digest}}},
    }
    assert CLIENT.sanitise(f"{HOME}/.codex/auth.json", b"{}") == b""
    assert CLIENT.sanitise(f"{WS}/AGENTS.md", b"x") == b"x"


def test_intercepting_sets_the_proxy_and_both_trust_variables() -> None:
    of = world(config="")
    plan = CLIENT.launch(
        ("codex", "exec", "hi"), of.environment, of.tree, "tls", "http://127.0.0.1:9", "/ca.pem"
    )
    assert (plan.argv, plan.upstream, plan.hosts) == (
        ("codex", "exec", "hi"),
        None,
        ("api.openai.com", "chatgpt.com"),
    )
    assert {key: value for key, value in plan.env.items() if value is not None} == {
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "CODEX_CA_CERTIFICATE": "/ca.pem",
        "SSL_CERT_FILE": "/ca.pem",
    }


@pytest.mark.parametrize(
    ("config", "argv", "expected"),
    [
        ("", ("codex", "exec", "hi"), ("codex", "-c", 'openai_base_url="http://127.0.0.1:9/v1"', "exec", "hi")),
        (
            CUSTOM + '[model_providers.gateway]\nbase_url = "http://h:1/a/v1"\n',
            ("codex", "exec", "resume", "--last", "hi"),
            ("codex", "-c", 'model_providers.gateway.base_url="http://127.0.0.1:9/a/v1"', "exec", "resume", "--last", "hi"),
        ),
        (
            "",
            ("codex", "exec", "-c", 'openai_base_url="http://h/v9"', "hi"),
            ("codex", "exec", "-c", 'openai_base_url="http://127.0.0.1:9/v9"', "hi"),
        ),
        ("", ("npx", "-y", "codex", "exec"), ("npx", "-y", "codex", "-c", 'openai_base_url="http://127.0.0.1:9/v1"', "exec")),
    ],
)  # fmt: skip
def test_a_base_url_goes_where_every_subcommand_takes_it(
    config: str, argv: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    of = world(config=config, argv=argv[1:])
    assert (
        CLIENT.launch(argv, of.environment, of.tree, "base-url", "http://127.0.0.1:9", "/ca").argv
        == expected
    )


def test_on_a_terminal_no_server_in_the_background_does_the_work() -> None:
    of = world(config="", argv=("hi",))
    plan = CLIENT.launch(
        ("codex", "hi"), of.environment, of.tree, "tls", "http://127.0.0.1:9", "/ca.pem"
    )
    assert plan.argv == ("codex", "-c", 'inspector="capture"', "hi")


def test_an_unknown_route_is_refused() -> None:
    of = world()
    with pytest.raises(BadInput, match="use tls or base-url"):
        CLIENT.launch(
            ("codex",), of.environment, of.tree, "raw-export", "http://127.0.0.1:9", "/ca"
        )
