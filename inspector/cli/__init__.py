"""The command line. Nothing heavy is imported before the command that needs it is known."""

import sys
from collections.abc import Sequence

COMMANDS = {
    "demo": "The main job in one go: capture, rebuild, compare. No key, no network.",
    "run": "Capture a client run: inspector run -- CMD ...",
    "proxy": "Capture clients that an IDE or desktop app starts, until stopped.",
    "import": "Import HAR files, flow files, raw-body exports, request bodies.",
    "ls": "List the sessions in the store.",
    "show": "List the exchanges of a session.",
    "raw": "Write the bytes of a stored request or response.",
    "rm": "Remove sessions from the store.",
    "purge": "Remove old sessions, or everything we keep.",
    "gc": "Let go of texts that no session holds any more.",
    "pack": "Compress the store as far as it goes; every byte stays.",
    "fsck": "Read everything in the store and compute every digest again.",
    "verify": "Rebuild a session's requests from the workspace and compare byte for byte.",
    "score": "The scoreboard over recordings: exact bodies, segments, bytes.",
    "diff": "What changed between two requests or sessions.",
    "find": "Find a text in the requests of a session, with its source.",
    "explain": "Where a file, skill, MCP tool or text landed in the requests, or why not.",
    "cache": "What the prompt cache can do for a session's requests, and why not.",
    "lint": "Check rules, skills, servers and settings before anything is sent.",
    "build": "Rebuild requests offline from a workspace and a turns file.",
    "learn": "Learn a client version's profile from the client itself.",
    "drift": "What changed on the wire between two versions of a client.",
    "turns": "Write the turns file of a session.",
    "export": "Write a session as HAR, mitmproxy flows, JSONL, OpenTelemetry or a folder.",
    "seal": "Seal a recording for sharing, or say what it would tell.",
    "mcp": "MCP servers as clients ask them: keep their listings, check them.",
    "mock": "Serve a script as a model, on loopback.",
    "replay": "Answer a real client from a recorded session, offline; say where it differs.",
    "send": "Send one recorded request again, with your own key.",
    "doctor": "What is installed, which routes work, where our files are.",
}
"""Every command and its one line; module `inspector.cli.NAME` holds a click command `NAME`.

A name that is a Python keyword has an underscore after it there (`import_`).
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if (known := _known(words)) is None:
        from inspector.cli.group import run

        return run(words)
    try:
        sys.stdout.write(known)
        sys.stdout.flush()
    except (OSError, AttributeError):  # full, or closed
        from inspector.cli.group import guarded

        return guarded(lambda: sys.stdout.write(known) and 0)
    return 0


def _known(words: Sequence[str]) -> str | None:
    """What to print at once, for the few lines that need no command."""
    if words in ([], ["--help"], ["-h"], ["help"]):
        return overview()
    if words == ["--version"]:
        from inspector import __version__

        return f"inspector {__version__}\n"
    return None


def overview() -> str:
    """The text of `inspector --help`, written without any library so that it comes at once."""
    width = max(map(len, COMMANDS))
    lines = "".join(f"  {name:<{width}}  {line}\n" for name, line in COMMANDS.items())
    return (
        "Usage: inspector [--store FILE] COMMAND [ARGS]...\n\n"
        "Shows what coding agents really send to their models, and proves it.\n\n"
        f"Commands:\n{lines}\n"
        "Options:\n"
        "  --store FILE  The store (default: INSPECTOR_STORE, else store.db in the data folder).\n"
        "  --version     Print the version.\n"
        "  --help        Print this; `inspector COMMAND --help` says more.\n\n"
        "Exit codes: 0 fine, 1 differences, 2 bad usage or input, 3 nothing captured.\n"
    )
