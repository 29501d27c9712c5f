"""Starting a program we have no client module for: the variables most programs honour."""

from collections.abc import Mapping, Sequence

from inspector.capture.addon import HOSTS
from inspector.capture.ca import CA_NAMES
from inspector.clients import Launch

_LOOPBACK = "localhost,127.0.0.1,::1"


def launch(argv: Sequence[str], proxy: str, bundle: str) -> Launch:
    """The `tls` route for any program."""
    return Launch(
        route="tls",
        argv=tuple(argv),
        env={
            **dict.fromkeys(("HTTPS_PROXY", "https_proxy"), proxy),
            **dict.fromkeys(CA_NAMES, bundle),
        },
        upstream=None,
        hosts=HOSTS,
    )


def no_proxy(env: Mapping[str, str], hosts: Sequence[str]) -> dict[str, str]:
    """Variables that keep loopback and the user's exceptions out of the proxy, no model host."""
    before = env.get("NO_PROXY") or env.get("no_proxy") or ""
    entries = [entry.strip() for entry in before.split(",")]
    kept = [entry for entry in entries if entry and not any(_covers(entry, host) for host in hosts)]
    value = ",".join((*kept, _LOOPBACK))
    return {"NO_PROXY": value, "no_proxy": value}


def _covers(entry: str, host: str) -> bool:
    return entry == "*" or f".{host}".endswith(f".{entry.lstrip('*').lstrip('.')}")
