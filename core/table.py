"""The contingency table: counts and names, checked once, immutable."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.counts import MAX_TOTAL, IntArray, TableError, checked_counts, place
from core.labels import encode

__all__ = [
    "MAX_TOTAL",
    "Cells",
    "ContingencyTable",
    "IntArray",
    "TableError",
    "checked_counts",
    "default_names",
]

# Cells searched at a time, about a millisecond's work.
_PIECE = 1 << 18


class Cells(NamedTuple):
    """The non-empty cells of a table, row by row, in each row by column."""

    rows: IntArray
    columns: IntArray
    counts: IntArray


def default_names(prefix: str, n: int, taken: Iterable[str] = ()) -> tuple[str, ...]:
    """Return ``n`` names ``prefix1, prefix2, ...`` that are not in ``taken``."""
    used = set(taken)
    names: list[str] = []
    number = 0
    while len(names) < n:
        number += 1
        if (name := f"{prefix}{number}") not in used:
            names.append(name)
    return tuple(names)


class ContingencyTable:
    """Counts of items by truth class (row) and cluster (column).

    Checked once when it is made; immutable afterwards. Only the non-empty cells are
    stored, so a table of 8,000 by 7,000 labels costs what its items cost.

    Parameters
    ----------
    counts : array_like of shape (r, c), or a scipy.sparse matrix or array
        Non-negative whole numbers.
    truth : sequence of str, optional
        Names of the truth classes, ``T1, T2, ...`` by default.
    clusters : sequence of str, optional
        Names of the clusters, ``C1, C2, ...`` by default.

    Raises
    ------
    TableError
        If a count or the shape is wrong; the error names row, column and value.

    Examples
    --------
    >>> table = ContingencyTable([[8, 2], [1, 9]], truth=["cat", "dog"])
    >>> table.shape, table.total, table.clusters
    ((2, 2), 20, ('C1', 'C2'))
    """

    def __init__(
        self,
        counts: Any,
        truth: Sequence[str] | None = None,
        clusters: Sequence[str] | None = None,
    ) -> None:
        if hasattr(counts, "tocoo"):
            self._init_sparse(counts)
        else:
            dense = checked_counts(counts)
            dense.flags.writeable = False
            # cached_property stores in __dict__, so this pre-fills it.
            self.__dict__["counts"] = dense
            self._shape = (int(dense.shape[0]), int(dense.shape[1]))
        self._truth = _names(truth, self._shape[0], "T", "truth class", "rows")
        self._clusters = _names(clusters, self._shape[1], "C", "cluster", "columns")

    def _init_sparse(self, matrix: Any) -> None:
        if len(matrix.shape) != 2:
            raise TableError(f"a table has rows and columns; this input has {matrix.ndim} axes")
        # _checked_cells adds duplicates: scipy adds them in their own dtype, in which int8
        # overflows and True + True is True.
        coo = matrix.tocoo()
        self._shape = (int(coo.shape[0]), int(coo.shape[1]))
        self.__dict__["cells"] = _checked_cells(self._shape, coo.row, coo.col, coo.data)

    @classmethod
    def from_labels(
        cls, truth_labels: Iterable[Hashable], cluster_labels: Iterable[Hashable]
    ) -> ContingencyTable:
        """Count the items of each class in each cluster.

        Parameters
        ----------
        truth_labels, cluster_labels : iterable of hashable, of equal length
            The truth class and the cluster of each item. Labels become names through
            ``str``; they are put in order where they can be compared with each other,
            else they stand in the order of their first appearance.

        Returns
        -------
        ContingencyTable

        Raises
        ------
        TableError
            If the lengths differ, there is no item, or a label is missing (NaN).

        Examples
        --------
        >>> table = ContingencyTable.from_labels(["a", "b", "a"], [0, 1, 1])
        >>> table.counts.tolist(), table.truth, table.clusters
        ([[1, 1], [0, 1]], ('a', 'b'), ('0', '1'))
        """
        truth_names, rows = encode(truth_labels, "truth label")
        cluster_names, columns = encode(cluster_labels, "cluster label")
        if len(rows) != len(columns):
            raise TableError(
                f"there are {len(rows)} truth labels but {len(columns)} cluster labels: "
                "give every item one of each"
            )
        if not len(rows):
            raise TableError("there are no labels: give at least one item")
        shape = (len(truth_names), len(cluster_names))
        if shape[0] * shape[1] <= 4 * len(rows):
            flat = np.bincount(rows * shape[1] + columns, minlength=shape[0] * shape[1])
            codes = np.flatnonzero(flat)
            counts = flat[codes]
        else:
            codes, counts = np.unique(rows * shape[1] + columns, return_counts=True)
        return cls.from_cells(
            shape,
            codes // shape[1],
            codes % shape[1],
            counts,
            truth=truth_names,
            clusters=cluster_names,
        )

    @classmethod
    def from_cells(
        cls,
        shape: tuple[int, int],
        rows: npt.ArrayLike,
        columns: npt.ArrayLike,
        counts: npt.ArrayLike,
        truth: Sequence[str] | None = None,
        clusters: Sequence[str] | None = None,
    ) -> ContingencyTable:
        """Make a table from its cells; cells that are not named are 0.

        Parameters
        ----------
        shape : (int, int)
            Numbers of truth classes and clusters.
        rows, columns, counts : array_like of shape (m,)
            Place and count of each cell, in any order; repeated places are added.
        truth, clusters : sequence of str, optional
            Names.

        Returns
        -------
        ContingencyTable

        Raises
        ------
        TableError
            If a count is wrong or a place lies outside the shape.
        """
        cells = _checked_cells(shape, rows, columns, counts)
        table = cls.__new__(cls)
        table._shape = (int(shape[0]), int(shape[1]))
        table.__dict__["cells"] = cells
        table._truth = _names(truth, shape[0], "T", "truth class", "rows")
        table._clusters = _names(clusters, shape[1], "C", "cluster", "columns")
        return table

    @classmethod
    def from_checked(
        cls, counts: IntArray, truth: Sequence[str], clusters: Sequence[str]
    ) -> ContingencyTable:
        """Make a table from counts that are known to be right, without looking at them.

        Parameters
        ----------
        counts : ndarray of int64, shape (r, c)
            As `checked_counts` returns them. The table takes them over: nobody may
            change them afterwards.
        truth, clusters : sequence of str
            Names.

        Returns
        -------
        ContingencyTable
        """
        counts.flags.writeable = False
        table = cls.__new__(cls)
        table._shape = (int(counts.shape[0]), int(counts.shape[1]))
        table.__dict__["counts"] = counts
        table._truth = tuple(truth)
        table._clusters = tuple(clusters)
        return table

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of truth classes (rows) and clusters (columns), empty ones included."""
        return self._shape

    @property
    def truth(self) -> tuple[str, ...]:
        """Names of the truth classes."""
        return self._truth

    @property
    def clusters(self) -> tuple[str, ...]:
        """Names of the clusters."""
        return self._clusters

    @cached_property
    def counts(self) -> IntArray:
        """The whole table, shape (r, c), read-only. Made on demand where it is sparse."""
        dense = np.zeros(self._shape, dtype=np.int64)
        dense[self.cells.rows, self.cells.columns] = self.cells.counts
        dense.flags.writeable = False
        return dense

    @cached_property
    def cells(self) -> Cells:
        """The non-empty cells, row by row."""
        counts = self.counts.reshape(-1)
        # In pieces, because numpy holds the interpreter's lock while it searches, and a
        # window may be waiting for it.
        flat = np.concatenate(
            [
                np.flatnonzero(counts[start : start + _PIECE]) + start
                for start in range(0, len(counts), _PIECE)
            ]
        )
        rows, columns = np.divmod(flat, self._shape[1])
        return _frozen(rows, columns, counts[flat])

    @cached_property
    def total(self) -> int:
        """Number of items, N."""
        return int(self.cells.counts.sum())

    @cached_property
    def row_sums(self) -> IntArray:
        """Size of each truth class, shape (r,)."""
        return self._margin(self.cells.rows, self._shape[0])

    @cached_property
    def column_sums(self) -> IntArray:
        """Size of each cluster, shape (c,)."""
        return self._margin(self.cells.columns, self._shape[1])

    def _margin(self, index: IntArray, n: int) -> IntArray:
        sums = np.zeros(n, dtype=np.int64)
        np.add.at(sums, index, self.cells.counts)
        sums.flags.writeable = False
        return sums

    def transpose(self) -> ContingencyTable:
        """Return the table with truth classes and clusters exchanged."""
        rows, columns, counts = self.cells
        return ContingencyTable.from_cells(
            (self._shape[1], self._shape[0]),
            columns,
            rows,
            counts,
            truth=self._clusters,
            clusters=self._truth,
        )

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        return (
            self._shape == other._shape
            and self._truth == other._truth
            and self._clusters == other._clusters
            and all(np.array_equal(a, b) for a, b in zip(self.cells, other.cells, strict=True))
        )

    def __hash__(self) -> int:
        return hash((self._shape, self._truth, self._clusters, self.cells.counts.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        # Arrays that are unpickled could be written to; those made anew cannot.
        return type(self).from_cells, (self._shape, *self.cells, self._truth, self._clusters)

    def __repr__(self) -> str:
        r, c = self._shape
        return f"<ContingencyTable: {r} truth classes x {c} clusters, N = {self.total:,}>"


def _checked_cells(
    shape: tuple[int, int], rows: npt.ArrayLike, columns: npt.ArrayLike, counts: npt.ArrayLike
) -> Cells:
    """Return named cells in order, repeated places added, or say what is wrong with them."""
    if min(shape) < 1:
        raise TableError("the table has no cells: it needs at least one row and one column")
    row, column = np.asarray(rows), np.asarray(columns)
    values = counts if isinstance(counts, np.ndarray) else np.array(counts, dtype=object)
    if not row.shape == column.shape == values.shape or values.ndim != 1:
        raise TableError("rows, columns and counts must be lists of the same length")
    if not values.size:
        empty = np.empty(0, np.int64)
        return _frozen(empty, empty, empty)
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
    return _frozen(code // shape[1], code % shape[1], count[keep])


def _frozen(rows: IntArray, columns: IntArray, counts: IntArray) -> Cells:
    cells = Cells(
        *(np.ascontiguousarray(a, dtype=np.int64) for a in (rows, columns, counts)),
    )
    for array in cells:
        array.flags.writeable = False
    return cells


def _names(
    names: Sequence[str] | None, n: int, prefix: str, what: str, axis: str
) -> tuple[str, ...]:
    if names is None:
        return default_names(prefix, n)
    given = tuple(names) if not isinstance(names, str) else (names,)
    if len(given) != n:
        raise TableError(f"there are {len(given)} {what} names for {n} {axis}")
    for i, name in enumerate(given):
        if not isinstance(name, str):
            raise TableError(f"{what} name {i + 1} is {name!r}: names are text", value=name)
    return given
