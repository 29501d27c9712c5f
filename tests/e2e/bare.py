"""What a client's process sees in a test: nothing of the caller's but what finds programs."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def bare(place: Path) -> dict[str, str]:
    """The environment of a throwaway home at `place`, with keys that open nothing."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(place / "home"),
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        "PYTHONPATH": str(ROOT),
        "INSPECTOR_DATA": str(place / "data"),
        "ANTHROPIC_API_KEY": "sk-ant-api03-fakefakefakefakefakefake",
        "OPENAI_API_KEY": "sk-fake-000",
        "CODEX_API_KEY": "sk-fake-000",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "IS_SANDBOX": "1",
    }
