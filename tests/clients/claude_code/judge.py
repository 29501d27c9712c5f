"""The real client as the judge of our text functions.

The client is one executable: a JavaScript runtime with the client's modules inside. Asked with
`BUN_OPTIONS`, the runtime runs `judge.js` first, in which the client's own functions and its
engine's (collation, YAML, widths) answer a file of questions.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HOME = "/home/judged"
"""Where the client thinks its user lives; nothing is there."""
SCRIPT = Path(__file__).with_name("judge.js")


@dataclass(frozen=True)
class Judge:
    """The installed client's executable."""

    program: Path

    def __call__(self, question: str, asked: Sequence[object]) -> list[Any]:
        """What the client answers, one answer an input."""
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            files = {name: str(place / name) for name in ("input", "output")}
            Path(files["input"]).write_text(json.dumps(asked), encoding="ascii")
            told = json.dumps({"question": question, "scratch": folder, **files})
            ended = subprocess.run(
                [self.program, "--version"],
                env={
                    "PATH": os.environ["PATH"],
                    "HOME": HOME,
                    "BUN_OPTIONS": f"--preload {SCRIPT}",
                    "INSPECTOR_JUDGE": told,
                },
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                cwd=folder,
                check=False,
            )
            answers = Path(files["output"])
            assert answers.exists(), f"{question}: {ended.stderr or ended.stdout}"
            found: list[Any] = json.loads(answers.read_bytes(), parse_int=_double)
        assert len(found) == len(asked)
        return found


def _double(digits: str) -> int | float:
    """A number of JavaScript's, which is exact up to 2 ** 53 only."""
    return int(digits) if abs(int(digits)) < 2**53 else float(digits)
