"""What a request shows of its client, as named facts."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from inspector import wire
from inspector.drift.fact import Aspect, Fact, Subject, known
from inspector.drift.labels import Labels, messages, sort_of, tool_name
from inspector.drift.told import told
from inspector.jsontext import Node
from inspector.segments import Prompt
from inspector.text import Built, Kind, Known, Mask, Origin
from inspector.verify import Place, places

BETAS = "anthropic-beta"
_ORDINARY = ("name", "type", "description", "input_schema", "parameters", "cache_control")
_SEALED = re.compile("⟦sha256:([0-9a-f]{64}) ([0-9]+)⟧")


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of one request."""

    values: Mapping[Subject, Fact]
    orders: Mapping[Subject, tuple[str, ...]]
    """Names in wire order: told where names that both versions have stand in another order."""
    sizes: Mapping[str, int]
    """Bytes by section."""
    estimated: bool
    """Whether some words are not at hand, so that escapes in them are not counted."""


def facts(built: Built, roots: Mapping[str, str], before: int = 0) -> Facts:
    """The facts of a request; `roots` are folders by what is shown for them.

    `before` is how many messages the request before it had.
    """
    prompt = wire.split(built.body)
    spots = list(places(built))
    labels = Labels(prompt, spots)
    values: dict[Subject, Fact] = {}
    values.update(_params(prompt, spots))
    values.update(_headers(built))
    values.update(_tools(prompt, spots))
    values.update(_marks(prompt))
    values.update(_shapes(prompt, before))
    outside = [spot for spot in spots if not labels.is_tool(spot.path)]
    values.update(told(prompt, outside, labels, roots))
    sizes, estimated = _sizes(prompt, built)
    return Facts(values, _orders(prompt, built), sizes, estimated)


def count(built: Built) -> int:
    """How many messages a request has."""
    return sum(1 for _ in messages(wire.split(built.body).segments))


def _orders(prompt: Prompt, built: Built) -> dict[Subject, tuple[str, ...]]:
    tools = [tool_name(one) for one in prompt.segments if one.section == "tools"]
    betas = [
        beta for name, value in built.headers if name == BETAS for beta in str(value).split(",")
    ]
    return {
        Subject(Aspect.PARAMS, "order of members"): tuple(one.name for one in prompt.members),
        Subject(Aspect.HEADERS, "order"): tuple(name for name, _ in built.headers),
        Subject(Aspect.TOOLS, "order"): tuple(tools),
        Subject(Aspect.BETAS, "order"): tuple(betas),
    }


# --- members, headers, tools ---------------------------------------------------------------------


def _params(prompt: Prompt, spots: Sequence[Place]) -> Iterator[tuple[Subject, Fact]]:
    ids = {
        spot.path.split("/")[1]
        for spot in spots
        if isinstance(spot.origin, Mask) or spot.origin.kind is Kind.REPLY
    }
    for param in prompt.params:
        raw = (param.raw or b"").decode("utf-8", "replace")
        yield Subject(Aspect.PARAMS, param.name), Fact("ids" if param.name in ids else raw)


def _headers(built: Built) -> Iterator[tuple[Subject, Fact]]:
    for name, value in built.headers:
        if name == BETAS:
            for beta in str(value).split(","):
                yield Subject(Aspect.BETAS, beta), Fact("sent")
        else:
            shown = "".join(_spelled(piece.text, piece.origin) for piece in value.pieces)
            yield Subject(Aspect.HEADERS, name), Fact(shown)


def _spelled(said: str, origin: Origin) -> str:
    if isinstance(origin, Mask):
        return f"⟦{origin.name.partition(':')[0]}⟧"
    return "⟦version⟧" if (origin.kind, origin.name) == (Kind.FACT, "version") else said


