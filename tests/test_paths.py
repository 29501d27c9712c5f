"""Where our own files live."""

from pathlib import Path

import pytest

from inspector import paths


def test_variables_name_the_data_folder_and_the_store() -> None:
    env = {"INSPECTOR_DATA": "/d"}
    assert paths.data_folder(env) == Path("/d")
    assert paths.texts_folder(env) == Path("/d/texts")
    assert paths.store_file(None, env) == Path("/d/store.db")
    assert paths.store_file(None, {**env, "INSPECTOR_STORE": "/s.db"}) == Path("/s.db")
    assert paths.store_file("/o.db", {**env, "INSPECTOR_STORE": "/s.db"}) == Path("/o.db")


def test_without_variables_the_platform_decides(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert paths.data_folder({}).name == "inspector"
    assert paths.cache_folder().name == "inspector"


@pytest.mark.parametrize(
    ("path", "ours"),
    [
        ("data", True),
        ("data/store.db", True),
        ("my.db-wal", True),
        ("link", True),
        ("database", False),
        ("my.db2", False),
        (".", False),
    ],
)
def test_our_own_files_are_known_by_their_real_path(tmp_path: Path, path: str, ours: bool) -> None:
    env = {"INSPECTOR_DATA": str(tmp_path / "data"), "INSPECTOR_STORE": str(tmp_path / "my.db")}
    (tmp_path / "link").symlink_to("data")
    assert paths.own(str(tmp_path / path), env) == ours


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    paths.write(tmp_path / "a", b"one")
    paths.write(tmp_path / "a", b"two")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        paths.write(tmp_path / "folder", b"three")
    assert {file.name for file in tmp_path.iterdir()} == {"a", "folder"}
    assert (tmp_path / "a").read_bytes() == b"two"
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600
