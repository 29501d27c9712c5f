"""Starting a program we have no client module for: the variables most programs honour."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from inspector.capture.ca import CA_NAMES
from inspector.capture.hosts import HOSTS
from inspector.capture.listener import Addresses
from inspector.capture.parent import covers, exceptions, is_loopback
from inspector.clients import Launch

BASE_URLS = {"ANTHROPIC_BASE_URL": "anthropic", "OPENAI_BASE_URL": "openai"}
"""Variables by which SDKs and agents are told of a gateway, and the dialect spoken there."""

_LOOPBACK = "localhost,127.0.0.1,::1"
_PROXIES = ("HTTPS_PROXY", "https_proxy")


def launch(
    argv: Sequence[str], env: Mapping[str, str], route: str, addresses: Addresses, bundle: str
) -> Launch:
    """Any program: through the proxy, and with `auto` and `base-url` its gateways taken over too.

    Only `base-url` names us where the user named no gateway, and leaves the proxy out.
    """
    named = gateways(env)
    values: dict[str, str | None] = {}
    if route != "base-url":
        values |= {**variables(addresses, bundle)}
    if route != "tls":
        wanted = BASE_URLS if route == "base-url" else named
        values |= {name: _taken_over(env.get(name, ""), addresses.reverse) for name in wanted}
    hosts = filter(None, (urlsplit(url).hostname for url in named.values()))
    own = "base-url" if route == "base-url" else "tls"
    return Launch(own, tuple(argv), values, None, tuple(dict.fromkeys((*HOSTS, *hosts))))


def variables(addresses: Addresses, bundle: str) -> dict[str, str]:
    """What leads a program's TLS traffic through the proxy."""
    return {**dict.fromkeys(_PROXIES, addresses.forward), **dict.fromkeys(CA_NAMES, bundle)}


def gateways(env: Mapping[str, str]) -> dict[str, str]:
    """The gateways a user's variables name, by variable."""
    return {name: env[name] for name in BASE_URLS if env.get(name)}


def by_dialect(env: Mapping[str, str]) -> dict[str, str]:
    """The same gateways by the dialect spoken there."""
    return {BASE_URLS[name]: url for name, url in gateways(env).items()}


def no_proxy(
    env: Mapping[str, str], hosts: Sequence[str], asked: Sequence[str] = ()
) -> dict[str, str]:
    """Variables that keep loopback and the user's exceptions out of the proxy, no model host.

    Loopback stays in where the user asked for a host of this machine.
    """
    kept = [item for item in exceptions(env) if not any(covers(item, host) for host in hosts)]
    loopback = [] if any(map(is_loopback, asked)) else [_LOOPBACK]
    value = ",".join((*kept, *loopback))
    return {"NO_PROXY": value, "no_proxy": value}


def _taken_over(url: str, reverse: str) -> str:
    """Our address with the path the user's own gateway has."""
    return reverse + urlsplit(url).path.rstrip("/")
