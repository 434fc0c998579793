"""The distinct pairs of margins of tables: cells whose counts have the same law."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch
from core.chance.hypergeometric import CellLaw
from core.interruption import checkpoint
from core.table import IntArray

# Pairs at a time: some tenths of a second for which a caller who wants to stop has to wait,
# and some megabytes.
_PAIRS_AT_ONCE = 1 << 14

# Counts that stand for the law of one cell, about.
_NODES = 64


@dataclass(frozen=True, eq=False)
class PairBlock:
    """Some pairs of a distinct row sum and a distinct column sum of one table.

    Attributes
    ----------
    done, pairs : int
        Pairs in this block and those before it, and in all blocks.
    row, column : ndarray of int64, shape (p,)
        Their places among `MarginPairs.rows` and `MarginPairs.columns`.
    table : ndarray of int64, shape (p,)
        Table of each pair.
    repeats : ndarray of int64, shape (p,)
        Cells of the table that have this pair of margins.
    law : CellLaw
    """

    done: int
    pairs: int
    row: IntArray
    column: IntArray
    table: IntArray
    repeats: IntArray
    law: CellLaw


class DistinctMargins:
    """The distinct row sums (or column sums) of each table.

    Attributes
    ----------
    table, size, repeats : ndarray of int64, shape (d,)
        Table and size of each, and how many rows of the table have it.
    number, start : ndarray of int64, shape (k,)
        How many each table has, and where they begin.
    """

    def __init__(self, table: IntArray, size: IntArray, n_tables: int) -> None:
        order = np.lexsort((size, table))
        table, size = table[order], size[order]
        new = np.ones(len(size), dtype=np.bool_)
        new[1:] = (size[1:] != size[:-1]) | (table[1:] != table[:-1])
        first = np.flatnonzero(new)
        self.table: IntArray = table[first]
        self.size: IntArray = size[first]
        self.repeats: IntArray = np.diff(np.append(first, len(size)))
        self.number: IntArray = np.bincount(self.table, minlength=n_tables)
        self.start: IntArray = np.cumsum(self.number) - self.number


class MarginPairs:
    """All pairs of distinct margins of the tables of a batch, some at a time.

    Parameters
    ----------
    batch : CellBatch
    tables : ndarray of bool, shape (k,), optional
        The tables whose pairs are taken; all by default.

    Attributes
    ----------
    rows, columns : DistinctMargins
    """

    def __init__(self, batch: CellBatch, tables: npt.NDArray[np.bool_] | None = None) -> None:
        row_table, row_sum = batch.row_table, batch.row_sum
        column_table, column_sum = batch.column_table, batch.column_sum
        if tables is not None:
            rows, columns = tables[row_table], tables[column_table]
            row_table, row_sum = row_table[rows], row_sum[rows]
            column_table, column_sum = column_table[columns], column_sum[columns]
        self.total = batch.total
        self.rows = DistinctMargins(row_table, row_sum, batch.n_tables)
        self.columns = DistinctMargins(column_table, column_sum, batch.n_tables)

    def __len__(self) -> int:
        return int(self.columns.number[self.rows.table].sum())

    @cached_property
    def places(self) -> tuple[IntArray, IntArray]:
        """Row and column of every pair, in the order of the blocks, shape (p,) each."""
        per_row = self.columns.number[self.rows.table]
        row = np.repeat(np.arange(len(per_row)), per_row)
        first = np.repeat(np.cumsum(per_row) - per_row, per_row)
        return row, self.columns.start[self.rows.table[row]] + np.arange(len(row)) - first

    def __iter__(self) -> Iterator[PairBlock]:
        rows, columns = self.rows, self.columns
        # Every distinct row sum of a table meets every distinct column sum.
        per_row = columns.number[rows.table]
        ends = np.cumsum(per_row)
        start = 0
        while start < len(ends):
            checkpoint()
            done = int(ends[start - 1]) if start else 0
            stop = int(np.searchsorted(ends, done + _PAIRS_AT_ONCE, side="right"))
            stop = max(start + 1, stop)
            row = np.repeat(np.arange(start, stop), per_row[start:stop])
            first = np.repeat(ends[start:stop] - per_row[start:stop], per_row[start:stop])
            column = columns.start[rows.table[row]] + np.arange(done, done + len(row)) - first
            table = rows.table[row]
            yield PairBlock(
                done + len(row),
                int(ends[-1]),
                row,
                column,
                table,
                rows.repeats[row] * columns.repeats[column],
                CellLaw(rows.size[row], columns.size[column], self.total[table]),
            )
            start = stop


def margin_workload(row_sums: npt.ArrayLike, column_sums: npt.ArrayLike) -> int:
    """Return about how many probabilities an expectation over one table sums.

    Parameters
    ----------
    row_sums, column_sums : array_like of int
        Margins of the table.
    """
    rows, columns = np.unique(np.asarray(row_sums)), np.unique(np.asarray(column_sums))
    total = int(np.asarray(row_sums).sum(dtype=np.int64))
    return len(rows) * len(columns) * min(_NODES, total + 1)
