"""What a ledger cannot write is said, and written as soon as that is mended."""

from pathlib import Path

from inspector import redact
from inspector.capture.ledger import Ledger
from inspector.session import FileVersion, Session, Snapshot
from inspector.store import Store
from inspector.workspace import Environment


def test_a_store_that_a_look_finds_deleted_is_said_once_and_begun_anew(tmp_path: Path) -> None:
    environment = Environment(
        client="codex", version="1", cwd="/w", home="/h", config_home="/h", date="2026-11-29"
    )
    snapshot = Snapshot(environment, {"/w/a": (FileVersion("", b"1"),)})
    place = tmp_path / "s.db"
    with Store.open(place) as store:
        ledger = Ledger(
            store, Session("s", "codex", "1", "tls", ""), snapshot, redact.NOTHING_GIVEN
        )
        place.unlink()
        store._look = 0.0
        ledger._later(snapshot)
        ledger._later(snapshot)
        said = f"storing failed ({place}: deleted while in use; a new store was begun there)"
        assert ledger.faults == [said]
        ledger._pay()
        assert (ledger.owed, store.recording("s").snapshot) == ("", snapshot)
        ledger.close(0)
