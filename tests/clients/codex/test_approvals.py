"""What the model is told of approvals, from the configuration and the rules a user has."""

import pytest

from inspector.clients.codex import developer
from inspector.text import Kind, Known
from inspector.workspace import World
from tests.clients.codex.stage import HOME, WS, configuration, profile, world

_TRUSTED = f'[projects."{WS}"]\ntrust_level = "trusted"\n'
_RULES = f"{HOME}/.codex/rules/default.rules"


def _said(of: World) -> list[str]:
    """The pieces of what is told, client texts by name."""
    told = developer.permissions(of, configuration(of), profile(of))
    return [
        piece.origin.name if isinstance(piece.origin, Known) else piece.text
        for piece in told.pieces
    ]


def test_exec_in_a_trusted_folder_may_write_there_and_asks_nobody() -> None:
    of = world(config=_TRUSTED)
    assert configuration(of).sandbox == "workspace-write"
    assert configuration(of).approval == "never"


@pytest.mark.parametrize(
    ("config", "argv", "expected"),
    [
        ("", (), ("read-only", "on-request")),
        (_TRUSTED, (), ("workspace-write", "on-request")),
        (_TRUSTED.replace("trusted", "untrusted"), (), ("workspace-write", "unless-trusted")),
        (_TRUSTED, ("--yolo",), ("danger-full-access", "never")),
        (_TRUSTED, ("-a", "never"), ("workspace-write", "never")),
        ("", ("--approve-for-me",), ("workspace-write", "on-request")),
        ("approval_policy = { granular = { rules = true } }\n", (), ("read-only", "granular")),
    ],
)
def test_a_terminal_asks_as_folder_configuration_and_command_line_say(
    config: str, argv: tuple[str, ...], expected: tuple[str, str]
) -> None:
    found = configuration(world(config=config, argv=argv))
    assert (found.sandbox, found.approval) == expected


def test_rules_name_what_was_approved_the_shortest_first_and_only_that() -> None:
    rules = (
        'prefix_rule(pattern=["npm", ["run", "test"]], decision="allow")\n'
        'prefix_rule(pattern=["git", "push"], decision="allow")\n'
        'prefix_rule(pattern=["rm"], decision="prompt")\n'
        'prefix_rule(pattern=["ls"])\n'
    )
    of = world({_RULES: rules}, config=_TRUSTED, argv=())
    told = _said(of)
    assert told[told.index("permissions.on-request") + 1 :][:6] == [
        "\n\n## Approved command prefixes\nThe following prefix rules have already been approved: ",
        "- ",
        '["ls"]',
        "\n",
        "- ",
        '["git", "push"]',
    ]
    assert '["npm", "[run|test]"]' in told
    assert not any('["rm"]' in piece for piece in told)
    pieces = developer.permissions(of, configuration(of), profile(of)).pieces
    push = next(piece for piece in pieces if piece.text == '["git", "push"]')
    assert (push.origin.kind, push.origin.name, push.at) == (
        Kind.FILE,
        _RULES,
        rules.index('["git'),
    )


def test_rules_that_cannot_be_read_approve_nothing() -> None:
    of = world({_RULES: "prefix_rule(pattern=["}, config=_TRUSTED, argv=())
    assert not any("Approved" in piece for piece in _said(of))


def test_a_hundred_prefixes_are_told_and_that_there_were_more() -> None:
    rules = "".join(f'prefix_rule(pattern=["c{n:03}"])\n' for n in range(103))
    told = _said(world({_RULES: rules}, config=_TRUSTED, argv=()))
    assert sum(piece == "- " for piece in told) == 100
    assert "...\n[Some commands were truncated]" in told


def test_kinds_of_approval_are_told_apart() -> None:
    config = "approval_policy = { granular = { rules = true, mcp_elicitations = true } }\n"
    told = "".join(_said(world(config=config, argv=())))
    assert told.partition("prompting the user.\n")[2].startswith(
        "\nThese approval categories may still prompt the user when needed:\n- `rules`\n- `mcp_elicitations`\n"
        "\nThese approval categories are automatically rejected instead of prompting the user:\n"
        "- `sandbox_approval`\n- `skill_approval`\n"
    )


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-6.2-sol", ["permissions.reviewer"]),
        ("gpt-5.5", ["permissions.on-request"]),
    ],
)
def test_a_reviewer_stands_in_for_the_user_or_beside_as_the_model_has_it(
    model: str, expected: list[str]
) -> None:
    of = world(config=f'model = "{model}"\n', argv=("exec", "--approve-for-me", "hello"))
    told = _said(of)
    known = [piece for piece in told if piece in {"permissions.reviewer", "permissions.on-request"}]
    assert known == expected
    assert any("`approvals_reviewer`" in piece for piece in told) is (model == "gpt-5.5")
