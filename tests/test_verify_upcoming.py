import json
from pathlib import Path

from inspector.build import Conversation
from inspector.text import Built
from inspector.turns import Called, Prompted, Replied, Returned, Turn
from inspector.verify.upcoming import NO_TURN, NOTHING, Upcoming
from tests.clients.claude_code.place import Place

ROWS = "some row\n" * 4000


def upcoming(place: Place, *files: str) -> Upcoming:
    """A conversation whose second request follows on reads of files."""
    calls = tuple(
        Called(id=name, name="Read", input=json.dumps({"file_path": f"{place.cwd}/{name}"}))
        for name in files
    )
    read = Turn(events=(Replied(id="m", blocks=calls), *(Returned(call=name) for name in files)))
    turns = [Turn(events=(Prompted(text="hello"),)), read]
    return Upcoming(place.begin(), turns, lambda _: place.world())


def body(made: Built | str) -> bytes:
    assert isinstance(made, Built)
    return made.body


def test_counts_are_held_against_their_own_in_any_order(tmp_path: Path) -> None:
    place = Place(tmp_path).write({"ws/a": ROWS, "ws/b": ROWS * 2})
    fold = upcoming(place, "a", "b")
    fold.main()
    assert fold.count(b"{}", {}, answered=False) == fold.counts[0]
    first, second = (made.body for made in fold.counts)
    assert body(fold.count(second, {}, answered=True)) == second
    assert body(fold.count(first, {}, answered=True)) == first
    assert fold.count(first, {}, answered=True) == NOTHING
    fold.main()
    assert fold.uncounted == 0


def test_a_count_that_was_given_an_error_is_asked_for_again(tmp_path: Path) -> None:
    fold = upcoming(Place(tmp_path).write({"ws/a": ROWS}), "a")
    fold.main()
    once = body(fold.count(b"{}", {}, answered=False))
    assert body(fold.count(once, {}, answered=True)) == once


def test_a_count_that_nobody_captured_is_said(tmp_path: Path) -> None:
    fold = upcoming(Place(tmp_path).write({"ws/a": ROWS}), "a")
    fold.main()
    fold.main()
    assert fold.uncounted == 1
    assert (fold.main(), fold.count(b"{}", {}, answered=True)) == (NO_TURN, NO_TURN)


def test_a_fault_of_the_builder_is_the_reason_of_all_it_would_have_made(tmp_path: Path) -> None:
    fold = upcoming(Place(tmp_path).write({"ws/a": ROWS}), "a")
    fold.main()
    fold.conversation = Conversation(
        fold.conversation.client, fold.conversation.profile, {}, state=None
    )
    said = fold.count(b"{}", {}, answered=True)
    assert isinstance(said, str)
    assert said == "the builder failed: 'NoneType' object has no attribute 'process'"
    assert fold.main() == said
