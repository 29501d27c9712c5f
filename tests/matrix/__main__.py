"""Learn many client versions: install, learn, score, remove; results are kept and not made twice.

usage: python -m tests.matrix [VERSION…] [--again] [--keep-clients] [--profiles DIR]

Without versions, all of `versions.txt`. `pytest -m matrix tests/matrix` does the same, as tests.
Writes `tests/matrix/versions.json` and docs/versions.md after each version.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from inspector import installed, profiles

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "tests" / "matrix" / "versions.json"
TABLE = ROOT / "docs" / "versions.md"
CLIENT = "claude-code"
VERSIONS = (ROOT / "tests" / "matrix" / "versions.txt").read_text(encoding="utf-8").split()
"""The versions that are to be learned, one of each change of the wire format and the newest."""
LIMIT = 1800
"""Seconds a version may take."""
ENOUGH = 99.0
"""Percent of segments exact from which on a version counts as learned."""
SHARE = 0.95
"""How many of the versions that must be."""


def main() -> int:
    """Learn the versions that have no result yet; 0 where every one was learned."""
    parser = argparse.ArgumentParser(prog="matrix", description=__doc__)
    parser.add_argument("versions", nargs="*", default=VERSIONS)
    parser.add_argument("--again", action="store_true", help="learn those with a result, too")
    parser.add_argument("--keep-clients", action="store_true")
    parser.add_argument("--profiles", type=Path, help="write the profiles below this folder, too")
    options = parser.parse_args()
    for version in options.versions:
        found = settled(version, options.profiles, again=options.again, keep=options.keep_clients)
        print(f"{version}: {found['segments_exact_percent']} %", flush=True)
    return 0 if all(results()[version]["error"] == "" for version in options.versions) else 1


def settled(
    version: str, folder: Path | None = None, *, again: bool = False, keep: bool = False
) -> dict[str, Any]:
    """A version's result, learned now where there is none yet."""
    if again or version not in results():
        _keep(version, _learned(version, folder))
        if not keep:
            shutil.rmtree(installed.place(CLIENT, version), ignore_errors=True)
    found: dict[str, Any] = results()[version]
    return found


def results() -> dict[str, Any]:
    """What is known so far, by version."""
    if not RESULTS.exists():
        return {}
    found: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return found


def _learned(version: str, folder: Path | None) -> dict[str, Any]:
    out = ["--out", str(folder)] if folder else []
    command = [sys.executable, "-m", "inspector", "learn", "--client", CLIENT, "--json"]
    started = time.monotonic()
    command += ["--client-version", version, "--install", *out]
    # A data folder of its own: each version starts from the profiles of the package alone.
    with tempfile.TemporaryDirectory(prefix="inspector-matrix-") as data:
        env = {**os.environ, "INSPECTOR_DATA": data}
        try:
            ended = subprocess.run(
                command, env=env, capture_output=True, text=True, timeout=LIMIT, check=False
            )
        except subprocess.TimeoutExpired:
            error = f"still running after {LIMIT} s"
            return {"error": error, "segments_exact_percent": 0.0, "seconds": LIMIT}
    seconds = round(time.monotonic() - started)
    if ended.returncode not in (0, 1) or not ended.stdout:
        reason = (ended.stderr.strip().splitlines() or ["no word"])[-1]
        return {"error": reason[:200], "segments_exact_percent": 0.0, "seconds": seconds}
    told = json.loads(ended.stdout)
    rows = told["rows"]
    return {
        "error": "",
        "extends": told["extends"],
        **told["score"],
        "shared_exact_percent": told["shared_score"]["bodies_exact_percent"],
        "requests": sum(row["bodies"] for row in rows),
        "requests_exact": sum(row["exact"] for row in rows),
        "seconds": seconds,
        "not_learned": [item["mechanism"] for item in told["not_learned"]],
        "troubles": told["troubles"],
    }


def _keep(version: str, result: dict[str, Any]) -> None:
    found = results() | {version: result}
    ordered = dict(sorted(found.items(), key=lambda item: profiles.order(item[0]), reverse=True))
    RESULTS.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")
    TABLE.write_text(table(ordered), encoding="utf-8")


def table(found: dict[str, Any]) -> str:
    """docs/versions.md."""
    lines = [
        "# Claude Code versions that were learned",
        "",
        "Written by `python -m tests.matrix` (docs/learn.md). Each version was installed, learned without code of its own and",
        "scored on workspaces nothing was learned from, on both hosts.",
        "",
        "| version | starts from | requests exact | segments exact | differs in | not scored | seconds |",
        "|---|---|---|---|---|---|---|",
    ]
    for version, one in found.items():
        if one["error"]:
            lines.append(f"| {version} | – | – | – | {one['error']} | all | {one['seconds']} |")
            continue
        missing = ", ".join(f"`{name}`" for name in one["not_learned"][:6]) or "–"
        exact = f"{one['requests_exact']} of {one['requests']}"
        percent = f"{one['segments_exact_percent']} %"
        scored = [exact, percent, missing, str(len(one["troubles"])), str(one["seconds"])]
        lines.append(f"| {version} | {one['extends']} | {' | '.join(scored)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
