"""The contingency table: counts and names, checked once, immutable."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal
from functools import cached_property
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]

# Cells searched at a time, about a millisecond's work.
_PIECE = 1 << 18

MAX_TOTAL = int(np.iinfo(np.int64).max)

# numpy's integers and floats are registered as Real, its boolean is not.
_NUMBERS: tuple[Any, ...] = (Real, Decimal, np.bool_)

_NO_NUMBER = "is not a number"
_NOT_WHOLE = "is not a whole number: counts are whole, weights are not counts"
_NEGATIVE = "is negative: a count must be 0 or a positive whole number"
_TOO_LARGE = f"is larger than {MAX_TOTAL}"


class TableError(ValueError):
    """Input that is not a contingency table.

    The message names the place as a person counts it, from 1; the attributes
    count from 0, as code does.

    Parameters
    ----------
    message : str
        One sentence: what is wrong, where, and what to do.
    row, column : int or None
        Zero-based place of the fault in the table, where there is one.
    value : object
        The offending value, where there is one.
    """

    def __init__(
        self,
        message: str,
        *,
        row: int | None = None,
        column: int | None = None,
        value: object = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.row = row
        self.column = column
        self.value = value


class Cells(NamedTuple):
    """The non-empty cells of a table, row by row, in each row by column."""

    rows: IntArray
    columns: IntArray
    counts: IntArray


def place(row: int, column: int | None = None) -> str:
    """Return the words that name a cell, counted from 1."""
    return f"row {row + 1}" if column is None else f"row {row + 1}, column {column + 1}"


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


def checked_counts(counts: npt.ArrayLike, *, ndim: int = 2) -> IntArray:
    """Return counts as a fresh C-ordered int64 array, or say what is wrong with them.

    Parameters
    ----------
    counts : array_like of shape (r, c), or (k, r, c) if ``ndim`` is 3
        Non-negative whole numbers. Floats are accepted where they are whole.
    ndim : {2, 3}
        Number of axes expected.

    Returns
    -------
    ndarray of int64
        A copy: later changes to the input do not reach it.

    Raises
    ------
    TableError
        If a count is negative, fractional, missing or not a number, if the shape is
        wrong or if the total is more than 9,223,372,036,854,775,807.
    """
    if isinstance(counts, np.ma.MaskedArray):
        if np.ma.getmaskarray(counts).any():
            raise TableError("the table has masked cells: fill them with counts first")
        counts = counts.data
    counts = np.asarray(counts) if isinstance(counts, np.ndarray) else _array_of(counts)
    if counts.ndim != ndim:
        raise TableError(
            f"a table has rows and columns; this input has {counts.ndim} axes"
            if ndim == 2
            else f"a stack of tables has three axes (table, row, column), not {counts.ndim}"
        )
    if counts.shape[-1] == 0 or counts.shape[-2] == 0:
        raise TableError("the table has no cells: it needs at least one row and one column")
    if counts.dtype.kind not in "iu":
        counts = _whole_numbers(counts)
    elif counts.dtype.kind == "u" and counts.size and int(counts.max()) > MAX_TOTAL:
        where = _first(counts > MAX_TOTAL)
        raise _cell_error(where, int(counts[where]), _TOO_LARGE)
    if counts.dtype.kind == "i" and counts.size and counts.min() < 0:
        where = _first(counts < 0)
        raise _cell_error(where, int(counts[where]), _NEGATIVE)
    result = np.array(counts, dtype=np.int64, order="C")
    if result.size:
        _check_total(result)
    return result


def _check_total(counts: IntArray) -> None:
    """Refuse a table whose total does not fit 64 bits."""
    largest = int(counts.max())
    cells = counts.shape[-1] * counts.shape[-2]
    if largest * cells <= MAX_TOTAL:
        return
    for table in counts.reshape(-1, cells):
        if sum(table.tolist()) > MAX_TOTAL:
            raise TableError(
                "the counts add up to more than 9223372036854775807: divide them by a common factor"
            )


def _array_of(counts: Any) -> npt.NDArray[Any]:
    """Return nested sequences as an array; name the first ragged row."""
    if hasattr(counts, "__array__"):
        return np.asarray(counts)
    try:
        outer = list(counts)
    except TypeError:
        raise TableError(f"a table is a list of rows of counts, not {counts!r}") from None
    if not outer:
        return np.empty((0, 0), dtype=np.int64)
    lengths: list[int] = []
    for i, row in enumerate(outer):
        if isinstance(row, str | bytes) or not hasattr(row, "__len__"):
            raise TableError(
                f"{place(i)} is {row!r}: each row must be a list of counts", row=i, value=row
            )
        lengths.append(len(row))
        if lengths[i] != lengths[0]:
            raise TableError(
                f"{place(i)} has {lengths[i]} cells where row 1 has {lengths[0]}: "
                "give every row the same number of cells",
                row=i,
            )
    try:
        array = np.asarray(outer)
    except (ValueError, OverflowError):
        array = np.array(outer, dtype=object)
    if array.dtype.kind not in "biuO":
        # A mix of floats and large integers would already have lost digits, and one word
        # among numbers would have made words of all.
        array = np.array(outer, dtype=object)
    return array


def _whole_numbers(counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return booleans, floats or Python objects as integers if every one is whole."""
    if counts.dtype.kind == "b":
        return counts.astype(np.int64)
    if counts.dtype.kind == "f":
        wrong = ~np.isfinite(counts) | (counts != np.floor(counts))
        if wrong.any():
            where = _first(wrong)
            value = float(counts[where])
            raise _cell_error(where, value, _NOT_WHOLE if np.isfinite(value) else _NO_NUMBER)
        too_large = counts >= np.float64(2.0**63)  # float16 has no such number
        if too_large.any():
            where = _first(too_large)
            raise _cell_error(where, float(counts[where]), _TOO_LARGE)
        return counts.astype(np.int64)
    if counts.dtype.kind != "O":
        where = (0,) * counts.ndim
        raise _cell_error(where, counts[where].item(), _NO_NUMBER)
    whole = np.empty(counts.shape, dtype=np.int64)
    for where in np.ndindex(counts.shape):
        whole[where] = _whole_number(counts[where], where)
    return whole


