"""The non-empty cells and margins of one or many tables, as flat arrays."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from core.table import ContingencyTable, IntArray, TableError, checked_counts

FloatArray = npt.NDArray[np.float64]

_R = TypeVar("_R")
_Number = TypeVar("_Number", bound=np.generic)


@dataclass(frozen=True, eq=False)
class CellBatch:
    """Cells and margins of ``k`` tables; empty rows and columns are left out.

    Cells stand table by table, in each table row by row, in each row by column. Rows
    and columns are numbered through the whole batch, so one pass of numpy serves all
    tables. What an array of cells costs does not depend on r x c.

    Attributes
    ----------
    shapes : ndarray of int64, shape (k, 2)
        Rows and columns of each table as given, empty ones included.
    row, column, count : ndarray of int64, shape (m,)
        Row, column (both numbered through the batch) and count of each cell.
    row_table, column_table : ndarray of int64, shape (R,) and (C,)
        The table that each row and column belongs to.
    row_place, column_place : ndarray of int64, shape (R,) and (C,)
        Its index in that table, empty rows and columns counted.
    """

    shapes: IntArray
    row: IntArray
    column: IntArray
    count: IntArray
    row_table: IntArray
    row_place: IntArray
    column_table: IntArray
    column_place: IntArray
    _memo: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    # Construction

    @classmethod
    def of(cls, tables: ContingencyTable | Sequence[ContingencyTable] | npt.ArrayLike) -> CellBatch:
        """Return the batch of a table, a list of tables, or counts of shape (k, r, c)."""
        if isinstance(tables, ContingencyTable):
            return cls.from_tables([tables])
        if isinstance(tables, np.ndarray) and tables.ndim == 3:
            return cls.from_array(tables)
        return cls.from_tables([table_of(t, i) for i, t in enumerate(tables)])  # type: ignore[arg-type]

    @classmethod
    def from_array(cls, counts: npt.ArrayLike) -> CellBatch:
        """Return the batch of tables of one shape.

        Parameters
        ----------
        counts : array_like of shape (k, r, c)
            Non-negative whole numbers.

        Raises
        ------
        TableError
            If a count is wrong; the message names table, row and column.
        """
        array = checked_counts(counts, ndim=3)
        k, r, c = array.shape
        counts = array.reshape(-1)
        flat = np.flatnonzero(counts)
        # A quotient by one number is many times as fast as divmod.
        raw_row = flat // c
        raw_column = flat - (raw_row - raw_row // r) * c
        return cls._build(np.full((k, 2), (r, c)), raw_row, raw_column, counts[flat])

    @classmethod
    def from_tables(cls, tables: Sequence[ContingencyTable]) -> CellBatch:
        """Return the batch of tables of any shapes."""
        shapes = np.array([t.shape for t in tables], np.int64).reshape(-1, 2)
        if len(tables) == 1:
            cells = tables[0].cells
            return cls._build(shapes, cells.rows, cells.columns, cells.counts)
        offsets = np.cumsum(shapes, axis=0) - shapes
        lengths = [len(t.cells.counts) for t in tables]
        empty = np.empty(0, np.int64)
        row = np.concatenate([t.cells.rows for t in tables] or [empty])
        column = np.concatenate([t.cells.columns for t in tables] or [empty])
        return cls._build(
            shapes,
            row + np.repeat(offsets[:, 0], lengths),
            column + np.repeat(offsets[:, 1], lengths),
            np.concatenate([t.cells.counts for t in tables] or [empty]),
        )

    @classmethod
    def _build(
        cls, shapes: IntArray, raw_row: IntArray, raw_column: IntArray, count: IntArray
    ) -> CellBatch:
        row, row_table, row_place = _compress(raw_row, shapes[:, 0])
        column, column_table, column_place = _compress(raw_column, shapes[:, 1])
        return cls(shapes, row, column, count, row_table, row_place, column_table, column_place)

    # Sizes and margins

    @property
    def n_tables(self) -> int:
        """Number of tables, k."""
        return len(self.shapes)

    @cached_property
    def cell_table(self) -> IntArray:
        """The table of each cell, shape (m,)."""
        return self.row_table[self.row]

    @cached_property
    def n_rows(self) -> IntArray:
        """Number of non-empty rows of each table, shape (k,)."""
        return np.bincount(self.row_table, minlength=self.n_tables)

    @cached_property
    def n_columns(self) -> IntArray:
        """Number of non-empty columns of each table, shape (k,)."""
        return np.bincount(self.column_table, minlength=self.n_tables)

    @cached_property
    def n_cells(self) -> IntArray:
        """Number of non-empty cells of each table, shape (k,)."""
        return np.bincount(self.cell_table, minlength=self.n_tables)

    @cached_property
    def row_start(self) -> IntArray:
        """Index of the first cell of each row, shape (R,)."""
        return group_starts(self.row)

    @cached_property
    def row_sum(self) -> IntArray:
        """Size of each truth class, shape (R,)."""
        return self.reduce_rows(np.add, self.count)

    @cached_property
    def column_sum(self) -> IntArray:
        """Size of each cluster, shape (C,)."""
        n = len(self.column_table)
        if self.total.sum(dtype=np.float64) < 2.0**53:
            # Sums below 2**53 are exact in double precision, and this is the fast way.
            return np.bincount(self.column, self.count, minlength=n).astype(np.int64)
        sums = np.zeros(n, np.int64)
        np.add.at(sums, self.column, self.count)
        return sums

    @cached_property
    def total(self) -> IntArray:
        """Number of items of each table, shape (k,)."""
        return self.sum_rows(self.row_sum)

    @cached_property
    def total_float(self) -> FloatArray:
        """``total`` in double precision, with 1 for an empty table so that it can divide."""
        return np.maximum(self.total, 1).astype(np.float64)

    @cached_property
    def identical(self) -> npt.NDArray[np.bool_]:
        """Whether the two partitions are the same but for names, shape (k,).

        Then and only then every row and every column has one cell.
        """
        same: npt.NDArray[np.bool_] = (self.n_cells == self.n_rows) & (
            self.n_cells == self.n_columns
        )
        return same

    # Reductions

    def reduce_rows(self, ufunc: np.ufunc, values: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
        """Reduce values of cells (m,) to rows (R,)."""
        return _reduce(ufunc, values, self.row_start)

    def reduce_columns(self, ufunc: np.ufunc, values: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
        """Reduce values of cells (m,) to columns (C,)."""
        order, start = self._by_column
        return _reduce(ufunc, values[order], start)

    @cached_property
    def _by_column(self) -> tuple[IntArray, IntArray]:
        order = np.argsort(self.column, kind="stable")
        return order, group_starts(self.column[order])

    def sum_cells(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Sum values of cells (m,) by table (k,)."""
        return _sum_groups(values, *self._cell_groups)

    def sum_rows(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Sum values of rows (R,) by table (k,)."""
        return _sum_groups(values, *self._row_groups)

    def sum_columns(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Sum values of columns (C,) by table (k,)."""
        return _sum_groups(values, *self._column_groups)

    @cached_property
    def _cell_groups(self) -> tuple[IntArray, npt.NDArray[np.bool_] | None]:
        return _groups(self.n_cells)

    @cached_property
    def _row_groups(self) -> tuple[IntArray, npt.NDArray[np.bool_] | None]:
        return _groups(self.n_rows)

    @cached_property
    def _column_groups(self) -> tuple[IntArray, npt.NDArray[np.bool_] | None]:
        return _groups(self.n_columns)

    # Shared intermediate results

    def derive(
        self,
        function: Callable[..., _R],
        *args: Hashable,
    ) -> _R:
        """Return ``function(self, *args)``, computed once for this batch.

        Metrics share sums (pair counts, entropies, expectations) through this.
        """
        key = (function, args)
        if key not in self._memo:
            self._memo[key] = function(self, *args)
        result: _R = self._memo[key]
        return result

    def remember(self, function: Callable[..., _R], value: _R, *args: Hashable) -> None:
        """Keep the value of ``function(self, *args)`` that a caller computed step by step."""
        self._memo[(function, args)] = value

    def knows(self, function: Callable[..., Any], *args: Hashable) -> bool:
        """Say whether ``function(self, *args)`` has been computed."""
        return (function, args) in self._memo


def table_of(table: Any, number: int) -> ContingencyTable:
    """Return an item of a list as a table; an error names its place in the list."""
    if isinstance(table, ContingencyTable):
        return table
    try:
        return ContingencyTable(table)
    except TableError as error:
        stop = ":" if error.row is None else ","
        raise TableError(
            f"table {number + 1}{stop} {error.message}",
            row=error.row,
            column=error.column,
            value=error.value,
        ) from None


def _compress(raw: IntArray, sizes: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Number the rows (or columns) that occur; return their tables and places too."""
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    table = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(total) - (ends - sizes)[table]
    occurs = np.zeros(total, np.bool_)
    occurs[raw] = True
    if occurs.all():
        return raw, table, place
    new = np.cumsum(occurs) - 1
    return new[raw], table[occurs], place[occurs]


def group_starts(sorted_numbers: npt.NDArray[Any]) -> IntArray:
    """Return where each number begins in a sorted array."""
    begins = np.ones(len(sorted_numbers), np.bool_)
    np.not_equal(sorted_numbers[1:], sorted_numbers[:-1], out=begins[1:])
    return np.flatnonzero(begins)


def _reduce(
    ufunc: np.ufunc, values: npt.NDArray[_Number], starts: IntArray
) -> npt.NDArray[_Number]:
    if not len(starts):
        return values[:0]
    reduced: npt.NDArray[_Number] = ufunc.reduceat(values, starts)
    return reduced


def _groups(lengths: IntArray) -> tuple[IntArray, npt.NDArray[np.bool_] | None]:
    """Return where groups of the given lengths start, and which are filled if not all are."""
    starts = np.cumsum(lengths) - lengths
    filled = lengths > 0
    return (starts, None) if filled.all() else (starts[filled], filled)


def _sum_groups(
    values: npt.NDArray[Any], starts: IntArray, filled: npt.NDArray[np.bool_] | None
) -> npt.NDArray[Any]:
    """Sum consecutive groups; an empty group sums to 0."""
    sums = np.add.reduceat(values, starts) if len(starts) else values[:0]
    if filled is None:
        return sums
    spread = np.zeros(len(filled), dtype=values.dtype)
    spread[filled] = sums
    return spread
