"""Which skills a model may call (`skill_permissions`)."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.turns import Prompted
from inspector.workspace import Git
from tests.clients.claude_code.place import Place, called

FILES = {
    f"ws/.claude/skills/{name}/SKILL.md": f"---\ndescription: d\n{front}---\nbody\n"
    for name, front in {
        "plain": "",
        "granted": "allowed-tools: Bash(ls *)\n",
        "hooked": "hooks: {Stop: []}\n",
        "people": "disable-model-invocation: true\n",
        "shown": "name: display-name\n",
    }.items()
}


def _answer(root: Path, skill: str, settings: dict[str, Any], prompt: str = "x") -> str:
    given = json.dumps({"disableBundledSkills": True, **settings})
    place = Place(root, argv=("-p", prompt, "--settings", given)).write(FILES)
    session = place.begin()
    place.body(session, Prompted(text=prompt))
    body = place.body(session, called(1, "Skill", skill=skill))
    results = [message for message in body["messages"] if message["role"] == "user"]
    return str(results[-1]["content"][0]["content"])


@pytest.mark.parametrize(
    ("skill", "settings", "said"),
    [
        ("plain", {}, "Launching skill: plain"),
        ("/display-name", {}, "Launching skill: display-name"),
        ("plain", {"permissions": {"deny": ["Skill(pl:*)"]}}, "Skill execution blocked by"),
        ("granted", {}, "Execute skill: granted. The user can add the allow rule Skill(granted)"),
        ("granted", {"permissions": {"allow": ["Skill(granted)"]}}, "Launching skill: granted"),
        ("granted", {"permissions": {"allow": ["Skill"]}}, "Launching skill: granted"),
        ("hooked", {}, "Execute skill: hooked."),
        ("plain", {"skillOverrides": {"plain": "off"}}, "<tool_use_error>Skill plain is disabled"),
        ("people", {}, "<tool_use_error>Skill people cannot be used with Skill tool"),
        ("plian", {}, "<tool_use_error>Unknown skill: plian. Did you mean plain?"),
        ("help", {}, "<tool_use_error>help is a UI command, not a skill."),
        ("compact", {}, "<tool_use_error>compact is a built-in CLI command, not a skill."),
        ("init", {}, "<tool_use_error>Skill init is disabled for model invocation by"),
        (" ", {}, "<tool_use_error>Invalid skill format: "),
    ],
)
def test_a_call_is_answered_as_the_client_answers_it(
    tmp_path: Path, skill: str, settings: dict[str, Any], said: str
) -> None:
    assert _answer(tmp_path, skill, settings).startswith(said)


def test_a_skill_for_people_may_be_called_when_somebody_wrote_its_name(tmp_path: Path) -> None:
    said = _answer(tmp_path, "people", {}, prompt="please use /people now")
    assert said == "Launching skill: people"


@pytest.mark.parametrize(
    ("trust", "said"),
    [({}, "Execute skill: granted."), ({"hasTrustDialogAccepted": True}, "Launching skill: ")],
)
@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_projects_own_allow_rules_count_where_somebody_trusts_it(
    tmp_path: Path, name: str, trust: dict[str, bool], said: str
) -> None:
    place = Place(tmp_path)
    files = {
        f"ws/.claude/{name}": json.dumps({"permissions": {"allow": ["Skill(granted)"]}}),
        "home/.claude.json": json.dumps({"projects": {place.cwd: trust}}),
    }
    place.write(FILES | files)
    session = place.begin()
    place.body(session, Prompted(text="hello"))
    body = place.body(session, called(1, "Skill", skill="granted"))
    results = [message for message in body["messages"] if message["role"] == "user"]
    assert str(results[-1]["content"][0]["content"]).startswith(said)


def test_a_session_that_asks_nobody_says_so_before_the_reason(tmp_path: Path) -> None:
    said = _answer(tmp_path, "granted", {"permissions": {"defaultMode": "dontAsk"}})
    start, _, rest = said.partition("⟦")
    tool = (
        "Permission to use Skill has been denied because Claude Code is running in don't ask mode. "
    )
    assert start == tool
    assert rest.partition("⟧")[2].startswith(" Execute skill: granted. The user can add")


@pytest.mark.parametrize(("trusted", "said"), [("", "Launching skill: "), ("/ws", "Execute skill")])
def test_what_is_trusted_is_the_repository(tmp_path: Path, trusted: str, said: str) -> None:
    place = Place(tmp_path, git=Git(root=str(tmp_path), head="ref: refs/heads/main"))
    state = {"projects": {f"{tmp_path}{trusted}": {"hasTrustDialogAccepted": True}}}
    rules = json.dumps({"permissions": {"allow": ["Skill(granted)"]}})
    files = {"ws/.claude/settings.json": rules, "home/.claude.json": json.dumps(state)}
    place.write(FILES | files)
    session = place.begin()
    place.body(session, Prompted(text="hello"))
    body = place.body(session, called(1, "Skill", skill="granted"))
    results = [message for message in body["messages"] if message["role"] == "user"]
    assert str(results[-1]["content"][0]["content"]).startswith(said)
