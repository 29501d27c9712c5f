"""A session's turns and environment files, and its files on disk, make its requests again."""

from pathlib import Path

import pytest

from inspector import cli, folder, named
from inspector.errors import BadInput
from inspector.session import ExchangeKind, Snapshot
from inspector.workspace import EntryKind


@pytest.mark.parametrize(
    "golden",
    ["claude-code/2.1.332/mcp_basic/r0", "claude-code/2.1.332/cache_6turn/r0"],
)
def test_turns_environment_and_disk_make_the_bytes_that_verify_builds(
    root: Path,
    tmp_path: Path,
    golden: str,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("INSPECTOR_DATA", str(tmp_path / "data"))
    path = root / "captures" / golden
    snapshot = folder.read(path).snapshot
    assert snapshot is not None
    assert snapshot.environment.route == "base-url"
    _restored(snapshot, tmp_path)
    bodies = _built(path, tmp_path, capfd)
    # The model asked for a file that was not there.
    gone = f"turns.5: a call reads {snapshot.environment.cwd}/nope.txt, which is not there"
    told = [f"inspector: {gone}: an error is built"] if golden.endswith("cache_6turn/r0") else []
    assert capfd.readouterr().err.splitlines() == told

    report = named.verified(named.find(str(path), tmp_path / "none.db"), {})
    built = [request.built for request in report.requests]
    assert built
    assert bodies == [one.body for one in built if one is not None]
    assert report.exact


@pytest.mark.parametrize(
    "golden",
    [
        "heavy_notebook_tasks",
        "heavy_odd_files",
        "mix_edits_trigger",
        "mix_memory_written",
        "mix_skill_written",
        "results_edit",
    ],
)
def test_a_session_that_changed_files_is_built_from_what_it_left_on_disk(
    root: Path,
    tmp_path: Path,
    golden: str,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("INSPECTOR_DATA", str(tmp_path / "data"))
    path = root / "captures/claude-code/2.1.332" / golden / "r0"
    snapshot = folder.read(path).snapshot
    assert snapshot is not None
    _restored(snapshot, tmp_path, -1)
    bodies = _built(path, tmp_path, capfd)
    report = named.verified(named.find(str(path), tmp_path / "none.db"), {})
    main = [item.built for item in report.requests if item.kind is ExchangeKind.MAIN]
    assert main
    assert bodies == [one.body for one in main if one is not None]


def _built(golden: Path, place: Path, capfd: pytest.CaptureFixture[str]) -> list[bytes]:
    """The bodies that `build` makes of the files there and the turns that `turns` writes."""
    turns, facts, out = place / "turns.yaml", place / "facts.yaml", place / "out"
    assert cli.main(["turns", str(golden), "--environment", str(facts)]) == 0
    turns.write_bytes(capfd.readouterr().out.encode())
    places = ["--workspace", str(place / "ws"), "--home", str(place / "home")]
    files = ["--turns", str(turns), "--environment", str(facts), "--out", str(out)]
    assert cli.main(["build", "--client", "claude-code", *places, *files]) == 0
    return [file.read_bytes() for file in sorted(out.iterdir())]


def _restored(snapshot: Snapshot, place: Path, which: int = 0) -> None:
    """The session's files as they were at its start, or at its end."""
    places = {"ws": snapshot.environment.cwd, "home": snapshot.environment.home}
    for name, below in places.items():
        (place / name).mkdir()
        for path, listed in snapshot.folders.items():
            if f"{path}/".startswith(f"{below}/") and listed[which].entries is not None:
                target = place / name / path.removeprefix(below).lstrip("/")
                target.mkdir(parents=True, exist_ok=True)
                for entry in listed[which].entries or ():
                    if entry.kind is EntryKind.DIRECTORY:
                        (target / entry.name).mkdir(exist_ok=True)
        for path, versions in snapshot.files.items():
            data = versions[which].data
            if path.startswith(f"{below}/") and data is not None:
                target = place / name / path.removeprefix(f"{below}/")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)


def test_build_says_what_it_assumed(
    root: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    turns = root / "captures/claude-code/2.1.332/cache_6turn/r0/turns.yaml"
    words = ["--workspace", str(tmp_path), "--home", str(tmp_path), "--turns", str(turns)]
    assert cli.main(["build", "--client", "claude-code", *words, "--out", str(tmp_path / "o")]) == 0
    line = capfd.readouterr().err.splitlines()[0]
    assert line.startswith("inspector: no --environment: assumed `claude -p`, route tls, ")
    assert line.endswith("`inspector turns SESSION --environment FILE` writes a session's own")


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("cwd: [1]\nhome: /h\nconfig_home: /c\ndate: d", "cwd: is no text; quote it"),
        ("cwd: /w", "home: is missing"),
        ("a: [", "no YAML (line "),
        ("listings: [{}]\ncwd: /w\nhome: /h\nconfig_home: /c\ndate: d", "server: is missing"),
        ("cwdd: /w\ncwd: /w\nhome: /h\nconfig_home: /c\ndate: d", "cwdd: is no known key"),
    ],
)
def test_a_wrong_environment_file_is_one_line_that_names_the_key(
    tmp_path: Path, written: str, complaint: str
) -> None:
    path = tmp_path / "facts.yaml"
    path.write_text(written, encoding="utf-8")
    with pytest.raises(BadInput) as found:
        folder.read_facts(path, "codex", "0.171.0")
    assert complaint in str(found.value)
    assert "pydantic" not in str(found.value)
