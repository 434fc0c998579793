"""The cells of tables, the empty ones among them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.cells import CellBatch
from core.table import IntArray


@dataclass(frozen=True, eq=False)
class CellsWithEmpty:
    """The cells of a batch, the empty ones too for tables that have few of them.

    Attributes
    ----------
    row, column, table, count : ndarray of int64, shape (m,)
    whole : ndarray of bool, shape (k,)
        Whether all cells of a table are here.
    """

    row: IntArray
    column: IntArray
    table: IntArray
    count: IntArray
    whole: np.ndarray[tuple[int], np.dtype[np.bool_]]


# Empty cells are listed up to so many times the others.
_MOST_EMPTY = 3


def cells_with_empty(batch: CellBatch) -> CellsWithEmpty:
    """Return the cells of a batch, with the empty ones of tables that have few of them."""
    row, column, count = batch.row, batch.column, batch.count
    places = batch.n_rows * batch.n_columns
    whole = places <= (_MOST_EMPTY + 1) * batch.n_cells
    if (places[whole] > batch.n_cells[whole]).any():
        start = np.cumsum(batch.n_columns) - batch.n_columns
        rows = np.flatnonzero(whole[batch.row_table])
        across = batch.n_columns[batch.row_table[rows]]
        every_row = np.repeat(rows, across)
        first = np.repeat(np.cumsum(across) - across, across)
        every_column = start[batch.row_table[every_row]] + np.arange(len(first)) - first
        base = np.zeros(len(batch.row_table), np.int64)
        base[rows] = np.cumsum(across) - across
        filled = np.flatnonzero(whole[batch.cell_table])
        at = base[row[filled]] + column[filled] - start[batch.cell_table[filled]]
        empty = np.ones(len(every_row), np.bool_)
        empty[at] = False
        row = np.concatenate([row, every_row[empty]])
        column = np.concatenate([column, every_column[empty]])
        count = np.concatenate([count, np.zeros(len(row) - len(count), np.int64)])
    return CellsWithEmpty(row, column, batch.row_table[row], count, whole)
