"""Which model a name means to the client, and which names its profile has not."""

from pathlib import Path

import pytest

from inspector.clients.claude_code import briefing
from tests.clients.claude_code.place import CLIENT, Place


def place(root: Path, *argv: str, version: str = "2.1.332") -> Place:
    return Place(root, argv=("-p", "x", *argv), version=version).write({})


@pytest.mark.parametrize(
    ("name", "known", "sent"),
    [
        ("claude-sonnet-4-5", "claude-sonnet-4-5", "claude-sonnet-4-5"),
        ("claude-opus-5-5-20260601", "claude-opus-5-5", "claude-opus-5-5-20260601"),
        ("claude-opus-4-1-20250805", "claude-opus-4-1-20250805", "claude-opus-5-5"),
        ("claude-opus-4-6[1m]", "claude-opus-4-6[1m]", "claude-opus-4-6"),
        ("CLAUDE-OPUS-4-6", "claude-opus-4-6", "claude-opus-4-6"),
        ("CLAUDE-SONNET-4-5", "claude-sonnet-4-5", "CLAUDE-SONNET-4-5"),
        ("Sonnet", "sonnet", "claude-sonnet-5-5"),
        ("opusplan", "sonnet", "claude-sonnet-5-5"),
        ("My-Own", "My-Own", "My-Own"),
    ],
)
def test_a_name_is_known_and_sent_as_the_client_does(
    tmp_path: Path, name: str, known: str, sent: str
) -> None:
    here = place(tmp_path, "--model", name)
    assert CLIENT.axes(here.world())["model"] == known
    assert str(briefing.model_id(here.profile(), name)) == sent


def test_plan_mode_has_another_model_for_two_names(tmp_path: Path) -> None:
    names = ("opusplan", "haiku", "sonnet", "opus")
    planning = [place(tmp_path, "--model", n, "--permission-mode", "plan").world() for n in names]
    assert [CLIENT.axes(world)["model"] for world in planning] == [
        "opusplan",
        "sonnet",
        "sonnet",
        "opus",
    ]


def test_a_date_stays_where_the_profile_would_send_a_name_of_its_own(tmp_path: Path) -> None:
    name = "claude-sonnet-4-6-20991231"
    here = place(tmp_path, "--model", name, version="2.1.88")
    assert CLIENT.axes(here.world())["model"] == name
    assert CLIENT.unmodelled(here.world()) == [f"model {name}"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("claude-fable-4", ["model claude-fable-4"]),
        ("claude-opus-9", ["model claude-opus-9"]),
        ("mine[1m]", ["model mine[1m]"]),
        ("mine", []),
        ("opusplan", []),
        ("claude-haiku-4-5", []),
    ],
)
def test_a_model_that_the_profile_has_not_is_named(
    tmp_path: Path, name: str, said: list[str]
) -> None:
    assert CLIENT.unmodelled(place(tmp_path, "--model", name).world()) == said
