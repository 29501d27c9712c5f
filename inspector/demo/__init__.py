"""The main job in one go, without a key or a network."""

from inspector.demo.installed import client_of, install, installed

__all__ = ["client_of", "install", "installed"]
