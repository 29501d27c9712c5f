"""What `explain` and `find` print: what landed, where, and why the rest did not."""

import posixpath
from collections.abc import Mapping, Sequence

from inspector.clients import Meter
from inspector.diff import Rate
from inspector.errors import counted
from inspector.explain import Effect, Item, Landing, Nearest, Resized, Sighting, Total
from inspector.terminal import console, table
from inspector.workspace import Environment

SHOWN = 8
"""Places of a text that are listed before the rest is only counted."""


def explained(
    items: Sequence[Item], numbers: Mapping[str, str], environment: Environment, rate: Rate
) -> None:
    """A line an item; `numbers` name the requests by the ids of their exchanges."""
    if not items:
        return
    out = console()
    sizes = ("chars", "tokens about", "requests")
    columns = ("kind", "name", "landed", *sizes, "where", "file", "why")
    made = table(*columns, right=sizes, free=("where", "file", "why"))
    for item in items:
        made.add(
            item.kind,
            item.name,
            "yes" if item.landed else "no",
            f"{item.chars:,}" if item.landed else "-",
            f"{rate.tokens(item.chars):,}" if item.landed else "-",
            f"{item.requests}/{len(numbers)}" if item.landed else "-",
            _where(item.places, numbers),
            _near(item.path, environment),
            _short("; ".join(item.reasons), environment),
        )
    made.print(out)
    landed = sum(item.landed for item in items)
    out.print(f"{landed} of {counted(len(items), 'item')} in the requests", markup=False)


def sighted(
    text: str,
    found: Sequence[Sighting],
    numbers: Mapping[str, str],
    near: Nearest | None = None,
) -> None:
    """Where a text stands, a line a place; where it is nowhere, what is most like it."""
    out = console()
    if not found:
        out.print(f"{text!r}: nowhere in the requests", markup=False)
        if near is not None:
            where = _line(near.landing, near.sources, numbers)
            out.print(f"  nearest ({near.likeness} %): {near.text!r}\n  {where}", markup=False)
        return
    out.print(f"{text!r}: {counted(len(found), 'place')}", markup=False)
    for item in found[:SHOWN]:
        later = counted(item.requests - 1, "later request")
        more = f", and in {later}, up to {numbers[item.last]}" if item.requests > 1 else ""
        out.print(f"  {_line(item.landing, item.sources, numbers)}{more}", markup=False)
    if len(found) > SHOWN:
        out.print(f"  and {len(found) - SHOWN} more; see --json", markup=False)


def summed(sums: Sequence[Total], meters: Sequence[Meter], rate: Rate) -> None:
    """What the last request is made of, and what the budgets leave."""
    out = console()
    shares(sums, "the last request's characters", "stretches", rate)
    for meter in meters:
        over = meter.wanted > meter.limit
        room = f"; {meter.setting} makes room for all" if over and meter.setting else ""
        out.print(
            f"{meter.name}: {meter.wanted:,} of {meter.limit:,} {meter.unit}"
            f" ({meter.wanted * 100 // max(meter.limit, 1)} %){room}",
            style="yellow" if over else "",
            markup=False,
        )


def shares(sums: Sequence[Total], title: str, count: str, rate: Rate) -> None:
    """A line a source, with its share of all."""
    every = sum(one.chars for one in sums) or 1
    made = table(
        title, "chars", "%", "tokens about", count, right=("chars", "%", "tokens about", count)
    )
    for one in sums:
        share = f"{one.chars * 100 / every:.1f}"
        made.add(one.name, f"{one.chars:,}", share, f"{rate.tokens(one.chars):,}", f"{one.runs:,}")
    if len(made):
        made.print(console())
        console().print(rate.words, style="dim", markup=False)


def affected(
    changes: Sequence[Effect],
    sizes: Sequence[Resized],
    numbers: Mapping[str, str],
    environment: Environment,
    rate: Rate,
) -> None:
    """What a change of the world does: a line an item, a line a request."""
    out = console()
    if changes:
        made = table(
            "kind", "name", "as it is", "as it would be", "file", "why", free=("file", "why")
        )
        for change in changes:
            why = "; ".join(change.after.reasons if change.after else ())
            made.add(
                change.item.kind,
                change.item.name,
                _state(change.before),
                _state(change.after),
                _near(change.item.path, environment),
                _short(why, environment),
            )
        made.print(out)
    for size in sizes[:SHOWN]:
        more = size.after - size.before
        tokens = rate.tokens(abs(more)) * (1 if more > 0 else -1)
        out.print(
            f"{numbers[size.exchange]}: {size.before:,} bytes, then {size.after:,} ({more:+,},"
            f" about {tokens:+,} tokens);"
            f" the first {size.same:,} stay, then {size.path} changes",
            markup=False,
        )
    if len(sizes) > SHOWN:
        out.print(f"and {len(sizes) - SHOWN} more requests; see --json", markup=False)
    if not sizes:
        out.print("no request changes", markup=False)


def _state(item: Item | None) -> str:
    if item is None:
        return "not there"
    return f"{item.chars:,} chars" if item.landed else "left out"


def _line(place: Landing, sources: Sequence[str], numbers: Mapping[str, str]) -> str:
    where = f"{numbers[place.exchange]} {place.path} {place.start}-{place.end}"
    return f"{where}: {', '.join(sources) or 'source not known'}"


def _where(places: Sequence[Landing], numbers: Mapping[str, str]) -> str:
    """The first place and how many more strings hold some of it."""
    paths = dict.fromkeys((place.exchange, place.path) for place in places)
    if not paths:
        return "-"
    exchange, path = next(iter(paths))
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{numbers[exchange]} {path}{more}"


def _near(path: str, environment: Environment) -> str:
    """A file as seen from the working directory, where that is not longer."""
    short = _short(path, environment)
    if not short.startswith("/"):
        return short
    above = posixpath.relpath(path, environment.cwd)
    return above if len(above) < len(path) else path


def _short(text: str, environment: Environment) -> str:
    """The working directory and home as people write them."""
    inside = text.replace(f"{environment.cwd.rstrip('/')}/", "")
    return inside.replace(f"{environment.home.rstrip('/')}/", "~/")
