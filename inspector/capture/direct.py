"""mitmproxy's events sent to the addons that have a hook for them, and to no others.

mitmproxy asks each addon about each event, several times a request; that costs more than keeping
the request does. Our addons are known when it starts, so who wants what is looked up once.
"""

import gc
import inspect
from collections.abc import Callable
from typing import Any

from mitmproxy import addonmanager, exceptions, hooks

_YOUNG = 5000
"""Objects made before Python looks for circles; a request makes some hundreds that are none."""


def direct(manager: addonmanager.AddonManager) -> None:
    """Make mitmproxy's addon manager look hooks up once; its addons must not change any more."""
    untyped: Any = manager
    wanted: dict[str, tuple[Callable[..., object], ...]] = {}

    async def trigger_event(event: hooks.Hook) -> None:
        known = wanted.get(event.name)
        if known is None:
            known = wanted[event.name] = tuple(
                hook
                for addon in untyped.chain
                for _, hook in untyped._iter_hooks(addon, event)  # noqa: SLF001 - as mitmproxy does
            )
        for hook in known:
            try:
                with addonmanager.safecall():
                    given = hook(*event.args())
                    if inspect.isawaitable(given):
                        await given
            except exceptions.AddonHalt:
                return

    untyped.trigger_event = trigger_event


def settle() -> None:
    """What is loaded by now stays: looking for circles in it again and again is of no use."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, 20, 20)
