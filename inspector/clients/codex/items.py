"""Input items: key order, ids, and the labels of the built-in provider.

`internal_chat_message_metadata_passthrough` is sent by the built-in provider only; a custom one
gets the same items without it (witness: builtin, base).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from inspector.clients.codex.fill import mask, mask_number
from inspector.profiles import Profile
from inspector.text import Text, Value

type Item = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Part:
    """One content part of a message, and what it is to the client."""

    kind: str
    content: Text
    image: bool = False
    """The content is an image's address, not words."""


@dataclass(frozen=True, slots=True)
class Counter:
    """How many items, tasks and windows the thread has had; names the masks of their ids."""

    items: int = 0
    tasks: int = 0
    windows: int = 0
    """How often the thread was compacted."""

    def item(self) -> "Counter":
        """One item more."""
        return replace(self, items=self.items + 1)

    def task(self) -> "Counter":
        """One task more."""
        return replace(self, tasks=self.tasks + 1)

    def window(self) -> "Counter":
        """One context window more."""
        return replace(self, windows=self.windows + 1)


def named(item: Item, prefix: str, counter: Counter, profile: Profile) -> Item:
    """The start of an item with its client-made id, in versions whose items have any."""
    if profile.switches["item_ids"] == "none":
        return item
    return {**item, "id": item_id(prefix, counter, profile)}


def item_id(prefix: str, counter: Counter, profile: Profile) -> Text:
    """A client-made id: the prefix of its kind and a time-ordered uuid."""
    return profile.literal(f"id.{prefix}") + mask(profile, "item_id", counter.items)


def message(
    role: str, parts: Sequence[Part], counter: Counter, profile: Profile, *, timed: bool = True
) -> Item:
    """A message the client makes itself; told again after a compaction it has no time."""
    content: list[Value] = [_content(part, profile) for part in parts]
    start = named({"type": "message"}, "message", counter, profile)
    item: Item = {**start, "role": role, "content": content}
    return labelled(item, counter, profile, [part.kind for part in parts], made=timed)


def _content(part: Part, profile: Profile) -> Value:
    if part.image:
        detail = profile.literal("image.detail.prompt")
        address: dict[str, Value] = {"type": "input_image", "image_url": part.content}
        return {**address, "detail": detail} if detail else address
    return {"type": "input_text", "text": part.content}


_LABELS = "internal_chat_message_metadata_passthrough"


def unlabelled(item: Item) -> Item:
    """The item without the built-in provider's labels."""
    return {name: value for name, value in item.items() if name != _LABELS}


def shown(item: Item, profile: Profile) -> Item:
    """The item as a request shows it: a thread has all labels, whoever is told of them."""
    how, labels = profile.switches["item_labels"], item.get(_LABELS)
    if how == "none" or labels is None:
        return unlabelled(item)
    if how == "sourced" or not isinstance(labels, Mapping):
        return item
    known = {name: value for name, value in labels.items() if name != "content_item_metadata"}
    return {**item, _LABELS: known}


def labelled(
    item: Item, counter: Counter, profile: Profile, kinds: Sequence[str] | None, *, made: bool
) -> Item:
    """The item with the built-in provider's labels; `made` by the client itself, it has a time."""
    labels: dict[str, Value] = {"turn_id": mask(profile, "turn_id", counter.tasks)}
    if made:
        labels["create_time"] = mask_number(profile, "create_time", counter.items)
    # The built-in provider never sees a summary, so nobody knows its label.
    if kinds is not None and "summary" not in kinds:
        known = profile.values["provenance"]
        labels["content_item_kinds"] = [profile.literal(f"kind.{kind}") for kind in kinds]
        sources = [known[kind] for kind in kinds if kind in known]
        if sources:
            labels["content_item_metadata"] = [{"provenance": source} for source in sources]
    return {**item, _LABELS: labels}
