"""What a client adds that no profile has a place for: blocks, members of tools, headers.

A new block stands behind (or before) a block with words of the client's; the profile names those
(`values.added`). A long text put into a literal stands there by its digest (`{text:NAME}`).
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from inspector.jsontext import Node, parse
from inspector.learn.lesson import Lesson, Point, measures
from inspector.profiles import Profile
from inspector.session import ExchangeKind, Recording
from inspector.text import Kind
from inspector.verify import RequestReport, SessionReport, places

SHORT = 60
"""Characters up to which new words may stand in a literal of the profile as they are."""
_PASSING = frozenset(
    {
        "accept-encoding",
        "authorization",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "cookie",
        "host",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "transfer-encoding",
        "user-agent",
        "x-api-key",
    }
)
"""Headers of the connection, the credential or the request, never of an account's flags."""
_SEALED = re.compile("⟦sha256:([0-9a-f]{64}) [0-9]+⟧")
_PLAIN = frozenset({"string", "number", "true", "false"})
_OF_TOOL = ("name", "description", "input_schema", "defer_loading", "cache_control", "type")


def by_digest(lesson: Lesson, profile: Profile) -> Iterator[Lesson]:
    """A lesson, its long new words named by digest."""
    before = profile.literals.get(lesson.key[-1]) if lesson.key[0] == "literals" else None
    if before is None:
        yield lesson
        return
    now = str(lesson.value)
    head = _common(before, now)
    tail = _common(before[head:][::-1], now[head:][::-1])
    words = now[head : len(now) - tail]
    if len(words) <= SHORT:
        yield lesson
        return
    known = measures(words)
    name = _name(words)
    said = f"{now[:head]}{{text:{name}}}{now[len(now) - tail :]}"
    yield replace(lesson, key=("texts", name), value=known, words=words)
    yield replace(lesson, value=said)


def _common(a: str, b: str) -> int:
    """How many characters two texts have in common at their start."""
    pairs = enumerate(zip(a, b, strict=False))
    return next((at for at, (x, y) in pairs if x != y), min(len(a), len(b)))


def _name(words: str) -> str:
    """The name of a text that has none: nothing but what it is."""
    return f"account.{hashlib.sha256(words.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def additions(
    point: Point, profile: Profile, report: SessionReport, recording: Recording
) -> Iterator[Lesson]:
    """What a session's requests have that nothing is built for."""
    sent = {exchange.id: exchange.request_headers for exchange in recording.exchanges}
    blocks: dict[str, dict[str, str]] = {}
    for request in report.requests:
        if request.kind is not ExchangeKind.MAIN or request.built is None:
            continue
        for lesson, block in _blocks(point, request):
            yield lesson
            blocks[block["text"]] = block
        yield from _tools(point, profile, request)
        yield from _late(point, profile, request)
        yield from _headers(point, profile, request, sent[request.exchange])
    if blocks:
        known: list[Any] = profile.values.get("added", [])
        more = [block for block in blocks.values() if block not in known]
        yield point.lesson(("values", "added"), [*known, *more])


def _blocks(point: Point, request: RequestReport) -> Iterator[tuple[Lesson, dict[str, str]]]:
    """Text blocks that are not built, each with the block that it stands beside."""
    captured = parse(request.captured)
    for item in request.comparison.differences:
        parts = item.path.split("/")
        in_system = item.path.startswith("/system/") and len(parts) == 3
        in_message = item.path.startswith("/messages/") and len(parts) == 5
        if item.verdict != "missing" or not (in_system or in_message):
            continue
        words = _text_of(captured.find(item.path))
        if words is None:
            continue
        above, number = "/".join(parts[:-1]), int(parts[-1])
        for side, at in (("after", number - 1), ("before", number + 1)):
            beside = _text_of(captured.find(f"{above}/{at}")) if at >= 0 else None
            anchor = None if beside is None else _anchor(request, parts[1], beside, point.words)
            if anchor is not None:
                name = _name(words)
                block = {"in": parts[1], side: anchor, "text": name}
                yield point.text(name, words), block
                break


def _text_of(node: Node | None) -> str | None:
    """The words of a plain text block."""
    if node is None or node.kind != "object":
        return None
    names = {member.name for member in node.members} - {"cache_control"}
    return node.string_of("text") if names == {"type", "text"} else None


def _anchor(
    request: RequestReport, section: str, beside: str, words: Mapping[str, str]
) -> str | None:
    """The name of the longest text or literal that only the built block of these words has."""
    assert request.built is not None
    root = parse(request.built.body)
    found: dict[str, list[tuple[int, str]]] = {}
    for place in places(request.built):
        if place.origin.kind in {Kind.KNOWN, Kind.LITERAL} and place.path.startswith(f"/{section}"):
            sized = place.end - place.start, place.origin.name
            found.setdefault(place.path, []).append(sized)
    times = Counter(name for sizes in found.values() for name in {name for _, name in sizes})
    for path, sizes in found.items():
        node = root.find(path)
        alone = [one for one in sizes if times[one[1]] == 1]
        same = node is not None and node.kind == "string" and _same(node.string, beside, words)
        if same and alone:
            return max(alone)[1]
    return None


def _same(built: str, captured: str, words: Mapping[str, str]) -> bool:
    """Whether a built text is a captured one, digests spelled out."""
    spelled = _SEALED.sub(lambda found: words.get(found[1], found[0]), built)
    return spelled == captured


def _tools(point: Point, profile: Profile, request: RequestReport) -> Iterator[Lesson]:
    """Plain members that tools have beside their name, description and schema."""
    more: dict[str, dict[str, Any]] = dict(profile.values.get("tool.more", {}))
    tools = parse(request.captured).get("tools")
    for tool in tools.items if tools is not None else ():
        name = tool.string_of("name")
        plain = {
            member.name: json.loads(member.value.text)
            for member in tool.members
            if member.name not in _OF_TOOL and member.value.kind in _PLAIN
        }
        if name and not name.startswith("mcp__") and more.get(name, {}) != plain:
            more[name] = plain
    if more != profile.values.get("tool.more", {}):
        yield point.lesson(("values", "tool.more"), more)


def _late(point: Point, profile: Profile, request: RequestReport) -> Iterator[Lesson]:
    """New members that stand among the last ones."""
    late = list(profile.lists["members.late"])
    names = [member.name for member in parse(request.captured).members]
    for number, name in enumerate(names):
        before = next((one for one in reversed(names[:number]) if one in late), None)
        if before is not None and name not in profile.lists["members"] and name not in late:
            late.insert(late.index(before) + 1, name)
    if late != list(profile.lists["members.late"]):
        yield point.lesson(("lists", "members.late"), late)


def _headers(
    point: Point, profile: Profile, request: RequestReport, sent: Sequence[tuple[str, str]]
) -> Iterator[Lesson]:
    """Headers nobody knows; that they are the same everywhere is for all sessions to show."""
    order = list(profile.lists["headers"])
    passed = {*_PASSING, *map(str.lower, (*order, *profile.lists.get("headers.varying", ())))}
    names = [name for name, _ in sent]
    for number, (name, value) in enumerate(sent):
        if name.lower() in passed or name not in request.headers.unclaimed:
            continue
        before = next((one for one in reversed(names[:number]) if one in order), None)
        order.insert(order.index(before) + 1 if before else 0, name)
        yield point.lesson(("values", "headers", name), value)
    if order != list(profile.lists["headers"]):
        yield point.lesson(("lists", "headers"), order)
