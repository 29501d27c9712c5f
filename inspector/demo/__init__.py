"""The main job in one go, without a key or a network."""

from inspector.demo.live import Proof, bundled, capture, captured
from inspector.demo.show import Landing, landings, show
from inspector.demo.stage import Stage, build
from inspector.installed import client_of, install, installed

__all__ = [
    "Landing",
    "Proof",
    "Stage",
    "build",
    "bundled",
    "capture",
    "captured",
    "client_of",
    "install",
    "installed",
    "landings",
    "show",
]
