"""Unicode's tables in the version the client's engine has, whatever Python's own is."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import unicodedata as tables
else:
    import unicodedata2 as tables

category = tables.category
combining = tables.combining
name = tables.name
normalize = tables.normalize

__all__ = ["category", "combining", "name", "normalize"]
