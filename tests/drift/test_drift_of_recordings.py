"""What changes between two versions when both are built is what changed when both were captured."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from inspector import named
from inspector.drift import Material, Row, Sent, compare, conversation
from inspector.session import ExchangeKind, Snapshot
from inspector.snapshot import SnapshotTree
from inspector.text import Built
from inspector.workspace import Environment, World
from tests.conftest import ROOT

MARCH = ("2.1.78", "2.1.88")
SINCE = ("2.1.88", "2.1.332")
CASES = [
    *((MARCH, f"every_row/r{number}") for number in range(2)),
    *((MARCH, f"every_row_tls/r{number}") for number in range(2)),
    *((MARCH, f"skills_budget/r{number}") for number in range(3)),
    *((MARCH, f"mcp_basic_tls/r{number}") for number in range(2)),
    (MARCH, "rules_nested/r0"),
    *((SINCE, f"mcp_basic/r{number}") for number in range(2)),
    (SINCE, "cache_6turn/r0"),
    (SINCE, "rules_nested/r0"),
    *((SINCE, f"git_state/r{number}") for number in (0, 3)),
]


@dataclass(frozen=True)
class Captured:
    """A recording of a real client, proven equal to what its own version's profile builds."""

    recording: named.Found
    requests: list[Built]

    @classmethod
    def of(cls, version: str, name: str) -> "Captured":
        found = named.find(str(ROOT / "captures/claude-code" / version / name), Path("none"))
        requests: list[Built] = []
        for one in named.verified(found, {}).requests:
            if one.kind is ExchangeKind.MAIN:
                filled = one.comparison.filled
                assert one.built is not None
                assert (filled.body, one.headers.different) == (one.captured, ())
                requests.append(replace(filled, headers=one.built.headers))
        return cls(found, requests)

    @property
    def snapshot(self) -> Snapshot:
        snapshot = self.recording.recording.snapshot
        assert snapshot is not None
        return snapshot

    @property
    def environment(self) -> Environment:
        return self.snapshot.environment

    @property
    def host(self) -> str:
        return "default" if self.environment.base_url is None else "custom"

    @property
    def roots(self) -> Mapping[str, str]:
        """Where a recording was made, and when, is no drift."""
        root = self.environment.home.removesuffix("/home")
        slug = re.sub("[^a-zA-Z0-9]", "-", root)
        return {root: "<root>", slug: "<slug>", self.environment.date: "<date>"}


def built(captured: Captured, versions: tuple[str, str]) -> set[Row]:
    snapshot = captured.snapshot

    def world(at: str) -> World:
        return World(SnapshotTree(snapshot, at), snapshot.environment, snapshot.listings)

    turns = named.turns(captured.recording.recording)
    material = Material("claude-code", turns, world, {})
    a, b = (
        Sent(conversation(material, version, captured.host), captured.roots) for version in versions
    )
    return set(compare(a, b, captured.host).rows)


@pytest.mark.parametrize(("versions", "name"), CASES)
def test_the_drift_of_what_is_built_is_the_drift_of_what_was_captured(
    versions: tuple[str, str], name: str
) -> None:
    a, b = (Captured.of(version, name) for version in versions)
    found = compare(Sent(a.requests, a.roots), Sent(b.requests, b.roots), a.host).rows
    assert len(found) > 30
    assert set(found) == built(a, versions)
