"""What two byte strings have in common at both ends, found by comparing memory."""

_CHUNK = 1 << 16


def both_ends(one: bytes, other: bytes) -> tuple[int, int]:
    """How many of the first and of the last bytes are equal; together no more than either has."""
    head = first_difference(one, other)
    return head, common_end(one, other, min(len(one), len(other)) - head)


def first_difference(one: bytes, other: bytes) -> int:
    """The offset of the first byte that differs, or where the shorter one ends."""
    size = min(len(one), len(other))
    if one.startswith(other[:size]) if size == len(other) else other.startswith(one):
        return size
    at = 0
    while one[at : at + _CHUNK] == other[at : at + _CHUNK]:
        at += _CHUNK
    low, high = at, min(at + _CHUNK, size)
    while low < high:
        middle = (low + high) // 2
        if one[low : middle + 1] == other[low : middle + 1]:
            low = middle + 1
        else:
            high = middle
    return low


def common_end(one: bytes, other: bytes, most: int) -> int:
    """How many of the last bytes are equal, `most` at most."""
    low, high = 0, most
    step = min(_CHUNK, most)
    # Gallop in doubling steps, then halve: each byte is compared about twice.
    while low < high and _ends_equal(one, other, low, low + step):
        low += step
        step = min(step * 2, high - low)
    high = min(high, low + step)
    while low < high:
        middle = (low + high + 1) // 2
        if _ends_equal(one, other, low, middle):
            low = middle
        else:
            high = middle - 1
    return low


def _ends_equal(one: bytes, other: bytes, start: int, end: int) -> bool:
    return one[len(one) - end : len(one) - start] == other[len(other) - end : len(other) - start]
