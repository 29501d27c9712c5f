"""A session's requests by the names people use."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from inspector import folder, named
from inspector.errors import BadInput
from tests.commands import Run

GOLDEN = "captures/claude-code/2.1.332/cache_6turn/r0"


@pytest.fixture
def kept(root: Path, tmp_path: Path) -> Path:
    """A recording whose model requests are its second and third exchange."""
    whole = folder.read(root / GOLDEN)
    first, second = whole.exchanges[:2]
    probe = replace(first, id="probe", method="HEAD", request=b"", request_wire=b"", number=1)
    exchanges = (probe, replace(first, number=2), replace(second, number=3))
    folder.write(replace(whole, exchanges=exchanges), tmp_path / "kept")
    return tmp_path / "kept"


@pytest.mark.parametrize(("name", "number"), [("1", 1), ("3", 3), ("m1", 2), ("m2", 3)])
def test_a_number_names_an_exchange_and_m_a_model_request(
    kept: Path, tmp_path: Path, name: str, number: int
) -> None:
    assert named.find_exchange(f"{kept}:{name}", tmp_path / "none.db").number == number


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("4", "no exchange 4"), ("m3", "no model request 3"), ("m0", "no model")],
)
def test_a_number_the_session_does_not_have_is_refused(
    kept: Path, tmp_path: Path, name: str, complaint: str
) -> None:
    with pytest.raises(BadInput, match=complaint):
        named.find_exchange(f"{kept}:{name}", tmp_path / "none.db")


def test_what_is_no_model_request_is_not_compared_and_those_that_are_get_named(
    kept: Path, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=re.escape("this session's are 2, 3")):
        named.sides(f"{kept}:1", tmp_path / "none.db", {})
    (side,) = named.sides(f"{kept}:m2", tmp_path / "none.db", {})
    assert side.prompt.problem == ""


@pytest.mark.parametrize(
    "command", [("diff", "{}", "x"), ("find", "words", "{}"), ("explain", "{}")]
)
def test_a_path_that_leads_nowhere_is_told_before_any_store(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    gone = str(tmp_path / "none.json")
    code, _, err = run(*(word.format(gone) for word in command))
    said = "no such file or folder; name a session (see `inspector ls`) or its folder"
    assert (code, err) == (2, f"inspector: {gone}: {said}\n")