def _tools(prompt: Prompt, spots: Sequence[Place]) -> Iterator[tuple[Subject, Fact]]:
    for segment in prompt.segments:
        if segment.section != "tools":
            continue
        name = tool_name(segment)
        more = [one.name for one in segment.value.members if one.name not in _ORDINARY]
        yield Subject(Aspect.TOOLS, name), Fact("sent" + "".join(f", {one}" for one in more))
        for part in ("description", "input_schema", "parameters"):
            if (value := segment.value.get(part)) is not None:
                here = [one for one in spots if _under(one.path, f"{segment.path}/{part}")]
                subject = Subject(Aspect.TOOLS, f"{name}: {part.removeprefix('input_')}")
                yield subject, _whole(value, here)


def _under(path: str, above: str) -> bool:
    return path == above or path.startswith(f"{above}/")


def _whole(value: Node, here: Sequence[Place]) -> Fact:
    """A text as a whole, by digest; long texts of the client in it stand by theirs."""
    said = value.string if value.kind == "string" else value.text
    sealed = any(one.sealed for one in here)
    if sealed and len(here) == 1 and isinstance(here[0].origin, Known):
        return replace(known(here[0].origin, None), shared=True)
    size = len(said) + sum(int(one[2]) - len(one[0]) for one in _SEALED.finditer(said))
    digest = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
    words = None if sealed else said
    # Of a tool that one version lacks, the tool alone is told.
    return Fact(f"{digest[:12]}, {size:,} characters", words, digest, shared=True)


# --- marks and shapes ----------------------------------------------------------------------------


def _marks(prompt: Prompt) -> Iterator[tuple[Subject, Fact]]:
    """The cache marks, each with what it says beside its type."""
    groups = list(messages(prompt.segments))
    system = [segment for segment in prompt.segments if segment.section == "system"]
    found: list[str] = []
    for segment in prompt.segments:
        if (mark := segment.breakpoint) is None:
            continue
        said = mark.decode().replace('"', "")
        if segment.section == "tools":
            where = f"tool {tool_name(segment)}"
        elif segment.section == "system":
            where = f"system block {system.index(segment) + 1} of {len(system)}"
        else:
            at = next(number for number, group in enumerate(groups) if segment in group)
            block = groups[at].index(segment) + 1
            where = f"{segment.role} message {at - len(groups)}, block {block} of {len(groups[at])}"
        found.append(f"{where} {said}")
    yield Subject(Aspect.MARKS, "cache marks"), Fact("; ".join(found) or "none")


def _shapes(prompt: Prompt, before: int) -> Iterator[tuple[Subject, Fact]]:
    system = [sort_of(segment) for segment in prompt.segments if segment.section == "system"]
    yield Subject(Aspect.SHAPE, "system"), Fact(f"{len(system)} blocks")
    new = list(messages(prompt.segments))[before:]
    shown = " ".join(f"{group[0].role or 'item'}[{' '.join(map(sort_of, group))}]" for group in new)
    yield Subject(Aspect.SHAPE, "messages added"), Fact(shown or "none")
    for segment in prompt.segments:
        names = [one.name for one in segment.value.members]
        if names and segment.section != "tools":
            shape = Subject(Aspect.SHAPE, f"keys of {segment.section} {sort_of(segment)}")
            kept = ", ".join(name for name in names if name != "cache_control")
            yield shape, Fact(kept, shared=True)


# --- sizes ---------------------------------------------------------------------------------------


def _sizes(prompt: Prompt, built: Built) -> tuple[dict[str, int], bool]:
    """Bytes by section, stand-ins counted as long as what they stand for."""
    grown: dict[str, int] = {}
    estimated = bool(_SEALED.search(built.body.decode("utf-8", "replace")))
    parts = [(one.section, one.raw) for one in prompt.segments]
    for section, raw in parts:
        grown[section] = grown.get(section, 0) + len(raw) + _hidden(raw)
    masks = sum(
        run.origin.limit - (run.end - run.start)
        for run in built.runs
        if isinstance(run.origin, Mask) and built.body[run.start : run.end].startswith("⟦".encode())
    )
    whole = len(built.body) + _hidden(built.body) + masks
    return {**grown, "whole": whole}, estimated


def _hidden(raw: bytes) -> int:
    """How many bytes more the words are than the digests that stand for them."""
    said = raw.decode("utf-8", "replace")
    return sum(int(found[2]) - len(found[0].encode()) for found in _SEALED.finditer(said))
