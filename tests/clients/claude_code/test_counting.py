"""Token counts: what the client asks for before a request, and what the numbers decide."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.turns import Called, Counted, Event, Prompted, Replied, Returned, Turn
from inspector.workspace import Environment
from tests.clients.claude_code.place import Place

ROWS = "some row\n" * 400


class _DefaultHost(Place):
    """A place from which the client calls its own host."""

    def environment(self) -> Environment:
        own = {"route": "tls", "base_url": None}
        return super().environment().model_copy(update=own)


def _counts(place: Place, *events: Event, more: tuple[Event, ...] = ()) -> list[dict[str, Any]]:
    """The counts before the request that follows on some events."""
    session = place.begin()
    session.step(Turn(events=(Prompted(text="hello"), *more)), place.world())
    if events:
        session.step(Turn(events=events), place.world())
    return [json.loads(built.body) for built in session.counts()]


def _read(call: str, path: str) -> Replied:
    given = json.dumps({"file_path": path})
    return Replied(id="m", blocks=(Called(id=call, name="Read", input=given),))


def _place(root: Path, **env: str) -> Place:
    place = Place(root, env={"CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS": "1000", **env})
    return place.write({"ws/long.txt": ROWS, "ws/short.txt": "one\n"})


def test_a_long_file_is_counted_before_its_result_is_sent(tmp_path: Path) -> None:
    place = _place(tmp_path)
    (count,) = _counts(place, _read("t1", f"{place.cwd}/long.txt"), Returned(call="t1"))
    assert {**count, "model": "m"} == {
        "model": "m",
        "messages": [{"role": "user", "content": ROWS}],
        "tools": [],
    }


def test_a_short_file_is_not_counted(tmp_path: Path) -> None:
    place = _place(tmp_path)
    assert _counts(place, _read("t1", f"{place.cwd}/short.txt"), Returned(call="t1")) == []


def test_tools_are_counted_once_where_the_client_decides_on_their_deferral(tmp_path: Path) -> None:
    place = _place(tmp_path, ENABLE_TOOL_SEARCH="auto")
    (count,) = _counts(place, more=(Counted(tokens=9),))
    assert count["messages"] == [{"role": "user", "content": "foo"}]
    assert [tool["name"] for tool in count["tools"]][:2] == ["CronCreate", "CronDelete"]
    assert not any("defer_loading" in tool for tool in count["tools"])
    later = _counts(place, Replied(id="m"), Prompted(text="more"))
    assert later == []


@pytest.mark.parametrize("value", ["", "true", "false", "auto:0", "auto:100"])
def test_nobody_counts_tools_whose_deferral_is_settled(tmp_path: Path, value: str) -> None:
    assert _counts(_place(tmp_path, ENABLE_TOOL_SEARCH=value)) == []


def test_numbers_go_to_the_texts_of_their_size(tmp_path: Path) -> None:
    place = _place(tmp_path).write({"ws/longer.txt": ROWS * 2})
    session = place.begin()
    session.step(Turn(events=(Prompted(text="hello"),)), place.world())
    calls = tuple(
        Called(id=name, name="Read", input=json.dumps({"file_path": f"{place.cwd}/{name}.txt"}))
        for name in ("long", "longer")
    )
    counted = [
        Counted(tokens=5000, what="text", size=len(ROWS) * 2),
        Counted(tokens=10, what="text", size=len(ROWS)),
    ]
    results = [Returned(call="long"), Returned(call="longer")]
    turn = Turn(events=(Replied(id="m", blocks=calls), *results, *counted))
    told = json.loads(session.step(turn, place.world()).body)["messages"][-1]["content"]
    text = told if isinstance(told, str) else told[0]["text"]
    assert "longer.txt: showing lines 1-136 of 801 total (5000 tokens, cap 1000)" in text
    assert "long.txt: showing" not in text


def test_without_an_answer_the_client_guesses(tmp_path: Path) -> None:
    place = _place(tmp_path)
    place.write({"ws/long.txt": ROWS * 3})
    session = place.begin()
    session.step(Turn(events=(Prompted(text="hello"),)), place.world())
    failed = Counted(tokens=None, what="text")
    turn = Turn(events=(_read("t1", f"{place.cwd}/long.txt"), Returned(call="t1"), failed))
    told = json.loads(session.step(turn, place.world()).body)["messages"][-1]["content"]
    assert "(2700 tokens, cap 1000)" in (told if isinstance(told, str) else told[0]["text"])


def test_a_long_file_that_a_prompt_names_is_counted(tmp_path: Path) -> None:
    place = _place(tmp_path)
    session = place.begin()
    session.step(Turn(events=(Prompted(text="see @long.txt and @short.txt"),)), place.world())
    counted = [json.loads(built.body)["messages"] for built in session.counts()]
    assert counted == [[{"role": "user", "content": ROWS}]]


def test_a_file_of_too_many_tokens_is_counted_once_more_up_to_a_line(tmp_path: Path) -> None:
    rows = "some row\n" * 3000
    place = _place(tmp_path).write({"ws/long.txt": rows})
    session = place.begin()
    named = (Prompted(text="see @long.txt"), Counted(tokens=9000, what="text"))
    session.step(Turn(events=named), place.world())
    counted = [json.loads(built.body)["messages"][0]["content"] for built in session.counts()]
    assert counted == [rows, "\n".join(["some row"] * 2000)]


def test_a_text_is_counted_once_on_the_default_host(tmp_path: Path) -> None:
    place = _DefaultHost(tmp_path, env={"CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS": "1000"})
    session = place.write({"ws/long.txt": ROWS}).begin()
    named = (Prompted(text="see @long.txt"), Counted(tokens=900, what="text"))
    session.step(Turn(events=named), place.world())
    read = (_read("t1", f"{place.cwd}/long.txt"), Returned(call="t1"))
    session.step(Turn(events=read), place.world())
    assert session.counts() == []
