"""Rules that keep files from being read (witness: golden mention_denied)."""

import pytest

from inspector.clients.claude_code import system
from inspector.clients.claude_code.denied import Denied
from inspector.clients.claude_code.settings import Settings
from inspector.workspace import Environment

HERE = Environment(
    client="claude-code",
    version="2.1.332",
    argv=("claude", "-p", "hello"),
    cwd="/w",
    env={},
    home="/home/me",
    config_home="/home/me/.claude",
    date="2026-11-30",
    platform="linux",
    shell="bash",
    os_version="Linux 6.1",
)


def denied(*rules: str) -> Denied:
    values = {"permissions": {"deny": list(rules)}}
    return Denied.reads(
        Settings(values, frozenset({"project"}), {}, (("projectSettings", values),)), HERE
    )


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("Read(./secret.txt)", "/w/secret.txt"),
        ("Read(SECRET.txt)", "/w/deep/Secret.TXT"),
        ("Read(private/**)", "/w/private"),
        ("Read(private/**)", "/w/deep/private/x"),
        ("Read(/sub/private/**)", "/w/sub/private"),
        ("Read(gone/)", "/w/gone/"),
        ("Read(//abs/**)", "/abs/f"),
        ("Read(~/out/*.txt)", "/home/me/out/d.txt"),
        ("Read(/**)", "/w"),
    ],
)
def test_a_rule_denies_a_path(rule: str, path: str) -> None:
    assert denied(rule).holds(path)


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("Read(gone/)", "/w/gone"),
        ("Read(/sub/private/**)", "/w/deep/sub/private"),
        ("Read(~/out/*.txt)", "/home/me/out"),
        ("Edit(secret.txt)", "/w/secret.txt"),
        ("Read", "/w/secret.txt"),
        ("Read(*.key)", "/elsewhere/x.key"),
    ],
)
def test_a_rule_leaves_a_path(rule: str, path: str) -> None:
    assert not denied(rule).holds(path)


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("see @~/out/d.txt and @x more", "see-out-d-txt-and-x"),
        ("a b c d e", "a-b-c-d"),
        (
            "Many words-of-one that_go on-and-on-and-on-and",
            "many-words-of-one-that-go-on-and-on-and",
        ),
    ],
)
def test_a_plan_is_named_after_the_first_words_of_a_prompt(prompt: str, name: str) -> None:
    assert system.words(prompt) == name
