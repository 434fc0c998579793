"""Edits of counts: plain data; applying one returns the edit that undoes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.table import IntArray, TableError
from gui.table_editor.boxes import (
    MAX_PLACE_CELLS,
    Box,
    Place,
    runs_of_cells,
)
from gui.table_editor.state import (
    Step,
    TableState,
    area_of,
    check_total,
    exact_sum,
    frozen,
    increasing,
    set_fields,
    whole,
)


@dataclass(frozen=True, eq=False)
class SetCells(Step):
    """Write values into a rectangle or into scattered cells.

    The three arrays broadcast as numpy's do: `rows` of shape (k, 1) and `columns` of shape
    (1, l) name a rectangle, two arrays of shape (k,) name k cells, each at most once. One
    value for all of them takes the memory of one.

    Parameters
    ----------
    rows, columns, values : array_like of int
        Cells and their new counts; copied.
    label : str, optional
        For the undo menu, instead of "Type 49" or "Change 4 cells".
    where : Place, optional
        Cells to select afterwards, where these are not simply the cells written.
    """

    rows: IntArray
    columns: IntArray
    values: IntArray
    label: str = ""
    where: Place = ()

    def __post_init__(self) -> None:
        given = whole(self.values)
        rows, columns, values = np.broadcast_arrays(whole(self.rows), whole(self.columns), given)
        if rows.ndim == 1:
            set_fields(self, rows=frozen(rows), columns=frozen(columns))
        elif rows.ndim == 2:
            set_fields(self, rows=frozen(rows[:, :1]), columns=frozen(columns[:1]))
        else:
            raise ValueError("cells are a list or a rectangle")
        if given.size == 1:
            set_fields(self, values=np.broadcast_to(frozen(given.reshape(())), values.shape))
        else:
            set_fields(self, values=frozen(given if given.shape == values.shape else values))

    @classmethod
    def block(cls, row: int, column: int, values: npt.ArrayLike, label: str = "") -> SetCells:
        """Return the edit that writes a block of values, shape (k, l), at a cell."""
        array = np.atleast_2d(whole(values))
        rows = np.arange(row, row + array.shape[0])[:, None]
        columns = np.arange(column, column + array.shape[1])[None, :]
        return cls(rows, columns, array, label)

    @classmethod
    def boxes(cls, boxes: Sequence[Box], value: int, label: str = "") -> SetCells:
        """Return the edit that writes one value into every cell of some rectangles."""
        if len(boxes) == 1:
            top, left, bottom, right = boxes[0]
            rows = np.arange(top, bottom + 1)[:, None]
            columns = np.arange(left, right + 1)[None, :]
            return cls(rows, columns, np.array(value), label)
        width = max(box.right for box in boxes) + 1
        codes = [
            (np.arange(t, b + 1)[:, None] * width + np.arange(lo, hi + 1)).reshape(-1)
            for t, lo, b, hi in boxes
        ]
        rows, columns = np.divmod(increasing(np.concatenate(codes)), width)
        return cls(rows, columns, np.array(value), label, tuple(boxes))

    def check(self, state: TableState) -> None:
        r, c = state.shape
        for index, n, what in ((self.rows, r, "row"), (self.columns, c, "column")):
            if index.size and (index.min() < 0 or index.max() >= n):
                raise TableError(f"there is no {what} {int(index.max()) + 1}: the table has {n}")
        lists = [self.rows * c + self.columns]
        if self.rows.ndim == 2:
            lists = [self.rows[:, 0], self.columns[0]]
        if any(increasing(cells).size < cells.size for cells in lists):
            raise TableError("one edit writes the same cell twice")
        if self.values.size and self.values.min() < 0:
            first = np.unravel_index(int(np.argmax(self.values < 0)), self.values.shape)
            row, column = (int(i) for i in self._cell(first))
            raise TableError(
                f"row {row + 1}, column {column + 1}: {int(self.values[first])} is negative: "
                "a count must be 0 or a positive whole number",
                row=row,
                column=column,
                value=int(self.values[first]),
            )
        old = exact_sum(state.counts[area_of(self.rows, self.columns)])
        check_total(state.total - old + exact_sum(self.values))

    def _cell(self, where: tuple[Any, ...]) -> tuple[Any, Any]:
        if self.rows.ndim == 1:
            return self.rows[where], self.columns[where]
        return self.rows[where[0], 0], self.columns[0, where[1]]

    def is_noop(self, state: TableState) -> bool:
        area = area_of(self.rows, self.columns)
        return bool(np.array_equal(state.counts[area], self.values))

    def describe(self, state: TableState) -> str:
        if self.label:
            return self.label
        if self.values.size == 1:
            return f"Type {int(self.values.reshape(-1)[0])}"
        return f"{'Change' if self.values.any() else 'Clear'} {self.values.size:,} cells"

    def place(self, state: TableState) -> Place:
        if self.where or not self.values.size:
            return self.where
        if self.rows.ndim == 1 and self.rows.size > 1:
            few = self.rows.size <= MAX_PLACE_CELLS
            return runs_of_cells(self.rows, self.columns) if few else ()
        return (
            Box(
                int(self.rows.min()),
                int(self.columns.min()),
                int(self.rows.max()),
                int(self.columns.max()),
            ),
        )

    def _change(self, state: TableState) -> SetCells:
        before = np.array(state.counts[area_of(self.rows, self.columns)])
        if before.size and (before == before.flat[0]).all():
            before = np.array(before.flat[0])
        before.flags.writeable = False
        old = SetCells(self.rows, self.columns, before, self.label, self.where)
        state.write(self.rows, self.columns, self.values)
        return old
