"""A made workspace and home, and what `inspector explain` says of them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.commands import Run


@dataclass(frozen=True, slots=True)
class Desk:
    """A folder with `home` in it; workspaces stand where a test puts them."""

    root: Path
    run: Run

    def put(self, files: Mapping[str, str]) -> "Desk":
        """Write files, by path below the folder."""
        for path, text in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text, encoding="utf-8")
        return self

    def explain(self, *asked: str, cwd: str = "ws", **given: Any) -> list[dict[str, Any]]:
        """The items of `explain --workspace`, paths below the folder; `given`: more options."""
        (self.root / "home").mkdir(exist_ok=True)
        (self.root / cwd).mkdir(parents=True, exist_ok=True)
        words = ["--workspace", str(self.root / cwd), "--home", str(self.root / "home")]
        for name, value in given.items():
            file = self.root / f"{name}.json"
            if not isinstance(value, str):
                document = value if name == "turns" else {name: value}
                file.write_text(json.dumps(document), encoding="utf-8")
            words += [f"--{name}", value if isinstance(value, str) else str(file)]
        _, out, err = self.run("explain", *words, *asked, "--json")
        assert out, err
        items: list[dict[str, Any]] = json.loads(out.replace(f"{self.root}/", ""))["items"]
        return items


@pytest.fixture
def desk(tmp_path: Path, run: Run) -> Desk:
    """An empty folder to put a workspace and a home in."""
    return Desk(tmp_path, run)


def told(items: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    """The named fields of each item."""
    return [tuple(item[name] for name in names) for item in items]
