"""Text that knows where it came from, and JSON values made of it."""

from inspector.text.body import Built, KnownJson, Member, Raw, Run, Value, encode
from inspector.text.origin import ByteClass, Kind, Known, Mask, Origin, sealed
from inspector.text.pieces import EMPTY, Piece, Text, join, text

__all__ = [
    "EMPTY",
    "Built",
    "ByteClass",
    "Kind",
    "Known",
    "KnownJson",
    "Mask",
    "Member",
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
