"""Why nothing was captured, and what to try next."""

from pathlib import Path

from inspector.capture.live import Live
from inspector.capture.program import Program
from inspector.errors import counted


def nothing(live: Live, started: Program, route: str) -> str:
    """One line for a run without a model call."""
    name, sessions = Path(started.argv[0]).name, live.sessions
    more = live.near_misses()
    advice = f"{_advice(started, route)}; {more}" if more else _advice(started, route)
    if live.hooks.distrusted:
        hosts = ", ".join(sorted(live.hooks.distrusted))
        return f"{name}: it does not trust our certificate for {hosts}; {advice}"
    if sessions.exchanges:
        shown = sessions.ledgers[0].session.id
        seen = counted(sessions.exchanges, "request")
        seen += " reached a model host, none was a model call"
        return "; ".join(filter(None, (f"{name}: {seen}", f"see `inspector show {shown}`", more)))
    if live.hooks.tunnelled:
        hosts = ", ".join(sorted(live.hooks.tunnelled)[:5])
        found = more or "if its model is there, name it with --host"
        return f"{name}: no model call, only {hosts}; {found}"
    return f"{name}: no request reached us; {advice}"


def _advice(started: Program, route: str) -> str:
    if started.client == "other":
        return "it must honour HTTPS_PROXY and SSL_CERT_FILE; or run claude or codex"
    if route == "raw-export":
        return "the client exported no body; try --route tls, or `inspector doctor`"
    other = "tls" if route == "base-url" else "base-url"
    return f"try --route {other}, or `inspector doctor`"
