"""The largest sum of squared cells under given margins, by branch and bound.

A convex function over all tables with given margins is largest at a vertex of the
transportation polytope, and to find the best vertex is hard in general. So the search can be
stopped at any time and then tells what it has: the best table so far and an upper bound.

Notes
-----
In a table with the largest sum of squares the largest cell ``x_ij`` fills its row or its
column. Otherwise let ``y`` be another cell of row i, in column l, and ``z`` another cell of
column j, in row k. To move ``t = min(y, z)`` items from these two to ``x_ij`` and ``x_kl``
adds ``2 t (x_ij + x_kl - |y - z|)``, which is above 0 because ``x_ij >= max(y, z)``.
Without the line that is filled, the rest is a smaller problem of the same kind whose cells
are no larger. So the search fills cells in falling order, each with all that its row or its
column has left; what is left of the margins, with the size of the last cell, is all that it
has to know.

An item in a cell of n items adds n to the sum, and n is at most the size of its row, of its
column and of the last cell. Summed over the items, the smaller of the two sizes is largest
where rows and columns are paired off in order of size, since ``min(a, b)`` is supermodular
(Hoffman 1963). That is the first bound. The second fills each row with the largest columns
as if no other row wanted them, the third each column with the largest rows.

A row and a column of one size s fill each other in some best table. Let their cell lack
``d <= s`` items, in other cells ``y`` of the row and ``z`` of the column. To fill it and to
lay out w with the margins y and z in the rest adds at least
``d^2 - sum y^2 - sum z^2 + sum w^2``, and that is the number of ordered pairs of d items that
y and z both keep apart.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.interruption import checkpoint
from core.table import Cells

Sizes = tuple[int, ...]
Move = tuple[int, int]

# Lines looked at between two looks of whoever drives the search: some milliseconds.
_LINES_AT_ONCE = 8_000

# Partial tables that were reached stay in memory: each takes some 8 bytes a line, and as
# much again as 60 lines. It ends before a gigabyte.
_MOST_KEPT_LINES = 100_000_000
_KEPT_OVERHEAD = 60

# With more rows and columns, only the bound of the whole table is taken.
_MOST_LINES = 20_000


@dataclass(frozen=True, eq=False)
class LargestSquares:
    """How far the search for the largest sum of squares has come.

    Attributes
    ----------
    bound : int
        No table has a larger sum of squares.
    cells : Cells
        The best table so far; when its sum of squares is the bound, none is better.
    steps : int
        Partial tables looked at.
    """

    bound: int
    cells: Cells
    steps: int


def largest_squares_parts(
    rows: Sequence[int], columns: Sequence[int], steps: int | None = None
) -> Iterator[LargestSquares]:
    """Search for the table with the largest sum of squares, so that a caller may stop.

    Parameters
    ----------
    rows, columns : sequence of int
        Margins, all positive, with the same total.
    steps : int, optional
        Partial tables looked at, at most. Without it the search ends with a proof, or when
        it would need too much memory.

    Yields
    ------
    LargestSquares
        Some milliseconds apart for tables of ordinary size. The bound never rises, and the
        table never gets worse. None of them depends on the order of rows or columns.
    """
    search = _Search(rows, columns, steps)
    for _ in search.run():
        yield search.state()
    yield search.state()


def corner_table(rows: Sequence[int], columns: Sequence[int]) -> Cells:
    """Return the table whose cells are filled from the corner where the largest lines meet.

    Its sum of squares does not depend on the order of rows or columns.
    """
    falling = tuple(tuple(sorted(sizes, reverse=True)) for sizes in (rows, columns))
    return _table(rows, columns, _corner(*falling))


# Bounds


def _pair_bound(rows: Sequence[int], columns: Sequence[int], most: int) -> int:
    """Return the sum over items of the smallest of row, column and ``most``, paired by rank.

    Sizes are given in falling order.
    """
    i = j = bound = 0
    last = len(rows) - 1
    a = left_a = rows[0]
    b = left_b = columns[0]
    while True:
        items = left_a if left_a < left_b else left_b
        size = a if a < b else b
        bound += items * (size if size < most else most)
        left_a -= items
        left_b -= items
        if not left_a:
            if i == last:
                return bound
            i += 1
            a = left_a = rows[i]
        if not left_b:
            j += 1
            b = left_b = columns[j]


def _fill_bound(lines: Sequence[int], across: Sequence[int], most: int) -> int | None:
    """Return the sum of squares where each line takes the largest that lie across it.

    Sizes are given in falling order; None if a line cannot be filled with cells of ``most``.
    """
    bound = k = held = squares = 0
    n = len(across)
    for size in reversed(lines):
        # The lines grow, and with them the number of whole lines that they take.
        while k < n:
            cell = across[k] if across[k] < most else most
            if held + cell > size:
                break
            held += cell
            squares += cell * cell
            k += 1
        rest = size - held
        if rest and k == n:
            return None
        bound += squares + rest * rest
    return bound


def _bound(rows: Sequence[int], columns: Sequence[int], most: int) -> int | None:
    """Return what no table with cells of at most ``most`` can exceed; None if there is none."""
    by_rows = _fill_bound(rows, columns, most)
    if by_rows is None:
        return None
    by_columns = _fill_bound(columns, rows, most)
    if by_columns is None:
        return None
    return min(by_rows, by_columns, _pair_bound(rows, columns, most))


# Tables from moves; a move is what a row and a column have left when their cell is filled


def _dive(rows: Sequence[int], columns: Sequence[int], tight: bool) -> list[Move]:
    """Fill the largest possible cell again and again.

    The smaller of the largest row and the largest column goes into the other, or, where
    ``tight``, into the smallest across it that can hold it.
    """
    sides = sorted(rows), sorted(columns)
    moves: list[Move] = []
    while sides[0]:
        fits = 0 if sides[0][-1] < sides[1][-1] else 1
        x = sides[fits].pop()
        others = sides[1 - fits]
        size = others.pop(bisect_left(others, x) if tight else -1)
        if size > x:
            insort(others, size - x)
        moves.append((size, x) if fits else (x, size))
    return moves


def _table(rows: Sequence[int], columns: Sequence[int], moves: Sequence[Move]) -> Cells:
    """Return the cells that moves fill; of lines with the same left it does not matter which."""
    places: list[dict[int, list[int]]] = [{}, {}]
    for side, sizes in zip(places, (rows, columns), strict=True):
        for line, size in enumerate(sizes):
            side.setdefault(size, []).append(line)
    cells = []
    for move in moves:
        x = min(move)
        lines = [side[size].pop() for side, size in zip(places, move, strict=True)]
        cells.append((*lines, x))
        for side, size, line in zip(places, move, lines, strict=True):
            if size > x:
                side.setdefault(size - x, []).append(line)
    return Cells(*np.array(sorted(cells), np.int64).T)


class _Search:
    """Best first: of the open partial tables, the one with the highest bound is next."""

    def __init__(self, rows: Sequence[int], columns: Sequence[int], steps: int | None) -> None:
        self._margins = (rows, columns)
        self._limit = steps
        self._steps = 0
        equal = Counter(rows) & Counter(columns)
        self._equal = [(size, size) for size in sorted(equal.elements())]
        self._base = sum(size * size for size, _ in self._equal)
        self._rows = tuple(sorted((Counter(rows) - equal).elements(), reverse=True))
        self._columns = tuple(sorted((Counter(columns) - equal).elements(), reverse=True))
        # A sum of squares is odd where N is.
        self._odd = sum(rows) % 2
        lines = len(self._rows) + len(self._columns)
        self._most_kept = _MOST_KEPT_LINES // (lines + _KEPT_OVERHEAD)
        self._open: list[tuple[Any, ...]] = []
        self._reached: dict[tuple[Sizes, Sizes], tuple[int, int]] = {}
        self._lines_seen = 0
        self._found = -1
        self._keep(self._base, None, _corner(self._rows, self._columns))
        rest = _bound(self._rows, self._columns, sum(rows)) if self._rows else 0
        self._bound = self._even(self._base + (rest or 0))

    def state(self) -> LargestSquares:
        """Return what is known now."""
        return LargestSquares(max(self._bound, self._found), self._cells, self._steps)

    def run(self) -> Iterator[None]:
        """Search, and yield now and then."""
        if not self._rows or len(self._rows) + len(self._columns) > _MOST_LINES:
            return
        self._dives(self._base, None, self._rows, self._columns)
        yield
        most = min(self._rows[0], self._columns[0])
        self._open.append((-self._bound, 0, self._base, most, self._rows, self._columns, None))
        while self._open:
            self._bound = min(self._bound, self._even(-self._open[0][0]))
            if self._bound <= self._found:
                return
            if self._spent() or len(self._reached) > self._most_kept:
                return
            _, _, *partial = heapq.heappop(self._open)
            yield from self._extend(*partial)
            if self._spent():
                return
        self._bound = self._found

    def _step(self, rows: Sizes, columns: Sizes) -> bool:
        """Count a step, and say whether it is time to let the caller look."""
        self._steps += 1
        self._lines_seen += len(rows) + len(columns)
        if self._lines_seen <= _LINES_AT_ONCE:
            return False
        checkpoint()
        self._lines_seen = 0
        return True

    def _spent(self) -> bool:
        return self._limit is not None and self._steps >= self._limit

    def _even(self, bound: int) -> int:
        return bound - (bound + self._odd) % 2

    def _promising(self, value: int, rest: int | None) -> bool:
        return rest is not None and self._even(value + rest) > self._found

    def _extend(
        self, value: int, most: int, rows: Sizes, columns: Sizes, path: Any
    ) -> Iterator[None]:
        """Fill each cell that may be the largest of the rest."""
        better, larger = self._reached.get((rows, columns), (value, most))
        if better >= value and larger >= most and (better, larger) != (value, most):
            # A better way to the same rest came after this one.
            return
        self._dives(value, path, rows, columns)
        for x, moves in _candidates(rows, columns, most):
            if self._spent():
                return
            if self._step(rows, columns):
                yield
            if not self._promising(value, _bound(rows, columns, x)):
                # Smaller cells have smaller bounds.
                return
            for move in moves:
                if self._spent():
                    return
                if self._step(rows, columns):
                    yield
                self._fill(value, path, rows, columns, move)

    def _fill(self, value: int, path: Any, rows: Sizes, columns: Sizes, move: Move) -> None:
        """Fill one cell, and keep the partial table if it may lead to a better one."""
        x = min(move)
        value += x * x
        path = (path, move)
        left = _without(rows, move[0], x), _without(columns, move[1], x)
        if not left[0]:
            self._keep(value, path, [])
            return
        rest = _bound(*left, x)
        if not self._promising(value, rest):
            return
        better, larger = self._reached.get(left, (-1, -1))
        if better >= value and larger >= x:
            return
        if better <= value and larger <= x:
            self._reached[left] = (value, x)
        # Among equal bounds the latest: it is likely to be the furthest.
        heapq.heappush(self._open, (-value - (rest or 0), -self._steps, value, x, *left, path))

    def _dives(self, value: int, path: Any, rows: Sizes, columns: Sizes) -> None:
        for tight in (True, False):
            self._keep(value, path, _dive(rows, columns, tight))

    def _keep(self, value: int, path: Any, moves: list[Move]) -> None:
        """Keep a whole table if it is the best so far."""
        value += sum(min(move) ** 2 for move in moves)
        if value <= self._found:
            return
        self._found = value
        before: list[Move] = []
        while path is not None:
            path, move = path
            before.append(move)
        self._cells = _table(*self._margins, [*self._equal, *reversed(before), *moves])


def _corner(rows: Sizes, columns: Sizes) -> list[Move]:
    """Return the moves that fill cells from the corner where the largest lines meet."""
    moves = []
    i = j = 0
    a, b = list(rows), list(columns)
    while i < len(a):
        moves.append((a[i], b[j]))
        x = min(a[i], b[j])
        a[i] -= x
        b[j] -= x
        i, j = i + (not a[i]), j + (not b[j])
    return moves


def _without(sizes: Sizes, size: int, items: int) -> Sizes:
    """Return sizes in falling order after one of them has lost items."""
    changed = list(sizes)
    changed.remove(size)
    if size > items:
        insort(changed, size - items, key=int.__neg__)
    return tuple(changed)


def _candidates(rows: Sizes, columns: Sizes, most: int) -> Iterator[tuple[int, list[Move]]]:
    """Yield counts of at most ``most`` in falling order, with the moves that fill such a cell."""
    of_rows, of_columns = dict.fromkeys(rows), dict.fromkeys(columns)
    for x in sorted({*of_rows, *of_columns}, reverse=True):
        if x > most:
            continue
        moves = [(x, b) for b in of_columns if b >= x] if x in of_rows else []
        if x in of_columns:
            moves += [(a, x) for a in of_rows if a > x]
        if moves:
            yield x, moves
