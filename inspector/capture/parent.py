"""The proxy the user is already behind: our own connections go out through it."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

from inspector.errors import BadInput

_NAMES = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")


@dataclass(frozen=True, slots=True)
class Parent:
    """An HTTP proxy between this machine and the network."""

    scheme: str
    host: str
    port: int
    credentials: str = ""
    """`user:password`, or nothing."""
    direct: tuple[str, ...] = ()
    """Hosts and domains the user reaches without it."""

    @property
    def url(self) -> str:
        """Its address without credentials."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    @property
    def authorization(self) -> str | None:
        """The value of `proxy-authorization`."""
        if not self.credentials:
            return None
        return "Basic " + base64.b64encode(self.credentials.encode()).decode()

    def serves(self, host: str) -> bool:
        """Whether connections to a host go through it."""
        return not is_loopback(host) and not any(covers(entry, host) for entry in self.direct)


def parent(env: Mapping[str, str]) -> Parent | None:
    """The proxy the environment names for HTTPS."""
    name = next((name for name in _NAMES if env.get(name)), None)
    if name is None:
        return None
    value = env[name] if "://" in env[name] else f"http://{env[name]}"
    parts = urlsplit(value)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        port = 0
    if parts.scheme not in ("http", "https") or not parts.hostname or not port:
        raise BadInput(f"{name}: no http or https proxy we can go through; correct it or unset it")
    user, colon, password = parts.netloc.rpartition("@")[0].partition(":")
    return Parent(
        parts.scheme,
        parts.hostname,
        port,
        unquote(user) + colon + unquote(password),
        exceptions(env),
    )


def exceptions(env: Mapping[str, str]) -> tuple[str, ...]:
    """The entries of `NO_PROXY`."""
    entries = (env.get("NO_PROXY") or env.get("no_proxy") or "").split(",")
    return tuple(entry.strip() for entry in entries if entry.strip())


def covers(entry: str, host: str) -> bool:
    """Whether an entry of `NO_PROXY` is about a host."""
    return entry == "*" or f".{host}".endswith(f".{entry.lstrip('*').lstrip('.')}")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
