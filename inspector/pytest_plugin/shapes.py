"""The shape of requests: what stands where, without the words; kept in a file beside the tests."""

import difflib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspector.segments import Prompt, Segment

FOLDER = "__shapes__"
_SECTIONS = ("tools", "system", "messages")


class ShapeChanged(AssertionError):
    """Requests have another shape than the snapshot."""


def shape(bodies: Sequence[bytes]) -> list[dict[str, Any]]:
    """Of each request the params, tools, and blocks with their roles and cache marks."""
    from inspector import wire

    return [_shape(wire.split(body)) for body in bodies]


def compare(bodies: Sequence[bytes], file: Path, *, update: bool) -> None:
    """Hold requests against a snapshot, or write it. Raises `ShapeChanged`."""
    now = _text(shape(bodies))
    if update:
        _write(file, now)
        return
    if not file.exists():
        raise ShapeChanged(f"{file}: no snapshot yet; --inspector-update writes it")
    kept = file.read_text(encoding="utf-8")
    if kept == now:
        return
    lines = difflib.unified_diff(
        kept.splitlines(), now.splitlines(), "snapshot", "now", lineterm="", n=2
    )
    told = "\n".join(lines)
    raise ShapeChanged(
        f"{file}: the requests have another shape\n{told}\n--inspector-update accepts it"
    )


def place(folder: Path, name: str) -> Path:
    """The snapshot of a test with this name."""
    return folder / FOLDER / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', name).strip('-')}.yaml"


def _shape(prompt: "Prompt") -> dict[str, Any]:
    found: dict[str, list[str]] = {name: [] for name in _SECTIONS}
    for segment in prompt.segments:
        found.setdefault(segment.section, []).append(_block(segment))
    params = sorted(param.name for param in prompt.params)
    return {"model": prompt.model, "params": params, **found}


def _block(segment: "Segment") -> str:
    value = segment.value
    kind = value.string_of("type") if value.kind == "object" else value.kind
    name = value.string_of("name") if value.kind == "object" else None
    mark = segment.breakpoint
    words = [
        segment.role if segment.section == "messages" else "",
        name if segment.section == "tools" else kind,
        "" if mark is None else "marked 1h" if b'"1h"' in mark else "marked",
    ]
    return " ".join(word for word in words if word)


def _text(document: list[dict[str, Any]]) -> str:
    import yaml

    text: str = yaml.dump(  # pyright: ignore[reportUnknownMemberType]
        document, Dumper=yaml.SafeDumper, sort_keys=False, allow_unicode=True
    )
    return text


def _write(file: Path, text: str) -> None:
    """Whole or not at all: other workers of pytest-xdist may read beside us."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f"{file.name}.{os.getpid()}")
    beside.write_text(text, encoding="utf-8")
    beside.replace(file)
