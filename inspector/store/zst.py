"""Compression of what the store keeps: zstd frames with a checksum, quick or thorough."""

import sys

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

QUICK = 3
"""While capturing."""
THOROUGH = 19
"""While packing: slow to write, as quick to read."""
_WHOLE = zstd.ZstdCompressor.FLUSH_FRAME

type Words = zstd.ZstdDict
"""Text that others are written in terms of."""


class Press:
    """Compresses; one at a time, as a compressor kept costs half of a new one."""

    def __init__(self, level: int, shared: Words | None = None) -> None:
        """`shared` are words that all of it is written in terms of."""
        options: dict[int, int] = {
            zstd.CompressionParameter.compression_level: level,
            zstd.CompressionParameter.checksum_flag: 1,
        }
        made = None if shared is None else shared.as_digested_dict
        self._made = zstd.ZstdCompressor(options=options, zstd_dict=made)

    def __call__(self, data: bytes) -> bytes:
        """One frame."""
        return self._made.compress(data, zstd.ZstdCompressor.FLUSH_FRAME)


def words(text: bytes) -> Words:
    """A text that others share much with."""
    return zstd.ZstdDict(text, is_raw=True)


def plain(data: bytes, shared: Words | None = None) -> bytes:
    """What a frame holds. Raises `ValueError` for a damaged one."""
    try:
        return zstd.decompress(data, zstd_dict=shared)
    except (zstd.ZstdError, TypeError) as error:  # TypeError: a text where bytes should stand
        raise ValueError(f"a frame is damaged: {error}") from error


def is_frame(data: bytes) -> bool:
    """Whether data that else begins as JSON is a frame."""
    return data[:4] == b"\x28\xb5\x2f\xfd"
