"""What of the user's is in the requests, where, and why the rest is not: `explain` and `find`."""

from inspector.explain.items import Item, Landing, chosen, explain, rows
from inspector.explain.sleeping import sleeping
from inspector.explain.texts import Body, Nearest, Sighting, nearest, row, sightings
from inspector.explain.totals import Total, client_texts, totals
from inspector.explain.whatif import Change, Effect, Resized, document, effects, resized

__all__ = [
    "Body",
    "Change",
    "Effect",
    "Item",
    "Landing",
    "Nearest",
    "Resized",
    "Sighting",
    "Total",
    "chosen",
    "client_texts",
    "document",
    "effects",
    "explain",
    "nearest",
    "resized",
    "row",
    "rows",
    "sightings",
    "sleeping",
    "totals",
]
