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
from inspector.capture.script import Script


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


def test_addons_that_come_and_go_are_told_and_told_no_more() -> None:
    said: list[str] = []

    async def run() -> None:
        master = Master(options.Options())
        manager: Any = master.addons
        own = {name: getattr(manager, name) for name in ("trigger_event", "register", "remove")}
        one, two, three = (Notes(name, said) for name in ("one", "two", "three"))
        manager.add(one)
        undone = direct(manager)
        event = HttpRequestHook(tflow.tflow())
        await manager.trigger_event(event)
        manager.add(two)
        await manager.trigger_event(event)
        manager.remove(one)
        await manager.trigger_event(event)
        undone()
        assert {name: getattr(manager, name) for name in own} == own
        manager.add(three)
        await manager.trigger_event(event)
        await master.done()

    asyncio.run(run())
    rounds = [["one"], ["one", "two"], ["two"], ["two", "three"]]
    assert said == [f"{name} request" for names in rounds for name in names]


def test_a_script_s_hook_that_is_set_later_is_called() -> None:
    said: list[str] = []

    async def run() -> None:
        master = Master(options.Options())
        manager: Any = master.addons
        quiet: Any = type("Quiet", (), {})()
        manager.add(quiet, Notes("other", said))
        direct(manager)
        event = HttpRequestHook(tflow.tflow())
        await manager.trigger_event(event)
        quiet.request = Notes("late", said).request
        await manager.trigger_event(event)
        await master.done()

    asyncio.run(run())
    assert said == ["other request", "late request", "other request"]


@pytest.mark.parametrize("wished", [True, False])
def test_mitmproxy_calls_hooks_its_own_way_where_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, *, wished: bool
) -> None:
    from mitmproxy import ctx

    async def run() -> None:
        master = Master(options.Options())
        manager: Any = master.addons
        monkeypatch.setattr(ctx, "master", master, raising=False)
        monkeypatch.setattr(ctx, "options", master.options, raising=False)
        settings: Any = master.options
        script = Script()
        manager.add(script)
        settings.update(inspector_direct=not wished)
        settings.update(inspector_direct=wished)
        assert ("trigger_event" in vars(manager)) is wished
        script.done()
        assert "trigger_event" not in vars(manager)
        await master.done()

    asyncio.run(run())
