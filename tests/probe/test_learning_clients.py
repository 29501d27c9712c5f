"""A version is learned from the real client: what a known profile has wrong is put right."""

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from inspector import profiles
from inspector.learn import Draft, Study
from inspector.probe import looks, probes, run, samples
from inspector.snapshot import SnapshotTree

CLIENT, VERSION = "claude-code", "2.1.332"
CUSTOM = {"host": "custom", "model": "default", "traffic": "essential"}
HOSTED = {"host": "default", "model": "default", "traffic": "all"}


def spoiled(document: dict[str, Any]) -> dict[str, Any]:
    """The profile with a text, a literal, a list and a region wrong, and a slot missing."""
    found = deepcopy(document)
    base = found["base"]
    for layer in (base, *(overlay["set"] for overlay in found["overlays"])):
        for name in ("system.tail", "system.tail.plain"):
            if name in layer.get("texts", {}):
                layer["texts"][name]["sha256"] = "0" * 64
    base["literals"]["date"] = "It is {date}."
    base["lists"]["tools"] = [name for name in base["lists"]["tools"] if name != "Workflow"]
    base["regions"]["attribution"] = "none"
    base["slots"]["system.static"] = base["slots"]["system.static"][:-1]
    return found


@pytest.mark.client
def test_what_a_profile_has_wrong_is_learned_from_the_client_and_scored_elsewhere(
    binaries: dict[str, Path],
) -> None:
    first = [*looks(CLIENT)]
    empty = next(probe for probe in probes(CLIENT) if probe.name == "empty")
    held = [replace(job, probe=empty) for job in first]
    seen = [*samples(CLIENT, run([*first, *held], binaries[CLIENT], ""))]
    (known,) = profiles.layers(CLIENT, VERSION)
    study = Study(CLIENT, VERSION, seen, SnapshotTree, Draft.of([spoiled(cast("Any", known))]))
    before = study.reports(study.draft, seen)
    assert [report.exact for report in before.values()] == [False] * 4
    study.learn()
    after = study.reports(study.draft, seen)
    assert [report.exact for report in after.values()] == [True] * 4
    right = Draft.of([known])
    for axes in (CUSTOM, HOSTED):
        for key in (("literals", "date"), ("regions", "attribution"), ("texts", "system.tail")):
            assert study.draft.get(axes, key) == right.get(axes, key)
        assert set(study.draft.names(axes, "tools")) == set(right.names(axes, "tools"))
