"""The smallest sum of squared cells under given margins, exactly.

To find whole numbers with given row and column sums and the smallest sum of squares is a
transportation problem with separable convex costs, so whole numbers are no harder than real
ones, and a pair of potentials proves a solution.

Notes
-----
With potentials ``u_i`` of rows and ``v_j`` of columns, whole numbers, let ``w = u_i + v_j``.
Every table with the margins a and b has

    sum x_ij^2 = sum a_i u_i + sum b_j v_j - sum (w x_ij - x_ij^2)
              >= sum a_i u_i + sum b_j v_j - sum floor(w/2) ceil(w/2)   over cells of w > 0,

with equality where every x_ij is a whole number next to w/2, or 0 where w <= 0. So a table of
such cells is proven to be best. The search raises the right side: a maximum flow tells
whether such a table exists, and where it does not, its smallest cut is a direction in which
the right side grows (Karzanov and McCormick 1997, Murota 2003). It starts from the potentials
of the problem in real numbers, found by filling rows and columns in turn, which are a few
whole numbers away at most: three flows are the rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from core.interruption import checkpoint
from core.table import Cells, IntArray

# Larger tables are bounded, but not solved: the flow takes some hundred bytes a cell.
MOST_CELLS = 1 << 21

# Rows and columns are filled in turn at most so often: some microseconds a time.
_SWEEPS = 4_000

# Margins of every kind tried take at most some twenty flows; beyond, the table is left open.
_MOST_FLOWS = 1_000

# Potentials of larger tables lose digits in double precision.
_EXACT_TOTAL = 1 << 48

_Numbers = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class SmallestSquares:
    """How far the search for the smallest sum of squares has come.

    Attributes
    ----------
    bound : int
        No table has a smaller sum of squares.
    cells : Cells or None
        Once it is found, a table whose sum of squares is the bound.
    """

    bound: int
    cells: Cells | None = None


def smallest_squares_parts(
    rows: Sequence[int], columns: Sequence[int]
) -> Iterator[SmallestSquares]:
    """Find the table with the smallest sum of squares, so that a caller may stop in between.

    Parameters
    ----------
    rows, columns : sequence of int
        Margins, all positive, with the same total.

    Yields
    ------
    SmallestSquares
        The bound never falls. The last one has the table, unless there are more than
        ``MOST_CELLS`` cells, or the flows come to no end.
    """
    # A whole number is no larger than its square.
    items = sum(rows)
    ascent = _Ascent(rows, columns, *_first_potentials(rows, columns))
    yield SmallestSquares(max(items, ascent.value()))
    if len(rows) * len(columns) > MOST_CELLS:
        return
    for _ in range(_MOST_FLOWS):
        checkpoint()
        if ascent.step():
            yield SmallestSquares(ascent.value(), ascent.cells())
            return
        yield SmallestSquares(max(items, ascent.value()))


def _first_potentials(rows: Sequence[int], columns: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return potentials of about the best table of real numbers ``max(0, u_i + v_j) / 2``."""
    twice_a, twice_b = ([2 * n for n in sums] for sums in (rows, columns))
    total = sum(twice_a)
    a, b = np.array(twice_a, np.float64), np.array(twice_b, np.float64)
    v: _Numbers = b / len(a) - total / (2.0 * len(a) * len(b))
    u, v = _fill_in_turn(a, b, v, max(0.1, 1e-14 * total))
    whole_u, whole_v = ([round(x) for x in numbers.tolist()] for numbers in (u, v))
    if total > _EXACT_TOTAL:
        # The last digits, in whole numbers.
        a, b = np.array(twice_a, object), np.array(twice_b, object)
        u, v = _fill_in_turn(a, b, np.array(whole_v, object), 2)
        whole_u, whole_v = u.tolist(), v.tolist()
    return whole_u, whole_v


def _fill_in_turn(a: _Numbers, b: _Numbers, v: _Numbers, near: float) -> tuple[_Numbers, _Numbers]:
    """Fill the rows and the columns in turn, until the potentials change by less."""
    for _ in range(_SWEEPS):
        checkpoint()
        u = _filled(a, v)
        before, v = v, _filled(b, u)
        if abs(v - before).max() < near:
            break
    return u, v


def _filled(sums: _Numbers, across: _Numbers) -> _Numbers:
    """Return the p for which ``sum_j max(0, p + across_j)`` is each of the sums.

    Python's integers are rounded to such.
    """
    falling = np.sort(across)[::-1]
    prefix = np.cumsum(np.append([across[0] * 0], falling))
    # The sum at which each term begins to be positive.
    begins = prefix[:-1] - np.arange(len(falling)) * falling
    positive = np.maximum(np.searchsorted(begins, sums), 1)
    short = sums - prefix[positive]
    whole = short.dtype == object
    filled: _Numbers = (2 * short + positive) // (2 * positive) if whole else short / positive
    return filled


