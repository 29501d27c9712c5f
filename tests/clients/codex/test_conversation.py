"""The fold over turns: echoes, results, resumed threads, with shapes from the real client (0.171.0)."""

import json
from dataclasses import replace
from typing import Any

import pytest

from inspector.clients.codex.replies import TRANSCRIPT
from inspector.text import ByteClass, Kind, Mask
from inspector.turns import (
    Called,
    Failed,
    OtherBlock,
    Printed,
    Prompted,
    Ran,
    Replied,
    Returned,
    Scripted,
    Thought,
    Wrote,
)
from inspector.workspace import Git
from tests.clients.codex.stage import (
    CUSTOM,
    HOME,
    WS,
    begin,
    items,
    listing,
    said,
    skill,
    texts,
    turn,
    world,
)

_RESUME = ("exec", "resume", "--last", "next")
_REPLACED = "These AGENTS.md instructions replace all previously provided AGENTS.md instructions."
_GIT = {f"{WS}/.git/": ""}


def _custom(call: str, source: str) -> Called:
    raw = {
        "type": "custom_tool_call",
        "id": f"ctc_{call}",
        "call_id": call,
        "name": "exec",
        "input": source,
    }
    return Called(
        id=call, name="exec", input=source, item_id=f"ctc_{call}", custom=True, raw=json.dumps(raw)
    )


def _bare(item: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in item.items() if key != "id"}


def test_replies_and_results_come_back_in_order() -> None:
    of = world()
    conversation = begin(of)
    conversation.step(turn(Prompted(text="x")), of)
    raw: dict[str, Any] = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [],
        "encrypted_content": "ENC==",
    }
    thought = Thought(signature="ENC==", id="rs_1", raw=json.dumps(raw))
    output = [
        {"type": "input_text", "text": "Script completed\nWall time 0.1 seconds\nOutput:\n"},
        {"type": "input_text", "text": "1"},
    ]
    wrote = Wrote(printed=Printed(text="1"))
    outcome = Scripted(state="completed", seconds="0.1", parts=(wrote,))
    built = conversation.step(
        turn(
            Replied(blocks=(thought, _custom("c1", "text(1)"))),
            Returned(call="c1", outcome=outcome),
            Returned(call="c1", text="n1", notice=True),
        ),
        of,
    )
    sent = items(built)[7:]
    assert sent[0] == {
        "type": "reasoning", "id": "rs_1", "summary": [], "content": None, "encrypted_content": "ENC==",
    }  # fmt: skip
    assert list(sent[1]) == ["type", "id", "call_id", "name", "input"]
    assert _bare(sent[2]) == {"type": "custom_tool_call_output", "call_id": "c1", "output": output}
    assert _bare(sent[3]) == {
        "type": "custom_tool_call_output", "call_id": "c1", "name": "exec", "output": "n1",
    }  # fmt: skip


def test_the_clients_own_words_around_a_result_are_no_input() -> None:
    of = world(config='model = "gpt-5.5"\n' + CUSTOM)
    conversation = begin(of)
    conversation.step(turn(Prompted(text="x")), of)
    call = Called(id="c1", name="exec_command", input='{"cmd":"x"}', item_id="fc_1")
    ran = Ran(chunk="0d0c80", seconds="0.0000", code="3", printed=Printed(text="out\n"))
    built = conversation.step(turn(Replied(blocks=(call,)), Returned(call="c1", outcome=ran)), of)
    start = built.body.index(b"Chunk ID")
    runs = [
        run
        for run in built.runs
        if run.start >= start and run.origin.name in {"output.command.ended", "tokens", "c1"}
    ]
    inputs = [built.body[r.start : r.end] for r in runs if r.origin.byte_class is ByteClass.INPUT]
    assert inputs == [b"0d0c80", b"0.0000", b"3", b"out\\n"]


