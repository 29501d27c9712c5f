"""Events go straight to the addons that have a hook for them."""

import asyncio
import logging
from typing import Any

import pytest
from mitmproxy import exceptions, options
from mitmproxy.master import Master
from mitmproxy.proxy.layers.http._hooks import HttpRequestHook, HttpResponseHook
from mitmproxy.test import tflow

from inspector.capture.direct import direct


class Notes:
    """An addon that writes down what it is told."""

    def __init__(self, name: str, heard: list[str]) -> None:
        self.name, self.heard = name, heard

    def request(self, _flow: object) -> None:
        self.heard.append(f"{self.name} request")

    async def response(self, _flow: object) -> None:
        await asyncio.sleep(0)
        self.heard.append(f"{self.name} response")


class Faulty:
    """One whose hooks fail."""

    def request(self, _flow: object) -> None:
        raise ValueError("a fault of its own")

    def response(self, _flow: object) -> None:
        raise exceptions.AddonHalt


def heard(*, straight: bool) -> list[str]:
    """What two addons hear with a faulty one between them."""
    said: list[str] = []

    async def run() -> None:
        master = Master(options.Options())
        manager: Any = master.addons
        manager.add(Notes("one", said), Faulty(), Notes("two", said))
        if straight:
            direct(manager)
        flow = tflow.tflow(resp=True)
        for event in (HttpRequestHook(flow), HttpResponseHook(flow), HttpRequestHook(flow)):
            await manager.handle_lifecycle(event)
        await master.done()

    asyncio.run(run())
    return said


def test_hooks_are_called_as_mitmproxy_calls_them(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    expected = ["one request", "two request", "one response", "one request", "two request"]
    assert heard(straight=False) == expected
    faults = [record.message for record in caplog.records]
    assert faults == ["Addon error: a fault of its own"] * 2
    caplog.clear()
    assert heard(straight=True) == expected
    assert [record.message for record in caplog.records] == faults
