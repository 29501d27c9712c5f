"""Content codings undone: whole bodies, and whatever a broken one still gives."""

import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


_PIECE = 1 << 20
LARGEST = 256 * 1024 * 1024
"""Bytes a body may have after decoding; of a larger one (a "bomb") this much is kept."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A body after content-decoding."""

    data: bytes
    fault: str = ""
    """Why it is not whole; empty for a body that decodes to its end."""


def decode(wire: bytes, encoding: str) -> Decoded:
    """Undo a `content-encoding` header, the last coding first."""
    if not encoding:
        return Decoded(wire)
    data = wire
    for coding in reversed(_codings(encoding)):
        if coding not in _DECODERS:
            return Decoded(data, f"unknown content-encoding {coding}")
        if not data:
            continue
        try:
            out, whole = _DECODERS[coding](data)
        except (ValueError, zlib.error, zstd.ZstdError) as error:
            return Decoded(wire, f"{coding} body cannot be decoded ({error})")
        if len(out) > LARGEST:
            fault = (
                f"{coding} body has more than {LARGEST} bytes when decoded; the rest is left out"
            )
            return Decoded(out[:LARGEST], fault)
        if not whole:
            return Decoded(out or wire, f"{coding} body ends early")
        data = out
    return Decoded(data)


def _codings(encoding: str) -> list[str]:
    names = (name.strip().lower() for name in encoding.split(","))
    return [name for name in names if name not in ("", "identity")]


def _inflate(data: bytes, bits: int) -> tuple[bytes, bool]:
    out, size = list[bytes](), 0
    while data:
        one = zlib.decompressobj(bits)
        try:
            out.append(one.decompress(data, LARGEST + 1 - size))
        except zlib.error:
            if not out:
                raise
            break  # bytes after a whole member are no part of the body
        size += len(out[-1])
        if not one.eof or size > LARGEST:
            return b"".join(out), False
        data = one.unused_data
    return b"".join(out), True


def _deflate(data: bytes) -> tuple[bytes, bool]:
    # RFC 9110 says zlib; many senders mean a bare deflate stream.
    try:
        return _inflate(data, zlib.MAX_WBITS)
    except zlib.error:
        return _inflate(data, -zlib.MAX_WBITS)


def _brotli(data: bytes) -> tuple[bytes, bool]:
    brotli: Any = import_module("brotli")  # the package has no types
    one = brotli.Decompressor()
    out, size, given = list[bytes](), 0, data
    try:
        while size <= LARGEST:
            out.append(bytes(one.process(given, output_buffer_limit=_PIECE)))
            size, given = size + len(out[-1]), b""
            if one.is_finished() or (one.can_accept_more_data() and not out[-1]):
                break
    except brotli.error as error:
        raise ValueError(str(error)) from error
    return b"".join(out), bool(one.is_finished())


def _zstd(data: bytes) -> tuple[bytes, bool]:
    out, size = list[bytes](), 0
    while data:
        one = zstd.ZstdDecompressor()
        out.append(one.decompress(data, LARGEST + 1 - size))
        size += len(out[-1])
        if not one.eof or size > LARGEST:
            return b"".join(out), False
        data = one.unused_data
    return b"".join(out), True


_DECODERS: dict[str, Callable[[bytes], tuple[bytes, bool]]] = {
    "gzip": lambda data: _inflate(data, 16 + zlib.MAX_WBITS),
    "x-gzip": lambda data: _inflate(data, 16 + zlib.MAX_WBITS),
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
