"""The client labels its own content parts on the built-in provider; our origins must say the same.

Codex sends `content_item_kinds` with every message (witness: builtin). The labels in a build come from
where its parts are made; here each is told again from the origins of the words alone, part by part, and
held against what the client wrote.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector.named import find, recordings, verified
from inspector.text import Kind, Origin
from inspector.verify import RequestReport, places
from tests.golden.scenario import ROOT

_LABELS = "internal_chat_message_metadata_passthrough"
_KINDS = {
    Kind.PROMPT: "user.text",
    Kind.REPLY: "unknown",
}
_NAMES = {
    "base": "model.base_instructions",
    "skills": "host_skills.instructions",
    "permissions": "permissions.instructions",
    "collaboration": "collaboration_mode.instructions",
    "role": "multi_agent.role_instructions",
    "mode": "multi_agent.mode_instructions",
    "agents": "agents_md.instructions",
    "environment": "environments.environment_context",
    "mcp": "tools.deferred_namespaces",
    "model": "model.instructions",
}
"""What the first word of an origin's name says of the part it stands in."""
_WHOLE = {
    "skills.body": "skills.selected_skill_instructions",
    "image.open": "user.text",
    "image.close": "user.text",
    "image.data": "user.image",
    "image.error": "images.preparation_error",
    "config.developer_instructions": "generic.developer_instructions",
    "tools.update": "tools.incremental_update",
    "tools.gone.namespaces": "tools.removed_definition",
    "tools.gone.tools": "tools.removed_definition",
}

_SAME: dict[str, str] = {"multi_agent.usage_hint": "multi_agent.role_instructions"}
"""gpt-5.6 calls by another name what its agents are told of each other (witness: chatgpt, r3)."""

GOLDENS = [
    path
    for path in sorted(recordings(ROOT / "captures" / "codex"))
    if any(_LABELS in file.read_text("utf-8") for file in path.glob("exchanges/*.request"))
]
NAMES = [str(path.relative_to(ROOT / "captures")) for path in GOLDENS]


def labels(request: RequestReport) -> Iterator[tuple[str, str, set[str]]]:
    """Of each labelled part: where it is, the client's label, and those its origins speak for."""
    assert request.built is not None
    told: dict[str, set[str]] = {}
    for place in places(request.built):
        path = "/".join(place.path.split("/")[:5])
        told.setdefault(path, set()).update(_label(place.origin))
    items: list[dict[str, Any]] = json.loads(request.captured)["input"]
    # On a WebSocket the items of a request are its own as well.
    for number, item in enumerate(items):
        kinds: list[str] = item.get(_LABELS, {}).get("content_item_kinds", [])
        for part, kind in enumerate(kinds):
            path = f"/input/{number}/content/{part}"
            yield path, _SAME.get(kind, kind), _outer(told.get(path, set()))


def _outer(found: set[str]) -> set[str]:
    """The labels of a part; one that names another model holds its base instructions, too."""
    return found - {"model.base_instructions"} if len(found) > 1 else found


def _label(origin: Origin) -> Iterator[str]:
    if origin.kind in _KINDS:
        yield _KINDS[origin.kind]
    elif origin.kind is Kind.FILE and origin.name.endswith("/models_cache.json"):
        yield "model.base_instructions"
    elif origin.name in _WHOLE:
        yield _WHOLE[origin.name]
    elif origin.kind in {Kind.LITERAL, Kind.KNOWN}:
        word = origin.name.partition(".")[0]
        if word in _NAMES:
            yield _NAMES[word]


@pytest.mark.parametrize("path", GOLDENS, ids=NAMES)
def test_every_part_comes_from_where_the_client_says_it_does(path: Path) -> None:
    report = verified(find(str(path), Path("unused")), {})
    built = [request for request in report.requests if request.built is not None]
    found = [part for request in built for part in labels(request)]
    assert [(where, ours) for where, _, ours in found] == [
        (where, {client}) for where, client, _ in found
    ]
    assert len(found) >= len(built)


def test_there_are_recordings_with_labels_of_every_kind() -> None:
    seen: set[str] = set()
    for path in GOLDENS:
        for file in path.glob("exchanges/*.request"):
            for item in json.loads(file.read_bytes())["input"]:
                seen.update(item.get(_LABELS, {}).get("content_item_kinds", ()))
    assert {_SAME.get(kind, kind) for kind in seen} == {
        *_KINDS.values(),
        *_NAMES.values(),
        *_WHOLE.values(),
    }
