"""Where captured requests come from and where they go on to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from inspector.capture.hosts import HOSTS
from inspector.capture.parent import Parent
from inspector.capture.target import ENDPOINTS, dialect, joined

if TYPE_CHECKING:
    from mitmproxy.http import HTTPFlow


@dataclass(frozen=True, slots=True)
class Plan:
    """Where requests come from and where they go."""

    hosts: frozenset[str] = frozenset(HOSTS)
    """Hosts whose traffic is opened and recorded."""
    upstream: str | None = None
    """Receives every recorded request, in place of its host."""
    gateway: str | None = None
    """Behind a reverse listener: the client's own endpoint, taken over."""
    endpoint: str | None = None
    """Behind a reverse listener, without a gateway: the client's default endpoint."""
    gateways: Mapping[str, str] = field(default_factory=dict[str, str])
    """Behind a reverse listener for any client: endpoints taken over, by dialect."""
    parent: Parent | None = None
    """The user's own proxy, which our connections go through."""
    closed: bool = False
    """Refuse every other host, so that nothing leaves the machine."""

    def wants(self, flow: "HTTPFlow") -> bool:
        """Whether a request is to be recorded."""
        return is_reversed(flow) or flow.request.host in self.hosts

    def url(self, flow: "HTTPFlow") -> str:
        """The URL the client means: behind a reverse listener, its own endpoint's."""
        if not is_reversed(flow):
            return flow.request.url
        path = flow.request.path
        gateway = self.gateway or self.gateways.get(dialect(path))
        if gateway is not None:
            return joined(gateway, path)
        return f"http://{flow.request.host_header or flow.request.host}{path}"

    def retarget(self, flow: "HTTPFlow") -> None:
        """Send a request where it is to go."""
        spoken = dialect(flow.request.path)
        behind = self.gateway or self.gateways.get(spoken)
        behind = behind or self.endpoint or ENDPOINTS[spoken]
        target = self.upstream or (behind if is_reversed(flow) else None)
        if target is None or (target == self.gateway and _aimed(flow, target)):
            return
        parts = urlsplit(joined(target, flow.request.path))
        flow.request.scheme = parts.scheme
        flow.request.host = parts.hostname or ""
        flow.request.port = parts.port or (443 if parts.scheme == "https" else 80)
        flow.request.path = parts.path + (f"?{parts.query}" if parts.query else "")
        if flow.request.host_header is not None:
            flow.request.host_header = parts.netloc.rpartition("@")[2]
        parent = self.parent
        if parent is not None and parent.serves(flow.request.host):
            flow.server_conn.via = (_scheme(parent), (parent.host, parent.port))
        else:
            flow.server_conn.via = None

    def authorize(self, flow: "HTTPFlow") -> None:
        """Tell the user's proxy who they are, as their client would have."""
        value = self.parent.authorization if self.parent is not None else None
        if value is not None:
            flow.request.headers["proxy-authorization"] = value


def _aimed(flow: "HTTPFlow", target: str) -> bool:
    """Whether a request goes to this very endpoint by itself."""
    port = f":{flow.request.port}"
    return f"{flow.request.scheme}://{flow.request.host}{port}" == target


def _scheme(parent: Parent) -> Literal["http", "https"]:
    return "https" if parent.scheme == "https" else "http"


def is_reversed(flow: "HTTPFlow") -> bool:
    """Whether a request came through a reverse listener."""
    return reverses(type(flow.client_conn.proxy_mode))


@cache
def reverses(mode: type) -> bool:
    """Whether a listener's mode is a reverse one."""
    from mitmproxy.proxy.mode_specs import ReverseMode

    return issubclass(mode, ReverseMode)
