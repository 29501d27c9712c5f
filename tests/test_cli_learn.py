from pathlib import Path

import pytest

from inspector.cli import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "neither --binary nor --client-version; give one of them"),
        (
            ["--client-version", "0.0.1"],
            "claude-code 0.0.1: not installed; add --install, or give --binary",
        ),
    ],
)
def test_what_cannot_be_learned_is_one_line(
    words: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("INSPECTOR_CLIENTS", str(tmp_path))
    assert main(["learn", "--client", "claude-code", *words]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]


def test_a_client_without_probes_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    binary = tmp_path / "codex"
    binary.write_text("")
    assert main(["learn", "--client", "codex", "--binary", str(binary)]) == 2
    assert "codex: no probes for it yet" in capsys.readouterr().err
