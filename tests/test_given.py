"""What a machine knows to be secret: the key of stand-ins, variables, the user's patterns."""

from pathlib import Path

import pytest

from inspector import redact
from inspector.errors import BadInput
from inspector.given import secrets_of

VALUE = "opaque-Value-1"


def put(env: dict[str, str], text: str) -> str:
    return redact.text(text, secrets_of(env))[0]


def test_equal_secrets_look_equal_on_a_machine_and_another_machine_tells_nothing(
    tmp_path: Path,
) -> None:
    one = {"INSPECTOR_DATA": str(tmp_path / "one"), "A_TOKEN": VALUE}
    other = {**one, "INSPECTOR_DATA": str(tmp_path / "other")}
    assert put(one, VALUE) == put(one, VALUE)
    assert len({put(one, VALUE), put(other, VALUE), redact.stand_in(VALUE)}) == 3
    key = tmp_path / "one" / "redaction.key"
    assert (key.stat().st_mode & 0o777, len(key.read_bytes())) == (0o600, 32)
    assert [path.name for path in key.parent.iterdir()] == ["redaction.key"]


def test_where_no_key_can_be_kept_stand_ins_are_still_under_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    env = {"INSPECTOR_DATA": str(tmp_path / "file" / "below"), "A_TOKEN": VALUE}
    assert put(env, VALUE).startswith("redacted")
    assert put(env, VALUE) != redact.stand_in(VALUE)


def test_the_users_patterns_are_secrets_too(tmp_path: Path) -> None:
    (tmp_path / "secrets.txt").write_text("# ours\nACME-[0-9]{6}\nticket=(?P<value>\\w+)\n")
    env = {"INSPECTOR_DATA": str(tmp_path)}
    clean = put(env, "see ACME-123456 and ticket=abc, not ACME-1")
    assert "123456" not in clean
    assert "abc" not in clean
    assert clean.startswith("see redacted")
    assert "ticket=redacted" in clean
    assert clean.endswith(", not ACME-1")


def test_a_pattern_that_is_none_is_told_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "secrets.txt").write_text("(")
    with pytest.raises(BadInput, match=r"secrets\.txt: .*; correct the expression"):
        secrets_of({"INSPECTOR_DATA": str(tmp_path)})


@pytest.mark.parametrize(
    "value", ["production", "Production", "us-central", "developer", "20261129", "PRODUCTION"]
)
def test_an_ordinary_word_is_a_secret_only_after_its_name(value: str, tmp_path: Path) -> None:
    env = {"INSPECTOR_DATA": str(tmp_path), "APP_KEY": value}
    text = f'{value} code\nAPP_KEY={value}\n{{"APP_KEY": "{value}"}} and {value}'
    clean = put(env, text)
    assert clean.count(value) == 2
    assert clean.startswith(f"{value} code\nAPP_KEY=redacted")


@pytest.mark.parametrize(
    "value", ["xkqzvbnmtr", "hunter2hunter2", "aGhTkLpQ", "correct-horse-battery", "12345678901234"]
)
def test_what_has_the_shape_of_a_secret_goes_everywhere(value: str, tmp_path: Path) -> None:
    env = {"INSPECTOR_DATA": str(tmp_path), "APP_KEY": value}
    assert value not in put(env, f"{value} code\nAPP_KEY={value}\n and {value}")
