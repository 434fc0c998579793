"""Edits of the whole table, and of several things at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from core.table import ContingencyTable, IntArray, TableError
from gui.table_editor.boxes import (
    Box,
    Place,
)
from gui.table_editor.cell_edits import SetCells
from gui.table_editor.line_edits import InsertColumns, InsertRows, RenameColumns, RenameRows
from gui.table_editor.state import (
    Step,
    TableState,
    check_names,
    check_size,
    check_total,
    exact_sum,
    frozen,
    memory_of,
    set_fields,
    whole,
)


@dataclass(frozen=True, eq=False)
class Transpose(Step):
    """Exchange truth classes and clusters."""

    def check(self, state: TableState) -> None:
        """Accept any state."""

    def is_noop(self, state: TableState) -> bool:
        return (
            state.truth == state.clusters
            and bool(np.array_equal(state.row_sums, state.column_sums))
            and bool(np.array_equal(state.counts, state.counts.T))
        )

    def describe(self, state: TableState) -> str:
        return "Transpose"

    def place(self, state: TableState) -> Place:
        return ()

    def _change(self, state: TableState) -> Transpose:
        state.transpose()
        return self


@dataclass(frozen=True, eq=False)
class ReplaceTable(Step):
    """Put another table in the place of this one.

    Parameters
    ----------
    source : TableState
        The other table; nobody may change it afterwards.
    label : str
        For the undo menu.
    """

    source: TableState
    label: str = "Replace the table"

    @classmethod
    def of(cls, table: ContingencyTable, label: str = "Replace the table") -> ReplaceTable:
        """Return the edit that puts a table in the place of this one."""
        return cls(TableState.of(table), label)

    def check(self, state: TableState) -> None:
        """Accept any state: the source was checked when it was made."""

    def is_noop(self, state: TableState) -> bool:
        return (
            self.source.truth == state.truth
            and self.source.clusters == state.clusters
            and bool(np.array_equal(self.source.counts, state.counts))
        )

    def describe(self, state: TableState) -> str:
        return self.label

    def place(self, state: TableState) -> Place:
        return (Box(0, 0, 0, 0),)

    def _change(self, state: TableState) -> ReplaceTable:
        fresh = self.source.copy()
        state.exchange(fresh)
        return ReplaceTable(fresh, self.label)


class OpenTable(ReplaceTable):
    """Put another table in the place of this one for good; not for the undo stack.

    The source is taken over without a copy, however large it is.
    """

    def _change(self, state: TableState) -> OpenTable:
        state.exchange(self.source)
        return self


@dataclass(frozen=True, eq=False)
class Group:
    """Edits that are done and undone as one.

    Parameters
    ----------
    steps : tuple of Step
        Applied in order.
    label : str
        For the undo menu.
    where : Place
        Cells to select afterwards.
    """

    steps: tuple[Step, ...]
    label: str
    where: Place = ()

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the edit takes, roughly."""
        return memory_of(*vars(self).values())

    def check(self, state: TableState) -> None:
        """Raise TableError if a step cannot be applied. Tries them on a copy."""
        trial = TableState(state.counts, state.truth, state.clusters)
        for step in self.steps:
            step.check(trial)
            step.apply(trial)

    def is_noop(self, state: TableState) -> bool:
        """Whether no step would change anything."""
        return all(step.is_noop(state) for step in self.steps)

    def describe(self, state: TableState) -> str:
        """Return a short label for the undo menu."""
        return self.label

    def place(self, state: TableState) -> Place:
        """Return the cells to select after the edit was applied."""
        return self.where

    def apply(self, state: TableState) -> Group:
        """Change the state; return the edit that restores it exactly."""
        inverses = [step.apply(state) for step in self.steps]
        return Group(tuple(reversed(inverses)), self.label, self.where)


@dataclass(frozen=True, eq=False)
class Paste:
    """Write a block, with the rows and columns it needs and the names that came with it.

    Parameters
    ----------
    row, column : int
        Cell of the block's upper left corner.
    values : array_like of int, shape (k, l)
    truth : sequence of str, length k, optional
        Names for the rows that the block covers; old rows keep theirs without.
    clusters : sequence of str, length l, optional
        Names for the columns that the block covers.
    label : str, optional
        For the undo menu, instead of "Paste 4 x 4".
    """

    row: int
    column: int
    values: IntArray
    truth: Sequence[str] | None = None
    clusters: Sequence[str] | None = None
    label: str = field(default="")

    def __post_init__(self) -> None:
        set_fields(self, values=frozen(np.atleast_2d(whole(self.values))))
        for name in ("truth", "clusters"):
            if (names := getattr(self, name)) is not None:
                set_fields(self, **{name: tuple(names)})

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the edit takes, roughly."""
        return memory_of(*vars(self).values())

    def check(self, state: TableState) -> None:
        """Raise TableError if the block does not fit the limits of a table."""
        k, n = self.values.shape
        r, c = state.shape
        if not (0 <= self.row <= r and 0 <= self.column <= c):
            raise TableError("a block must touch the table")
        check_size(max(r, self.row + k), max(c, self.column + n))
        if self.values.size and self.values.min() < 0:
            raise TableError("a count must be 0 or a positive whole number")
        if self.truth is not None:
            check_names(self.truth, k)
        if self.clusters is not None:
            check_names(self.clusters, n)
        covered = state.counts[self.row : self.row + k, self.column : self.column + n]
        check_total(state.total - exact_sum(covered) + exact_sum(self.values))

    def is_noop(self, state: TableState) -> bool:
        """Whether the table already looks like this."""
        k, n = self.values.shape
        rows, columns = slice(self.row, self.row + k), slice(self.column, self.column + n)
        return (
            bool(np.array_equal(state.counts[rows, columns], self.values))
            and (self.truth is None or list(self.truth) == state.truth[rows])
            and (self.clusters is None or list(self.clusters) == state.clusters[columns])
        )

    def describe(self, state: TableState) -> str:
        """Return a short label for the undo menu."""
        return self.label or f"Paste {self.values.shape[0]:,} x {self.values.shape[1]:,}"

    def place(self, state: TableState) -> Place:
        """Return the cells to select after the edit was applied."""
        k, n = self.values.shape
        return (Box(self.row, self.column, self.row + k - 1, self.column + n - 1),)

    def apply(self, state: TableState) -> Group:
        """Change the state; return the edit that restores it exactly."""
        r, c = state.shape
        k, n = self.values.shape
        inverses = [step.apply(state) for step in self._steps(state)]
        where = Box(
            min(self.row, r - 1),
            min(self.column, c - 1),
            min(self.row + k, r) - 1,
            min(self.column + n, c) - 1,
        )
        return Group(tuple(reversed(inverses)), self.describe(state), (where,))

    def _steps(self, state: TableState) -> Iterable[Step]:
        r, c = state.shape
        k, n = self.values.shape
        if (more := self.row + k - r) > 0:
            yield InsertRows.empty(state, r, more)
        if (more := self.column + n - c) > 0:
            yield InsertColumns.empty(state, c, more)
        if self.truth is not None:
            yield RenameRows(np.arange(self.row, self.row + k), self.truth)
        if self.clusters is not None:
            yield RenameColumns(np.arange(self.column, self.column + n), self.clusters)
        yield SetCells.block(self.row, self.column, self.values)


#: What can be checked, described and applied.
Edit: TypeAlias = Step | Group | Paste
