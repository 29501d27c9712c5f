"""The addon on its own under mitmdump: its store, its sessions, its intake."""

import sys
from collections.abc import Callable, Mapping

from inspector import paths
from inspector.capture import process, start
from inspector.capture.agent import Agent
from inspector.capture.intake import UNKNOWN, Intake, Origin, now
from inspector.capture.process import Process
from inspector.capture.sessions import Sessions, Ways
from inspector.errors import InspectorError
from inspector.given import secrets_of
from inspector.session import Session, Snapshot
from inspector.store import Store


def begin(
    place: tuple[str, str],
    route: str,
    gateway: str | None,
    env: Mapping[str, str],
    owners: process.Owners,
) -> tuple[Intake, Callable[[], None]]:
    """An intake into sessions of the store, and what ends it.

    `place`: the store and the session, as options say. With a session all exchanges go there until
    a second client's come.
    """
    store_option, session_id = place
    store = Store.open(paths.store_file(store_option or None, env), later=True)
    given = secrets_of(env)

    def origin(exchange: str) -> Origin:
        return intake.origins.pop(exchange, UNKNOWN)

    def facts(found: Process | None, seen: Agent, on: str) -> Snapshot | None:
        return start.found(found, seen, on, given, gateway)

    def say(line: str) -> None:
        print(f"inspector: {line}", file=sys.stderr)  # noqa: T201 - our own words go to stderr

    try:
        store.check()
    except InspectorError as error:
        say(f"storing failed ({error}); traffic goes on, kept once that is mended")
    sessions = Sessions(store, given, Ways("proxy", origin, owners.of, facts, by_process=False))
    if session_id:
        begun = Session(session_id, "other", "", route, started=now(), source="proxy")
        sessions.own = sessions.begin(begun, None)
    intake = Intake(
        "",
        sessions.put,
        new_id=Store.new_id,
        given=given,
        say=say,
        together=store.together,
        begun=sessions.look,
    )

    def end() -> None:
        intake.close()
        owners.close()
        sessions.close(None)
        store.close()

    return intake, end
