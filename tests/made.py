"""A Codex session made without Codex: a workspace on disk, and the requests our builder makes of it.

Good for testing what happens around a proof (files, commands, reports), never for the proof itself.
"""

import hashlib
import re
from dataclasses import replace
from pathlib import Path

from inspector import clients, profiles
from inspector.build import Conversation
from inspector.session import Exchange, ExchangeKind, Recording, Session
from inspector.snapshot import SnapshotTree, take
from inspector.text import Built, Mask
from inspector.turns import Prompted, Replied, Said, Turn, Turns
from inspector.workspace import Environment, World

SAMPLES = (
    "01900000-0000-7000-8000-{:012x}",
    "01900000-0000-5000-8000-{:012x}",
    "01900000-0000-4000-8000-{:012x}",
    "1{:012d}",
    "1{:09d}",
)

EVENTS = (
    b'event: response.completed\ndata: {"type":"response.completed","response":{"id":"resp_1","usage":'
    b'{"input_tokens":100,"input_tokens_details":{"cached_tokens":7},"output_tokens":5}}}\n\n'
)


def turns() -> Turns:
    """Two turns of one prompt each."""
    reply = Replied(id="resp_1", blocks=(Said(text="Hi.", id="msg_1"),), stop="completed")
    return Turns(
        client="codex",
        version="0.171.0",
        turns=(
            Turn(at="2026-01-02T03:04:05+00:00", events=(Prompted(text="hello"),)),
            Turn(at="2026-01-02T03:04:06+00:00", events=(reply, Prompted(text="and now?"))),
        ),
    )


def environment(root: Path) -> Environment:
    """The facts of a session in `root/ws` with `root/home`."""
    return Environment(
        client="codex",
        version="0.171.0",
        argv=("exec", "hello"),
        cwd=str(root / "ws"),
        home=str(root / "home"),
        config_home=str(root / "home" / ".codex"),
        date="2026-01-02",
        shell="/bin/bash",
    )


def workspace(root: Path) -> None:
    """A project with instructions and a user with some."""
    files = {
        "ws/.git/HEAD": "ref: refs/heads/main\n",
        "ws/AGENTS.md": "# Rules\n\nSay CANARY in every answer.\n",
        "home/.codex/AGENTS.md": "Be brief.\n",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def recording(root: Path, session: str = "s1") -> Recording:
    """The session, turns given from outside."""
    workspace(root)
    client = clients.client("codex")
    snapshot = take(client, environment(root))
    world = World(SnapshotTree(snapshot), snapshot.environment, snapshot.listings)
    found = profiles.find("codex", "0.171.0")
    profile = profiles.resolve(found, client.axes(world))
    conversation = Conversation.begin(client, world, profile, {})
    exchanges = tuple(
        exchange(session, number, filled(conversation.step(turn, world)))
        for number, turn in enumerate(turns().turns, start=1)
    )
    return Recording(
        Session(session, "codex", "0.171.0", "base-url", "2026-01-02T03:04:05+00:00"),
        exchanges,
        snapshot,
        turns(),
    )


def exchange(session: str, number: int, body: bytes) -> Exchange:
    """One exchange of the session."""
    digest = hashlib.sha256(body).hexdigest()
    return Exchange(
        id=f"{session}x{number}",
        session=session,
        number=number,
        method="POST",
        url="http://127.0.0.1:8181/v1/responses",
        request_headers=(
            ("User-Agent", "codex_exec/0.171.0 (Linux)"),
            ("Content-Type", "application/json"),
        ),
        request_wire=body,
        request=body,
        request_sha256=digest,
        wire_sha256=digest,
        status=200,
        response_headers=(("Content-Type", "text/event-stream"),),
        response=EVENTS,
        started=f"2026-01-02T03:04:0{number + 4}+00:00",
        kind=ExchangeKind.MAIN,
    )


def filled(built: Built) -> bytes:
    """The body with a value for every mask; client texts stay sealed."""
    out: list[bytes] = []
    done = 0
    for run in built.runs:
        if isinstance(run.origin, Mask):
            out += [built.body[done : run.start], _sample(run.origin).encode()]
            done = run.end
    return b"".join([*out, built.body[done:]])


def _sample(mask: Mask) -> str:
    number = int(hashlib.sha256(mask.name.encode()).hexdigest()[:7], 16)
    fitting = (text for item in SAMPLES if re.fullmatch(mask.pattern, text := item.format(number)))
    return next(fitting)


def changed(recording: Recording, number: int, old: bytes, new: bytes) -> Recording:
    """The same recording with other bytes in one request."""
    exchanges = tuple(
        item
        if item.number != number
        else exchange(item.session, item.number, item.request.replace(old, new))
        for item in recording.exchanges
    )
    return replace(recording, exchanges=exchanges)
