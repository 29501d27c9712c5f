from pathlib import Path

import pytest

from inspector import clients, named, profiles
from inspector.learn import Draft, Sample, Study
from inspector.snapshot import SnapshotTree
from inspector.workspace import World
from tests.conftest import ROOT

GOLDEN = ROOT / "captures/claude-code/2.1.332/tool_search/r0"


@pytest.mark.parametrize("learned", [True, False])
def test_a_learned_text_in_an_exact_request_is_seen_in_that_workspace(
    learned: bool,
) -> None:
    draft = Draft.of(profiles.layers("claude-code", "2.1.332"))
    recording = named.find(str(GOLDEN), Path("none")).recording
    assert recording.snapshot is not None
    around = recording.snapshot
    world = World(SnapshotTree(around, ""), around.environment, around.listings)
    axes = clients.client("claude-code").axes(world)
    digest = draft.get(axes, ("texts", "system.harness"))["sha256"]
    samples = [Sample("one", name, False, axes, recording) for name in ("quay", "mill")]
    study = Study("claude-code", "2.1.332", samples, SnapshotTree, draft)
    study.seen = {digest: {"harbour"}} if learned else {}
    study.witness(samples, study.reports(draft, samples))
    assert study.seen == ({digest: {"harbour", "quay", "mill"}} if learned else {})
    assert list(study.thin()) == []
