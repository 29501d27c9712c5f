"""`learn --from` on sessions in folders: what is kept where, and that `verify` then says no more."""

import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from inspector import folder, learned, paths
from inspector.learn import Taken
from tests.commands import Run
from tests.learn.test_account import LONG, nothing, pair, session, swap, text_of

CHANGE = swap(text_of("tool.Read.description"), LONG)
DIGEST = hashlib.sha256(LONG.encode()).hexdigest()


def kept(found: list[Taken], place: Path) -> list[Path]:
    """The recordings as folders."""
    folders: list[Path] = []
    for number, one in enumerate(found):
        folder.write(replace(one.recording, turns=None), place / f"s{number}")
        folders.append(place / f"s{number}")
    return folders


def test_verify_names_the_line_and_after_it_every_request_is_exact(
    run: Run, tmp_path: Path
) -> None:
    first, second = kept(pair(CHANGE), tmp_path)
    code, _, err = run("verify", first)
    assert (code, f"`inspector learn --from {first} ANOTHER` learns it" in err) == (1, True)
    code, out, err = run("learn", "--from", first, second)
    assert (code, err) == (0, "")
    assert f"learned texts.tool.Read.description: {DIGEST[:12]}, {len(LONG):,} characters" in out
    assert "requests exact before 0, now 5 of 5" in out
    for path in (first, second):
        code, _, err = run("verify", path)
        assert (code, "learn --from" in err) == (0, False)
    third = kept([session("rules_nested/r0", "2028-04-05", CHANGE)], tmp_path / "third")[0]
    assert run("verify", third)[0] == 0
    assert run("verify", tmp_path / "third" / "s0", first)[0] == 0


def test_the_profile_has_the_digest_and_the_texts_folder_the_words(
    run: Run, tmp_path: Path
) -> None:
    first, second = kept(pair(CHANGE), tmp_path)
    document = json.loads(run("learn", "--from", first, "--from", second, "--json")[1])
    profile = Path(document["profile"])
    assert profile == paths.data_folder() / "profiles/claude-code/2.1.332.yaml"
    said = profile.read_text(encoding="utf-8")
    assert (DIGEST in said, LONG[:40] in said) == (True, False)
    assert (paths.texts_folder() / DIGEST).read_text(encoding="utf-8") == LONG
    names = [json.loads((one / "session.json").read_text())["id"] for one in (first, second)]
    assert document["account"] == {"host": "custom", "login": "key", "traffic": "essential"}
    assert document["learned"] == [
        {
            "key": "texts.tool.Read.description",
            "sha256": DIGEST,
            "chars": len(LONG),
            "value": None,
            "sessions": names,
        }
    ]
    assert document["score"] == {"requests": 5, "exact_before": 0, "exact_after": 5}
    assert (document["sessions"], document["not_learned"]) == (names, [])


def test_what_was_learned_from_sessions_outlives_a_profile_made_anew(
    run: Run, tmp_path: Path
) -> None:
    first, second = kept(pair(CHANGE), tmp_path)
    run("learn", "--from", first, second)
    (overlay,) = learned.accounts("claude-code", "2.1.332")
    assert overlay["set"]["texts"]["tool.Read.description"]["sha256"] == DIGEST
    assert learned.accounts("claude-code", "2.1.88") == []


def test_where_nothing_may_be_learned_nothing_is_written_and_the_reason_is_told(
    run: Run, tmp_path: Path
) -> None:
    change = swap(text_of("tool.Read.description"), f"As of November 2026. {LONG}")
    code, out, _ = run("learn", "--from", *kept(pair(change), tmp_path))
    assert code == 1
    assert "nothing learned" in out
    assert "not learned texts.tool.Read.description: it has 'November 2026' in it" in out
    assert not (paths.data_folder() / "profiles").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--from", "FIRST"), "one session; a text is the client's only where two or more"),
        (("--from", "FIRST", "FIRST"), "one session; a text is the client's only where two"),
        (("--from", "FIRST", "--client", "codex"), "--from SESSION... goes without other options"),
        (("FIRST",), "--from SESSION... goes without other options"),
        ((), "give --client, or --from SESSION"),
    ],
)
def test_a_line_that_cannot_be_learned_from_is_refused(
    run: Run, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    first = os.fspath(kept(pair(nothing)[:1], tmp_path)[0])
    code, out, err = run("learn", *(first if word == "FIRST" else word for word in words))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
