"""The documentation hangs together: commands and pages are found from the README on."""

import re
from pathlib import Path

import pytest

from inspector import cli

PAGES = ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)[^)]*\)")


def texts(root: Path) -> dict[Path, str]:
    paths = [*(root / name for name in PAGES), *(root / "docs").glob("*.md")]
    return {path: path.read_text(encoding="utf-8") for path in paths}


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_the_documentation_names_each_command(root: Path, name: str) -> None:
    whole = "\n".join(texts(root).values())
    assert re.search(rf"inspector {name}\b|`{name}[ `]", whole), name


def test_links_lead_to_files(root: Path) -> None:
    links = {
        path.parent / link for path, text in texts(root).items() for link in LINK.findall(text)
    }
    assert links
    assert [link for link in links if not link.exists()] == []


def test_the_readme_links_every_page(root: Path) -> None:
    readme = texts(root)[root / "README.md"]
    pages = {str(path.relative_to(root)) for path in texts(root)} - {"README.md"}
    assert pages <= set(LINK.findall(readme))
