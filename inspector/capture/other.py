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
            **no_proxy({}),
            **dict.fromkeys(CA_NAMES, bundle),
        },
        upstream=None,
        hosts=HOSTS,
    )


def no_proxy(env: Mapping[str, str]) -> dict[str, str]:
    """Variables that keep loopback out of the proxy, with what the user had put there."""
    before = env.get("NO_PROXY") or env.get("no_proxy") or ""
    value = ",".join(filter(None, (before, _LOOPBACK)))
    return {"NO_PROXY": value, "no_proxy": value}
