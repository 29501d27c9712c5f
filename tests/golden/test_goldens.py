"""Every recording in `captures/` against the builders: gaps as data, the mutation law, the ratchet."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.named import recordings
from tests.golden import header_law, ratchet
from tests.golden.judged import Bench, Judged

ROOT = Path(__file__).resolve().parents[2]
CAPTURES = ROOT / "captures"
GOLDENS = sorted(recordings(CAPTURES))
NAMES = [str(path.relative_to(CAPTURES)) for path in GOLDENS]

each_golden = pytest.mark.parametrize("path", GOLDENS, ids=NAMES)


@pytest.fixture(scope="module")
def bench(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Bench]:
    """Judges the goldens of the tests that were chosen; all of them where a sum over all was."""
    mine = [item for item in request.session.items if item.path == request.path]
    chosen = [getattr(item, "callspec", None) for item in mine]
    paths = GOLDENS if None in chosen else [call.params["path"] for call in chosen if call]
    data = os.environ.get("INSPECTOR_TEST_DATA")
    bench = Bench(paths, data or str(tmp_path_factory.mktemp("data")))
    yield bench
    bench.close()


@pytest.fixture
def judged(bench: Bench, path: Path) -> Judged:
    """What the laws found in one golden."""
    return bench.of(path)


def test_there_are_goldens_of_both_clients() -> None:
    clients = [name.split("/")[0] for name in NAMES]
    assert (clients.count("claude-code") >= 10, clients.count("codex") >= 8) == (True, True)


@each_golden
def test_a_golden_differs_from_the_build_in_its_gaps_alone(judged: Judged) -> None:
    assert judged.gaps == []


@each_golden
def test_a_golden_lost_no_request(judged: Judged) -> None:
    assert judged.lost == []


@each_golden
def test_a_golden_takes_its_turns_from_outside_its_capture(judged: Judged) -> None:
    assert judged.own_turns == []


@each_golden
def test_only_what_the_outside_world_said_is_input(judged: Judged) -> None:
    assert judged.inputs == []


@each_golden
def test_every_claimed_header_is_held_to_the_wire(judged: Judged) -> None:
    assert judged.headers == []


@each_golden
def test_an_exact_request_is_exact_by_its_digest_where_the_words_are_at_hand(
    judged: Judged,
) -> None:
    assert judged.digests == []


@each_golden
def test_every_change_in_a_capture_is_noticed_where_it_is(judged: Judged) -> None:
    assert judged.mutations == []


@each_golden
def test_a_change_in_the_workspace_changes_the_build_there_and_only_there(judged: Judged) -> None:
    assert judged.workspace == []


@each_golden
def test_every_character_has_exactly_one_origin(judged: Judged) -> None:
    assert judged.origins == []


def test_the_headers_are_the_ones_on_record(bench: Bench) -> None:
    found = header_law.merged(bench.of(path).header_rows for path in GOLDENS)
    assert found == json.loads(header_law.PATH.read_text(encoding="utf-8"))
    assert [(row["different"], row["reordered"]) for row in found] == [([], [])] * len(found)


def test_the_score_is_the_one_on_record(bench: Bench) -> None:
    found = ratchet.merged(row for path in GOLDENS for row in bench.of(path).score)
    assert found == json.loads(ratchet.PATH.read_text(encoding="utf-8"))
