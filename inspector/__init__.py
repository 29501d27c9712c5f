"""Shows what coding agents really send to their models, and proves it."""

__version__ = "0.1.0"

__all__ = ["__version__"]
