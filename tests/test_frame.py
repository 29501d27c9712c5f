"""The frame: packaging, layers and documents agree with the code."""

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

import inspector
from inspector import cli

FLOORS = {
    "mitmproxy": "12.3",
    "anthropic": "2",
    "mcp": "2",
    "rich": "15",
    "pydantic": "2.14",
    "pyyaml": "6",
    "deepdiff": "9",
}
IMPURE = {
    "__main__",
    "paths",
    "words",
    "learned",
    "given",
    "installed",
    "named",
    "importing",
    "retention",
    "sealing",
    "raw_export",
    "store",
    "folder",
    "snapshot",
    "mcp_client",
    "formats",
    "capture",
    "mock",
    "run",
    "proxy",
    "replay",
    "views",
    "terminal",
    "report",
    "demo",
    "doctor",
    "probe",
    "cli",
    "pytest_plugin",
    "mcp_server",
    "viewer",
    "data",
}


def _pyproject(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def _contract(root: Path, name: str) -> dict[str, Any]:
    contracts = _pyproject(root)["tool"]["importlinter"]["contracts"]
    return next(contract for contract in contracts if contract["id"] == name)


def _modules(root: Path) -> set[str]:
    found = {path.stem for path in (root / "inspector").glob("*.py")} - {"__init__"}
    return found | {path.parent.name for path in (root / "inspector").glob("*/__init__.py")}


def test_every_dependency_has_the_floor_we_build_on(root: Path) -> None:
    project = _pyproject(root)["project"]
    dependencies: list[str] = project["dependencies"]
    floors = dict(re.split(">=", line.partition(";")[0].strip()) for line in dependencies)
    assert {name: floors[name] for name in FLOORS} == FLOORS
    assert project["requires-python"] == ">=3.12"
    assert project["scripts"] == {"inspector": "inspector.cli:main"}


def test_every_module_has_its_place_in_the_layers(root: Path) -> None:
    placed = set(re.findall(r"\w+", " ".join(_contract(root, "layers")["layers"])))
    assert _modules(root) - {"__main__", "data"} - placed == set()


def test_every_module_below_the_line_is_held_to_take_the_world_as_values(root: Path) -> None:
    held = {name.removeprefix("inspector.") for name in _contract(root, "pure")["source_modules"]}
    assert held == _modules(root) - IMPURE


def test_only_named_edge_modules_import_the_outside_world_at_module_level(root: Path) -> None:
    heavy = {"mitmproxy", "anthropic", "mcp", "deepdiff", "rich", "uvicorn", "starlette"}
    found = {
        f"{path.relative_to(root)}: {name}"
        for path in (root / "inspector").rglob("*.py")
        if "data" not in path.parts
        for name in _imported(path) & heavy
    }
    edges = ("inspector/capture/", "inspector/mcp_client/")
    assert {line for line in found if not line.startswith(edges)} == set()


def _imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def test_architecture_fits_two_pages(root: Path) -> None:
    text = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 115
    assert len(text.split()) <= 1300


def test_architecture_lists_every_mask_of_the_profiles_and_no_other(root: Path) -> None:
    text = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text.partition("<!-- masks:begin -->")[2].partition("<!-- masks:end -->")[0]
    rows = [line for line in table.strip().splitlines()[2:] if line.startswith("|")]
    assert [row.rpartition("|")[0].rpartition("|")[0] + "|" for row in rows] == mask_rows(root)


def mask_rows(root: Path) -> list[str]:
    rows: list[str] = []
    for path in sorted((root / "inspector/profiles/data").glob("*/*.yaml")):
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        layers = [data.get("base", {}), *(overlay["set"] for overlay in data.get("overlays", ()))]
        for layer in layers:
            for name, rule in layer.get("masks", {}).items():
                pattern = rule["pattern"].replace("|", "\\|")
                recurs = "yes" if rule.get("recurs") else "no"
                limit = rule["limit"]
                rows.append(f"| {path.parent.name} | `{name}` | `{pattern}` | {limit} | {recurs} |")
    # A rule that several versions have is one row.
    return list(dict.fromkeys(rows))


def test_the_changelog_names_every_profile(root: Path) -> None:
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    names = {"claude-code": "Claude Code", "codex": "Codex"}
    profiles = sorted((root / "inspector/profiles/data").glob("*/*.yaml"))
    assert [path for path in profiles if f"{names[path.parent.name]} {path.stem}" not in text] == []


def test_every_command_the_readme_shows_exists(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"^(?:[A-Z_]+=\S+ )?inspector ([a-z-]+)", text, re.MULTILINE))
    assert shown - set(cli.COMMANDS) == set()
    assert {"run", "verify", "diff", "build"} - shown == set()


def test_the_package_exports_what_it_says() -> None:
    assert inspector.__all__ == ["__version__"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", inspector.__version__)


def test_the_commands_are_modules_with_a_command_of_their_name(root: Path) -> None:
    files = {path.stem.removesuffix("_") for path in (root / "inspector/cli").glob("*.py")}
    assert set(cli.COMMANDS) - files == set()


def test_what_was_recorded_names_no_place_but_the_recorders(root: Path) -> None:
    """An interpreter that a recording's files name is at the recorder's fixed place or the system's."""
    found = {
        path.removeprefix("\\")
        for file in (root / "inspector" / "data" / "recordings").rglob("*.json")
        for path in re.findall(r"/[\w./-]*/python[\d.]*\b", file.read_text(encoding="utf-8"))
    }
    assert {
        path for path in found if not path.startswith(("/tmp/inspector-golden/", "/usr/"))
    } == set()
