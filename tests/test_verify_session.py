import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from inspector import folder
from inspector.named import find, verified
from inspector.session import ExchangeKind, FileVersion, Recording
from inspector.snapshot import SnapshotTree
from inspector.text import Known
from inspector.verify import Counts, SessionReport, lacking, verify
from inspector.workspace import Listing
from tests import made


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    return made.recording(tmp_path)


def proven(recording: Recording) -> SessionReport:
    return verify(recording, {}, SnapshotTree)


def differences(report: SessionReport) -> list[tuple[int, str, str]]:
    return [
        (request.number, item.verdict, item.path)
        for request in report.requests
        for item in request.comparison.differences
    ]


def test_what_our_builder_made_verifies_and_says_why_no_digest_was_checked(
    recording: Recording,
) -> None:
    report = proven(recording)
    assert [request.exact for request in report.requests] == [True, True]
    assert [request.sha256_checked for request in report.requests] == [False, False]
    assert all(request.reason.startswith("the words of ") for request in report.requests)
    assert report.counts.total == sum(len(item.request) for item in recording.exchanges)
    assert report.counts.different == report.counts.adopted == 0


def test_a_changed_rule_is_different_and_names_its_file(recording: Recording) -> None:
    report = proven(made.changed(recording, 1, b"CANARY", b"CAN4RY"))
    (found,) = report.requests[0].comparison.differences
    assert found.verdict == "changed"
    assert found.origin is not None
    assert found.origin.name.endswith("/ws/AGENTS.md")
    assert (found.built[:6], found.captured[:6]) == ("ARY in", "4RY in")
    assert report.requests[1].exact


def test_a_side_call_is_listed_and_counts_as_adopted(recording: Recording) -> None:
    body = b'{"model":"m","input":[]}'
    side = replace(made.exchange("s1", 3, body), url="http://127.0.0.1:8181/v1/responses/compact")
    report = proven(replace(recording, exchanges=(*recording.exchanges, side)))
    last = report.requests[-1]
    assert (last.kind, last.exact) == (ExchangeKind.COMPACTION, False)
    assert (last.reason, last.comparison.counts) == (
        "compaction requests are not built",
        Counts(adopted=len(body)),
    )
    assert report.exact


def test_a_request_without_a_turn_is_adopted_and_loses_no_other(recording: Recording) -> None:
    assert recording.turns is not None
    shorter = recording.turns.model_copy(update={"turns": recording.turns.turns[:1]})
    report = proven(recording.with_turns(shorter))
    assert [request.exact for request in report.requests] == [True, False]
    assert report.requests[1].reason == "no turn is known for it"
    assert differences(report) == [(2, "adopted", "")]


def test_a_turn_without_a_request_is_said(recording: Recording) -> None:
    report = proven(replace(recording, exchanges=recording.exchanges[:1]))
    assert report.notes == ("1 turn without a captured request",)
    assert not report.exact


def test_a_snapshot_that_lacks_a_file_is_a_reason_not_a_crash(recording: Recording) -> None:
    assert recording.snapshot is not None
    bare = replace(recording.snapshot, files={}, folders={})
    report = proven(replace(recording, snapshot=bare))
    assert [request.exact for request in report.requests] == [False, False]
    assert report.requests[0].reason.endswith(
        ": not in the snapshot; capture again with this path in reach"
    )


def test_a_session_without_snapshot_or_client_model_is_adopted_whole(recording: Recording) -> None:
    for other, reason in (
        (replace(recording, snapshot=None), lacking.NO_SNAPSHOT),
        (
            replace(recording, session=replace(recording.session, client="other")),
            "the client is neither Claude Code nor Codex: its requests can be shown and diffed,"
            " not rebuilt",
        ),
    ):
        report = proven(other)
        assert [request.reason for request in report.requests] == [reason, reason]
        assert report.counts.adopted == report.counts.total > 0
        assert report.notes == (reason,)


