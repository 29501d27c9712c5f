"""Runs of one scenario inside its own network namespace, through `inspector run`.

usage (started by `record`): python -m tests.golden.inside CLIENT/NAME BINARY WORK
usage (started by `replayed`): python -m tests.golden.inside CLIENT/NAME BINARY WORK GOLDEN

Leaves in WORK: `store.db`, and per run `rK.json` (session id, exit code, the client's own record,
MCP calls, hooks' log) and `rK.mock.jsonl` (what the mock answered). With GOLDEN, the folder of its recordings,
each run is answered from them, and `rK.report.json` is what `inspector replay` says of it.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.golden import place, web
from tests.golden.scenario import Case, Run, cases, file_of
from tests.golden.screen import Screen

_KEYS = {
    "ANTHROPIC_API_KEY": "sk-ant-api03-fakefakefakefakefakefake",
    "OPENAI_API_KEY": "sk-fake-000",
    "CODEX_API_KEY": "sk-fake-000",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
}
_RECORDS = {
    "claude-code": "home/.claude/projects/*/*.jsonl",
    "codex": "home/.codex/sessions/**/*.jsonl",
}
_HOOKS = "hooks/hooks.log"
_MOMENT = 0.1
LIMIT = 90
"""Seconds a client may take."""


def main(name: str, binary: str, work: Path, golden: str = "") -> None:
    """Build the workspace and run the client as often as the scenario says."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    case = next(cases((name,)))
    place.build(case)
    if case.scenario.managed:
        place.managed(case)
    with web.serving(case.scenario.web):
        for number, run in enumerate(case.scenario.filled()):
            if golden:
                _replayed(case, number, run, binary, work, Path(golden))
            else:
                _one(case, number, run, binary, work)


def _replayed(case: Case, number: int, run: Run, binary: str, work: Path, golden: Path) -> None:
    """One run answered from its recording; a run before it left the home as it did then."""
    if run.setup:
        place.shell(case, run.setup)
    log = work / f"r{number}.mock.jsonl"
    command = [
        *(sys.executable, "-m", "inspector", "replay", "--json", "--limit", str(LIMIT - 10)),
        *("--log", str(log), "--store", str(work / "store.db"), str(golden / f"r{number}")),
        *("--", *_command(case, binary, run)),
    ]
    stdout, stderr, _ = _run(case, run, command, log, work)
    (work / f"r{number}.report.json").write_bytes(stdout)
    (work / f"r{number}.out").write_bytes(stderr)


def _one(case: Case, number: int, run: Run, binary: str, work: Path) -> None:
    if run.setup:
        place.shell(case, run.setup)
    before = _sizes(case)
    log, report = work / f"r{number}.mock.jsonl", work / f"r{number}.report.json"
    script = work / f"r{number}.script.json"
    answers = {"replies": run.script or [], "counts": run.counts or []}
    answers |= {"websocket": case.scenario.websocket}
    script.write_text(json.dumps(answers), encoding="utf-8")
    command = [
        *(sys.executable, "-m", "inspector", "run", "--route", case.scenario.route),
        *("--mock", str(script), "--mock-log", str(log), "--mock-run", str(number)),
        *("--store", str(work / "store.db"), "--report", str(report)),
        *("--", *_command(case, binary, run)),
    ]
    stdout, stderr, code = _run(case, run, command, log, work)
    (work / f"r{number}.out").write_bytes(stdout + b"\n--- stderr ---\n" + stderr)
    if not report.exists():
        sys.exit(f"{case.name} r{number}: exit {code}: {stderr.decode(errors='replace')[-600:]}")
    facts: dict[str, Any] = {
        "report": json.loads(report.read_text(encoding="utf-8")),
        "exit": code,
        "record": _record(case, before, _RECORDS[case.client]),
        "mcp": _calls(case, before),
        "hooks": list(_logged(case.root / _HOOKS, before)),
    }
    (work / f"r{number}.json").write_text(json.dumps(facts), encoding="utf-8")


