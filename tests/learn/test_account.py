"""What an account's flags change is learned from two sessions in unlike workspaces, and nothing else.

The sessions are recordings of the real client in which the same place was changed on both sides. Client
texts stand in them by digest, so a digest's stand-in counts as its words here.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspector import named, profiles
from inspector.cli.learn_from import taken
from inspector.errors import BadInput
from inspector.learn import Account, Taken
from inspector.learn.lesson import Lesson
from inspector.learn.sessions import check
from inspector.learn.trials import main, of_a_plugin
from inspector.session import Exchange, FileVersion, Recording, Snapshot
from inspector.shelves import shelved
from inspector.snapshot import SnapshotTree
from inspector.verify import verify
from tests.conftest import ROOT

type Body = dict[str, Any]
type Change = Callable[[Body], object]

CAPTURES = ROOT / "captures/claude-code/2.1.332"
GULLS = "# Gulls\nWhen the account has gulls, name them first, and say how many there are of each."
LONG = " ".join(f"Sentence {number} of what the server turned on." for number in range(12))
LANTERN = "The lantern is lit at dusk by whoever comes first."


def session(name: str, day: str, change: Change, headers: Mapping[str, str] | None = None) -> Taken:
    """A recording on another day, its main requests changed."""
    found = named.find(str(CAPTURES / name), Path("none"))
    recording = found.recording
    snapshot = recording.snapshot
    assert snapshot is not None
    around = snapshot.environment
    # Files that the client never reads: one that all sessions have, one that is this one's alone.
    notes = {"lantern.txt": LANTERN, f"{name.partition('/')[0]}.txt": f"Notes on {name}."}
    files = {
        f"{around.cwd}/notes/{title}": (FileVersion("", f"{said}\n".encode()),)
        for title, said in notes.items()
    }
    kept = replace(
        snapshot,
        environment=around.model_copy(update={"date": day}),
        files={**snapshot.files, **files},
    )
    exchanges = tuple(
        _changed(one, (around.date, day), change, headers or {}) for one in recording.exchanges
    )
    moved = replace(recording, exchanges=exchanges, snapshot=kept)
    return taken(replace(found, recording=moved))


def _changed(
    exchange: Exchange, days: tuple[str, str], change: Change, headers: Mapping[str, str]
) -> Exchange:
    body: Body = json.loads(exchange.request.decode().replace(*days))
    change(body)
    data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    sent = {**dict(exchange.request_headers), **headers}
    return replace(
        exchange,
        request=data,
        request_wire=data,
        request_sha256=hashlib.sha256(data).hexdigest(),
        request_headers=tuple(sent.items()),
    )


def stand_ins() -> dict[str, str]:
    """The stand-in of every text of the version, by digest."""
    found: dict[str, str] = {}
    for model in ("default", "sonnet"):
        axes = {"host": "custom", "model": model}
        profile = profiles.resolve(profiles.find("claude-code", "2.1.332"), axes)
        names = ((name, profile.digest(name)) for name in profile.texts)
        found |= {known.sha256: known.placeholder for _, known in names}
    return found


def pair(change: Change, headers: Mapping[str, str] | None = None) -> list[Taken]:
    return [
        session("hooks/r0", "2026-11-30", change, headers),
        session("git_state/r0", "2027-02-03", change, headers),
    ]


def learned(found: list[Taken]) -> Account:
    study = Account(found, SnapshotTree, stand_ins())
    study.learn()
    return study


def nothing(_: Body) -> None:
    """No change at all."""


def text_of(name: str) -> str:
    axes = {"host": "custom", "model": "default"}
    profile = profiles.resolve(profiles.find("claude-code", "2.1.332"), axes)
    return profile.digest(name).placeholder


def swap(old: str, new: str) -> Change:
    """Another text in place of one, wherever it stands."""

    def change(body: Body) -> None:
        whole = json.dumps(body, ensure_ascii=False)
        assert json.dumps(old, ensure_ascii=False)[1:-1] in whole
        before, after = (json.dumps(text, ensure_ascii=False)[1:-1] for text in (old, new))
        body.update(json.loads(whole.replace(before, after)))

    return change


def tool(body: Body, name: str) -> Body:
    found: Body = next(one for one in body["tools"] if one["name"] == name)
    return found


def add_tool(body: Body) -> None:
    schema = {"type": "object", "properties": {"depth": {"type": "number"}}}
    made = {"name": "Sound", "description": GULLS, "input_schema": schema}
    at = next(at for at, one in enumerate(body["tools"]) if one["name"] == "ToolSearch")
    body["tools"].insert(at, made)


def lose_tool(body: Body) -> None:
    body["tools"].remove(tool(body, "ReportFindings"))


def add_param(body: Body) -> None:
    last = body.pop("stream")
    body.update({"speed": {"lane": "fast"}, "stream": last})


def add_system_block(body: Body) -> None:
    body["system"].insert(2, {"type": "text", "text": GULLS})


def add_reminder(body: Body) -> None:
    said = f"<system-reminder>\n{GULLS}\n</system-reminder>"
    content = body["messages"][0]["content"]
    beside = text_of("attribution.preamble")
    at = next(at for at, one in enumerate(content) if beside in one["text"])
    content.insert(at, {"type": "text", "text": said})


def strict(body: Body) -> None:
    tool(body, "Bash")["strict"] = True


AGENTS = "Available agent types for the Agent tool:"
CHANGES: dict[str, tuple[Change, Mapping[str, str] | None, set[tuple[str, str]]]] = {
    "a section that changed": (swap(text_of("system.tail"), GULLS), None, set()),
    "a tool's description that changed": (
        swap(text_of("tool.Read.description"), LONG),
        None,
        {("texts", "tool.Read.description")},
    ),
    "a long text in place of a short one": (
        swap(AGENTS, LONG),
        None,
        {("literals", "agents")},
    ),
    "a tool that came": (add_tool, None, {("lists", "tools"), ("texts", "tool.Sound.description")}),
    "a tool that went": (lose_tool, None, {("lists", "tools")}),
    "a member of a tool": (strict, None, {("values", "tool.more")}),
    "a param": (add_param, None, {("params", "speed")}),
    "a block of the system prompt": (add_system_block, None, {("values", "added")}),
    "a reminder": (add_reminder, None, {("values", "added")}),
    "a header": (nothing, {"x-gulls": "many"}, {("values", "headers")}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_both_sessions_show_is_learned_and_holds_for_a_third(name: str) -> None:
    change, headers, keys = CHANGES[name]
    study = learned(pair(change, headers))
    assert {key[:2] for key in study.learned} >= keys
    assert all(one.exact for report in study.after.values() for one in main(report))
    third = session("rules_nested/r0", "2028-04-05", change, headers).recording
    document = {"extends": "2.1.332", "overlays": study.overlays()}
    assert [one.exact for one in main(verify(third, {}, SnapshotTree))] != [True] * 5 or headers
    with shelved({"claude-code/2.1.332": document}):
        report = verify(third, {}, SnapshotTree)
    assert [(one.exact, one.headers.different) for one in main(report)] == [(True, ())] * 5
    if headers:
        assert all("x-gulls" in one.headers.equal for one in main(report))


def test_a_beta_is_learned_for_its_place_among_the_others() -> None:
    found = named.find(str(CAPTURES / "hooks/r0"), Path("none")).recording
    sent = found.exchanges[0].header("anthropic-beta")
    assert sent is not None
    betas = [*sent.split(",")[:2], "gulls-2027-01-01", *sent.split(",")[2:]]
    study = learned(pair(nothing, {"anthropic-beta": ",".join(betas)}))
    assert set(study.learned) == {("lists", "betas")}
    assert not any(one.headers.different for report in study.after.values() for one in main(report))


def test_it_holds_for_the_account_class_it_was_seen_with_and_no_other() -> None:
    study = learned(pair(swap(text_of("system.tail"), GULLS)))
    (overlay,) = study.overlays()
    account = {"host": ["custom"], "login": ["key"], "traffic": ["essential"]}
    assert {axis: overlay["when"][axis] for axis in account} == account
    assert overlay["account"] == [one.name for one in study.taken]
    document = {"extends": "2.1.332", "overlays": study.overlays()}
    with shelved({"claude-code/2.1.332": document}):
        found = profiles.find("claude-code", "2.1.332")
        named_there = {
            host: profiles.resolve(found, {**study.taken[0].axes, "host": host}).texts.values()
            for host in ("custom", "default")
        }
    digest = hashlib.sha256(GULLS.encode()).hexdigest()
    holds = {host: digest in {one.sha256 for one in texts} for host, texts in named_there.items()}
    assert holds == {"custom": True, "default": False}


def test_the_words_of_a_long_text_stand_in_no_profile() -> None:
    for change in (swap(text_of("system.tail"), LONG), swap(AGENTS, LONG), add_system_block):
        study = learned(pair(change))
        said = json.dumps(study.overlays())
        assert LONG[:70] not in said
        assert GULLS[:40] not in said
        assert {LONG, GULLS} & {*study.found.values()}


YOURS = {
    "a folder": "Work in /tmp/inspector-golden/claude-code-hooks/ws and nowhere else.",
    "a month": "It is November 2026, so the water is cold.",
    "a day": "Nothing after 2027-02-03 is known.",
    "a line of a file": f"Remember: {LANTERN}",
    "a file's name": "Read lantern.txt before anything else.",
    "a user": "Ask Tester before anything else.",
}


@pytest.mark.parametrize("name", YOURS)
def test_text_with_a_word_of_the_workspace_is_never_learned(name: str) -> None:
    study = learned(pair(swap(text_of("system.tail"), YOURS[name])))
    assert (study.learned, study.layers) == ({}, [])
    assert {one.reason.rpartition(" in it, ")[2] for one in study.refused.values()} == {
        "which is yours"
    }


def test_text_that_one_session_alone_shows_is_not_learned() -> None:
    first, second = pair(nothing)
    change = swap(text_of("system.tail"), GULLS)
    study = learned([session("hooks/r0", "2026-11-30", change), second])
    assert (study.learned, first.name) == ({}, study.taken[0].name)
    assert {one.reason for one in study.refused.values()} == {"only one session shows it"}


def test_text_that_differs_between_the_sessions_is_not_learned() -> None:
    texts = (GULLS, GULLS.replace("first", "last"))
    names = (("hooks/r0", "2026-11-30"), ("git_state/r0", "2027-02-03"))
    tail = text_of("system.tail")
    changes = [swap(tail, words) for words in texts]
    study = learned([session(*name, change) for name, change in zip(names, changes, strict=True)])
    assert study.learned == {}
    assert {one.reason for one in study.refused.values()} >= {"it is another text in each session"}


def test_sessions_as_the_profile_says_teach_nothing() -> None:
    study = learned(pair(nothing))
    assert (study.learned, study.refused, study.overlays()) == ({}, {}, [])


def like(first: Recording, second: Recording, what: str) -> Recording:
    """The second session with one thing as the first has it."""
    a, b = first.snapshot, second.snapshot
    assert a is not None
    assert b is not None
    around, git = a.environment, a.environment.git
    assert git is not None
    updates: dict[str, dict[str, Any]] = {
        "folder": {"cwd": around.cwd},
        "day": {"date": around.date},
        "git state": {"git": git.model_copy(update={"root": b.environment.cwd})},
    }
    kept = replace(b, environment=b.environment.model_copy(update=updates[what]))
    return replace(second, snapshot=kept)


def _without_files(snapshot: Snapshot) -> Snapshot:
    return replace(snapshot, files={})


@pytest.mark.parametrize("what", ["folder", "day", "git state"])
def test_workspaces_that_are_alike_are_refused_with_what_is_missing(what: str) -> None:
    first, second = pair(nothing)
    alike = replace(second, recording=like(first.recording, second.recording, what))
    with pytest.raises(
        BadInput, match=f"the same {what}, so text .* a session with another {what}"
    ):
        check([first, alike])


def test_workspaces_without_a_file_or_with_the_same_ones_are_refused() -> None:
    first, second = pair(nothing)
    bare = [
        replace(one, recording=replace(one.recording, snapshot=_without_files(_kept(one))))
        for one in (first, second)
    ]
    with pytest.raises(BadInput, match="the same names and files, so text"):
        check(bare)


def _kept(one: Taken) -> Snapshot:
    assert one.recording.snapshot is not None
    return one.recording.snapshot


def refused() -> Iterator[tuple[list[Taken], str]]:
    first, second = pair(nothing)
    yield [first], "one session; a text is the client's only where two or more"
    other = replace(second, axes={**second.axes, "host": "default"})
    yield [first, other], r"several account classes .*\(host differ\)"
    old = replace(second.recording, session=replace(second.recording.session, version="2.1.88"))
    yield [first, replace(second, recording=old)], "give those of one version"
    strange = [
        replace(
            one,
            recording=replace(
                one.recording, session=replace(one.recording.session, version="2.1.999")
            ),
        )
        for one in (first, second)
    ]
    yield strange, "`inspector learn --client claude-code --client-version 2.1.999 --install`"
    codex = [
        replace(
            one,
            recording=replace(
                one.recording, session=replace(one.recording.session, client="codex")
            ),
        )
        for one in (first, second)
    ]
    yield codex, "codex: its texts do not depend on an account as far as known"
    lost = [
        replace(one, recording=replace(one.recording, snapshot=None)) for one in (first, second)
    ]
    yield lost, "no snapshot was kept"


@pytest.mark.parametrize("number", range(6))
def test_sessions_that_nothing_can_be_learned_from_are_refused_in_one_line(number: int) -> None:
    found, said = list(refused())[number]
    with pytest.raises(BadInput, match=said):
        check(found)


@pytest.mark.parametrize(
    ("key", "value", "plugin"),
    [
        (("lists", "skills.shipped"), ["init", "harbour:tides"], True),
        (("lists", "skills.shipped"), ["init", "tides"], False),
        (("texts", "agent.harbour:pilot"), {"sha256": "0"}, True),
        (("texts", "agent.pilot"), {"sha256": "0"}, False),
        (("literals", "agents"), "Agents: all", False),
    ],
)
def test_a_name_with_a_colon_is_a_plugins_and_never_the_clients(
    key: tuple[str, ...], value: object, *, plugin: bool
) -> None:
    assert of_a_plugin(Lesson(key, value, {}, ""), ["init"]) is plugin
