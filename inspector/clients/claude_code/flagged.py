"""Blocks that an account's server-side flags add, as `learn --from` learned them.

`values.added` holds one entry a block: the section it is in, the text or literal of the client's
that the block beside it has, on which side it stands, and the text's name.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from inspector.clients.claude_code.message import Block, Message, text_block
from inspector.profiles import Profile
from inspector.text import Kind, Text, Value

_OURS = frozenset({Kind.KNOWN, Kind.LITERAL})


def messages(profile: Profile, found: Sequence[Message]) -> Sequence[Message]:
    """The messages, with the blocks that flags add."""
    added = _added(profile, "messages")
    if not added:
        return found
    return [replace(one, blocks=tuple(_with(profile, one.blocks, added))) for one in found]


def system(profile: Profile, found: list[Value]) -> list[Value]:
    """The blocks of the system prompt, with those that flags add."""
    added = _added(profile, "system")
    if not added:
        return found
    blocks = [block for block in found if isinstance(block, Mapping)]
    return [*_with(profile, blocks, added)]


def _added(profile: Profile, section: str) -> list[Mapping[str, str]]:
    entries: Iterable[Mapping[str, str]] = profile.values.get("added", ())
    return [one for one in entries if one["in"] == section]


def _with(
    profile: Profile, blocks: Sequence[Block], added: Sequence[Mapping[str, str]]
) -> list[Block]:
    out: list[Block] = []
    for block in blocks:
        names = _names(block)
        beside = [
            [text_block(profile.known(one["text"])) for one in added if one.get(side) in names]
            for side in ("before", "after")
        ]
        out += [*beside[0], block, *beside[1]]
    return out


def _names(block: Block) -> set[str]:
    """The texts and literals in a block, by name."""
    said = block.get("text")
    pieces = said.pieces if isinstance(said, Text) else ()
    return {piece.origin.name for piece in pieces if piece.origin.kind in _OURS}
