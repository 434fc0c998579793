"""Rectangles of cells: where an edit is, and what a selection is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from core.table import IntArray

#: Scattered cells that a place lists one by one; beyond, the cursor stays.
MAX_PLACE_CELLS = 1_000

#: In a `Box`: the column (or row) where the cursor is now.
HERE = -1


class Box(NamedTuple):
    """A rectangle of cells, all four sides included."""

    top: int
    left: int
    bottom: int
    right: int


#: Where an edit was, for the selection after it. Empty: the cursor stays.
Place: TypeAlias = tuple[Box, ...]


def runs(indices: npt.ArrayLike) -> list[tuple[int, int]]:
    """Return the first and last of each run of consecutive whole numbers, increasing."""
    array = np.atleast_1d(np.asarray(indices, dtype=np.int64))
    if not array.size:
        return []
    breaks = np.flatnonzero(np.diff(array) != 1)
    firsts = array[np.r_[0, breaks + 1]]
    lasts = array[np.r_[breaks, array.size - 1]]
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))


def rectangle(boxes: Sequence[Box]) -> Box | None:
    """Return the rectangle that some boxes make up without gaps, None if they do not."""
    if not boxes:
        return None
    around = Box(
        min(box.top for box in boxes),
        min(box.left for box in boxes),
        max(box.bottom for box in boxes),
        max(box.right for box in boxes),
    )
    if len(boxes) == 1:
        return around
    disjoint = not any(_overlap(a, b) for i, a in enumerate(boxes) for b in boxes[:i])
    return around if disjoint and sum(map(cells_in, boxes)) == cells_in(around) else None


def cells_in(box: Box) -> int:
    """Return the number of cells of a rectangle."""
    return (box.bottom - box.top + 1) * (box.right - box.left + 1)


def _overlap(a: Box, b: Box) -> bool:
    return a.top <= b.bottom and b.top <= a.bottom and a.left <= b.right and b.left <= a.right


def runs_of_cells(rows: IntArray, columns: IntArray) -> Place:
    """Return rectangles of one row each that hold some scattered cells."""
    boxes: list[Box] = []
    for row in np.unique(rows).tolist():
        boxes += [Box(row, a, row, b) for a, b in runs(np.sort(columns[rows == row]))]
    return tuple(boxes)


def line_here(axis: int, index: int) -> Box:
    """Return the cell of a line that is in the cursor's column or row."""
    return Box(HERE, index, HERE, index) if axis else Box(index, HERE, index, HERE)
