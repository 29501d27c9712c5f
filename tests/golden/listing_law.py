"""The mutation law for MCP listings: a changed description changes the build where it stands."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from inspector.jsontext import Node, parse, quote
from inspector.named import Found
from inspector.session import Recording
from inspector.verify import RequestReport
from inspector.workspace import Listing
from tests.golden.mutation import Tally
from tests.golden.rebuilt import Rebuilder

_WORD = re.compile("[a-z]{3,}")


def hold(found: Found, requests: Sequence[RequestReport], tally: Tally) -> None:
    """Change one letter in the description of every listed tool that a request shows."""
    snapshot = found.recording.snapshot
    again = Rebuilder(requests)
    for listing in snapshot.listings if snapshot else ():
        for node in _descriptions(listing):
            old = node.string
            shown = [request for request in requests if _shows(request, old)]
            if not shown or not _WORD.search(old):
                continue
            new = _changed_text(old)
            raw = listing.tools or ""
            start = len(raw.encode()[: node.start].decode())
            tools = raw[:start] + quote(new) + raw[start + len(node.text) :]
            after = again.requests(_with(found, listing, tools))
            bodies = {request.exchange: request for request in after}
            tally.tried += 1
            complaints = [
                line
                for request in requests
                for line in _judge(request, bodies[request.exchange], old, new)
            ]
            tally.missed.extend(f"{listing.server}: {line}" for line in complaints[:1])


def _descriptions(listing: Listing) -> Iterator[Node]:
    if listing.state != "ready" or not listing.tools:
        return
    root = parse(listing.tools.encode())
    tools = root.items or tuple((root.get("tools") or root).items)
    for tool in tools:
        node = tool.get("description")
        if node is not None and node.kind == "string":
            yield node


def _shows(request: RequestReport, words: str) -> bool:
    if request.built is None:
        return False
    return any(words in text for text in _strings(request.built.body).values())


def _strings(body: bytes) -> dict[str, str]:
    """Every value of a body by its pointer: strings decoded, the rest as written."""
    return {
        path: node.string if node.kind == "string" else node.text
        for path, node in parse(body).walk()
        if node.kind not in {"object", "array"}
    }


def _changed_text(text: str) -> str:
    words = list(_WORD.finditer(text[:1000]))
    at = words[len(words) // 2].start() + 1
    return text[:at] + ("q" if text[at] != "q" else "k") + text[at + 1 :]


def _with(found: Found, listing: Listing, tools: str) -> Found:
    def swapped(recording: Recording) -> Recording:
        if recording.snapshot is None:
            return recording
        listings = tuple(
            item.model_copy(update={"tools": tools})
            if (item.server, item.tools) == (listing.server, listing.tools)
            else item
            for item in recording.snapshot.listings
        )
        return replace(recording, snapshot=replace(recording.snapshot, listings=listings))

    return Found(swapped(found.recording), tuple(swapped(item) for item in found.earlier))


def _judge(before: RequestReport, after: RequestReport, old: str, new: str) -> Iterator[str]:
    if before.built is None:
        return
    if after.built is None:
        yield f"#{before.number}: {after.reason}"
        return
    left, right = _strings(before.built.body), _strings(after.built.body)
    for path, text in left.items():
        if text.replace(old, new) != right.get(path):
            yield f"#{before.number} {path} is not what the changed letter makes it"
