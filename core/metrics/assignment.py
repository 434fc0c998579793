"""The best one-to-one matching of truth classes and clusters."""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch
from core.metrics.associativity_peakiness import peaks
from core.metrics.metric import BoolArray
from core.table import IntArray

# Up to so many classes and clusters every matching is tried, 720 at most, for all tables
# at once. It is as fast as a solver and needs none.
_FEW = 6
# Sums of matchings held at a time.
_SUMS_AT_ONCE = 1 << 20
# Up to so many cells, or four for each that is not empty, a table is written out: that is
# the faster way, and it leaves the interpreter free for other threads.
_DENSE_CELLS = 1 << 20
_DENSE_SHARE = 4
# The solvers compute in double precision. No number in them is more than four times the
# largest count, so up to here all are whole numbers below 2**53.
_EXACT_COUNT = 1 << 51
# Above it Python's integers serve, which are slow, up to so many cells.
_EXACT_CELLS = 1 << 16


def matching(batch: CellBatch) -> IntArray:
    """Return the cell of each truth class in a best one-to-one matching, shape (R,).

    Parameters
    ----------
    batch : CellBatch

    Returns
    -------
    ndarray of int64
        Index of the cell of the matched cluster; -1 where a class has no cluster of its
        own, or none with an item of it. Where several matchings are best, one of them.

    Notes
    -----
    Exact, but for counts above 2**51 in tables of more than 2**16 cells, empty ones
    included: these enter rounded to double precision.
    """
    matched = np.full(len(batch.row_table), -1, np.int64)
    small = (batch.n_rows <= _FEW) & (batch.n_columns <= _FEW)
    if small.any():
        _try_all(batch, small, matched)
    if small.all():
        return matched
    settled = _settle_by_peaks(
        batch, matched, batch.row_table, batch.column_table, batch.n_tables, ~small
    )
    cells, rows, columns = (np.cumsum(n) for n in (batch.n_cells, batch.n_rows, batch.n_columns))
    for table in np.flatnonzero(~small & ~settled).tolist():
        r, c = int(batch.n_rows[table]), int(batch.n_columns[table])
        cell = np.arange(cells[table] - batch.n_cells[table], cells[table])
        if _is_sparse(r, c, len(cell)):
            _solve_parts(batch, cell, matched)
        else:
            row, column = batch.row[cell] - (rows[table] - r), batch.column[cell]
            _solve(batch, cell, row, column - (columns[table] - c), (r, c), matched)
    return matched


def column_largest(batch: CellBatch) -> IntArray:
    """Return the largest cell of each non-empty column, shape (C,)."""
    return batch.reduce_columns(np.maximum, batch.count)


@lru_cache(maxsize=_FEW * _FEW)
def _injections(rows: int, columns: int) -> IntArray:
    """Return every way to give ``rows`` a column each, shape (p, rows)."""
    return np.array(list(itertools.permutations(range(columns), rows)), np.int64)


