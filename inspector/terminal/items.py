"""The table of `explain`: what landed, where, and why the rest did not."""

from collections.abc import Iterable, Mapping, Sequence

from inspector.errors import counted
from inspector.explain import Item, Landing, Sighting
from inspector.terminal import console, table
from inspector.workspace import Environment

SHOWN = 8
"""Places of a text that are listed before the rest is only counted."""


def explained(
    items: Sequence[Item],
    texts: Iterable[tuple[str, Sequence[Sighting]]],
    exchanges: Sequence[str],
    environment: Environment,
) -> None:
    """A line an item, then the places of texts; `#N` counts main requests."""
    numbers = {exchange: f"#{number}" for number, exchange in enumerate(exchanges, start=1)}
    out = console()
    if items:
        columns = ("kind", "name", "landed", "chars", "requests", "where", "file", "why")
        made = table(*columns, right=("chars", "requests"), free=("where", "file", "why"))
        for item in items:
            made.add(
                item.kind,
                item.name,
                "yes" if item.landed else "no",
                f"{item.chars:,}" if item.landed else "-",
                f"{item.requests}/{len(exchanges)}" if item.landed else "-",
                _where(item.places, numbers),
                _short(item.path, environment),
                _short("; ".join(item.reasons), environment),
            )
        made.print(out)
        landed = sum(item.landed for item in items)
        out.print(f"{landed} of {counted(len(items), 'item')} in the requests", markup=False)
    for text, found in texts:
        _sighted(text, found, numbers)


def _where(places: Sequence[Landing], numbers: Mapping[str, str]) -> str:
    """The first place and how many more strings hold some of it."""
    paths = dict.fromkeys((place.exchange, place.path) for place in places)
    if not paths:
        return "-"
    exchange, path = next(iter(paths))
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{numbers[exchange]} {path}{more}"


def _short(text: str, environment: Environment) -> str:
    """The working directory and home as people write them."""
    inside = text.replace(f"{environment.cwd.rstrip('/')}/", "")
    return inside.replace(f"{environment.home.rstrip('/')}/", "~/")


def _sighted(text: str, found: Sequence[Sighting], numbers: Mapping[str, str]) -> None:
    out = console()
    if not found:
        out.print(f"{text!r}: in no request, and no file or name of the workspace", markup=False)
        return
    out.print(f"{text!r}: {counted(len(found), 'place')}", markup=False)
    for item in found[:SHOWN]:
        place, sources = item.landing, ", ".join(item.sources) or "structure"
        span = f"{place.start}-{place.end}"
        out.print(f"  {numbers[place.exchange]} {place.path} {span}: {sources}", markup=False)
    if len(found) > SHOWN:
        out.print(f"  and {len(found) - SHOWN} more; see --json", markup=False)
