"""What goes wrong is said in words."""

from pathlib import Path

import pytest

from inspector.errors import reason


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (KeyError("messages"), "'messages' is missing"),
        (ValueError("line one\n  line two"), "line one line two"),
        (RuntimeError(), "no reason was given"),
        (OSError(28, "No space left on device"), "No space left on device"),
    ],
)
def test_a_reason_has_no_name_of_a_class_in_it(error: Exception, words: str) -> None:
    assert reason(error) == words


def test_a_fault_of_the_system_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="gone") as caught:
        (tmp_path / "gone").read_bytes()
    assert reason(caught.value) == f"{tmp_path / 'gone'}: No such file or directory"
