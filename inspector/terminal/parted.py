"""What `diff` prints: the answer first, a line a change, then the words that changed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from inspector.diff import Compared, Rate
from inspector.errors import counted
from inspector.terminal import console, table
from inspector.terminal.rows import printable
from inspector.views import changes

SHOWN = 12
"""Edits of one change that are printed before the rest is only counted."""
BESIDE = 100
"""Columns of a terminal from which on both sides stand beside one another."""
LONGEST = 300
"""Code points of one side of an edit that are printed."""

type Row = Mapping[str, Any]


def compared(pairs: Sequence[Compared], rate: Rate, *, strict: bool = False) -> None:
    """The first difference and its source, the table, the words; `strict`: of benign ones, too."""
    out = console()
    found = [row for pair in pairs for row in changes.rows(pair, rate)]
    out.print(answer(found, strict=strict), style="bold", markup=False, soft_wrap=True)
    if not found:
        return
    columns = ("verdict", "section", "path a", "path b", "bytes", "tokens about", "source")
    made = table(
        "exchange", *columns, right=("bytes", "tokens about"), free=("path a", "path b", "source")
    )
    for row in found:
        made.add(
            row["exchange_b"] or row["exchange_a"],
            row["verdict"],
            row["section"],
            "-" if row["path_a"] is None else row["path_a"],
            "-" if row["path_b"] is None else row["path_b"],
            f"{row['bytes']:,}",
            f"{row['tokens_estimate']:,}",
            source(row),
            style="dim" if row["benign"] else "",
        )
    made.print(out)
    out.print(rate.words, style="dim", markup=False)
    for row in found:
        if strict or not row["benign"]:
            _words(row)


def answer(found: Sequence[Row], *, strict: bool = False) -> str:
    """One sentence: how many differences, and where the first one comes from.

    What has no meaning is counted by its kind, or `strict` as any other difference.
    """
    if not found:
        return "no difference"
    real = [row for row in found if strict or not row["benign"]]
    benign = Counter(row["verdict"] for row in found if row["benign"] and not strict)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(benign.items()))
    beside = f", {benign.total()} without a meaning ({kinds})" if benign else ""
    if not real:
        return f"no difference in meaning{beside}"
    first = next((row for row in real if row["cache_effect"]), real[0])
    where = first["path_b"] if first["path_b"] is not None else first["path_a"]
    origin = source(first)
    told = f"{origin}, at {where or 'the whole request'}" if origin else where
    broken = first["cache_effect"]
    later = f", and in {counted(first['requests'] - 1, 'later request')}"
    told = told + later if first["requests"] > 1 else told
    cost = f"; breaks the cached prefix: {broken['bytes_sent_anew']:,} bytes" if broken else ""
    return (
        f"{counted(len(real), 'difference')}{beside}; the first: {first['verdict']}, {told}{cost}"
    )


def source(row: Row) -> str:
    """The file and line, or what else it came from; of what is there now, else of what was."""
    edits = row["edits"]
    first = edits[0] if edits else None
    if first is not None:
        both = first["source_b"], first["source_a"]
        chosen = (both[0] or both[1]) if first["after"] else (both[1] or both[0])
        return named(chosen) if chosen is not None else ""
    side = "b" if row["origin_b"] else "a"
    label = row[f"origin_{side}"]
    kind, _, name = (label or "").partition(":")
    return named({"kind": kind, "name": name, "line": row[f"line_{side}"]}) if label else ""


_KINDS = {
    "adopted": "not known: {name}",
    "computed": "the client ({name})",
    "fact": "the environment ({name})",
    "file-not-kept": "a file that was not kept",
    "hook": "hook {name}",
    "known": "client text {name}",
    "listing": "mcp {name}",
    "literal": "client text {name}",
    "mask": "{name}, new each time",
    "outcome": "the result of {name}",
    "prompt": "the prompt",
    "reply": "the model's reply",
    "structure": "the client ({name})",
    "transcript": "the session before",
}


def named(source: Row) -> str:
    """A source in words: a file and its line, a server, a hook, a text of the client."""
    if source["kind"] == "file":
        return f"{source['name']}:{source['line']}" if source["line"] else source["name"]
    if source["kind"] == "listing" and source["name"].startswith("/"):
        return f"folder {source['name']}"
    return _KINDS[source["kind"]].format(name=source["name"])


def _words(row: Row) -> None:
    out = console()
    beside = table("place", "was", "is now", "source", free=("place", "was", "is now", "source"))
    for edit in row["edits"][:SHOWN]:
        place = f"{row['path_b']}{edit['inside']}"
        place += "" if edit["json"] else f" {edit['start_b']}"
        source = edit["source_b"] if edit["after"] else edit["source_a"]
        origin = named(source) if source is not None else ""
        if out.is_terminal and out.width >= BESIDE:
            beside.add(place, _marked(edit, "before"), _marked(edit, "after"), origin)
            continue
        out.print(f"{place}  {origin}".rstrip(), style="dim", markup=False, soft_wrap=True)
        out.print(f"  {_marked(edit, 'before', 'after')}", markup=False, soft_wrap=True)
    if len(beside):
        beside.print(out)
    if len(row["edits"]) > SHOWN:
        out.print(f"  and {len(row['edits']) - SHOWN} more; see --json", markup=False)


def _marked(edit: Row, *sides: str) -> str:
    """The words around, with what went in [- -] and what came in {+ +}: of one side or of both."""
    gone = f"[-{_clipped(edit['before'])}-]" if edit["before"] and "before" in sides else ""
    come = f"{{+{_clipped(edit['after'])}+}}" if edit["after"] and "after" in sides else ""
    return _one_line(f"{edit['lead']}{gone}{come}{edit['tail']}")


def _clipped(text: str) -> str:
    more = len(text) - LONGEST
    return text if more <= 0 else f"{text[:LONGEST]}… ({more:,} more)"


def _one_line(text: str) -> str:
    return printable(text.replace("\n", "⏎"))
