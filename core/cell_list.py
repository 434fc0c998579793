"""The non-empty cells of a table as lists, checked."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.counts import IntArray, TableError, checked_counts, place


class Cells(NamedTuple):
    """The non-empty cells of a table, row by row, in each row by column."""

    rows: IntArray
    columns: IntArray
    counts: IntArray


def checked_cells(
    shape: tuple[int, int], rows: npt.ArrayLike, columns: npt.ArrayLike, counts: npt.ArrayLike
) -> Cells:
    """Return named cells in order, repeated places added, or say what is wrong with them.

    Parameters
    ----------
    shape : (int, int)
        Numbers of rows and columns.
    rows, columns, counts : array_like of shape (m,)
        Place and count of each cell, in any order.

    Returns
    -------
    Cells

    Raises
    ------
    TableError
        If a count is wrong or a place lies outside the shape.
    """
    if min(shape) < 1:
        raise TableError("the table has no cells: it needs at least one row and one column")
    row, column = np.asarray(rows), np.asarray(columns)
    values = counts if isinstance(counts, np.ndarray) else np.array(counts, dtype=object)
    if not row.shape == column.shape == values.shape or values.ndim != 1:
        raise TableError("rows, columns and counts must be lists of the same length")
    if not values.size:
        empty = np.empty(0, np.int64)
        return frozen_cells(empty, empty, empty)
    if not (row.dtype.kind in "iu" and column.dtype.kind in "iu"):
        raise TableError("the places of cells must be whole numbers, counted from 0")
    if row.min() < 0 or row.max() >= shape[0] or column.min() < 0 or column.max() >= shape[1]:
        raise TableError(f"a cell lies outside the shape {shape[0]} x {shape[1]}")
    try:
        count = checked_counts(values.reshape(1, -1))[0]
    except TableError as error:
        if error.column is None:
            raise
        where = (int(row[error.column]), int(column[error.column]))
        fault = error.message.partition(": ")[2]
        raise TableError(
            f"{place(*where)}: {fault}", row=where[0], column=where[1], value=error.value
        ) from None
    code = row.astype(np.int64) * shape[1] + column.astype(np.int64)
    if not (np.diff(code) > 0).all():
        code, inverse = np.unique(code, return_inverse=True)
        summed = np.zeros(len(code), np.int64)
        np.add.at(summed, inverse, count)
        count = summed
    keep = np.flatnonzero(count)
    code = code[keep]
    return frozen_cells(code // shape[1], code % shape[1], count[keep])


def frozen_cells(rows: IntArray, columns: IntArray, counts: IntArray) -> Cells:
    """Return cells that are known to be right, in order; the arrays are taken over."""
    cells = Cells(
        *(np.ascontiguousarray(a, dtype=np.int64) for a in (rows, columns, counts)),
    )
    for array in cells:
        array.flags.writeable = False
    return cells
