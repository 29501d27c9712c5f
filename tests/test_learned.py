from pathlib import Path

import pytest

from inspector import learned, profiles
from inspector.errors import BadInput
from inspector.shelves import shelved


def test_a_learned_profile_is_found_beside_the_bundled_ones(tmp_path: Path) -> None:
    parent = profiles.names("claude-code")[-1]
    document = {"extends": parent, "base": {"limits": {"tokens": 7}}}
    path = learned.save("claude-code", "9.9.9", document, tmp_path)
    assert path == tmp_path / "claude-code" / "9.9.9.yaml"
    with shelved(learned.Learned(tmp_path)):
        assert profiles.names("claude-code")[-1] == "9.9.9"
        found = profiles.find("claude-code", "9.9.9")
        assert (found.version, found.exact) == ("9.9.9", True)
        assert profiles.resolve(found, {}).limits["tokens"] == 7
    assert "9.9.9" not in profiles.names("claude-code")


def test_a_bundled_version_learned_anew_extends_the_bundled_profile(tmp_path: Path) -> None:
    version = profiles.names("claude-code")[-1]
    learned.save(
        "claude-code", version, {"extends": version, "base": {"limits": {"tokens": 7}}}, tmp_path
    )
    with shelved(learned.Learned(tmp_path)):
        values = profiles.resolve(profiles.find("claude-code", version), {})
    assert (values.limits["tokens"], "reminder" in values.literals) == (7, True)


def test_a_learned_file_that_is_no_profile_is_named(tmp_path: Path) -> None:
    (tmp_path / "claude-code").mkdir()
    (tmp_path / "claude-code" / "9.9.9.yaml").write_text("- no\n")
    with (
        shelved(learned.Learned(tmp_path)),
        pytest.raises(BadInput, match=r"9\.9\.9\.yaml: no profile"),
    ):
        profiles.find("claude-code", "9.9.9")
