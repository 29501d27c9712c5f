"""The addon by itself: `mitmdump -s script.py --set inspector_store=FILE --set …`."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from inspector import paths
from inspector.capture import process, standalone
from inspector.capture.addon import Capture, Plan
from inspector.capture.contentview import ModelRequest
from inspector.capture.direct import direct
from inspector.capture.hosts import HOSTS
from inspector.store import Store

if TYPE_CHECKING:
    from mitmproxy.addonmanager import Loader


class Script(Capture):
    """The capture addon with a store and a session of its own, from mitmproxy's options."""

    alone = False
    _end: Callable[[], None] | None = None
    _undirect: Callable[[], None] | None = None

    def load(self, loader: "Loader") -> None:
        """Declare the options."""
        add: Callable[..., None] = loader.add_option
        add("inspector_store", str, "", "Store file; empty: the default one.")
        add("inspector_session", str, "", "Session id; empty: a new session.")
        add("inspector_upstream", str, "", "URL that gets every model request.")
        add("inspector_gateway", str, "", "In reverse mode: the client's endpoint, taken over.")
        add("inspector_hosts", Sequence[str], list(HOSTS), "Hosts to open and record.")
        add("inspector_closed", bool, False, "Refuse every other host.")
        add("inspector_direct", bool, True, "Look hooks of mitmproxy's own addons up once.")
        from mitmproxy import contentviews

        contentviews.add(ModelRequest())
        commands = cast("Any", loader.master).commands
        commands.add("inspector.session", self.session)
        commands.add("inspector.sessions", self.sessions)

    def session(self) -> str:
        """Id of the newest session in the store."""
        rows = self.sessions()
        return rows[-1].split()[0] if rows else ""

    def sessions(self) -> Sequence[str]:
        """Sessions in the store, newest last: id, client, version, exchanges."""
        from mitmproxy import ctx

        store = paths.store_file(ctx.options.inspector_store or None)
        with Store.open(store, create=False) as kept:
            return [
                f"{session.id} {session.client} {session.version or '-'}"
                f" {len(kept.exchanges(session.id))}"
                for session in kept.sessions()
            ]

    def configure(self, updated: set[str]) -> None:
        """Leave mitmproxy's events as they are where that was asked for."""
        from mitmproxy import ctx

        if "inspector_direct" not in updated:
            return
        self._as_it_was()
        if ctx.options.inspector_direct:
            self._undirect = direct(ctx.master.addons)

    def _as_it_was(self) -> None:
        if self._undirect is not None:
            self._undirect()
            self._undirect = None

    def running(self) -> None:
        """Begin the session."""
        from mitmproxy import ctx

        options = ctx.options
        self.plan = Plan(
            hosts=frozenset(options.inspector_hosts),
            upstream=options.inspector_upstream or None,
            gateway=options.inspector_gateway or _target(options.mode[0]),
            closed=options.inspector_closed,
        )
        route = "base-url" if options.mode[0].startswith("reverse") else "tls"
        store, session = options.inspector_store, options.inspector_session
        owners = process.Owners()
        self.opened = owners.opened
        begun = standalone.begin((store, session), route, self.plan.gateway, os.environ, owners)
        self.intake, self._end = begun

    def done(self) -> None:
        """Store all that is under way, and end the session."""
        super().done()
        self._as_it_was()
        if self._end is not None:
            self._end()
            self._end, self.intake = None, None


def _target(mode: str) -> str | None:
    """Where a reverse mode sends its requests."""
    if not mode.startswith("reverse:"):
        return None
    target = mode.removeprefix("reverse:").partition("@")[0]
    return target if "://" in target else f"https://{target}"


addons = [Script()]
