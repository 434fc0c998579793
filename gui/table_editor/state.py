"""The table under edit, and what an edit of it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from core.noise import Noise
from core.table import (
    MAX_TOTAL,
    ContingencyTable,
    IntArray,
    TableError,
    checked_counts,
)
from gui.table_editor.boxes import Place

#: Side of the squares in which a table is transposed; they fit the processor's cache.
_SQUARE = 64

#: What a name takes besides its letters.
_NAME_BYTES = 57

#: Cells that a table in the editor may have.
MAX_CELLS = 16_000_000


class TableState:
    """The table under edit: counts, names, and the margins that follow from the counts.

    Parameters
    ----------
    counts : array_like of shape (r, c)
        Non-negative whole numbers; copied.
    truth : sequence of str
        Names of the r truth classes.
    clusters : sequence of str
        Names of the c clusters.

    Attributes
    ----------
    counts : ndarray of int64, shape (r, c)
    truth, clusters : list of str
    row_sums, row_max, row_peaks : ndarray of int64, shape (r,)
        Size of each class, its largest cell, and how many cells are that large
        (0 in an empty class).
    column_sums : ndarray of int64, shape (c,)
    total, largest : int
        N, and the largest cell.
    noise : Noise or None
        How noise was dealt with when the table was made from labels.

    Raises
    ------
    TableError
        If a count is wrong or there are more than 16,000,000 cells.
    """

    def __init__(
        self, counts: npt.ArrayLike, truth: Sequence[str], clusters: Sequence[str]
    ) -> None:
        self.counts: IntArray = checked_counts(counts)
        check_size(*self.counts.shape)
        self.truth = list(truth)
        self.clusters = list(clusters)
        check_names(self.truth, self.counts.shape[0])
        check_names(self.clusters, self.counts.shape[1])
        self.noise: Noise | None = None
        #: Called with each `Step` before and after it is applied.
        self.before_step: Callable[[Step], None] | None = None
        self.after_step: Callable[[Step], None] | None = None
        self.refresh()

    @classmethod
    def of(cls, table: ContingencyTable) -> TableState:
        """Return a state that starts from a table."""
        check_size(*table.shape)
        state = cls(table.counts, table.truth, table.clusters)
        state.noise = table.noise
        return state

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of truth classes (rows) and clusters (columns)."""
        return self.counts.shape[0], self.counts.shape[1]

    def table(self) -> ContingencyTable:
        """Return an immutable copy."""
        # The counts were checked when they came in, so they need not be again.
        return ContingencyTable.from_checked(
            np.array(self.counts, order="C"), self.truth, self.clusters
        ).with_noise(self.noise)

    def exchange(self, other: TableState) -> None:
        """Take over the table of another state, and give it this one's; copies nothing."""
        for name in _TABLE_FIELDS:
            mine, theirs = getattr(self, name), getattr(other, name)
            setattr(self, name, theirs)
            setattr(other, name, mine)

    def copy(self) -> TableState:
        """Return another state with the same table and no listeners."""
        state = TableState(self.counts, self.truth, self.clusters)
        state.noise = self.noise
        return state

    def refresh(self) -> None:
        """Compute the margins from all counts."""
        self.row_sums: IntArray = self.counts.sum(axis=1)
        self.column_sums: IntArray = self.counts.sum(axis=0)
        self.row_max: IntArray = self.counts.max(axis=1)
        self.row_peaks = _peaks(self.counts, self.row_max)
        self._finish()

    def transpose(self) -> None:
        """Exchange classes and clusters."""
        self.counts = _transposed(self.counts)
        self.truth, self.clusters = self.clusters, self.truth
        self.noise = None if self.noise is None else self.noise.transposed()
        self.row_sums, self.column_sums = self.column_sums, self.row_sums
        self.row_max = self.counts.max(axis=1)
        self.row_peaks = _peaks(self.counts, self.row_max)
        self._finish()

    def write(self, rows: IntArray, columns: IntArray, values: IntArray) -> None:
        """Write distinct cells, indexed as `SetCells` does, and keep the margins fresh."""
        area = area_of(rows, columns)
        change = values - self.counts[area]
        self.counts[area] = values
        lines: slice | IntArray
        if change.ndim == 2:
            lines = _line_up(rows[:, 0])
            self.row_sums[lines] += change.sum(axis=1)
            self.column_sums[_line_up(columns[0])] += change.sum(axis=0)
        else:
            np.add.at(self.row_sums, rows, change)
            np.add.at(self.column_sums, columns, change)
            touched = np.zeros(self.shape[0], dtype=bool)
            touched[rows] = True
            lines = np.flatnonzero(touched)
        counts = self.counts[lines]
        largest = counts.max(axis=1)
        self.row_max[lines] = largest
        self.row_peaks[lines] = _peaks(counts, largest)
        self._finish()

    def _finish(self) -> None:
        self.total = int(self.row_sums.sum())
        self.largest = int(self.row_max.max())


def area_of(rows: IntArray, columns: IntArray) -> tuple[Any, Any]:
    """Return what indexes the cells that `SetCells` names; slices where that is possible."""
    if rows.ndim == 1:
        return rows, columns
    down, across = _line_up(rows[:, 0]), _line_up(columns[0])
    if isinstance(down, slice) and isinstance(across, slice):
        return down, across
    return rows, columns


