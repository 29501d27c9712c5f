"""Addresses of MCP servers: what of them is quoted, and which are connected to again."""

import pytest

from inspector.clients.claude_code import address


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://h:9/mcp", "http://h:9/mcp"),
        ("HTTP://Host:80", "http://host/"),
        ("https://h/mcp#part", "https://h/mcp"),
        ("http://h/mcp?key=abc&empty=", "http://h/mcp?key=REDACTED&REDACTED=REDACTED"),
        ("http://h/mcp?a=1&a=2", "http://h/mcp?a=REDACTED"),
        ("http://h/sk_live_abcdefabcdef0123456789/x", "http://h/REDACTED/x"),
        ("http://h/some-long-words-in-a-path-here/x", "http://h/some-long-words-in-a-path-here/x"),
        ("nowhere", "[unparseable url]"),
    ],
)
def test_what_may_be_a_secret_is_not_shown(url: str, shown: str) -> None:
    assert address.shown(url) == shown


def test_an_address_is_plain_where_nothing_is_kept_back() -> None:
    assert address.plain("http://h/mcp")
    assert not address.plain("http://h/mcp?key=a")
    assert not address.plain("http://h/mcp#part")


@pytest.mark.parametrize(
    ("url", "entry", "again"),
    [
        ("http://h/busy", {}, True),
        ("http://h/busy", {"headers": {"X": "1"}}, False),
        ("http://h/busy?key=a", {}, False),
        ("http://user@h/busy", {}, False),
        ("http://h/longer-path", {}, False),
        ("http://h/__mcp/sse", {}, True),
        ("https://h/longer-path?key=a", {"headers": {"X": "1"}}, True),
    ],
)
def test_a_client_connects_again_where_no_secret_may_go(
    url: str, entry: dict[str, object], again: bool
) -> None:
    assert address.redialled(url, entry) is again


@pytest.mark.parametrize(
    ("url", "authored", "label"),
    [
        ("http://User:pw@Host:80/x?y", None, "http://host"),
        ("http://a.test/x", "http://${HOST}/x", "http://${HOST}"),
        ("http://a.test/x", "http://${HOST:-b/c}/x", "http://${HOST}"),
        ("http://a.test:81/x", "http://${HOST}:81/x", "http://${HOST}:81"),
        ("http://eu.a.test/x", "http://eu.${HOST}/x", None),
        ("http://a.test/x", "${URL}", "${URL}"),
    ],
)
def test_variables_stand_for_the_hosts_they_make(
    url: str, authored: str | None, label: str | None
) -> None:
    assert address.label(url, authored) == label
