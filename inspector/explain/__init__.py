"""What of the user's is in the requests, where, and why the rest is not: `explain` and `find`."""

from inspector.explain.items import Item, Landing, chosen, explain, rows
from inspector.explain.texts import Body, Nearest, Sighting, nearest, row, sightings

__all__ = [
    "Body",
    "Item",
    "Landing",
    "Nearest",
    "Sighting",
    "chosen",
    "explain",
    "nearest",
    "row",
    "rows",
    "sightings",
]
