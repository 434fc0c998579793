"""How far the cells of a table stand up in a picture of it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from core.studies.study import Pulse, Step, run_to_end
from core.table import ContingencyTable, IntArray

HeatScaleName: TypeAlias = Literal["row", "peak", "table"]

TOP = 255
"""The level of the cells that stand highest; the lowest that hold an item have level 0."""

_CELLS_AT_ONCE = 1 << 18


@dataclass(frozen=True, eq=False)
class Heat:
    """The levels of the cells of a table.

    Attributes
    ----------
    levels : ndarray of uint8, shape (r, c)
        0 to 255, in proportion to what is shown.
    filled : ndarray of bool, shape (r, c)
        Whether a cell holds an item; others have no level.
    top : float
        What the highest level stands for: a share, 0 to 1, or a count.
    """

    levels: npt.NDArray[np.uint8]
    filled: npt.NDArray[np.bool_]
    top: float


@dataclass(frozen=True, eq=False)
class HeatOf:
    """The study that finds the levels of the cells of a table.

    Attributes
    ----------
    table : ContingencyTable
        Of shape (r, c).
    rows, columns : ndarray of int64, shape (r,) and (c,)
        The row and column of the table in each place.
    scale : {"row", "peak", "table"}
        Whether a level is a share of the class, a share of its largest count or a number of
        items.
    """

    table: ContingencyTable
    rows: IntArray
    columns: IntArray
    scale: HeatScaleName = "row"

    def run(self) -> Generator[Step[Heat], None, None]:
        """Work, with a step every twentieth of a second; the last has the `Heat`."""
        table = self.table
        r, c = table.shape
        place_of_row, place_of_column = np.empty(r, np.int64), np.empty(c, np.int64)
        place_of_row[self.rows] = np.arange(r)
        place_of_column[self.columns] = np.arange(c)
        whole = np.maximum(table.row_sums, 1)
        if self.scale == "peak":
            whole = np.ones(r, np.int64)
            np.maximum.at(whole, table.cells.rows, table.cells.counts)
        cells = table.cells
        n = len(cells.counts)
        pulse = Pulse()
        top = 0.0
        for part in _parts(n):
            top = max(top, float(self._heights(part, whole).max()))
            if pulse.due():
                yield Step(part.start, 2 * n, _MESSAGE)
        levels, filled = np.zeros((r, c), np.uint8), np.zeros((r, c), np.bool_)
        for part in _parts(n):
            row, column = place_of_row[cells.rows[part]], place_of_column[cells.columns[part]]
            levels[row, column] = self._heights(part, whole) / top * TOP
            filled[row, column] = True
            if pulse.due():
                yield Step(n + part.start, 2 * n, _MESSAGE)
        yield Step(2 * n, 2 * n, _MESSAGE, result=Heat(levels, filled, top))

    def _heights(self, part: slice, whole: IntArray) -> npt.NDArray[np.float64]:
        cells = self.table.cells
        counts = cells.counts[part].astype(np.float64)
        return counts if self.scale == "table" else counts / whole[cells.rows[part]]


_MESSAGE = "colouring the cells"


def _parts(n: int) -> list[slice]:
    return [slice(start, start + _CELLS_AT_ONCE) for start in range(0, n, _CELLS_AT_ONCE)]


def heat_of(
    table: ContingencyTable,
    rows: IntArray,
    columns: IntArray,
    scale: HeatScaleName = "row",
) -> Heat:
    """Return the levels of the cells of a table in an order.

    Parameters
    ----------
    table : ContingencyTable
        Of shape (r, c).
    rows, columns : ndarray of int64, shape (r,) and (c,)
        The row and column of the table in each place.
    scale : {"row", "peak", "table"}
        Whether a level is a share of the class, a share of its largest count or a number of
        items.

    Returns
    -------
    Heat
    """
    return run_to_end(HeatOf(table, rows, columns, scale))


def ticks(top: float, most: int = 5, *, whole: bool = False) -> list[float]:
    """Return round numbers from 0 up to a largest one, which is not among them as such.

    Parameters
    ----------
    top : float
        Not negative.
    most : int
        Most steps.
    whole : bool
        Whether only whole numbers will do.

    Returns
    -------
    list of float
        Steps are 1, 2 or 5 times a power of ten.
    """
    if top <= 0:
        return [0.0]
    power = 10.0 ** np.floor(np.log10(top / most))
    step = next(float(power * k) for k in (1, 2, 5, 10) if top / (power * k) <= most)
    if whole:
        step = max(1.0, step)
    return [i * step for i in range(int(top / step * (1 + 1e-9)) + 1)]
