"""mitmproxy's events sent to the addons that have a hook for them, and to no others.

mitmproxy asks each addon about each event, several times a request; that costs more than keeping
the request does. Which of its own addons and of ours want what is looked up once, and again when an
addon comes or goes. Scripts of the user's are asked about each event, as mitmproxy does it.
"""

import gc
import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from mitmproxy import addonmanager, exceptions, hooks

_SETTLED = ("mitmproxy", "inspector")
"""Packages whose addons have all their hooks when they are added, and no others later."""
_YOUNG = 5000
"""Objects made before Python looks for circles; a request makes some hundreds that are none."""


type _Call = Callable[[hooks.Hook], object]


def direct(manager: addonmanager.AddonManager) -> Callable[[], None]:
    """Make mitmproxy's addon manager look its own hooks up once; what makes it as it was."""
    return _Direct(manager).undone


class _Direct:
    """The ways of a manager that are replaced, on it alone."""

    def __init__(self, manager: addonmanager.AddonManager) -> None:
        self._manager: Any = manager
        self._wanted: dict[str, tuple[_Call, ...]] = {}
        vars(manager).update(
            trigger_event=self._trigger_event,
            register=self._afresh(self._manager.register),
            remove=self._afresh(self._manager.remove),
        )

    def undone(self) -> None:
        """Give the manager its own ways back."""
        own = cast("dict[str, object]", vars(self._manager))
        for name in own.keys() & {"trigger_event", "register", "remove"}:
            del own[name]

    async def _trigger_event(self, event: hooks.Hook) -> None:
        known = self._wanted.get(event.name)
        if known is None:
            known = self._wanted[event.name] = self._hooks(event)
        for call in known:
            try:
                with addonmanager.safecall():
                    given = call(event)
                    if inspect.isawaitable(given):
                        await given
            except exceptions.AddonHalt:
                return

    def _hooks(self, event: hooks.Hook) -> tuple[_Call, ...]:
        found = (self._call(addon, event) for addon in self._manager.chain)
        return tuple(call for call in found if call is not None)

    def _call(self, addon: object, event: hooks.Hook) -> _Call | None:
        """What tells an addon of an event; None for one that has no ear for it."""
        if hasattr(addon, "addons") or type(addon).__module__.partition(".")[0] not in _SETTLED:
            return partial(self._manager.invoke_addon, addon)
        hook = getattr(addon, event.name, None)
        return None if hook is None else lambda event: hook(*event.args())

    def _afresh(self, change: Callable[[object], object]) -> Callable[[object], object]:
        def changed(addon: object) -> object:
            try:
                return change(addon)
            finally:
                self._wanted.clear()

        return changed


def settle() -> None:
    """What is loaded by now stays: looking for circles in it again and again is of no use."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, 20, 20)
