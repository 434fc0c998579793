"""The table as it is shown: its lines in an order, without a change of the data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from core.table import IntArray
from gui.table_editor.boxes import HERE, MAX_PLACE_CELLS, Box, rectangle, runs
from gui.table_editor.edits import SetCells, TableState

#: Places, from the top or the left, in lines of the table; None: as entered.
Order: TypeAlias = IntArray | None

#: Pieces of a selection that are put together where they make up a rectangle.
_FEW_BOXES = 100


class Part(NamedTuple):
    """Counts as shown, with the names beside them."""

    counts: IntArray
    truth: list[str]
    clusters: list[str]


class ShownTable:
    """A view of a `TableState` whose rows and columns stand in an order.

    Places are where a line is shown, counted from 0; lines are where it is in the data.

    Parameters
    ----------
    state : TableState

    Attributes
    ----------
    state : TableState
    orders : list of two orders
        The line at each place, of rows and of columns; None where they are as entered.
    """

    def __init__(self, state: TableState) -> None:
        self.state = state
        self.orders: list[Order] = [None, None]
        self._places: list[Order] = [None, None]

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return self.state.shape

    @property
    def ordered(self) -> bool:
        """Whether any lines are shown elsewhere than they are in the data."""
        return any(order is not None for order in self.orders)

    def set_order(self, axis: int, order: Order) -> None:
        """Show rows (axis 0) or columns in another order.

        Parameters
        ----------
        axis : int
        order : ndarray of int64, or None
            The line at each place, each line once.
        """
        if order is not None and (order == np.arange(order.size)).all():
            order = None
        self.orders[axis] = order
        self._places[axis] = None
        if order is not None:
            places = np.empty(order.size, np.int64)
            places[order] = np.arange(order.size)
            self._places[axis] = places

    # Places to lines and back

    def line(self, axis: int, place: int) -> int:
        """Return the line of the data that is shown at a place."""
        order = self.orders[axis]
        return place if order is None else int(order[place])

    def place(self, axis: int, line: int) -> int:
        """Return where a line of the data is shown."""
        places = self._places[axis]
        return line if places is None else int(places[line])

    def cell(self, row: int, column: int) -> tuple[int, int]:
        """Return row and column of the data of the cell at a place."""
        return self.line(0, row), self.line(1, column)

    def lines(self, axis: int, first: int, last: int) -> IntArray:
        """Return the lines shown from one place to another, both included."""
        order = self.orders[axis]
        return np.arange(first, last + 1) if order is None else order[first : last + 1]

    def lines_at(self, axis: int, places: IntArray) -> IntArray:
        """Return the lines shown at some places."""
        order = self.orders[axis]
        return places if order is None else order[places]

    def places_of(self, axis: int, lines: IntArray) -> IntArray:
        """Return where some lines are shown, in the order of their places."""
        places = self._places[axis]
        return lines if places is None else np.sort(places[lines])

    def shown_boxes(self, boxes: Sequence[Box], here: tuple[int, int]) -> list[Box]:
        """Return where rectangles of the data are shown, in one piece or several.

        Parameters
        ----------
        boxes : sequence of Box
            In lines of the data; `HERE` in them is the cursor.
        here : tuple of int
            The cell of the data in which the cursor is.

        Returns
        -------
        list of Box
            If there would be more than a thousand, the first cell alone.
        """
        shown: list[Box] = []
        for box in boxes:
            fixed = self._within(box, here)
            if not self.ordered:
                shown.append(fixed)
                continue
            rows = runs(self.places_of(0, np.arange(fixed.top, fixed.bottom + 1)))
            columns = runs(self.places_of(1, np.arange(fixed.left, fixed.right + 1)))
            if len(shown) + len(rows) * len(columns) > MAX_PLACE_CELLS:
                first = self.place(0, fixed.top), self.place(1, fixed.left)
                return [Box(*first, *first)]
            shown += [Box(a, left, b, right) for a, b in rows for left, right in columns]
        whole = rectangle(shown) if 1 < len(shown) <= _FEW_BOXES else None
        return shown if whole is None else [whole]

    def _within(self, box: Box, here: tuple[int, int]) -> Box:
        r, c = self.shape
        return Box(
            here[0] if box.top == HERE else box.top,
            here[1] if box.left == HERE else box.left,
            here[0] if box.bottom == HERE else min(box.bottom, r - 1),
            here[1] if box.right == HERE else min(box.right, c - 1),
        )

    def data_boxes(self, boxes: Iterable[Box]) -> list[Box] | None:
        """Return the rectangles of the data that are shown in some rectangles.

        Returns
        -------
        list of Box, or None
            None if there would be more than a thousand.
        """
        found: list[Box] = []
        for box in boxes:
            if not self.ordered:
                found.append(box)
                continue
            rows = runs(np.sort(self.lines(0, box.top, box.bottom)))
            columns = runs(np.sort(self.lines(1, box.left, box.right)))
            if len(found) + len(rows) * len(columns) > MAX_PLACE_CELLS:
                return None
            found += [Box(a, left, b, right) for a, b in rows for left, right in columns]
        return found

    # What is shown

    def block(self, rows: tuple[int, int], columns: tuple[int, int]) -> IntArray:
        """Return the counts between two places of rows and of columns, all included."""
        (top, bottom), (left, right) = rows, columns
        down, across = self.orders
        if down is None and across is None:
            return self.state.counts[top : bottom + 1, left : right + 1]
        part = (
            self.state.counts[top : bottom + 1]
            if down is None
            else self.state.counts[down[top : bottom + 1]]
            if across is None
            else self.state.counts[np.ix_(down[top : bottom + 1], across[left : right + 1])]
        )
        if down is not None and across is not None:
            return part
        return part[:, left : right + 1] if across is None else part[:, across[left : right + 1]]

    def part(self, box: Box) -> Part:
        """Return a rectangle as shown, with its names."""
        state = self.state
        return Part(
            self.block((box.top, box.bottom), (box.left, box.right)),
            [state.truth[i] for i in self.lines(0, box.top, box.bottom).tolist()],
            [state.clusters[j] for j in self.lines(1, box.left, box.right).tolist()],
        )

    @property
    def column_sums(self) -> IntArray:
        """The sizes of the clusters as shown, shape (c,)."""
        order = self.orders[1]
        sums = self.state.column_sums
        return sums if order is None else sums[order]

    # Edits

    def filled(self, boxes: Sequence[Box], value: int, label: str = "") -> SetCells:
        """Return the edit that writes one count into every cell shown in some rectangles."""
        data = self.data_boxes(boxes)
        if not self.ordered:
            return SetCells.boxes(boxes, value, label)
        if len(boxes) == 1:
            rows, columns = self._lines_of(boxes[0])
            # Too many pieces to select them all: the first cell says where it was.
            where = tuple(data) if data else (Box(*(first := self._first(boxes[0])), *first),)
            return SetCells(rows[:, None], columns[None, :], np.array(value), label, where)
        c = self.shape[1]
        codes = [
            (rows[:, None] * c + columns[None, :]).reshape(-1)
            for rows, columns in map(self._lines_of, boxes)
        ]
        rows, columns = np.divmod(np.unique(np.concatenate(codes)), c)
        where = tuple(data) if data else (Box(*(first := self._first(boxes[0])), *first),)
        return SetCells(rows, columns, np.array(value), label, where)

    def _lines_of(self, box: Box) -> tuple[IntArray, IntArray]:
        return self.lines(0, box.top, box.bottom), self.lines(1, box.left, box.right)

    def _first(self, box: Box) -> tuple[int, int]:
        return self.cell(box.top, box.left)

    # Lines that come and go

    def insert_spans(self, axis: int, positions: IntArray) -> list[tuple[int, int]]:
        """Return the first and last place of lines that are about to come.

        Parameters
        ----------
        axis : int
            One whose lines are in an order.
        positions : ndarray of int64
            Where they will be in the data, increasing.
        """
        at = self._place_of_new(axis, positions)
        return [(at, at + positions.size - 1)]

    def insert(self, axis: int, positions: IntArray) -> None:
        """Make room for lines that have come, after the line before them in the data."""
        order = self.orders[axis]
        if order is None:
            return
        at = self._place_of_new(axis, positions)
        # Old lines move up past the new ones.
        kept = np.ones(order.size + positions.size, np.bool_)
        kept[positions] = False
        moved = np.flatnonzero(kept)[order]
        self.set_order(axis, np.concatenate([moved[:at], positions, moved[at:]]))

    def _place_of_new(self, axis: int, positions: IntArray) -> int:
        first = int(positions[0])
        return self.place(axis, first - 1) + 1 if first else 0

    def delete(self, axis: int, indices: IntArray) -> None:
        """Forget lines that have left the data; the others stay in their order."""
        order = self.orders[axis]
        if order is None:
            return
        gone = np.zeros(order.size, np.bool_)
        gone[indices] = True
        left = order[~gone[order]]
        self.set_order(axis, left - np.cumsum(gone)[left])


__all__ = ["Order", "Part", "ShownTable"]
