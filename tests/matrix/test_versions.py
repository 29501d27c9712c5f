"""Learning every client version of `versions.txt`; see CONTRIBUTING.md."""

import pytest

from tests.matrix.__main__ import ENOUGH, SHARE, VERSIONS, results, settled, table

pytestmark = pytest.mark.matrix


@pytest.mark.parametrize("version", VERSIONS)
def test_a_version_is_learned_without_code_of_its_own(version: str) -> None:
    found = settled(version)
    assert (found["error"], found["troubles"]) == ("", [])
    assert found["segments_exact_percent"] >= ENOUGH, found["not_learned"]


def test_enough_of_the_versions_are_learned() -> None:
    found = results()
    good = [one for one in VERSIONS if found[one]["segments_exact_percent"] >= ENOUGH]
    assert len(good) >= SHARE * len(VERSIONS)
    assert table(found)
