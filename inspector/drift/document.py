"""A drift as a JSON document and as Markdown; names and meanings are an outside contract."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.diff import BYTES_PER_TOKEN
from inspector.drift.rows import Drift, Row, Size

_SHORT = 100
"""Characters of a value that Markdown shows."""


@dataclass(frozen=True, slots=True)
class Head:
    """What was compared."""

    client: str
    versions: tuple[str, str]
    profiles: Mapping[str, str]
    """The version whose profile was used, by the version asked for."""
    workspace: str
    hosts: Sequence[str]

    @property
    def stand_ins(self) -> list[str]:
        """The versions that another one's profile stands in for."""
        return [version for version in self.versions if self.profiles[version] != version]

    @property
    def sentence(self) -> str:
        """In words."""
        named = [
            version
            if version not in self.stand_ins
            else f"{version} (NOT KNOWN: the profile of {self.profiles[version]} stands in)"
            for version in self.versions
        ]
        return f"{self.client} {named[0]} → {named[1]}, workspace {self.workspace}"


def document(head: Head, found: Drift) -> dict[str, Any]:
    """The document of `drift --json`."""
    a, b = (
        {
            "version": version,
            "profile": head.profiles[version],
            "profile_exact": head.profiles[version] == version,
        }
        for version in head.versions
    )
    return {
        "client": head.client,
        "a": a,
        "b": b,
        "workspace": head.workspace,
        "hosts": [*head.hosts],
        "sizes": [_size(one) for one in found.sizes],
        "changes": [_change(row) for row in found.rows],
        "counts": dict(sorted(Counter(row.aspect.value for row in found.rows).items())),
    }


def tokens(size: int) -> int:
    """A rough estimate; no tokenizer is consulted."""
    return -(-size // BYTES_PER_TOKEN)


def ends(sizes: Sequence[Size]) -> Iterator[Size]:
    """The sizes of the first request, and of the last one as a whole."""
    last = max((one.request for one in sizes), default=0)
    for one in sizes:
        if one.request == 1 or (one.request == last and one.section == "whole"):
            yield one


def _size(one: Size) -> dict[str, Any]:
    return {
        "host": one.host,
        "request": one.request,
        "section": one.section,
        "bytes_a": one.a,
        "bytes_b": one.b,
        "bytes_estimated": one.estimated,
        "tokens_estimate_a": tokens(one.a),
        "tokens_estimate_b": tokens(one.b),
    }


def _change(row: Row) -> dict[str, Any]:
    return {
        "aspect": row.aspect.value,
        "name": row.name,
        "verdict": row.verdict,
        "host": row.host,
        "requests": [*row.requests],
        "a": row.a,
        "b": row.b,
        "words_a": row.words_a,
        "words_b": row.words_b,
    }


def markdown(head: Head, found: Drift) -> Iterator[str]:
    """The lines of `drift --markdown`."""
    yield f"# {head.sentence}"
    yield ""
    yield "| host | request | section | bytes | | tokens (estimate) | |"
    yield "|---|---|---|---:|---:|---:|---:|"
    for one in ends(found.sizes):
        about = "≈ " if one.estimated else ""
        sizes = f"{about}{one.a:,} | {about}{one.b:,} | ≈ {tokens(one.a):,} | ≈ {tokens(one.b):,}"
        yield f"| {one.host} | {one.request} | {one.section} | {sizes} |"
    aspect = None
    for row in found.rows:
        if row.aspect is not aspect:
            aspect = row.aspect
            yield from ("", f"## {aspect.value}", "")
            yield f"| what | how | host | requests | {' | '.join(head.versions)} |"
            yield "|---|---|---|---|---|---|"
        cells = (row.name, row.verdict, row.host, numbers(row), row.a, row.b)
        yield f"| {' | '.join(map(_cell, cells))} |"
    if not found.rows:
        yield from ("", "Nothing changed.")


def numbers(row: Row) -> str:
    """The requests that show a change; a rule of the profiles has none."""
    shown = ", ".join(map(str, row.requests[:3]))
    return f"{shown}, …" if len(row.requests) > 3 else shown


def _cell(value: str | None) -> str:
    shown = "–" if value is None else value
    shown = shown if len(shown) <= _SHORT else f"{shown[: _SHORT - 1]}…"
    return shown.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "⏎").replace("<", "&lt;")
