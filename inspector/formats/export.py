"""Claude Code's own export of its bodies: `OTEL_LOG_RAW_API_BODIES=file:DIR`.

A request file is the body as sent with one more member, `betas`, which repeats the
`anthropic-beta` header; without it the bytes are those of the wire [claude-code 2.1.332,
skill_tool]. On the default host the wire alone has the real `cch`; the file has zeros
[claude-code 2.1.332, fp_basic]. Order and conversation stand in `index.jsonl`.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from inspector import jsontext
from inspector.formats.item import Body, Item, Read, Seen, Skipped

INDEX = "index.jsonl"
_REQUEST, _RESPONSE = ".request.json", ".response.json"
_URL = "/v1/messages?beta=true"


def is_export(folder: Path) -> bool:
    """Whether a folder was written by that export."""
    return any(folder.glob("*" + _REQUEST))


def read(folder: Path, seen: Seen) -> Iterator[Read]:
    """The exchanges of an export, in the index's order, then those the index does not name."""
    named: set[str] = set()
    done = 0
    for row in index(folder / INDEX):
        if isinstance(row, Skipped):
            yield row
            continue
        named.add(Path(row["request_file"]).name)
        found = item(folder, row)
        done += _weight(found)
        seen(done)
        yield found
    for file in sorted(folder.glob("*" + _REQUEST), key=lambda file: file.stat().st_mtime):
        if file.name not in named:
            yield item(folder, {"request_file": file.name})


def index(path: Path) -> Iterator[dict[str, Any] | Skipped]:
    """The rows of an index, one for each answer."""
    if not path.is_file():
        return
    at = 0
    with path.open("rb") as lines:
        for line in lines:
            row = _row(line)
            if row is not None:
                yield row
            elif line.strip():
                yield Skipped(str(path), f"damaged line at byte {at}")
            at += len(line)


def _row(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    fine = isinstance(row, dict) and isinstance(row.get("request_file"), str)  # pyright: ignore[reportUnknownMemberType]
    return row if fine else None  # pyright: ignore[reportUnknownVariableType]


def item(folder: Path, row: dict[str, Any]) -> Item | Skipped:
    """The exchange a row of the index names; its answer may be still to come."""
    path = folder / Path(row["request_file"]).name
    try:
        data = path.read_bytes()
        written = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat()
    except OSError as error:
        return Skipped(str(path), f"cannot be read ({error.strerror})")
    try:
        body, betas = without_betas(data)
    except ValueError as error:
        return Skipped(str(path), f"damaged ({error})")
    answer = row.get("response_file")
    reply = _reply(folder / Path(answer).name) if isinstance(answer, str) else None
    stamp = row.get("timestamp")
    return Item(
        method="POST",
        url=_URL,
        request_headers=(("anthropic-beta", betas),) if betas else (),
        request=Body(body),
        status=None if reply is None else 200,
        response_headers=() if reply is None else (("content-type", "application/json"),),
        response=Body(reply or b""),
        started=written,
        ended=stamp.replace("Z", "+00:00") if isinstance(stamp, str) else "",
        error="" if reply is not None else "no response was exported",
        route="raw-export",
        conversation=str(row.get("session_id") or ""),
    )


def answered(folder: Path, row: dict[str, Any]) -> bool:
    """Whether the answer that a row names is written whole, or none is to come."""
    named = row.get("response_file")
    if not isinstance(named, str):
        return True
    reply = _reply(folder / Path(named).name)
    if reply is None:
        return False
    try:
        jsontext.parse(reply)
    except ValueError:
        return False
    return True


def _reply(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def without_betas(data: bytes) -> tuple[bytes, str]:
    """The body as sent, and the header that its `betas` stand for. Raises `ValueError`."""
    node = jsontext.parse(data)
    members = node.members
    for place, member in enumerate(members):
        if member.name != "betas":
            continue
        betas = ",".join(item.string for item in member.value.items if item.kind == "string")
        low, high = member.start, member.value.end
        if place:
            low = members[place - 1].value.end
        elif len(members) > 1:
            high = members[1].start
        return data[:low] + data[high:], betas
    if node.kind != "object":
        raise ValueError("no JSON object")
    return data, ""


def _weight(item: Read) -> int:
    return len(item.request.data) + len(item.response.data) if isinstance(item, Item) else 0
