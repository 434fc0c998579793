"""How small and how large the sum of squared cells can be under given margins.

The sum of squares, and nothing else of the cells, decides Rand, adjusted Rand, Jaccard and
Fowlkes-Mallows of a table with given margins, and each of them grows with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.chance.concentration import largest_squares_parts
from core.chance.transport import smallest_squares_parts
from core.table import Cells

# Up to this total a sum of squares fits in 64 bits.
_SQUARES_FIT = 3_000_000_000


@dataclass(frozen=True, eq=False)
class Extreme:
    """One end of the sums of squares under given margins, as far as it is known.

    Attributes
    ----------
    cells : Cells
        The best table found.
    found : int
        Its sum of squares.
    bound : int
        What no table with these margins can pass, on the outer side of ``found``.
    steps : int
        Partial tables that the search has looked at.
    """

    cells: Cells
    found: int
    bound: int
    steps: int = 0

    @property
    def proven(self) -> bool:
        """Whether no table is better than the best one found."""
        return self.found == self.bound


def sum_of_squares(cells: Cells) -> int:
    """Return the sum of the squared counts, exactly."""
    counts = cells.counts
    if counts.sum(dtype=np.float64) < _SQUARES_FIT:
        return int((counts * counts).sum())
    return sum(n * n for n in counts.tolist())


def smallest_extreme_parts(
    rows: Sequence[int], columns: Sequence[int], known: Cells
) -> Iterator[Extreme]:
    """Find the table with the smallest sum of squares, so that a caller may stop in between.

    Parameters
    ----------
    rows, columns : sequence of int
        Margins, all positive, with the same total.
    known : Cells
        Any table with these margins, to begin with.

    Yields
    ------
    Extreme
        The last one is proven, unless there are more than ``transport.MOST_CELLS`` cells.
    """
    if min(len(rows), len(columns)) == 1:
        yield _only(known)
        return
    if len(rows) == len(columns) == 2:
        yield _proven(_two_by_two(rows, columns)[0])
        return
    found = sum_of_squares(known)
    for part in smallest_squares_parts(rows, columns):
        if part.cells is not None:
            known, found = part.cells, sum_of_squares(part.cells)
        yield Extreme(known, found, part.bound)


def largest_extreme_parts(
    rows: Sequence[int], columns: Sequence[int], known: Cells, steps: int | None = None
) -> Iterator[Extreme]:
    """Search for the table with the largest sum of squares, so that a caller may stop.

    Parameters
    ----------
    rows, columns, known
        As in `smallest_extreme_parts`.
    steps : int, optional
        Partial tables looked at, at most.

    Yields
    ------
    Extreme
        The last one is proven if the steps and the memory were enough.
    """
    if min(len(rows), len(columns)) == 1:
        yield _only(known)
        return
    if len(rows) == len(columns) == 2:
        yield _proven(_two_by_two(rows, columns)[1])
        return
    found = sum_of_squares(known)
    for part in largest_squares_parts(rows, columns, steps):
        reached = sum_of_squares(part.cells)
        if reached >= found:
            known, found = part.cells, reached
        yield Extreme(known, found, part.bound, part.steps)


def _only(known: Cells) -> Extreme:
    """Return the only table that has these margins: one of them has one line."""
    return _proven(known)


def _proven(cells: Cells) -> Extreme:
    found = sum_of_squares(cells)
    return Extreme(cells, found, found)


def _two_by_two(rows: Sequence[int], columns: Sequence[int]) -> tuple[Cells, Cells]:
    """Return the tables with the smallest and the largest sum of squares.

    Notes
    -----
    Chacón, Explicit agreement extremes for a 2 x 2 table with given marginals (2021), without
    the relabelling there. With k items in the first cell the sum of squares is
    ``4 (k - v)^2`` and a constant, where ``v = (2 a + 2 b - N) / 4``: it is smallest at the
    whole number nearest to v that the margins allow, and largest at the end further from v.
    """
    a, b, total = rows[0], columns[0], sum(rows)
    low, high = max(0, a + b - total), min(a, b)
    four_v = 2 * (a + b) - total
    nearest = min(max((four_v + 2) // 4, low), high)
    furthest = low if four_v - 4 * low > 4 * high - four_v else high

    def cells(k: int) -> Cells:
        counts = np.array([k, a - k, b - k, total - a - b + k], np.int64)
        flat = np.flatnonzero(counts)
        return Cells(flat // 2, flat % 2, counts[flat])

    return cells(nearest), cells(furthest)
