"""Starting a program we have no client module for: the variables most programs honour."""

from collections.abc import Mapping, Sequence

from inspector.capture.addon import HOSTS
from inspector.capture.ca import CA_NAMES
from inspector.capture.parent import covers, exceptions
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
    kept = [item for item in exceptions(env) if not any(covers(item, host) for host in hosts)]
    value = ",".join((*kept, _LOOPBACK))
    return {"NO_PROXY": value, "no_proxy": value}
