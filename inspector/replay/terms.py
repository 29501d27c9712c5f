"""How a recording's facts read on this machine, and its answers with them."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from inspector.jsontext import quote
from inspector.match import Terms, changing
from inspector.workspace import Environment

_EVERYWHERE = ("cwd", "home", "config_home", "temp", "date", "timezone", "os_version")
_FOLDERS = ("cwd", "home", "config_home", "temp")
_PLACED = ("platform", "shell", "tool_shell", "timezone", "os_version", "version")
_SHORTEST = 4
_DURATION = re.compile(r"(?i)\bduration\b[^\n:0-9]{0,24}:\s*(?P<now>[0-9]+(?:\.[0-9]+)?)(?=m?s\b)")
"""How long something took, where a text says so [claude-code 2.1.332, local_commands]."""
_DELTAS = {"text_delta": "text", "input_json_delta": "partial_json", "thinking_delta": "thinking"}


def terms(
    recorded: Environment | None, here: Environment | None, literals: Iterable[str] = ()
) -> Terms:
    """What may read otherwise: folders, the date, the system, its shell, how long things took."""
    if recorded is None or here is None:
        return Terms(changing=(_DURATION, *changing(literals)))
    pairs = [*_pairs(_EVERYWHERE, recorded, here), *_slugs(recorded, here)]
    if recorded.git is not None and here.git is not None:
        pairs.append((recorded.git.root, here.git.root))
    kept = [pair for pair in pairs if len(pair[0]) >= _SHORTEST and pair[1]]
    fields = {name: (getattr(recorded, name), getattr(here, name)) for name in _PLACED}
    return Terms.of(kept, fields, (_DURATION, *changing(literals)))


def _pairs(
    names: Iterable[str], recorded: Environment, here: Environment
) -> Iterator[tuple[str, str]]:
    for name in names:
        yield str(getattr(recorded, name)), str(getattr(here, name))


def _slugs(recorded: Environment, here: Environment) -> Iterator[tuple[str, str]]:
    """Claude Code names a project's folder after the working directory."""
    for old, new in _pairs(_FOLDERS, recorded, here):
        yield re.sub("[^A-Za-z0-9]", "-", old), re.sub("[^A-Za-z0-9]", "-", new)


def here(data: bytes, known: Terms, recorded: Environment | None) -> bytes:
    """A recorded answer with the folders and ids of this machine."""
    folders = set[str]()
    if recorded is not None:
        folders = {str(getattr(recorded, name)) for name in _FOLDERS}
        folders |= {re.sub("[^A-Za-z0-9]", "-", one) for one in folders}
    pairs = {old: new for old, new in known.facts if old in folders}
    pairs |= {
        old: new for (_, old), new in known.bound.items() if old != new and len(old) > _SHORTEST * 2
    }
    return _replaced(data, pairs)


def there(data: bytes, known: Terms) -> bytes:
    """What was sent or answered elsewhere, with all facts as these terms have them."""
    return _replaced(data, dict(known.facts))


def _replaced(data: bytes, pairs: dict[str, str]) -> bytes:
    if not pairs:
        return data
    pairs |= {_inside(old): _inside(new) for old, new in pairs.items()}
    pattern = re.compile("|".join(re.escape(old) for old in sorted(pairs, key=len, reverse=True)))
    text = data.decode("utf-8", "surrogateescape")
    text = _rejoined(text, pattern)
    return pattern.sub(lambda match: pairs[match[0]], text).encode("utf-8", "surrogateescape")


def _inside(text: str) -> str:
    """The text as it stands inside a JSON string."""
    return quote(text)[1:-1]


def _rejoined(text: str, pattern: re.Pattern[str]) -> str:
    """An event stream in which no name that is replaced lies across two events."""
    if "content_block_delta" not in text:
        return text
    out: list[str] = []
    group: list[tuple[str, dict[str, Any]]] = []
    for part in re.split(r"(?<=\n\n)", text):
        event = _delta(part)
        if group and (event is None or _of(event) != _of(group[0][1])):
            out.extend(_whole(group, pattern))
            group = []
        if event is None:
            out.append(part)
        else:
            group.append((part, event))
    return "".join((*out, *_whole(group, pattern)))


def _delta(part: str) -> dict[str, Any] | None:
    if "content_block_delta" not in part:
        return None
    try:
        found: object = json.loads(part.partition("data:")[2])
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    event = cast("dict[str, Any]", found)
    return event if event.get("delta", {}).get("type") in _DELTAS else None


def _of(event: Mapping[str, Any]) -> tuple[object, object]:
    return event.get("index"), event["delta"]["type"]


def _whole(group: list[tuple[str, dict[str, Any]]], pattern: re.Pattern[str]) -> Iterator[str]:
    """The events of one block: as they are, or as one where a name lies across two of them."""
    texts = [event["delta"][_DELTAS[event["delta"]["type"]]] for _, event in group]
    apart = sum(len(pattern.findall(text)) for text in texts)
    if len(group) < 2 or len(pattern.findall("".join(texts))) == apart:
        yield from (part for part, _ in group)
        return
    first = group[0][1]
    first["delta"][_DELTAS[first["delta"]["type"]]] = "".join(texts)
    yield f"event: content_block_delta\ndata: {json.dumps(first, ensure_ascii=False)}\n\n"
