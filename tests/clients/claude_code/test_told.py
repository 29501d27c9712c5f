"""What is told behind a round of results (`ordinary_linked`)."""

from pathlib import Path

from inspector.turns import Hooked, Interposed, Prompted, Returned, Told
from tests.clients.claude_code.place import Place, called, texts

HEARD = Hooked(event="UserPromptSubmit", name="UserPromptSubmit", output="on 7", form="context")


def test_a_hook_on_a_prompt_that_came_meanwhile_is_told_behind_the_results(tmp_path: Path) -> None:
    place = Place(tmp_path).write({"ws/f.txt": "one\n"})
    conversation = place.begin()
    place.body(conversation, Prompted(text="first"))
    reply = called(1, "Read", file_path="f.txt")
    second = (Interposed(text="second"), HEARD)
    body = place.body(conversation, reply, Returned(call="toolu_1"), *second)
    told = body["messages"][-1]
    assert told["role"] == "system"
    assert texts(told) == ["UserPromptSubmit hook additional context: on 7"]


def test_a_read_through_a_folder_that_leads_outside_is_refused_without_its_memory(
    tmp_path: Path,
) -> None:
    place = Place(tmp_path).write({"out/CLAUDE.md": "of it\n", "out/q.txt": "1\n"})
    (tmp_path / "ws/lib").symlink_to("../out")
    conversation = place.begin()
    place.body(conversation, Prompted(text="first"))
    path = f"{place.cwd}/lib/q.txt"
    refused = Returned(call="toolu_1", error=True, outcome=Told(name="error.linked.read"))
    body = place.body(conversation, called(1, "Read", file_path=path), refused)
    found = [message for message in body["messages"] if message["role"] == "user"][-1]["content"]
    assert [block["type"] for block in found] == ["tool_result"]
    assert found[0]["content"] == (
        f"Claude requested permissions to read from {path}, but you haven't granted it yet. "
        f"{path} resolves through a symlink to {tmp_path}/out/q.txt, which is outside the allowed "
        "working directories."
    )
