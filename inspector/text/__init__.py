"""Text that knows where it came from, and JSON values made of it."""

from inspector.text.body import Growing, Kept, KnownJson, Member, Memory, Raw, Value, encode
from inspector.text.built import Built, Run
from inspector.text.origin import ByteClass, Kind, Known, Mask, Origin, sealed
from inspector.text.pieces import EMPTY, Piece, Text, join, text

__all__ = [
    "EMPTY",
    "Built",
    "ByteClass",
    "Growing",
    "Kept",
    "Kind",
    "Known",
    "KnownJson",
    "Mask",
    "Member",
    "Memory",
    "Origin",
    "Piece",
    "Raw",
    "Run",
    "Text",
    "Value",
    "encode",
    "join",
    "sealed",
    "text",
]