def _try_all(batch: CellBatch, small: BoolArray, matched: IntArray) -> None:
    """Match the tables of a mask by trying every matching."""
    cell = np.flatnonzero(small[batch.cell_table])
    if not len(cell):
        return
    table = batch.cell_table[cell]
    row = batch.row[cell] - (np.cumsum(batch.n_rows) - batch.n_rows)[table]
    column = batch.column[cell] - (np.cumsum(batch.n_columns) - batch.n_columns)[table]
    if row.max() > column.max():
        row, column = column, row
    # Tables smaller than the largest are padded with empty rows and columns.
    r, c = int(row.max()) + 1, int(column.max()) + 1
    place = (np.cumsum(small) - 1)[table]
    # An empty cell has the number -1, and its count stands last.
    number = np.full((int(place[-1]) + 1, r, c), -1, np.int64)
    number[place, row, column] = cell
    count = np.append(batch.count, 0)
    ways = _injections(r, c)
    step = max(1, _SUMS_AT_ONCE // len(ways))
    for start in range(0, len(number), step):
        part = number[start : start + step]
        counts = count[part]
        sums = counts[:, 0, ways[:, 0]]
        for i in range(1, r):
            sums += counts[:, i, ways[:, i]]
        best = ways[np.argmax(sums, axis=1)]
        chosen = np.take_along_axis(part, best[:, :, None], axis=2).ravel()
        chosen = chosen[chosen >= 0]
        matched[batch.row[chosen]] = chosen


def _settle_by_peaks(
    batch: CellBatch,
    matched: IntArray,
    row_group: IntArray,
    column_group: IntArray,
    n_groups: int,
    wanted: BoolArray,
) -> BoolArray:
    """Match the groups whose rows, or whose columns, peak apart from each other.

    No matching can do better than give every row, or every column, its largest cell.

    Parameters
    ----------
    row_group, column_group : ndarray of int64, shape (R,) and (C,)
        The group of each row and column; a cell's row and column are in the same one.
    wanted : ndarray of bool, shape (n_groups,)
        The groups to match.

    Returns
    -------
    ndarray of bool, shape (n_groups,)
        Whether a group is matched.
    """
    of_row = batch.derive(peaks).first_cell
    of_column = _column_peaks(batch)
    by_row = wanted & ~_clashes(batch.column[of_row], row_group, n_groups)
    by_column = wanted & ~by_row & ~_clashes(batch.row[of_column], column_group, n_groups)
    rows = np.flatnonzero(by_row[row_group])
    matched[rows] = of_row[rows]
    cell = of_column[by_column[column_group]]
    matched[batch.row[cell]] = cell
    return by_row | by_column


def _clashes(peak: IntArray, group: IntArray, n_groups: int) -> BoolArray:
    """Return whether two lines of a group have the same peak, shape (n_groups,)."""
    clash = np.bincount(peak)[peak] > 1
    return np.bincount(group[clash], minlength=n_groups) > 0


def _column_peaks(batch: CellBatch) -> IntArray:
    """Return a largest cell of each column, shape (C,)."""
    largest = batch.derive(column_largest)
    cell = np.flatnonzero(batch.count == largest[batch.column])
    peak = np.empty(len(largest), np.int64)
    peak[batch.column[cell]] = cell
    return peak


def _solve_parts(batch: CellBatch, cell: IntArray, matched: IntArray) -> None:
    """Match a large table by its parts that share no row and no column."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n_rows, n_columns = len(batch.row_table), len(batch.column_table)
    graph = coo_array(
        (np.ones(len(cell), np.bool_), (batch.row[cell], n_rows + batch.column[cell])),
        shape=(n_rows + n_columns, n_rows + n_columns),
    )
    n_parts, part = connected_components(graph, directed=False)
    row_part, column_part = part[:n_rows], part[n_rows:]
    of_cell = row_part[batch.row[cell]]
    wanted = np.zeros(n_parts, np.bool_)
    wanted[of_cell] = True
    settled = _settle_by_peaks(batch, matched, row_part, column_part, n_parts, wanted)
    left = cell[~settled[of_cell]]
    of_left = row_part[batch.row[left]]
    order = np.argsort(of_left, kind="stable")
    ends = np.flatnonzero(np.diff(of_left[order])) + 1
    for some in np.split(left[order], ends) if len(left) else ():
        rows, row = np.unique(batch.row[some], return_inverse=True)
        columns, column = np.unique(batch.column[some], return_inverse=True)
        _solve(batch, some, row, column, (len(rows), len(columns)), matched)


def _solve(
    batch: CellBatch,
    cell: IntArray,
    row: IntArray,
    column: IntArray,
    shape: tuple[int, int],
    matched: IntArray,
) -> None:
    """Match the rows and columns of some cells, which are numbered from 0 in ``shape``."""
    count = batch.count[cell]
    r, c = shape
    if r > c:
        row, column, r, c = column, row, c, r
    if _is_sparse(r, c, len(cell)):
        pairs = _best_sparse(row, column, count, (r, c))
    else:
        dense = np.zeros((r, c), np.int64)
        dense[row, column] = count
        pairs = _best_dense(dense)
    number = np.full(r, -1, np.int64)
    number[pairs[0]] = pairs[1]
    chosen = cell[number[row] == column]
    matched[batch.row[chosen]] = chosen


def _is_sparse(rows: int, columns: int, cells: int) -> bool:
    return rows * columns > max(_DENSE_CELLS, _DENSE_SHARE * cells)


def _best_dense(counts: IntArray) -> tuple[IntArray, IntArray]:
    """Return rows and columns of a best matching; there are no more rows than columns."""
    if int(counts.max()) > _EXACT_COUNT and counts.size <= _EXACT_CELLS:
        return _best_exact(counts)
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(counts, maximize=True)
    return rows, columns


def _best_sparse(
    row: IntArray, column: IntArray, count: IntArray, shape: tuple[int, int]
) -> tuple[IntArray, IntArray]:
    """Return rows and columns of a best matching, from the non-empty cells alone."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    r, c = shape
    # The solver matches every row: each has an empty column of its own to fall back on.
    # A cost of 0 would count as no cell.
    nothing = float(count.max()) + 1.0
    own = np.arange(r)
    costs = coo_array(
        (
            np.concatenate([nothing - count, np.full(r, nothing)]),
            (np.concatenate([row, own]), np.concatenate([column, c + own])),
        ),
        shape=(r, c + r),
    )
    rows, columns = min_weight_full_bipartite_matching(costs.tocsr())
    real = columns < c
    return rows[real], columns[real]


def _best_exact(counts: IntArray) -> tuple[IntArray, IntArray]:
    """Return rows and columns of a best matching, in Python integers of any size.

    The Hungarian method, row by row along shortest augmenting paths (Jonker and
    Volgenant, Computing 38 (1987)).
    """
    r, c = counts.shape
    cost: npt.NDArray[Any] = -counts.astype(object)
    # Potentials of rows and columns; the row of each column. Number 0 stands for none.
    u, v = np.zeros(r + 1, object), np.zeros(c + 1, object)
    row_of = np.zeros(c + 1, np.int64)
    for row in range(1, r + 1):
        row_of[0], column = row, 0
        distance: npt.NDArray[Any] = np.full(c + 1, 1 << 70, object)
        before = np.zeros(c + 1, np.int64)
        seen = np.zeros(c + 1, np.bool_)
        while row_of[column]:
            seen[column] = True
            i = row_of[column]
            reduced = np.append(1 << 70, cost[i - 1]) - u[i] - v
            shorter = ~seen & (reduced < distance).astype(np.bool_)
            distance[shorter], before[shorter] = reduced[shorter], column
            open_columns = np.flatnonzero(~seen)
            column = int(open_columns[np.argmin(distance[open_columns])])
            step = distance[column]
            u[row_of[seen]] += step
            v[seen] -= step
            distance[open_columns] -= step
        while column:
            row_of[column], column = row_of[before[column]], int(before[column])
    columns = np.flatnonzero(row_of[1:])
    return row_of[1:][columns] - 1, columns
