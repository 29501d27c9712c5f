"""A tool on the wire that is not what its server lists."""

from dataclasses import replace
from pathlib import Path

from inspector import named
from inspector.session import Exchange, ExchangeKind
from inspector.views.conversations import judged

SESSION = "captures/claude-code/2.1.332/mcp_basic/r1"


def test_a_server_that_lists_a_tool_otherwise_than_is_sent_is_told_once(root: Path) -> None:
    found = named.find(str(root / SESSION), root / "none.db")
    assert judged("fresh", found).report.findings == ()
    names = [
        segment.value.string_of("name") or ""
        for segment in judged("fresh", found).sent[0].prompt.segments
        if segment.section == "tools"
    ]
    tool = next(name for name in names if name.startswith("mcp__"))

    def older(exchange: Exchange) -> Exchange:
        before = f'"name":"{tool}","description":"'.encode()
        assert exchange.kind is not ExchangeKind.MAIN or before in exchange.request
        return replace(exchange, request=exchange.request.replace(before, before + b"Once: "))

    stale = replace(found.recording, exchanges=tuple(map(older, found.recording.exchanges)))
    (told,) = judged("stale", replace(found, recording=stale)).report.findings
    assert (told.rule, told.severity, told.exchange) == (
        "STALE-SCHEMA",
        "warning",
        next(item.id for item in stale.exchanges if item.kind is ExchangeKind.MAIN),
    )