def _run(
    case: Case, run: Run, command: list[str], log: Path, work: Path
) -> tuple[bytes, bytes, int]:
    """Start our command in the scenario's place; its output and exit code."""
    cwd = case.root / (run.cwd or "ws")
    env = {**place.environment(case), **_keys(case), **(run.env or {}), **_ours(work)}
    text = run.stdin or ""
    if case.scenario.terminal:
        return _typed(Screen(command, cwd, env), text, log)
    child = subprocess.Popen(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )

    def write(data: bytes) -> None:
        assert child.stdin is not None
        child.stdin.write(data)
        child.stdin.flush()

    stdout, stderr = child.communicate(_fed(child, write, text, log), timeout=LIMIT)
    return stdout, stderr, child.returncode


def _typed(screen: Screen, text: str, log: Path) -> tuple[bytes, bytes, int]:
    """The same on a terminal, where each line that a scenario gives is pressed by itself."""
    for line in _fed(screen.child, screen.type, text, log).decode().splitlines():
        screen.type(line.encode().decode("unicode_escape").encode())
        time.sleep(5 * _MOMENT)
    shown = screen.ended(LIMIT)
    return shown, b"", screen.child.returncode


def _fed(
    child: subprocess.Popen[bytes], write: Callable[[bytes], None], text: str, log: Path
) -> bytes:
    """Give the child its input up to the last mark; what is left.

    A line `# after N` waits until the mock has been asked N times, and a moment more.
    """
    *parts, rest = re.split(r"^# after (\d+)\n", text, flags=re.MULTILINE)
    for given, number in zip(parts[::2], parts[1::2], strict=True):
        write(given.encode())
        for _ in range(10 * LIMIT):
            if child.poll() is not None:
                return b""
            if log.exists() and len(log.read_bytes().splitlines()) >= int(number):
                break
            time.sleep(_MOMENT)
        time.sleep(20 * _MOMENT)
    return rest.encode()


def _command(case: Case, binary: str, run: Run) -> list[str]:
    return command_line(case.client, binary, run, terminal=case.scenario.terminal)


def _keys(case: Case) -> dict[str, str]:
    """Made-up keys; none where the scenario has Codex logged in."""
    return {} if "home/.codex/auth.json" in case.scenario.files else _KEYS


def command_line(client: str, binary: str, run: Run, *, terminal: bool = False) -> list[str]:
    """The client's own command."""
    argv = run.argv or []
    # A stream of prompts comes in place of the one on the command line.
    prompt = [run.prompt] if run.prompt is not None and "--input-format" not in argv else []
    if client == "claude-code":
        return [binary, "-p", *prompt, *argv, *(["--continue"] if run.resume else [])]
    resume = ["resume", "--last"] if run.resume else []
    if terminal:
        return [binary, *argv, *resume, *prompt]
    return [binary, "exec", "--skip-git-repo-check", *argv, *resume, *prompt]


def _ours(work: Path) -> dict[str, str]:
    root = str(Path(__file__).resolve().parents[2])
    return {"INSPECTOR_DATA": str(work / "data"), "PYTHONPATH": root}


def _sizes(case: Case) -> dict[Path, int]:
    patterns = (_RECORDS[case.client], "mcp/*.log", _HOOKS)
    return {path: path.stat().st_size for pattern in patterns for path in case.root.glob(pattern)}


def _record(case: Case, before: dict[Path, int], pattern: str) -> str:
    """The whole of every record this run wrote to: a resumed one tells the earlier runs too."""
    paths = sorted(case.root.glob(pattern), key=lambda path: path.stat().st_mtime)
    changed = [path for path in paths if path.stat().st_size > before.get(path, 0)]
    return "".join(path.read_text(encoding="utf-8") for path in changed)


def _calls(case: Case, before: dict[Path, int]) -> list[dict[str, str]]:
    calls: list[dict[str, str]] = []
    for server in case.scenario.mcp:
        path = case.root / "mcp" / f"{file_of(server)}.log"
        calls += [{"server": server, **line} for line in _logged(path, before)]
    return calls


def _logged(path: Path, before: dict[Path, int]) -> Iterator[dict[str, Any]]:
    """The lines a run added to a log."""
    if path.exists():
        yield from map(json.loads, path.read_bytes()[before.get(path, 0) :].decode().splitlines())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), *sys.argv[4:])
