"""What a wire format says about its request bodies."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from inspector.jsontext import Node
from inspector.jsontext.node import NodeKind


class Part(NamedTuple):
    """A place in a body that a dialect says is one segment."""

    path: str
    node: Node
    section: str
    role: str | None = None
    opens_message: bool = False
    owner: bytes = b""
    """Canonical members of what the segment stands in: of its message, of its namespace."""
    unknown: tuple[str, ...] = ()
    """Pointers of fields the dialect does not know, in this segment or first reached by it."""
    label: bytes = b""
    """The raw `id` of the item that begins here: it tells items apart and means nothing else."""


type Walker = Callable[[str, Node], Iterator[Part]]
"""From one element of a section (its pointer and value) to its parts: never none, in wire order."""


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """A model API's wire format, as far as splitting and comparing needs it."""

    name: str
    claims: Callable[[Mapping[str, NodeKind]], bool]
    """Whether a body with these top-level members is a request of this dialect."""
    sections: Mapping[str, Walker]
    """The top-level members that hold segments; all others are params."""
    params: frozenset[str]
    """The known params."""
    mark: str
    """The member that is a cache mark."""
    bare_types: Mapping[str | None, str]
    """By role: the type of the one text block that a bare string stands for."""
    nested: Mapping[str, str]
    """By block type: the member whose blocks may carry the mark of the whole block."""