def _whole_number(value: Any, where: tuple[int, ...]) -> int:
    if not isinstance(value, _NUMBERS):
        raise _cell_error(where, value, _NO_NUMBER)
    try:
        number = int(value)
    except (ValueError, OverflowError):  # NaN, infinity
        raise _cell_error(where, _plain(value), _NO_NUMBER) from None
    if number != value:
        raise _cell_error(where, _plain(value), _NOT_WHOLE)
    if number < 0:
        raise _cell_error(where, _plain(value), _NEGATIVE)
    if number > MAX_TOTAL:
        raise _cell_error(where, _plain(value), _TOO_LARGE)
    return number


def _plain(value: Any) -> object:
    """Return the Python number that a numpy scalar holds, which people read more easily."""
    return value.item() if isinstance(value, np.generic) else value


def _first(wrong: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.argwhere(wrong)[0])


def _cell_error(where: tuple[int, ...], value: object, fault: str) -> TableError:
    row, column = where[-2], where[-1]
    prefix = f"table {where[0] + 1}, " if len(where) == 3 else ""
    return TableError(
        f"{prefix}{place(row, column)}: {value!r} {fault}", row=row, column=column, value=value
    )


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
        truth_names, rows = _encode(truth_labels, "truth label")
        cluster_names, columns = _encode(cluster_labels, "cluster label")
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


def _encode(labels: Iterable[Hashable], what: str) -> tuple[tuple[str, ...], IntArray]:
    """Return the names of the distinct labels and the code of each item."""
    if not isinstance(labels, np.ndarray):
        labels = np.asarray(labels) if hasattr(labels, "__array__") else _listed(labels, what)
    if isinstance(labels, np.ndarray) and labels.ndim != 1:
        raise TableError(f"{what}s must be one column, not an array of {labels.ndim} axes")
    if isinstance(labels, np.ma.MaskedArray):
        if (masked := np.flatnonzero(np.ma.getmaskarray(labels))).size:
            raise _missing(what, int(masked[0]))
        labels = labels.data
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "biufUS":
        if labels.dtype.kind == "f" and np.isnan(labels).any():
            raise _missing(what, int(np.flatnonzero(np.isnan(labels))[0]))
        if labels.dtype.kind in "iu" and labels.size:
            low, high = int(labels.min()), int(labels.max())
            if high - low < 4 * labels.size + 1024 and abs(low) < 2**62:
                # Small integers: counting is several times faster than sorting.
                shifted = labels.astype(np.int64) - low
                present = np.bincount(shifted, minlength=high - low + 1) > 0
                code_of = np.cumsum(present) - 1
                values = np.flatnonzero(present) + low
                return tuple(map(str, values.tolist())), code_of[shifted]
        values, codes = np.unique(labels, return_inverse=True)
        return tuple(_label_name(v) for v in values.tolist()), codes.astype(np.int64)
    return _encode_objects(labels, what)


def _encode_objects(labels: Any, what: str) -> tuple[tuple[str, ...], IntArray]:
    code_of: dict[Hashable, int] = {}
    codes = np.empty(len(labels), dtype=np.int64)
    for i, label in enumerate(labels):
        try:
            codes[i] = code_of.setdefault(label, len(code_of))
        except TypeError:
            raise TableError(
                f"{what} {i + 1} is {label!r}, which cannot serve as a label", row=i, value=label
            ) from None
    missing = [label for label in code_of if _is_missing(label)]
    if missing:
        first = min(code_of[label] for label in missing)
        raise _missing(what, int(np.flatnonzero(codes == first)[0]))
    distinct = list(code_of)
    try:
        order = sorted(range(len(distinct)), key=distinct.__getitem__)  # type: ignore[arg-type]
    except TypeError:
        order = list(range(len(distinct)))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return tuple(_label_name(distinct[i]) for i in order), rank[codes]


def _listed(labels: Any, what: str) -> list[Any]:
    try:
        return list(labels)
    except TypeError:
        raise TableError(f"{what}s must be a list with one for each item, not {labels!r}") from None


def _is_missing(label: object) -> bool:
    """Say whether a label is None, NaN, NaT or the like: all but None differ from themselves."""
    try:
        return label is None or bool(label != label)
    except TypeError:
        # Such as pandas.NA, which neither equals itself nor differs.
        return True


def _label_name(label: object) -> str:
    return label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)


def _missing(what: str, i: int) -> TableError:
    return TableError(
        f"{what} {i + 1} is missing: drop the item or give the label a name", row=i, value=None
    )


__all__ = ["Cells", "ContingencyTable", "IntArray", "TableError", "checked_counts", "default_names"]
