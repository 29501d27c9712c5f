"""Learned texts are read when asked for, and only when they are what their name says."""

from hashlib import sha256
from pathlib import Path

import pytest

from inspector import words


def digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def test_saved_texts_are_found_by_digest(tmp_path: Path) -> None:
    texts = ["long text\r\n", "é 漢 \ud800", ""]
    assert words.save(texts, tmp_path / "texts") == tuple(map(digest, texts))
    loaded = words.load(tmp_path / "texts")
    assert [loaded[digest(text)] for text in texts] == texts
    assert digest("unknown") not in loaded
    assert sorted(loaded) == sorted(map(digest, texts))
    assert sorted(file.name for file in (tmp_path / "texts").iterdir()) == sorted(
        map(digest, texts)
    )


def test_a_damaged_text_counts_as_not_at_hand_and_is_mended_by_saving(tmp_path: Path) -> None:
    (name,) = words.save(["whole"], tmp_path)
    (tmp_path / name).write_bytes(b"whol")
    assert name not in words.load(tmp_path)
    assert dict(words.load(tmp_path)) == {}
    words.save(["whole"], tmp_path)
    assert words.load(tmp_path)[name] == "whole"


def test_names_that_are_no_digests_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("x")
    loaded = words.load(tmp_path / "texts")
    for name in ("../notes", "", "G" * 64, digest("x")):
        assert name not in loaded
    assert len(loaded) == 0


def test_the_folder_is_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSPECTOR_DATA", str(tmp_path))
    (name,) = words.save(["text"])
    assert (tmp_path / "texts" / name).read_text() == "text"
    assert words.load()[name] == "text"
