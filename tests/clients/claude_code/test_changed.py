"""Files that changed on disk after the client wrote them."""

from pathlib import Path

from inspector.turns import Event, Prompted, Returned, Shelled
from tests.clients.claude_code.place import Place, called, mentioned, texts


def _ran(number: int) -> tuple[Event, Event]:
    reply = called(number, "Bash", command="true")
    return reply, Returned(call=f"toolu_{number}", outcome=Shelled())


def _wrote(place: Place, number: int) -> tuple[Event, Event]:
    reply = called(number, "Write", file_path=f"{place.cwd}/a.txt", content="x")
    said = (
        f"File created successfully at: {place.cwd}/a.txt (file state is current in your context"
        " — no need to Read it back)"
    )
    return reply, Returned(call=f"toolu_{number}", text=said)


def _after_writing(place: Place, content: str) -> list[str]:
    session = place.begin()
    place.body(session, Prompted(text="hello"))
    place.body(session, *_wrote(place, 1))
    place.write({"ws/a.txt": content})
    first = texts(place.body(session, *_ran(2))["messages"][-1])
    again = place.body(session, *_ran(3))["messages"][-1]
    assert again["content"][0]["type"] == "tool_result"
    return first


def test_the_lines_around_each_change_are_shown_once(tmp_path: Path) -> None:
    old = [f"l{number}" for number in range(1, 61)]
    place = Place(tmp_path).write({"ws/a.txt": "\n".join(old) + "\n"})
    new = [*old[:19], "CHANGED", *old[20:]]
    del new[49]
    said = mentioned(_after_writing(place, "\n".join(new) + "\n"), "Note: /")
    shown = said.partition("⟧")[2]
    first, _, second = shown.partition("\n...\n")
    assert first.split("\n")[0] == "12\tl12"
    assert "20\tCHANGED" in first
    assert first.split("\n")[-1] == "28\tl28"
    assert second.split("\n")[0] == "42\tl42"
    assert second.split("\n")[8] == "50\tl51"
    assert second.split("\n")[-1] == "57\tl58"


def test_a_long_change_is_cut_at_the_end_of_a_line(tmp_path: Path) -> None:
    place = Place(tmp_path).write({"ws/a.txt": "x\n"})
    lines = [f"line {number:04}" for number in range(2000)]
    said = mentioned(_after_writing(place, "\n".join(lines) + "\n"), "Note: /")
    shown = said.partition("⟧")[2]
    body, _, rest = shown.partition("\n\n... [")
    assert len(body) <= 8192
    assert body.split("\n")[-1].partition("\t")[2] == f"line {len(body.split(chr(10))) - 1:04}"
    assert rest == f"{2000 - len(body.split(chr(10)))} lines truncated] ..."


def test_a_file_that_was_only_read_is_not_watched(tmp_path: Path) -> None:
    place = Place(tmp_path).write({"ws/a.txt": "one\n"})
    session = place.begin()
    place.body(session, Prompted(text="hello"))
    place.body(session, called(1, "Read", file_path=f"{place.cwd}/a.txt"))
    place.write({"ws/a.txt": "two\n"})
    last = place.body(session, *_ran(2))["messages"][-1]
    assert last["content"][0]["type"] == "tool_result"


def test_a_file_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    place = Place(tmp_path).write({"ws/a.txt": "one\n"})
    session = place.begin()
    place.body(session, Prompted(text="hello"))
    place.body(session, *_wrote(place, 1))
    (tmp_path / "ws/a.txt").unlink()
    place.body(session, *_ran(2))
    place.write({"ws/a.txt": "two\n"})
    last = place.body(session, *_ran(3))["messages"][-1]
    assert last["content"][0]["type"] == "tool_result"