def _line_up(lines: IntArray) -> slice | IntArray:
    """Return consecutive lines as a slice, others as they are."""
    if lines.size and lines[0] >= 0 and (np.diff(lines) == 1).all():
        return slice(int(lines[0]), int(lines[-1]) + 1)
    return lines


def _transposed(counts: IntArray) -> IntArray:
    """Return the transpose in its own memory, square by square: ten times as fast."""
    rows, columns = counts.shape
    result = np.empty((columns, rows), dtype=counts.dtype)
    for i in range(0, rows, _SQUARE):
        for j in range(0, columns, _SQUARE):
            part = counts[i : i + _SQUARE, j : j + _SQUARE]
            result[j : j + _SQUARE, i : i + _SQUARE] = part.T
    return result


#: What makes up a table under edit; the rest of a state are its listeners.
_TABLE_FIELDS = (
    *("counts", "truth", "clusters", "row_sums", "column_sums"),
    *("row_max", "row_peaks", "total", "largest", "noise"),
)


def _peaks(counts: IntArray, row_max: IntArray) -> IntArray:
    peaks = (counts == row_max[:, None]).sum(axis=1, dtype=np.int64)
    peaks[row_max == 0] = 0
    return peaks


class Step:
    """One change of a state that is a single thing to whoever watches it."""

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the edit takes, roughly."""
        return memory_of(*vars(self).values())

    def check(self, state: TableState) -> None:
        """Raise TableError if the edit cannot be applied to this state."""
        raise NotImplementedError

    def is_noop(self, state: TableState) -> bool:
        """Whether applying the edit would change nothing."""
        raise NotImplementedError

    def describe(self, state: TableState) -> str:
        """Return a short label for the undo menu; ask before applying."""
        raise NotImplementedError

    def place(self, state: TableState) -> Place:
        """Return the cells to select after the edit was applied."""
        raise NotImplementedError

    def apply(self, state: TableState) -> Step:
        """Change the state; return the edit that restores it exactly."""
        if state.before_step is not None:
            state.before_step(self)
        inverse = self._change(state)
        if state.after_step is not None:
            state.after_step(self)
        return inverse

    def _change(self, state: TableState) -> Step:
        raise NotImplementedError


def set_fields(instance: object, **values: Any) -> None:
    """Set fields of a frozen dataclass while it is made."""
    for name, value in values.items():
        object.__setattr__(instance, name, value)


def memory_of(*values: object) -> int:
    """Return the bytes of memory that fields of an edit take, roughly."""
    total = 0
    for value in values:
        if isinstance(value, np.ndarray):
            # One value in the place of many takes no more room than one.
            total += value.nbytes if any(value.strides) else value.itemsize
        elif isinstance(value, TableState):
            total += memory_of(value.counts, tuple(value.truth), tuple(value.clusters))
        elif isinstance(value, Step):
            total += value.nbytes
        elif isinstance(value, tuple) and value and isinstance(value[0], str):
            total += _NAME_BYTES * len(value) + sum(map(len, value))
        elif isinstance(value, tuple) and value and isinstance(value[0], Step):
            total += memory_of(*value)
    return total


def frozen(array: npt.NDArray[Any]) -> IntArray:
    """Return a read-only copy, or the array itself if it is read-only and its own."""
    if array.dtype == np.int64 and array.base is None and not array.flags.writeable:
        return array
    result = np.array(array, dtype=np.int64)
    result.flags.writeable = False
    return result


def increasing(indices: IntArray) -> IntArray:
    """Return whole numbers in order, each once; much faster than ``np.unique``."""
    if not (np.diff(indices) > 0).all():
        indices = np.sort(indices)
        indices = indices[np.r_[True, np.diff(indices) > 0]]
    return indices


def as_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names as a tuple; a single text is one name."""
    return (names,) if isinstance(names, str) else tuple(names)


def whole(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return whole numbers of any kind as signed integers that fit 64 bits."""
    array = np.asarray(values)
    if array.dtype.kind == "i" or not array.size:
        return array.astype(np.int64, copy=False)
    return checked_counts(np.atleast_2d(array)).reshape(array.shape)


def exact_sum(counts: IntArray) -> int:
    """Return the sum of counts, however large it is."""
    if not counts.size:
        return 0
    if max(int(counts.max()), -int(counts.min())) * counts.size <= MAX_TOTAL:
        return int(counts.sum())
    return sum(counts.reshape(-1).tolist())


def check_total(total: int) -> None:
    """Raise TableError if a total does not fit 64 bits."""
    if total > MAX_TOTAL:
        raise TableError(
            f"the counts would add up to more than {MAX_TOTAL}: divide them by a common factor"
        )


def check_size(r: int, c: int) -> None:
    """Raise TableError if a table has too many cells for the editor."""
    if r * c > MAX_CELLS:
        raise TableError(
            f"{r:,} x {c:,} are {r * c:,} cells: a table in the editor has at most {MAX_CELLS:,}"
        )


def check_names(names: Sequence[str], n: int) -> None:
    """Raise TableError if there is not one text for each line."""
    if len(names) != n:
        raise TableError(f"there are {len(names)} names for {n} lines")
    for i, name in enumerate(names):
        if not isinstance(name, str):
            raise TableError(f"name {i + 1} is {name!r}: names are text", value=name)