def test_a_failed_request_is_sent_again_as_it_was() -> None:
    of = world()
    conversation = begin(of)
    before = conversation.step(turn(Prompted(text="x")), of)
    assert conversation.step(turn(Failed(status=500)), of).body == before.body


def test_ids_are_masks_that_recur_and_keep_their_kinds_prefix() -> None:
    of = world()
    conversation = begin(of)
    one = conversation.step(turn(Prompted(text="x")), of)
    two = conversation.step(turn(said("A"), Prompted(text="y")), of)
    names = [run.origin.name for run in one.runs if isinstance(run.origin, Mask)]
    assert names[:3] == ["item_id:0", "item_id:1", "item_id:2"]
    assert items(two)[:7] == items(one)
    assert (items(two)[0]["id"][:3], items(two)[8]["id"][:4]) == ("at_", "msg_")
    assert {n for n in names if n.startswith("turn_id")} == {"turn_id:1"}
    assert "turn_id:2" in {run.origin.name for run in two.runs}


def test_a_resumed_thread_says_only_what_changed_before_the_prompt() -> None:
    alpha = {f"{WS}/.agents/skills/alpha/SKILL.md": skill("alpha", "A")}
    of = world({**_GIT, **alpha, f"{WS}/AGENTS.md": "V1\n"})
    conversation = begin(of)
    conversation.step(turn(Prompted(text="one")), of)
    probe = listing("probe", {"name": "a", "inputSchema": {}}, instructions="CANARYINSTR")
    beta = {f"{WS}/.agents/skills/beta/SKILL.md": skill("beta", "B")}
    later = world(
        {**_GIT, **alpha, **beta, f"{WS}/AGENTS.md": "V2\n"},
        config=CUSTOM.replace("danger-full-access", "read-only"),
        argv=_RESUME,
        listings=(probe,),
        date="2026-11-30",
    )
    resumed = begin(later, conversation.state)
    sent = items(resumed.step(turn(said("A"), Prompted(text="next")), later))[7:]
    assert [(item["role"], len(item["content"])) for item in sent] == [
        ("assistant", 1), ("user", 1), ("developer", 2), ("user", 1), ("developer", 1), ("user", 1),
    ]  # fmt: skip
    assert texts(sent[1]) == [
        f"# AGENTS.md instructions for {WS}\n\n<INSTRUCTIONS>\n{_REPLACED}\n\nV2\n\n</INSTRUCTIONS>"
    ]
    assert texts(sent[3])[0].startswith(
        "<environment_context>\n  <current_date>2026-11-30</current_date>\n"
    )
    assert texts(sent[4]) == [
        "<tools>\nDeferred tool namespaces:\n- mcp__probe: CANARYINSTR\n</tools>"
    ]
    again = resumed.step(turn(), later).body
    assert '"history_initialization":"cold_resume"' in _metadata(again)


def _metadata(body: bytes) -> str:
    found: str = json.loads(body)["client_metadata"]["x-codex-turn-metadata"]
    return found


def test_a_resumed_thread_without_changes_gets_the_prompt_alone() -> None:
    of = world()
    conversation = begin(of)
    conversation.step(turn(Prompted(text="one")), of)
    later = world(argv=_RESUME)
    sent = items(
        begin(later, conversation.state).step(turn(said("A"), Prompted(text="next")), later)
    )
    assert [texts(item) for item in sent[7:]] == [["A"], ["next"]]


def _history(sent: list[dict[str, Any]]) -> Replied:
    return Replied(id=TRANSCRIPT, blocks=tuple(OtherBlock(raw=json.dumps(item)) for item in sent))


