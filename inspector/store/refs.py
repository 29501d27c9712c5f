"""Lists of pieces as bytes: runs of numbers that follow one another, each as two small numbers."""

from collections.abc import Iterable, Sequence


def packed(refs: Sequence[int]) -> bytes:
    """A list of piece numbers."""
    out, expected, place = bytearray(), 0, 0
    while place < len(refs):
        first, count = refs[place], 1
        while place + count < len(refs) and refs[place + count] == first + count:
            count += 1
        step = first - expected
        _number(out, step << 1 if step >= 0 else (-step << 1) - 1)
        _number(out, count)
        expected = first + count
        place += count
    return bytes(out)


def unpacked(data: bytes) -> list[int]:
    """The list that was packed. Raises `ValueError` for bytes that are none."""
    numbers, out, expected = list(_numbers(data)), list[int](), 0
    if len(numbers) % 2:
        raise ValueError("a list of pieces breaks off")
    for step, count in zip(numbers[::2], numbers[1::2], strict=True):
        first = expected + (-(step + 1 >> 1) if step & 1 else step >> 1)
        out.extend(range(first, first + count))
        expected = first + count
    return out


def sizes(values: Iterable[int]) -> bytes:
    """Some numbers, one after the other."""
    out = bytearray()
    for value in values:
        _number(out, value)
    return bytes(out)


def read_sizes(data: bytes) -> list[int]:
    """The numbers. Raises `ValueError` for bytes that are none."""
    return list(_numbers(data))


def _number(out: bytearray, value: int) -> None:
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)


def _numbers(data: bytes) -> Iterable[int]:
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        if byte & 128:
            shift += 7
        else:
            yield value
            value = shift = 0
    if shift:
        raise ValueError("a number breaks off")
