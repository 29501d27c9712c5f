"""Refusals of shell commands: the client's words from its choice and the command alone."""

from pathlib import Path

import pytest

from inspector.clients.claude_code import refusals
from inspector.text import ByteClass
from inspector.turns import Prompted, Returned, Told, Turn
from tests.clients.claude_code.place import Place, called


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        ("a && b || c; d | e", ("a", "b", "c", "d", "e")),
        ("echo 'x; y' \"a && b\"", ("echo 'x; y' \"a && b\"",)),
        ("make 2>&1 | tee log > out.txt", ("make", "tee log")),
        ("a &> out & b\nc", ("a", "b", "c")),
        ("", ()),
    ],
)
def test_a_line_is_parted_at_its_operators(command: str, parts: tuple[str, ...]) -> None:
    assert refusals.parts(command) == parts


@pytest.mark.parametrize(
    ("command", "said", "told"),
    [
        ("make", "This command requires approval", Told(name="refused.approval")),
        (
            "cd x && make; ls",
            "This Bash command contains multiple operations. The following part requires approval:"
            " make",
            Told(name="refused.parts", about=(1,)),
        ),
        (
            "touch a b",
            "touch in '{cwd}/b' needs approval. The path is inside the working directories for this"
            " session ('{cwd}'), and Claude Code asks before a shell command creates, changes or"
            " removes files there.",
            Told(name="refused.inside", about=(1,)),
        ),
        (
            "echo x >> ../y",
            "Output redirection to '{root}/y' needs approval. The path is outside the working"
            " directories for this session ('{cwd}'). Allowing runs the command as written.",
            Told(name="refused.outside", about=(0,)),
        ),
        (
            "FOO=1 cat /etc/x",
            "cat in '/etc/x' was blocked. For security, Claude Code may only concatenate files from"
            " the allowed working directories for this session: '{cwd}'.",
            Told(name="refused.blocked", about=(0,)),
        ),
        (
            "ls $(pwd)",
            "A nested command in this command can't be checked before it runs",
            Told(name="refused.unchecked", about=(2,)),
        ),
        (
            "ls | rm x",
            "Permission to use Bash with command rm x has been denied.",
            Told(name="error.denied", about=(1,)),
        ),
    ],
)
def test_a_refusal_is_built_from_its_name_and_the_command(
    tmp_path: Path, command: str, said: str, told: Told
) -> None:
    place = Place(tmp_path).write({})
    said = said.replace("{cwd}", place.cwd).replace("{root}", str(tmp_path))
    session = place.begin()
    session.step(Turn(events=(Prompted(text="hello"),)), place.world())
    given = Returned(call="toolu_1", text=said, error=True)
    built = session.step(Turn(events=(called(1, "Bash", command=command), given)), place.world())
    used = [event for event in session.turns[-1].events if isinstance(event, Returned)]
    assert [event.outcome for event in used] == [told]
    assert f'"content":"{said}"'.encode() in built.body
    assert all(run.origin.byte_class is not ByteClass.ADOPTED for run in built.runs)


def test_a_refusal_that_names_what_the_command_does_not_is_no_sentence(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    session = place.begin()
    session.step(Turn(events=(Prompted(text="hello"),)), place.world())
    words = (
        "This Bash command contains multiple operations. The following part requires approval: rm"
    )
    given = Returned(call="toolu_1", text=words, error=True)
    built = session.step(Turn(events=(called(1, "Bash", command="ls; make"), given)), place.world())
    assert "⟦adopted⟧".encode() in built.body
