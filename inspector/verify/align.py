"""Pairing the items of two arrays, so that one missing message is one difference."""

from collections.abc import Callable, Iterator

type Pair = tuple[int | None, int | None]
type Same = Callable[[int, int], bool]

WIDEST = 10_000
"""Greatest number of item pairs tried with every other; beyond it only equal ends are paired."""


def pairs(left: int, right: int, same: Same) -> list[Pair]:
    """Pair `left` with `right` items: equal ones first, then what stands between them in order."""
    head = 0
    while head < min(left, right) and same(head, head):
        head += 1
    tail = 0
    while tail < min(left, right) - head and same(left - 1 - tail, right - 1 - tail):
        tail += 1
    middle = list(_middle((head, left - tail), (head, right - tail), same))
    return [
        *((number, number) for number in range(head)),
        *middle,
        *((left - tail + number, right - tail + number) for number in range(tail)),
    ]


def _middle(left: tuple[int, int], right: tuple[int, int], same: Same) -> Iterator[Pair]:
    rows, columns = left[1] - left[0], right[1] - right[0]
    anchors: list[tuple[int, int]] = []
    if 0 < rows * columns <= WIDEST:
        anchors = list(_anchors(left, right, same))
    low, other = left[0], right[0]
    for row, column in [*anchors, (left[1], right[1])]:
        yield from _between((low, row), (other, column))
        if row < left[1] and column < right[1]:
            yield row, column
        low, other = row + 1, column + 1


def _between(left: tuple[int, int], right: tuple[int, int]) -> Iterator[Pair]:
    """Between two anchors: items pair in order, the surplus stands alone."""
    count = min(left[1] - left[0], right[1] - right[0])
    for step in range(count):
        yield left[0] + step, right[0] + step
    for row in range(left[0] + count, left[1]):
        yield row, None
    for column in range(right[0] + count, right[1]):
        yield None, column


def _anchors(
    left: tuple[int, int], right: tuple[int, int], same: Same
) -> Iterator[tuple[int, int]]:
    """A longest common subsequence of the two ranges."""
    rows, columns = left[1] - left[0], right[1] - right[0]
    grid = [[same(left[0] + i, right[0] + j) for j in range(columns)] for i in range(rows)]
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            keep = best[i + 1][j + 1] + 1 if grid[i][j] else 0
            best[i][j] = max(keep, best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < rows and j < columns:
        if grid[i][j] and best[i][j] == best[i + 1][j + 1] + 1:
            yield left[0] + i, right[0] + j
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
