"""Running a command of ours inside the test's own process."""

from collections.abc import Callable

import pytest

from inspector.cli import main

type Run = Callable[..., tuple[int, str, str]]
"""A command's words to its exit code and what it wrote to both outputs."""


def runner(outputs: pytest.CaptureFixture[bytes]) -> Run:
    """Calls `inspector`; what was written before a call is none of it."""

    def call(*words: object) -> tuple[int, str, str]:
        outputs.readouterr()
        code = main([str(word) for word in words])
        out, err = outputs.readouterr()
        return code, out.decode(), err.decode()

    return call
