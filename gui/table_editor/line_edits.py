"""Edits of whole classes and clusters: insert, delete, rename."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.table import IntArray, TableError, default_names
from gui.table_editor.boxes import (
    MAX_PLACE_CELLS,
    Box,
    Place,
    line_here,
    runs,
)
from gui.table_editor.state import (
    Step,
    TableState,
    as_names,
    check_names,
    check_size,
    check_total,
    exact_sum,
    frozen,
    increasing,
    set_fields,
    whole,
)

#: Letters of a name that a label shows.
MAX_LABEL_NAME = 24
#: Letters of a name, blanks included, among which those are looked for.
_MAX_SPLIT = 512


class _Lines(Step):
    """What edits of whole rows and of whole columns share. Axis 0 is rows."""

    axis: ClassVar[int]

    @classmethod
    def noun(cls, n: int = 1) -> str:
        """Return what a line of this axis is called."""
        one, many = (("class", "classes"), ("cluster", "clusters"))[cls.axis]
        return one if n == 1 else many

    @classmethod
    def names_of(cls, state: TableState) -> list[str]:
        """Return the names along this axis."""
        return state.clusters if cls.axis else state.truth

    @classmethod
    def _rename_all(cls, state: TableState, names: list[str]) -> None:
        if cls.axis:
            state.clusters = names
        else:
            state.truth = names

    @classmethod
    def _named(cls, state: TableState, index: int) -> str:
        return f"{cls.noun()} {_short(cls.names_of(state)[index])}".rstrip()

    def _boxes(self, state: TableState, indices: IntArray) -> Place:
        last = state.shape[1 - self.axis] - 1
        boxes = [
            Box(first, 0, end, last) if self.axis == 0 else Box(0, first, last, end)
            for first, end in runs(indices)
        ]
        return tuple(boxes[:MAX_PLACE_CELLS])


class _InsertLines(_Lines):
    """Insert rows or columns."""

    positions: IntArray
    counts: IntArray
    names: Sequence[str]
    label: str

    def __post_init__(self) -> None:
        set_fields(
            self,
            positions=frozen(np.atleast_1d(whole(self.positions))),
            counts=frozen(whole(self.counts)),
            names=tuple(self.names),
        )

    def check(self, state: TableState) -> None:
        n, k = state.shape[self.axis], self.positions.size
        across = state.shape[1 - self.axis]
        if k and (
            (np.diff(self.positions) <= 0).any()
            or self.positions[0] < 0
            or self.positions[-1] >= n + k
        ):
            raise TableError(f"new {self.noun(2)} must stand in order within the table")
        expected = (across, k) if self.axis else (k, across)
        if self.counts.shape != expected:
            raise TableError(
                f"the new {self.noun(2)} have counts of shape {self.counts.shape}, not {expected}"
            )
        check_names(self.names, k)
        if self.counts.size and self.counts.min() < 0:
            raise TableError("a count must be 0 or a positive whole number")
        check_size(n + k, across)
        check_total(state.total + exact_sum(self.counts))

    def is_noop(self, state: TableState) -> bool:
        return self.positions.size == 0

    def describe(self, state: TableState) -> str:
        k = self.positions.size
        return self.label or (f"Insert {self.noun()}" if k == 1 else f"Insert {k:,} {self.noun(k)}")

    def place(self, state: TableState) -> Place:
        return self._boxes(state, self.positions)

    def _change(self, state: TableState) -> Step:
        n = state.shape[self.axis] + self.positions.size
        kept = np.ones(n, dtype=bool)
        kept[self.positions] = False
        shape = list(state.shape)
        shape[self.axis] = n
        counts = np.empty(shape, dtype=np.int64)
        # Slices, of which there are seldom more than two, are faster than a mask.
        begin = 0
        for first, last in runs(np.flatnonzero(kept)):
            end = begin + last + 1 - first
            if self.axis:
                counts[:, first : last + 1] = state.counts[:, begin:end]
            else:
                counts[first : last + 1] = state.counts[begin:end]
            begin = end
        if self.axis:
            counts[:, self.positions] = self.counts
        else:
            counts[self.positions] = self.counts
        new, old = iter(self.names), iter(self.names_of(state))
        self._rename_all(state, [next(old if keep else new) for keep in kept.tolist()])
        state.counts = counts
        state.refresh()
        return _DELETE[self.axis](self.positions)


@dataclass(frozen=True, eq=False)
class InsertRows(_InsertLines):
    """Insert truth classes.

    Parameters
    ----------
    positions : array_like of int, shape (k,)
        Where the new rows stand in the table that results, increasing.
    counts : array_like of int, shape (k, c)
    names : sequence of str, length k
    label : str, optional
        For the undo menu.
    """

    positions: IntArray
    counts: IntArray
    names: Sequence[str]
    label: str = ""
    axis: ClassVar[int] = 0

    @classmethod
    def empty(cls, state: TableState, at: int, n: int = 1) -> InsertRows:
        """Return the edit that inserts n empty classes before row `at`."""
        names = default_names("T", n, state.truth)
        return cls(np.arange(at, at + n), np.zeros((n, state.shape[1]), np.int64), names)


@dataclass(frozen=True, eq=False)
class InsertColumns(_InsertLines):
    """Insert clusters.

    Parameters
    ----------
    positions : array_like of int, shape (k,)
        Where the new columns stand in the table that results, increasing.
    counts : array_like of int, shape (r, k)
    names : sequence of str, length k
    label : str, optional
        For the undo menu.
    """

    positions: IntArray
    counts: IntArray
    names: Sequence[str]
    label: str = ""
    axis: ClassVar[int] = 1

    @classmethod
    def empty(cls, state: TableState, at: int, n: int = 1) -> InsertColumns:
        """Return the edit that inserts n empty clusters before column `at`."""
        names = default_names("C", n, state.clusters)
        return cls(np.arange(at, at + n), np.zeros((state.shape[0], n), np.int64), names)


class _DeleteLines(_Lines):
    """Delete rows or columns, any set of them but not all."""

    indices: IntArray

    def __post_init__(self) -> None:
        set_fields(self, indices=frozen(increasing(np.ravel(whole(self.indices)))))

    def check(self, state: TableState) -> None:
        n = state.shape[self.axis]
        if self.indices.size and (self.indices[0] < 0 or self.indices[-1] >= n):
            raise TableError(f"there is no {self.noun()} {int(self.indices[-1]) + 1}")
        if self.indices.size >= n:
            raise TableError(f"a table has at least one {self.noun()}: leave one of them")

    def is_noop(self, state: TableState) -> bool:
        return self.indices.size == 0

    def describe(self, state: TableState) -> str:
        if self.indices.size == 1:
            return f"Delete {self._named(state, int(self.indices[0]))}"
        return f"Delete {self.indices.size:,} {self.noun(2)}"

    def place(self, state: TableState) -> Place:
        if not self.indices.size:
            return ()
        line = min(int(self.indices[0]), state.shape[self.axis] - 1)
        return (line_here(self.axis, line),)

    def _change(self, state: TableState) -> Step:
        counts = np.take(state.counts, self.indices, axis=self.axis)
        gone = set(self.indices.tolist())
        names = self.names_of(state)
        removed = tuple(names[i] for i in self.indices.tolist())
        self._rename_all(state, [name for i, name in enumerate(names) if i not in gone])
        state.counts = np.ascontiguousarray(np.delete(state.counts, self.indices, axis=self.axis))
        state.refresh()
        return _INSERT[self.axis](self.indices, counts, removed)


@dataclass(frozen=True, eq=False)
class DeleteRows(_DeleteLines):
    """Delete truth classes.

    Parameters
    ----------
    indices : array_like of int
        Rows to delete, in any order; at least one row must stay.
    """

    indices: IntArray
    axis: ClassVar[int] = 0


@dataclass(frozen=True, eq=False)
class DeleteColumns(_DeleteLines):
    """Delete clusters.

    Parameters
    ----------
    indices : array_like of int
        Columns to delete, in any order; at least one column must stay.
    """

    indices: IntArray
    axis: ClassVar[int] = 1


class _RenameLines(_Lines):
    """Give rows or columns other names."""

    indices: IntArray
    names: Sequence[str]

    def __post_init__(self) -> None:
        set_fields(
            self, indices=frozen(np.atleast_1d(whole(self.indices))), names=as_names(self.names)
        )

    def check(self, state: TableState) -> None:
        n = state.shape[self.axis]
        if self.indices.size and (self.indices.min() < 0 or self.indices.max() >= n):
            raise TableError(f"there is no {self.noun()} {int(self.indices.max()) + 1}")
        if increasing(self.indices).size < self.indices.size:
            raise TableError(f"one edit names the same {self.noun()} twice")
        check_names(self.names, self.indices.size)

    def is_noop(self, state: TableState) -> bool:
        names = self.names_of(state)
        pairs = zip(self.indices.tolist(), self.names, strict=True)
        return all(names[i] == name for i, name in pairs)

    def describe(self, state: TableState) -> str:
        if self.indices.size == 1:
            return f"Rename {self._named(state, int(self.indices[0]))}"
        return f"Rename {self.indices.size:,} {self.noun(2)}"

    def place(self, state: TableState) -> Place:
        if not self.indices.size:
            return ()
        return (line_here(self.axis, int(self.indices[0])),)

    def _change(self, state: TableState) -> Step:
        names = self.names_of(state)
        old = tuple(names[i] for i in self.indices.tolist())
        for i, name in zip(self.indices.tolist(), self.names, strict=True):
            names[i] = name
        return _RENAME[self.axis](self.indices, old)


@dataclass(frozen=True, eq=False)
class RenameRows(_RenameLines):
    """Rename truth classes.

    Parameters
    ----------
    indices : array_like of int, shape (k,)
    names : sequence of str, length k
        Any text; equal and empty names are allowed.
    """

    indices: IntArray
    names: Sequence[str]
    axis: ClassVar[int] = 0


@dataclass(frozen=True, eq=False)
class RenameColumns(_RenameLines):
    """Rename clusters.

    Parameters
    ----------
    indices : array_like of int, shape (k,)
    names : sequence of str, length k
        Any text; equal and empty names are allowed.
    """

    indices: IntArray
    names: Sequence[str]
    axis: ClassVar[int] = 1


_INSERT = (InsertRows, InsertColumns)
_DELETE = (DeleteRows, DeleteColumns)
_RENAME = (RenameRows, RenameColumns)


def _short(name: str) -> str:
    flat = " ".join(name[:_MAX_SPLIT].split())
    return flat if len(flat) <= MAX_LABEL_NAME else flat[: MAX_LABEL_NAME - 1] + "…"
