"""Arguments in skill bodies, as Claude Code 2.1.332 filled them in (`skill_tool`)."""

import pytest

from inspector.clients.claude_code.substitute import filled, names, variables
from inspector.text import Kind, Origin, text
from tests.clients.claude_code.place import literal

APPENDIX = text("\n\nARGUMENTS: ", Origin(Kind.LITERAL, "skill.arguments"))


@pytest.mark.parametrize(
    ("body", "given", "named", "expected"),
    [
        ("no placeholder\n", None, (), "no placeholder\n"),
        ("no placeholder\n", "", (), "no placeholder\n"),
        ("no placeholder\n", "some args", (), "no placeholder\n\n\nARGUMENTS: some args"),
        ("all=$ARGUMENTS", 'one "two three" four', (), 'all=one "two three" four'),
        ("$0|$1|$2|$9", 'one "two three" four', (), "one|two three|four|$9"),
        ("$ARGUMENTS[1]|$ARGUMENTS[9]", "a b", (), "b|$ARGUMENTS[9]"),
        # Something was taken (`$1` in `$$1`), so nothing is appended.
        ("$10 $$1 \\$1 ${1}", "a b", (), "$10 $b $1 ${1}"),
        ("all=$ARGUMENTS zero=$0", None, (), "all= zero=$0"),
        ("who=$who x=$whom", "bob happy", ("who", "mood"), "who=bob x=$whom"),
        ("$ARGUMENTS", "a $0 $ARGUMENTS", (), "a $0 $ARGUMENTS"),
        ("$0", "'unclosed quote", (), "'unclosed quote"),
        ("$0|$1|$2", "a;b c", (), "a|$1|$2"),
        ("$0|$1|$2", "one\ntwo three", (), "one|$1|$2"),
        ("$0|$1|$2", 'a\\ b \'c d\' "e \\" f"', (), 'a b|c d|e \\" f'),
        ("$0|$1|$2", "$X $Y b", (), "$X|b|$2"),
        ("$0|$1|$2", "a `b` c", (), "a|$1|$2"),
        ("$0|$1|$2", "#a b", (), "#a|b|$2"),
    ],
)
def test_arguments_are_filled_in(
    body: str, given: str | None, named: tuple[str, ...], expected: str
) -> None:
    assert _filled(body, given or "", named) == expected


@pytest.mark.parametrize(
    ("body", "given", "expected"),
    [
        ("$ARGUMENTS", "!a `!b` c !`d`", r"\!a ` \!b` c \! `d`"),
        ("$ARGUMENTS", "${CLAUDE_EFFORT} and $1", "high and $1"),
        ("${CLAUDE_EFFORT} $0", "x", "high x"),
        ("none", "!x", "none\n\nARGUMENTS: \\!x"),
    ],
)
def test_an_argument_runs_no_command_and_takes_variables(
    body: str, given: str, expected: str
) -> None:
    assert _filled(body, given) == expected


def _filled(body: str, given: str, named: tuple[str, ...] = ()) -> str:
    args = text(given, Origin(Kind.REPLY, "call"))
    values = {"CLAUDE_EFFORT": literal("high")}
    return str(filled(literal(body), args, named, values, APPENDIX))


def test_an_argument_keeps_its_own_origin() -> None:
    args = text("bob", Origin(Kind.REPLY, "call"))
    made = filled(literal("hi $0!"), args, (), {}, APPENDIX)
    assert [(piece.text, piece.origin.kind) for piece in made.pieces] == [
        ("hi ", Kind.FILE),
        ("bob", Kind.REPLY),
        ("!", Kind.FILE),
    ]


def test_named_arguments_are_words_or_a_list_and_never_numbers() -> None:
    assert names("who mood 3") == ("who", "mood")
    assert names(["who", 3, "4", ""]) == ("who",)
    assert names(None) == ()


def test_only_the_clients_own_variables_are_filled_in() -> None:
    value = literal("/skill")
    body = literal("${CLAUDE_SKILL_DIR} ${CLAUDE_PLUGIN_ROOT} $HOME")
    assert str(variables(body, {"CLAUDE_SKILL_DIR": value})) == "/skill ${CLAUDE_PLUGIN_ROOT} $HOME"