def test_a_history_is_input_of_its_own_kind_where_the_earlier_session_is_not_at_hand() -> None:
    of, later = world(), world(argv=_RESUME)
    conversation = begin(of)
    told = items(conversation.step(turn(Prompted(text="one")), of))
    replied: dict[str, Any] = {"type": "message", "id": "msg_1", "role": "assistant", "content": []}
    go_on = turn(_history([*told, replied]), Prompted(text="next"))
    alone = begin(later).step(go_on, later)
    assert [item.get("id") for item in items(alone)[:8]] == [
        item["id"] for item in [*told, replied]
    ]
    assert Kind.TRANSCRIPT in {run.origin.kind for run in alone.runs}
    joined = begin(later, conversation.state).step(go_on, later)
    assert Kind.TRANSCRIPT not in {run.origin.kind for run in joined.runs}
    assert len(items(joined)) == len(items(alone)) == 9


def test_what_is_gone_is_said_to_be_gone() -> None:
    bare = CUSTOM + "[skills.bundled]\nenabled = false\n"
    of = world(
        {**_GIT, f"{WS}/AGENTS.md": "V1\n", f"{WS}/.agents/skills/a/SKILL.md": skill("a", "A")},
        config=bare,
    )
    conversation = begin(of)
    conversation.step(turn(Prompted(text="one")), of)
    later = world(_GIT, config=bare, argv=_RESUME)
    sent = items(
        begin(later, conversation.state).step(turn(said("A"), Prompted(text="next")), later)
    )[8:]
    assert [texts(item) for item in sent] == [
        ["# AGENTS.md instructions\n\n<INSTRUCTIONS>\nThe previously provided AGENTS.md instructions no longer apply.\n</INSTRUCTIONS>"],
        ["<skills_instructions>\n## Host skills update\nNo host skills are currently available.\n</skills_instructions>"],
        ["next"],
    ]  # fmt: skip


def test_the_built_in_provider_gets_labels_on_every_item() -> None:
    of = world(config='sandbox_mode = "danger-full-access"\n')
    conversation = begin(of)
    conversation.step(turn(Prompted(text="x")), of)
    built = conversation.step(turn(said("A"), Prompted(text="y")), of)
    key = "internal_chat_message_metadata_passthrough"
    labels: list[dict[str, Any]] = [item.get(key, {}) for item in items(built)]
    assert labels[0] == {}
    assert labels[2]["content_item_kinds"] == [
        "host_skills.instructions", "permissions.instructions", "collaboration_mode.instructions",
    ]  # fmt: skip
    assert labels[2]["content_item_metadata"] == [
        {"provenance": {"type": "skills"}},
        {"provenance": {"type": "harness", "hook": False}},
        {"provenance": {"type": "harness", "hook": False}},
    ]
    assert (sorted(labels[6]), labels[7]["content_item_kinds"]) == (
        ["content_item_kinds", "content_item_metadata", "create_time", "turn_id"],
        ["unknown"],
    )


def test_the_installation_is_read_from_its_file_where_there_is_one() -> None:
    value = "a6aa1710-1dd6-4cd5-9eeb-9bf90282a86a"
    of = world({f"{HOME}/.codex/installation_id": value})
    built = begin(of).step(turn(Prompted(text="x")), of)
    assert json.loads(built.body)["client_metadata"]["x-codex-installation-id"] == value
    fresh = world()
    masked = begin(fresh).step(turn(Prompted(text="x")), fresh)
    assert "installation_id" in {r.origin.name for r in masked.runs if isinstance(r.origin, Mask)}


def test_what_git_says_stands_in_the_turns_metadata() -> None:
    # Witness: a repository with two remotes, one of them with a password in its address.
    of = world()
    git = Git(
        root=WS,
        head="ref: refs/heads/trunk",
        status="?? a.txt\n",
        commit="07912f4e6ddcf305b99cbf44074f5488d83ee066",
        remotes={"zeta": "git@h:z.git", "alpha": "https://h/a.git"},
    )
    there = replace(of, environment=of.environment.model_copy(update={"git": git}))
    sent = _metadata(begin(there).step(turn(Prompted(text="x")), there).body)
    assert sent.partition('"node_repl_disabled":false,')[2].partition(',"turn_started')[0] == (
        f'"workspaces":{{"{WS}":{{"associated_remote_urls":{{"alpha":"https://h/a.git","zeta":"git@h:z.git"}},'
        '"latest_git_commit_hash":"07912f4e6ddcf305b99cbf44074f5488d83ee066","has_changes":true}}'
    )
    assert "workspaces" not in _metadata(begin(of).step(turn(Prompted(text="x")), of).body)


