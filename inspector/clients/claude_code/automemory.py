"""The index of auto-memory."""

import re
from collections.abc import Iterator

from inspector.clients.claude_code import comments
from inspector.clients.claude_code.columns import width
from inspector.clients.claude_code.frontmatter import document
from inspector.clients.claude_code.javascript import cut, decode, trim, units
from inspector.clients.claude_code.phrase import computed, phrase
from inspector.clients.claude_code.rules import Memory
from inspector.errors import NotKept
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.workspace import EntryKind, Tree

_BREAKS = re.compile("\r\n?|[\u2028\u2029]")
_UNSEEN = re.compile(
    "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb"
    "\ue000-\uf8ff\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\U000f0000-\U000ffffd\U00100000-\U0010fffd]"
)
"""Controls and characters of the categories Cf, Co, Cs or that are ignorable; joiners stay."""

_LINE = 80
"""Columns of the first lost line that the warning shows."""

_ENTRY = 150
"""Characters of a line of an index that the client makes itself."""

_LINKED = re.compile("[\\[\\]()\n\r\u2028\u2029]")


def index(profile: Profile, tree: Tree, folder: str) -> list[Memory]:
    """`MEMORY.md`, cut to its limits; none where there is none."""
    path = f"{folder}MEMORY.md"
    data = tree.read(path)
    if data is None:
        source = _made(tree, folder)
    else:
        front = document(text(decode(data), Origin(Kind.FILE, path)))
        source = comments.stripped(front.body)
    body = _plain(profile, _cut(profile, trim(source)))
    return [Memory(path, "auto", body)] if trim(body) else []


def _plain(profile: Profile, body: Text) -> Text:
    """Without characters nobody sees, and without tags that look like the client's own."""
    body = body.sub(_BREAKS, lambda _: "\n").sub(_UNSEEN, lambda _: "")
    tags = "|".join(re.escape(tag) for tag in profile.lists["automemory.tags"])
    return body.sub(re.compile(rf"<(?=/?(?:{tags})\b)", re.IGNORECASE), lambda _: "<\\")


def _cut(profile: Profile, body: Text) -> Text:
    most, longest = profile.limits["automemory.lines"], profile.limits["automemory.chars"]
    every = body.split("\n")
    size = units(str(body))
    if len(every) <= most and size <= longest:
        return body
    kept = body[: sum(len(line) + 1 for line in every[:most]) - 1] if len(every) > most else body
    if units(str(kept)) > longest:
        kept = cut(kept, longest)
        end = str(kept).rfind("\n")
        kept = kept[:end] if end > 0 else kept
    return kept + phrase(
        profile,
        "automemory.cut",
        what=_what(profile, len(every), size),
        lost=_lost(profile, body, every, kept),
    )


def _what(profile: Profile, count: int, size: int) -> Text:
    most, longest = profile.limits["automemory.lines"], profile.limits["automemory.chars"]
    holes = {
        "lines": computed(str(count), "lines"),
        "most": computed(str(most), "limit"),
        "size": computed(_size(size), "size"),
        "longest": computed(_size(longest), "limit"),
    }
    both = count > most and size > longest
    name = "both" if both else "lines" if count > most else "size"
    return phrase(profile, f"automemory.cut.{name}", **holes)


def _lost(profile: Profile, body: Text, every: list[Text], kept: Text) -> Text:
    """What was lost: whole lines, or the end of the only one."""
    if str(body)[len(kept) : len(kept) + 1] != "\n":
        chars = computed(str(units(str(kept))), "chars")
        return phrase(profile, "automemory.cut.first", chars=chars)
    count = str(kept).count("\n") + 1
    line = trim(every[count])
    said = phrase(profile, "automemory.cut.line", line=_shown(line)) if line else EMPTY
    return phrase(
        profile,
        "automemory.cut.rest",
        lost=computed(str(len(every) - count), "lost"),
        lines=computed(str(len(every)), "lines"),
        next=computed(str(count + 1), "next"),
        line=said,
    )


def _shown(line: Text, most: int = _LINE) -> Text:
    """The beginning of a line that is too wide, with an ellipsis."""
    string = str(line)
    if width(string) <= most:
        return line
    end = len(string)
    while width(string[:end]) > most - 1:
        end -= 1
    return line[:end].rstrip() + computed("…", "ellipsis")


def _made(tree: Tree, folder: str) -> Text:
    """The index that the client writes itself where there are topic files and none (2.1.332).

    It lists files by their time, which a snapshot does not keep: with several the order is a guess.
    """
    try:
        entries = tree.list(folder.rstrip("/")) or ()
    except NotKept:
        return EMPTY
    lines = [
        _entry(tree, f"{folder}{entry.name}", entry.name)
        for entry in entries
        if entry.kind is EntryKind.FILE and _is_topic(entry.name)
    ]
    out = EMPTY
    for line in lines:
        out += line + computed("\n", "index")
    return out


def _is_topic(name: str) -> bool:
    return name.endswith(".md") and not name.startswith(".") and not _LINKED.search(name)


def _entry(tree: Tree, path: str, name: str) -> Text:
    shown = computed(f"- [{name.removesuffix('.md')}]({name})", "index")
    left = _ENTRY - len(shown) - 3
    said = next(_described(tree, path), EMPTY)
    return shown + computed(" — ", "index") + _shown(said, left) if said and left > 1 else shown


def _described(tree: Tree, path: str) -> Iterator[Text]:
    front = document(text(decode(tree.read(path) or b""), Origin(Kind.FILE, path)))
    said = front.values.get("description")
    if isinstance(said, str) and said.strip():
        yield text(" ".join(said.split()), Origin(Kind.FILE, path))


def _size(count: int) -> str:
    return f"{count / 1024:.1f}".removesuffix(".0") + "KB"
