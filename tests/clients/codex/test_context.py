"""Environment, permissions and the order of messages, with values from the real client (0.171.0)."""

import json

import pytest

from inspector.clients.codex import developer
from inspector.clients.codex.environment_context import surroundings
from inspector.text import Known
from inspector.workspace import World
from tests.clients.codex.stage import CUSTOM, WS, configuration, first, items, profile, texts, world

_CLASSIC = 'model = "gpt-5.5"\n' + CUSTOM


def _environment(of: World) -> str:
    return str(surroundings(of.environment, configuration(of), profile(of)).whole(profile(of)))


def test_the_environment_of_a_process_without_a_sandbox() -> None:
    assert _environment(world()) == (
        f"<environment_context>\n  <cwd>{WS}</cwd>\n  <shell>bash</shell>\n"
        "  <current_date>2026-11-29</current_date>\n  <timezone>Etc/UTC</timezone>\n"
        f"  <filesystem><workspace_roots><root>{WS}</root></workspace_roots>"
        '<permission_profile type="disabled"><file_system type="unrestricted" /></permission_profile>'
        "</filesystem>\n</environment_context>"
    )


def test_paths_are_escaped_in_the_environment() -> None:
    assert "<cwd>/w/a&amp;b&lt;c&gt;&apos;d&quot;e</cwd>" in _environment(
        world(cwd="/w/a&b<c>'d\"e")
    )


def test_a_writable_workspace_lists_its_folders_and_guards_some() -> None:
    config = 'model_provider = "g"\nsandbox_mode = "workspace-write"\n[sandbox_workspace_write]\nwritable_roots = ["/tmp/zz"]\nnetwork_access = true\n'
    of = world(config=config, cwd="/w/src")
    entries = (
        _environment(of)
        .partition("<special>:root</special></entry>")[2]
        .partition("</file_system>")[0]
    )
    assert entries == (
        '<entry access="write"><path>/w/src</path></entry><entry access="write"><path>/tmp/zz</path></entry>'
        '<entry access="write"><special>:slash_tmp</special></entry><entry access="write"><special>:tmpdir</special></entry>'
        + "".join(
            f'<entry access="read"><path>{root}/{name}</path></entry>'
            for name in (".git", ".agents", ".codex", ".aws")
            for root in ("/w/src", "/tmp/zz")
        )
    )
    told = developer.permissions(of, configuration(of), profile(of))
    assert isinstance(told.pieces[0].origin, Known)
    assert str(told).partition("⟩")[2] or str(told).endswith(
        "enabled.\nApproval policy is currently never. Do not provide the `sandbox_permissions` for any reason, "
        "commands will be rejected.\n The writable roots are `/tmp`, `/tmp/zz`, `/w/src`.\n</permissions instructions>"
    )


@pytest.mark.parametrize(
    ("config", "chars"),
    [("danger-full-access", 362), ("read-only", 341)],
)
def test_permissions_have_the_length_the_client_sends(config: str, chars: int) -> None:
    of = world(config=f'model_provider = "g"\nsandbox_mode = "{config}"\n')
    told = developer.permissions(of, configuration(of), profile(of))
    sizes = [p.origin.chars if isinstance(p.origin, Known) else len(p.text) for p in told.pieces]
    assert sum(sizes) == chars


def test_the_opening_of_a_lite_model() -> None:
    sent = items(first(world()))
    assert [(item["type"], item["role"]) for item in sent] == [
        ("additional_tools", "developer"), ("message", "developer"), ("message", "developer"),
        ("message", "developer"), ("message", "developer"), ("message", "user"), ("message", "user"),
    ]  # fmt: skip
    assert [len(item["content"]) for item in sent[1:]] == [1, 3, 1, 1, 1, 1]
    assert texts(sent[6]) == ["hello"]


def test_the_opening_of_a_classic_model() -> None:
    body = json.loads(first(world(config=_CLASSIC)).body)
    assert [(item["role"], len(item["content"])) for item in body["input"]] == [
        ("developer", 1), ("developer", 3), ("user", 1), ("user", 1),
    ]  # fmt: skip
    assert list(body)[:4] == ["model", "stream", "input", "tools"]
    assert body["reasoning"] == {"effort": "medium"}


def test_switches_take_parts_away() -> None:
    config = CUSTOM + (
        "include_permissions_instructions = false\ninclude_collaboration_mode_instructions = false\n"
        "include_environment_context = false\n[skills]\ninclude_instructions = false\n"
    )
    assert [item["type"] for item in items(first(world(config=config)))] == [
        "additional_tools", "message", "message", "message", "message",
    ]  # fmt: skip


def test_the_users_developer_text_stands_first_and_settings_reach_their_members() -> None:
    config = CUSTOM + (
        'developer_instructions = "CANARYDEV line\\nsecond"\nservice_tier = "priority"\n'
        'model_reasoning_effort = "high"\nmodel_verbosity = "high"\nmodel_reasoning_summary = "detailed"\n'
    )
    body = json.loads(first(world(config=config)).body)
    assert texts(body["input"][2])[0] == "CANARYDEV line\nsecond"
    assert {key: body[key] for key in ("service_tier", "reasoning", "text")} == {
        "service_tier": "priority",
        "reasoning": {"effort": "high", "summary": "detailed", "context": "all_turns"},
        "text": {"verbosity": "high"},
    }
    outside = json.loads(first(world(config='model = "mine"\n' + config)).body)
    assert ("service_tier" in outside, "text" in outside) == (False, False)


@pytest.mark.parametrize(
    ("more", "found"),
    [("", True), ('web_search = "cached"\n', True), ('web_search = "disabled"\n', None)],
)
def test_web_search_follows_its_setting(more: str, found: bool | None) -> None:
    body = json.loads(first(world(config=_CLASSIC + more)).body)
    tools = [tool for tool in body["tools"] if tool["type"] == "web_search"]
    assert [tool["external_web_access"] for tool in tools] == ([] if found is None else [found])


def test_a_sandbox_searches_the_cache_unless_told_otherwise() -> None:
    for more, live in (("", False), ('web_search = "live"\n', True)):
        config = f'model = "gpt-5.5"\nmodel_provider = "g"\nsandbox_mode = "read-only"\n{more}'
        tool = json.loads(first(world(config=config)).body)["tools"][-1]
        assert tool["external_web_access"] is live
