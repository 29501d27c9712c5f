"""Holding a recorded JSON value against one that is sent now."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest

from inspector.jsontext import Node, escape
from inspector.match.terms import Terms
from inspector.match.texts import Span, parted
from inspector.text import Kind, Mask

_UNORDERED = "/client_metadata"
"""Below it key order is random on the wire [codex 0.171.0]."""
_EXCERPT = 60
_CALL = "tool_use_id"
_REMINDER = re.compile(r"(?=<system-reminder>\n)")


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a request parts from a recorded one."""

    path: str
    """JSON pointer of the value, as recorded (as sent where nothing was recorded there)."""
    verdict: str
    """`changed`, `added`, `removed` or `reordered-keys`."""
    start: int = 0
    """Code points into the recorded text."""
    before: str = ""
    after: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True)
class Values:
    """What the comparison of two values needs to know."""

    spans: Mapping[str, Sequence[Span]]
    terms: Terms
    mark: str = ""
    """The member that is a cache mark, and means nothing."""

    def differences(self, path: str, old: Node, new: Node) -> Iterator[Difference]:
        """Where the two part, in the order recorded; nothing where they mean the same."""
        if old.raw == new.raw:
            return
        if old.kind != new.kind:
            yield from self._unlike(path, old, new)
        elif old.kind == "object":
            yield from self._members(path, old, new)
        elif old.kind == "array":
            yield from self._items(path, old, new)
        elif old.kind == "string":
            yield from self._strings(path, old.string, new.string)
        elif old.raw != new.raw and not self._masked(path, old.text, new.text):
            yield _changed(path, old.text, new.text)

    def _unlike(self, path: str, old: Node, new: Node) -> Iterator[Difference]:
        """Values of two kinds: a bare string and its one block, a seal over a whole value."""
        if old.kind == "string" and new.kind == "array" and len(new.items) == 1:
            text = new.items[0].get("text")
            if text is not None and text.kind == "string":
                yield from self._strings(path, old.string, text.string)
                return
        if new.kind == "string" and old.kind == "array" and len(old.items) == 1:
            text = old.items[0].get("text")
            if text is not None and text.kind == "string":
                yield from self._strings(f"{path}/0/text", text.string, new.string)
                return
        if old.kind == "string" and _hides(old.string, new.raw):
            return
        yield _changed(path, old.text, new.text)

    def _members(self, path: str, old: Node, new: Node) -> Iterator[Difference]:
        left, right = self._meant(old), self._meant(new)
        for name, value in left.items():
            if name not in right:
                yield Difference(_below(path, name), "removed", before=_cut(value.text))
            else:
                yield from self.differences(_below(path, name), value, right[name])
        for name, value in right.items():
            if name not in left:
                yield Difference(_below(path, name), "added", after=_cut(value.text))
        both = [name for name in left if name in right], [name for name in right if name in left]
        if both[0] != both[1] and not path.startswith(_UNORDERED):
            yield Difference(path, "reordered-keys")

    def _meant(self, node: Node) -> dict[str, Node]:
        """The members of an object without its cache mark."""
        found = {item.name: item.value for item in node.members}
        mark = found.get(self.mark)
        if mark is not None and mark.string_of("type") == "ephemeral":
            del found[self.mark]
        return found

    def _items(self, path: str, old: Node, new: Node) -> Iterator[Difference]:
        given = _in_order(old.items, new.items)
        if 1 < len(given) == len(old.items) and self._pooled(path, old.items, given):
            return
        pairs = zip_longest(old.items, given)
        for number, (left, right) in enumerate(pairs):
            at = f"{path}/{number}"
            if left is None:
                yield Difference(at, "added", after=_cut(right.text))
            elif right is None:
                yield Difference(at, "removed", before=_cut(left.text))
            else:
                yield from self.differences(at, left, right)

    def _pooled(self, path: str, old: Sequence[Node], new: Sequence[Node]) -> bool:
        """Whether results in another order say the same, with reminders behind another of them.

        A reminder stands behind the result that came first or last
        [claude-code 2.1.332, mix_managed_excludes].
        """
        if any(
            left.string_of(_CALL) != right.string_of(_CALL)
            for left, right in zip(old, new, strict=True)
        ):
            return False
        results = [(_parts(left), _parts(right)) for left, right in zip(old, new, strict=True)]
        if not all(left and right for left, right in results):
            return False
        pool = [part for _, right in results for part in right[1:]]
        for at, (left, right) in enumerate(results):
            if not self._same(f"{path}/{at}/content", old[at], left[0], right[0]):
                return False
            for part in left[1:]:
                here = f"{path}/{at}/content"
                found = next((one for one in pool if self._same(here, old[at], part, one)), None)
                if found is None:
                    return False
                pool.remove(found)
        return not pool

    def _same(self, path: str, node: Node, part: str, new: str) -> bool:
        """Whether a part of a recorded result says what another text says."""
        start = (node.string_of("content") or "").find(part)
        spans = _shifted(self.spans.get(path, ()), start, len(part))
        return parted(part, new, spans, self.terms) is None

    def _strings(self, path: str, old: str, new: str) -> Iterator[Difference]:
        found = parted(old, new, self.spans.get(path, ()), self.terms)
        if found is not None:
            yield texts_differ(path, old, new, *found)

    def _masked(self, path: str, old: str, new: str) -> bool:
        """Whether a number stands where one is masked, or is a fact of the machine."""
        spans = [
            Span(0, len(old), span.origin)
            for span in self.spans.get(path, ())
            if isinstance(span.origin, Mask) or span.origin.kind is Kind.FACT
        ]
        return bool(spans) and parted(old, new, spans, self.terms) is None


def _in_order(old: Sequence[Node], new: Sequence[Node]) -> Sequence[Node]:
    """Results of tools in the order recorded: of calls side by side each may end first.

    Witness: Claude Code 2.1.332, echo_shapes, which was recorded in either order.
    """
    asked = [item.string_of(_CALL) for item in old]
    given = {item.string_of(_CALL): item for item in new}
    one_each = len(old) == len(new) == len(given) and set(given) == set(asked)
    if not one_each or list(given) == asked or None in given:
        return new
    return [given[name] for name in asked]


def _parts(node: Node) -> list[str]:
    """A result's text and the reminders behind it."""
    text = node.string_of("content") if node.string_of(_CALL) else None
    return [part.strip("\n") for part in _REMINDER.split(text)] if text is not None else []


def _shifted(spans: Sequence[Span], start: int, length: int) -> list[Span]:
    """The spans inside a part of a text, from its start on."""
    return [
        Span(span.start - start, span.end - start, span.origin, span.at)
        for span in spans
        if start <= span.start and span.end <= start + length
    ]


def texts_differ(path: str, old: str, new: str, start: int, at: int) -> Difference:
    """Two texts that part there, with what stands around it."""
    before = old[max(start - 20, 0) : start + _EXCERPT]
    after = new[max(at - 20, 0) : at + _EXCERPT]
    return Difference(path, "changed", start, before, after)


def _changed(path: str, old: str, new: str) -> Difference:
    return Difference(path, "changed", 0, _cut(old), _cut(new))


def _cut(text: str) -> str:
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"


def _below(path: str, name: str) -> str:
    return f"{path}/{escape(name)}"


def _hides(seal: str, raw: bytes) -> bool:
    digest = sha256(raw).hexdigest()
    return seal == f"⟦sha256:{digest} {len(raw.decode('utf-8', 'replace'))}⟧"
