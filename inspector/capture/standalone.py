"""The addon on its own under mitmdump: its store, its session, its intake."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace

from inspector import paths, redact
from inspector.capture.agent import agent
from inspector.capture.intake import Intake, now
from inspector.session import Exchange, Session
from inspector.store import Store


def begin(
    store_option: str, session_id: str, route: str, env: Mapping[str, str]
) -> tuple[Intake, Callable[[], None]]:
    """An intake into a session of the store, and what ends it."""
    store = Store.open(paths.store_file(store_option or None, env))
    session = Session(
        session_id or Store.new_id(), "other", "", route, started=now(), source="proxy"
    )
    store.put_session(session)

    def put(exchange: Exchange, _complete: bool) -> None:
        nonlocal session
        store.put(exchange)
        seen = agent(exchange.header("user-agent") or "")
        if seen is not None and session.client == "other":
            session = replace(session, client=seen.client, version=seen.version)
            store.put_session(session)

    def say(line: str) -> None:
        print(f"inspector: {line}", file=sys.stderr)  # noqa: T201 - our own words go to stderr

    intake = Intake(session.id, put, new_id=Store.new_id, given=redact.given(env), say=say)

    def end() -> None:
        intake.close()
        store.close()

    return intake, end
