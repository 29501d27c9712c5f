from collections.abc import Mapping
from typing import Any

import pytest

from inspector import profiles
from inspector.learn import Draft, Study
from inspector.learn.draft import Key
from inspector.snapshot import SnapshotTree

CUSTOM = {"host": "custom", "model": "default", "traffic": "essential"}
HOSTED = {"host": "default", "model": "default", "traffic": "all"}
CHANGES: Mapping[Key, Any] = {
    ("switches", "context"): "reminder",
    ("literals", "date"): "It is {date}.",
    ("lists", "betas"): ["one", "two"],
    ("params", "max_tokens"): 7,
    ("values", "headers", "X-App"): "other",
    ("slots", "system.static"): [{"part": "text:system.harness", "when": []}],
}


@pytest.mark.parametrize("key", CHANGES)
def test_a_draft_with_a_value_changed_says_the_same_as_one_that_is_read_anew(key: Key) -> None:
    draft = Draft.of(profiles.layers("claude-code", "2.1.332"))
    study = Study("claude-code", "2.1.332", (), SnapshotTree, draft)
    before = [study.profile_of(draft, axes) for axes in (CUSTOM, HOSTED)]
    trial = draft.copy()
    trial.set([(CUSTOM, CHANGES[key])], key)
    anew = Draft(trial.layers)
    for axes in (CUSTOM, HOSTED):
        assert study.profile_of(trial, axes) == study.profile_of(anew, axes)
    assert [study.profile_of(draft, axes) for axes in (CUSTOM, HOSTED)] == before
    assert study.profile_of(trial, CUSTOM) != before[0]