def test_members_the_client_does_not_know_are_dropped_and_missing_ids_are_made() -> None:
    of = world()
    conversation = begin(of)
    conversation.step(turn(Prompted(text="x")), of)
    found: list[dict[str, Any]] = [
        {"type": "message", "foo": 1, "status": "completed", "id": "msg_1", "role": "assistant",
         "content": [{"type": "output_text", "bar": 1, "text": "t", "logprobs": [], "annotations": []}]},
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "s", "x": 1}], "content": []},
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q", "sources": [1]}},
        {"type": "function_call", "status": "completed", "name": "n", "arguments": "{}", "call_id": "c1"},
        {"type": "weird_item", "id": "w1"},
        {"type": "message", "id": "msg_r", "role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]},
    ]  # fmt: skip
    reply = Replied(blocks=tuple(OtherBlock(raw=json.dumps(item)) for item in found))
    sent = items(conversation.step(turn(reply), of))[7:]
    expected: list[dict[str, Any]] = [
        {"type": "message", "status": "completed", "id": "msg_1", "role": "assistant",
         "content": [{"type": "output_text", "text": "t", "annotations": [], "logprobs": []}]},
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "s"}], "encrypted_content": None},
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q"}},
    ]  # fmt: skip
    assert [list(item.items()) for item in sent[:3]] == [list(item.items()) for item in expected]
    assert (len(sent), sent[3]["id"][:3]) == (4, "fc_")


@pytest.mark.parametrize(
    ("outcome", "sent"),
    [
        (
            Printed(text="a", rest="z", size=108894, lines=20000),
            "Original token count: 27224\nOutput:\n"
            "Warning: truncated output (original token count: 27224)\n"
            "Total output lines: 20000\n\na…98894 chars truncated…z",
        ),
        (
            Printed(text="a", rest="z", tokens=10974, lines=9000),
            "Original token count: 10974\nOutput:\n"
            "Warning: truncated output (original token count: 10974)\n"
            "Total output lines: 9000\n\na…974 tokens truncated…z",
        ),
        (Printed(text="\ufffd", tokens=1), "Original token count: 1\nOutput:\n\ufffd"),
    ],
)
def test_what_is_left_out_of_an_output_is_told_by_its_measures(outcome: Printed, sent: str) -> None:
    of = world(config='model = "gpt-5.5"\n' + CUSTOM)
    conversation = begin(of)
    conversation.step(turn(Prompted(text="x")), of)
    call = Called(id="c1", name="exec_command", input='{"cmd":"x"}', item_id="fc_1")
    ran = Ran(chunk="0d0c80", seconds="0.0000", code="0", printed=outcome)
    built = conversation.step(turn(Replied(blocks=(call,)), Returned(call="c1", outcome=ran)), of)
    heading = "Chunk ID: 0d0c80\nWall time: 0.0000 seconds\nProcess exited with code 0\n"
    assert items(built)[-1]["output"] == heading + sent


def test_a_result_of_unknown_form_is_adopted() -> None:
    of = world(config='model = "gpt-5.5"\n' + CUSTOM)
    conversation = begin(of)
    conversation.step(turn(Prompted(text="x")), of)
    call = Called(id="c1", name="exec_command", input='{"cmd":"x"}', item_id="fc_1")
    told = Returned(call="c1", text="Chunk No: 1")
    built = conversation.step(turn(Replied(blocks=(call,)), told), of)
    adopted = [run for run in built.runs if run.origin.byte_class is ByteClass.ADOPTED]
    assert [built.body[run.start : run.end] for run in adopted] == [b"Chunk No: 1"]
