"""Nothing is masked but what ARCHITECTURE.md lists, where it lists it."""

import re

import yaml

from inspector.named import recordings
from tests.golden import masks
from tests.golden.scenario import ROOT


def test_every_masked_place_of_the_goldens_is_in_the_closed_list() -> None:
    listed = masks.listed()
    outside = {
        (client, name, path)
        for client, name, path in masks.seen()
        if f"`{path}`" not in f"`{listed.get((client, name), '')}`"
    }
    assert outside == set()


def test_no_map_is_of_random_order_but_those_in_the_closed_list() -> None:
    assert masks.unordered_listed() == {("codex", "/client_metadata")}
    profiles: set[tuple[str, str]] = set()
    for path in sorted((ROOT / "inspector/profiles/data").glob("*/*.yaml")):
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        layers = [data["base"], *(overlay["set"] for overlay in data.get("overlays", ()))]
        for layer in layers:
            profiles |= {(path.parent.name, pointer) for pointer in layer.get("unordered", ())}
    assert profiles == masks.unordered_listed()
    assert set(masks.unordered_seen()) <= masks.unordered_listed()


def test_there_are_recordings_to_look_for_masks_in() -> None:
    assert all(any(True for _ in recordings(folder)) for folder in masks.FOLDERS)


def test_every_mask_is_bounded() -> None:
    rows = masks.ARCHITECTURE.read_text(encoding="utf-8").partition(masks.BEGIN)[2]
    limits = re.findall(r"\| (\d+) \| (?:yes|no) \|", rows.partition(masks.END)[0])
    assert len(limits) == len(masks.listed()) > 0
    assert all(0 < int(limit) <= 600 for limit in limits)
