"""mitmproxy's events sent to the addons that have a hook for them, and to no others.

mitmproxy asks each addon about each event, several times a request; that costs more than keeping
the request does. Who wants what is looked up once, and again when an addon comes or goes.
"""

import gc
import inspect
from collections.abc import Callable
from typing import Any, cast

from mitmproxy import addonmanager, exceptions, hooks

_YOUNG = 5000
"""Objects made before Python looks for circles; a request makes some hundreds that are none."""


def direct(manager: addonmanager.AddonManager) -> Callable[[], None]:
    """Make mitmproxy's addon manager look hooks up once; what makes it as it was.

    An addon must have its hooks when it is added.
    """
    return _Direct(manager).undone


class _Direct:
    """The ways of a manager that are replaced, on it alone."""

    def __init__(self, manager: addonmanager.AddonManager) -> None:
        self._manager: Any = manager
        self._wanted: dict[str, tuple[Callable[..., object], ...]] = {}
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
        for hook in known:
            try:
                with addonmanager.safecall():
                    given = hook(*event.args())
                    if inspect.isawaitable(given):
                        await given
            except exceptions.AddonHalt:
                return

    def _hooks(self, event: hooks.Hook) -> tuple[Callable[..., object], ...]:
        return tuple(
            hook
            for addon in self._manager.chain
            for _, hook in self._manager._iter_hooks(addon, event)  # noqa: SLF001 - as mitmproxy does
        )

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