def test_mcp_servers_that_nobody_heard_are_named_where_a_request_is_not_exact(
    recording: Recording,
) -> None:
    snapshot = recording.snapshot
    assert snapshot is not None
    config = b'[mcp_servers.docs]\ncommand = "d"\n[mcp_servers.gone]\ncommand = "g"\n'
    path = f"{snapshot.environment.config_home}/config.toml"
    files = {**snapshot.files, path: (FileVersion("", config),)}
    failed = Listing(server="gone", state="failed", reason="no such command")
    served = replace(recording, snapshot=replace(snapshot, files=files, listings=(failed,)))
    assert proven(served).exact
    assert proven(served).notes == ()
    assert proven(made.changed(served, 1, b"CANARY", b"CAN4RY")).notes == (
        "MCP servers not asked for their lists (docs): what they add to requests cannot be rebuilt;"
        " capture with `inspector run` or `inspector proxy`, without --no-mcp",
        "MCP server gone gave us no lists (no such command): what it adds to requests cannot be"
        " rebuilt",
    )


def test_a_body_in_which_a_secret_was_replaced_is_compared_but_not_by_digest(
    recording: Recording,
) -> None:
    first = replace(recording.exchanges[0], replaced=2, body_replaced=1)
    report = proven(replace(recording, exchanges=(first, *recording.exchanges[1:])))
    assert report.requests[0].exact
    assert report.requests[0].reason == "1 replaced secret in the stored body"


def test_a_digest_that_is_not_the_recorded_one_is_a_difference(recording: Recording) -> None:
    first = proven(recording).requests[0]
    runs = first.built.runs if first.built else ()
    stand_in = {
        run.origin.sha256: '""' for run in runs if run.sealed and isinstance(run.origin, Known)
    }
    report = verify(recording, stand_in, SnapshotTree)
    assert differences(report)[0] == (1, "sha256", "")
    assert not report.requests[0].exact


def test_an_unknown_version_uses_the_nearest_profile_and_says_so(recording: Recording) -> None:
    session = replace(recording.session, version="0.999.0")
    report = proven(replace(recording, session=session))
    assert (report.profile, report.profile_exact) == ("0.171.0", False)


def test_bodies_given_from_outside_stand_in_for_the_stored_ones(recording: Recording) -> None:
    other = recording.exchanges[0].request.replace(b"CANARY", b"CAN4RY")
    report = verify(recording, {}, SnapshotTree, bodies={1: other})
    assert [request.exact for request in report.requests] == [False, True]
    assert report.requests[0].captured == other


def test_a_folder_verifies_as_the_recording_it_was_written_from(
    recording: Recording, tmp_path: Path
) -> None:
    folder.write(recording, tmp_path / "kept")
    report = verified(find(str(tmp_path / "kept"), tmp_path / "none.db"), {})
    assert report == replace(proven(recording), carried=report.carried)


def test_the_filled_body_is_the_captured_one_where_all_is_equal(recording: Recording) -> None:
    for request in proven(recording).requests:
        filled = request.comparison.filled.body
        assert hashlib.sha256(filled).digest() == hashlib.sha256(request.captured).digest()


def test_a_switch_that_is_not_modelled_is_named_where_a_request_is_not_exact(root: Path) -> None:
    golden = root / "captures/claude-code/2.1.332/cache_6turn/r0"
    recording = find(str(golden), Path("unused")).recording
    assert recording.snapshot is not None
    name = "CLAUDE_CODE_TODO_REMINDER_MODE"
    here = recording.snapshot.environment
    switched = here.model_copy(update={"env": {**here.env, name: "1"}})
    of = replace(recording, snapshot=replace(recording.snapshot, environment=switched))
    assert proven(of).notes == ()
    said = f"{name} is set: what it changes in requests is not modelled"
    assert said in proven(made.changed(of, 2, b"<system-reminder>", b"<system-remindex>")).notes
