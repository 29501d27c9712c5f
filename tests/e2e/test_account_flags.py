"""Server-side flags of the real client: learned from two unlike sessions, held by a third.

The client keeps the flags a server gave it in `~/.claude.json`; a run without such a server takes them from
there. Each flag changes another part of the request (witness: Claude Code 2.1.332, default host).
"""

import json
import subprocess
from pathlib import Path

import pytest

from inspector import named
from inspector.cli.learn_from import taken
from inspector.learn import Account
from inspector.learn.trials import main
from inspector.session import Recording
from inspector.shelves import shelved
from inspector.snapshot import SnapshotTree
from inspector.verify import verify
from tests.e2e.test_capture_clients import Place, place

pytestmark = pytest.mark.client

FLAGS = {
    "tengu_birch_kettle": True,  # a skill more in the list
    "tengu_clever_orbit": True,  # an agent more, a deferred tool fewer
    "tengu_golden_thunder": True,  # a paragraph more in a tool's description
    "tengu_gorse_fathom": True,  # a paragraph more in the memory section
    "tengu_harbor_kite": False,  # a tool fewer
}
TWO_DAYS = ("Pacific/Kiritimati", "Etc/GMT+12")
"""Zones whose days are never the same."""


def flagged(root: Path, program: Path, title: str, zone: str, script: object) -> Recording:
    """A session with the flags on, in a repository and home of its own."""
    here = place(root, program)
    (root / "home/.claude.json").write_text(json.dumps({"cachedGrowthBookFeatures": FLAGS}))
    (here.workspace / f"{title}.md").write_text(f"All there is to say of {title}.\n")
    (here.workspace / "CLAUDE.md").write_text(f"Speak of {title}.\n")
    _commit(here, title)
    # Flags count only where the client may ask for them.
    asking = {"TZ": zone, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": ""}
    ended = Place(root, program, asking).run("tls", script, ["-p", f"what of {title}?"])
    assert ended.returncode == 0, ended.stderr.decode()
    (recording,) = here.recordings()
    return recording


def _commit(here: Place, title: str) -> None:
    user = (["config", "user.name", title], ["config", "user.email", f"{title}@example.com"])
    for words in (["init", "-q", "-b", title], *user, ["add", "-A"], ["commit", "-qm", title]):
        subprocess.run(["git", *words], cwd=here.workspace, env=here.environ(), check=True)


def test_flags_of_the_real_client_are_learned_from_two_sessions_and_hold_in_a_third(
    tmp_path: Path, binaries: dict[str, Path]
) -> None:
    program = binaries["claude-code"]
    titles = ("gulls", "seals", "gannets")
    one = [{"text": "Much."}]
    read = {"name": "Read", "input": {"file_path": str(tmp_path / "gannets/ws/gannets.md")}}
    more = [{"tools": [read]}, *one]
    found = [
        flagged(tmp_path / title, program, title, zone, script)
        for title, zone, script in zip(
            titles, (*TWO_DAYS, "Etc/UTC"), (one, one, more), strict=True
        )
    ]
    study = Account([taken(named.Found(each)) for each in found[:2]], SnapshotTree, {})
    study.learn()
    for reports, exact in ((study.before, False), (study.after, True)):
        assert [each.exact for report in reports.values() for each in main(report)] == [exact] * 2
    assert {".".join(key) for key in study.learned} >= {
        "lists.tools",
        "lists.tools.deferred",
        "lists.agents",
        "lists.skills.shipped",
        "texts.tool.Bash.description",
    }
    with shelved({"claude-code/2.1.332": {"extends": "2.1.332", "overlays": study.overlays()}}):
        report = verify(found[2], {}, SnapshotTree)
    assert [each.exact for each in main(report)] == [True, True]