class _Ascent:
    """Potentials, and the flow that tells how to better them."""

    def __init__(
        self, rows: Sequence[int], columns: Sequence[int], u: Sequence[int], v: Sequence[int]
    ) -> None:
        total = sum(rows)
        # Potentials stay below 4 N; no sum over the cells may overflow.
        fits = 8 * total * len(rows) * len(columns) < 1 << 62
        dtype: Any = np.int64 if fits else object
        self._a, self._b, self._u, self._v = (
            np.array(numbers, dtype) for numbers in (rows, columns, u, v)
        )
        self._x: _Numbers = np.zeros((0, 0), dtype)

    def value(self) -> int:
        """Return the right side: no table has a smaller sum of squares.

        It costs no more than the rows and columns: sorted, a row meets a prefix of the
        columns with positive w, and ``floor(w/2) ceil(w/2) = (w^2 - w mod 2) / 4``.
        """
        u, v = self._u.tolist(), sorted(self._v.tolist(), reverse=True)
        first = [0, *accumulate(v)]
        second = [0, *accumulate(x * x for x in v)]
        odd = [0, *accumulate(x % 2 for x in v)]
        rising = -np.array(v, self._v.dtype)
        four = 0
        for x, k in zip(u, np.searchsorted(rising, self._u).tolist(), strict=True):
            four += k * x * x + 2 * x * first[k] + second[k]
            four -= k - odd[k] if x % 2 else odd[k]
        rows = sum(map(int.__mul__, self._a.tolist(), u))
        columns = sum(map(int.__mul__, self._b.tolist(), self._v.tolist()))
        return rows + columns - four // 4

    def cells(self) -> Cells:
        """Return the table that the last step found."""
        i, j = np.nonzero(self._x)
        return Cells(i, j, self._x[i, j].astype(np.int64))

    def step(self) -> bool:
        """Look for a table that fits the potentials, and better them where there is none."""
        w = self._u[:, None] + self._v
        low, high = np.maximum(w // 2, 0), np.maximum((w + 1) // 2, 0)
        x = self._x = low + _flow(high > low, self._a - low.sum(1), self._b - low.sum(0))
        row_lacks = np.asarray(self._a > x.sum(1), np.bool_)
        column_exceeds = np.asarray(self._b < x.sum(0), np.bool_)
        if not (row_lacks.any() or column_exceeds.any()):
            # Every row has enough and no column too much, so all have what they should.
            return True
        up, down = _reachable(row_lacks, column_exceeds, x < high, x > low)
        gain = self._a[up].sum() - self._b[down].sum()
        length = _longest(gain, w[up][:, ~down], w[~up][:, down])
        self._u[up] += length
        self._v[down] -= length
        return False


def _flow(free: npt.NDArray[np.bool_], supply: _Numbers, demand: _Numbers) -> IntArray:
    """Return which free cells to raise by 1, shape (r, c), so that most is supplied.

    A row takes its supply at most, a column its demand; a negative one is none.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    r, c = free.shape
    i, j = np.nonzero(free)
    # No line takes more than it has free cells, so 32 bits are enough.
    of_rows = np.clip(supply, 0, free.sum(1)).astype(np.int32)
    of_columns = np.clip(demand, 0, free.sum(0)).astype(np.int32)
    source, sink = r + c, r + c + 1
    tail = np.concatenate([i, np.full(r, source), np.arange(r, r + c)])
    head = np.concatenate([j + r, np.arange(r), np.full(c, sink)])
    capacity = np.concatenate([np.ones(len(i), np.int32), of_rows, of_columns])
    graph = csr_array((capacity, (tail, head)), shape=(r + c + 2, r + c + 2))
    taken: IntArray = maximum_flow(graph, source, sink).flow[:r, r : r + c].toarray()
    return taken.astype(np.int64)


def _reachable(
    rows: npt.NDArray[np.bool_],
    columns: npt.NDArray[np.bool_],
    can_rise: npt.NDArray[Any],
    can_fall: npt.NDArray[Any],
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return the lines that a missing item can be passed on to, by cells that may change."""
    rise, fall = can_rise.astype(np.bool_), can_fall.astype(np.bool_)
    while True:
        more_columns = columns | rise[rows].any(0)
        more_rows = rows | fall[:, more_columns].any(1)
        if (more_columns == columns).all() and (more_rows == rows).all():
            return rows, columns
        rows, columns = more_rows, more_columns


def _longest(gain: Any, rising: _Numbers, falling: _Numbers) -> int:
    """Return how far the value grows when some cells' w rise and others' fall together.

    The next step of 1 gains what the rows that rise and the columns that fall hold, less
    the new high ends of the cells that rise, plus the low ends of those that fall; it gains
    less with every step.
    """

    def grows(steps: int) -> bool:
        highs = np.maximum((rising + steps + 1) // 2, 0).sum()
        lows = np.maximum((falling - steps) // 2, 0).sum()
        return bool(gain - highs + lows > 0)

    too_far = 1
    while grows(too_far):
        too_far *= 2
    far = too_far // 2
    while too_far - far > 1:
        middle = (far + too_far) // 2
        if grows(middle):
            far = middle
        else:
            too_far = middle
    return too_far
