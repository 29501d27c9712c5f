"""Following Claude Code's export into a store that cannot be written, or goes away meanwhile."""

from pathlib import Path

import pytest

from inspector import raw_export, redact
from inspector.capture.ledger import Ledger
from inspector.session import Session
from inspector.store import Store
from tests.formats.requests import messages
from tests.formats.test_export import write

SESSION = Session("s1", "claude-code", "2.1.332", "raw-export", "2026-11-29T10:00:00.000+00:00")
BASE = "https://api.anthropic.com"


def test_a_store_that_cannot_be_written_is_said_and_each_request_counts(tmp_path: Path) -> None:
    faults: list[str] = []
    with Store.open(Path("/proc/none/s.db"), later=True) as store:
        ledger = Ledger(store, SESSION, None, redact.NOTHING_GIVEN)
        with raw_export.following(tmp_path, ledger, BASE, redact.NOTHING_GIVEN, faults.append):
            lines = [write(tmp_path, name, messages(name)) for name in ("a", "b")]
            (tmp_path / "index.jsonl").write_bytes(b"".join(lines))
        assert (ledger.exchanges, ledger.calls) == (2, 2)
    assert {fault.split(" (")[0] for fault in faults} == {"storing failed"}
    assert {fault.rpartition("; ")[2] for fault in faults} == {"the client goes on"}


def test_a_store_deleted_meanwhile_is_begun_again_and_following_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector.store.link.LOOK_SECONDS", 0)
    faults: list[str] = []
    folder, path = tmp_path / "export", tmp_path / "s.db"
    folder.mkdir()
    with Store.open(path) as store:
        ledger = Ledger(store, SESSION, None, redact.NOTHING_GIVEN)
        path.unlink()
        with raw_export.following(folder, ledger, BASE, redact.NOTHING_GIVEN, faults.append):
            lines = [write(folder, name, messages(name)) for name in ("a", "b")]
            (folder / "index.jsonl").write_bytes(b"".join(lines))
        kept = [(item.request, item.status) for item in store.exchanges("s1")]
        assert [item.id for item in store.sessions()] == ["s1"]
    assert sorted(kept) == sorted([(messages("a"), 200), (messages("b"), 200)])
    assert len(faults) == 1
    assert "deleted while in use; a new store was begun there" in faults[0]
