"""MCP servers that give no tools: which paragraph names each, and with what words."""

from pathlib import Path

from inspector.clients.claude_code import unreached
from inspector.workspace import Failure, Listing
from tests.clients.claude_code.place import Place


def told(root: Path, *listings: Listing) -> str:
    place = Place(root, listings=listings).write({})
    return str(unreached.told(place.profile(), place.world()) or "")


def failing(name: str, transport: str, cause: str, **more: str) -> Listing:
    failure = Failure.model_validate({"transport": transport, "cause": cause, **more})
    return Listing(server=name, state="failed", reason="why", failure=failure)


def test_servers_that_answer_are_not_told_of(tmp_path: Path) -> None:
    assert not told(tmp_path, Listing(server="a", tools='{"tools":[]}'))


def test_a_failure_nobody_knows_is_told_with_our_words(tmp_path: Path) -> None:
    assert 'a (?): "why"' in told(tmp_path, Listing(server="a", state="failed", reason="why"))
    assert 'a (?): "why"' in told(tmp_path, failing("a", "sse", "unreadable"))


def test_those_for_this_session_come_before_those_that_are_tried_again(tmp_path: Path) -> None:
    found = told(
        tmp_path,
        failing("a", "http", "status", detail="500", said=' "so"  it is '),
        failing("b", "stdio", "ended"),
    )
    assert found.index('b (CONNECTION_CLOSED): "Connection closed"') < found.index(
        'a (500): "Error POSTing to endpoint: so it is"'
    )


def test_a_late_server_still_connects(tmp_path: Path) -> None:
    found = told(tmp_path, failing("b", "stdio", "late"), failing("a", "http", "late"))
    assert "will appear shortly:\na\nb\n\n" in found
    assert "failed to connect" not in found


def test_of_many_waiting_servers_the_first_are_named_in_one_line(tmp_path: Path) -> None:
    found = told(tmp_path, *[failing(f"s{n:02}", "http", "late") for n in range(33)])
    assert "shortly:\n" + ", ".join(f"s{n:02}" for n in range(30)) + ", …and 3 more\n\n" in found
