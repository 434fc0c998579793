"""How much room a cell has: small tables are roomy, large ones dense."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QFont

STEP = 8
"""Rows and columns are multiples of so many pixels."""


@dataclass(frozen=True)
class Density:
    """The measures of cells.

    Parameters
    ----------
    row, column : int
        Least height of a row and width of a column.
    padding : int
        Blank pixels left and right of what stands in a cell.
    inset : int
        Blank pixels around the frame of a largest cell.
    enlarged : float
        Size of counts, as a multiple of the font's.
    air : int
        Blank pixels above and below a count, together.
    scales : bool
        Whether large fonts get cells in proportion, not just the room that they need.
    fitted : bool
        Whether rows and columns have these sizes whatever stands in them: the table is seen
        as a whole, and numbers are left out where they do not fit.
    """

    row: int
    column: int
    padding: int
    inset: int
    enlarged: float
    air: int
    scales: bool
    fitted: bool = False

    def row_height(self, text: int) -> int:
        """Return the height of a row whose counts are `text` pixels high."""
        if self.fitted:
            return self.row
        return max(self.row, rounded(text + (text if self.scales else self.air)))

    def column_width(self, text: int) -> int:
        """Return the least width of a column whose counts are `text` pixels high."""
        if not self.scales:
            return self.column
        return rounded(self.row_height(text) * self.column // self.row)

    def count_font(self, font: QFont) -> QFont:
        """Return the font of counts in a table that has `font`."""
        larger = QFont(font)
        if font.pointSizeF() > 0:
            larger.setPointSizeF(font.pointSizeF() * self.enlarged)
        else:
            larger.setPixelSize(round(font.pixelSize() * self.enlarged))
        return larger


ROOMY = Density(row=40, column=72, padding=14, inset=5, enlarged=1.15, air=20, scales=True)
MEDIUM = Density(row=32, column=48, padding=10, inset=4, enlarged=1.0, air=12, scales=False)
DENSE = Density(row=24, column=48, padding=10, inset=3, enlarged=1.0, air=6, scales=False)

#: Most rows and columns of a roomy table, most rows of a medium one.
_ROOMY_LINES, _MEDIUM_ROWS = 10, 16
#: So many more, before the look changes under the user's hands.
_SLACK = 4
#: Least size of a cell while the whole table is shown.
_LEAST = 2
#: Least size of what is written there, as a multiple of the font's.
SMALLEST = 0.7


def density_for(shape: tuple[int, int], now: Density | None = None) -> Density:
    """Return the measures for a table.

    Parameters
    ----------
    shape : tuple of int
        Numbers of rows and columns.
    now : Density, optional
        The measures that the table has had so far. A few more lines do not change them.

    Returns
    -------
    Density
    """
    if max(shape) <= _ROOMY_LINES + (_SLACK if now is ROOMY else 0):
        return ROOMY
    if shape[0] <= _MEDIUM_ROWS + (_SLACK if now is MEDIUM else 0):
        return MEDIUM
    return DENSE


def fitted_density(shape: tuple[int, int], room: tuple[int, int], column: int = 0) -> Density:
    """Return measures with which a whole table fits a view, if that is possible at all.

    Parameters
    ----------
    shape : tuple of int
        Numbers of rows and columns.
    room : tuple of int
        Height and width that there is for counts, in pixels.
    column : int
        Width beyond which columns need not grow, if that is more than that of a dense table.

    Returns
    -------
    Density
        Cells are 2 pixels high and wide at least, and not higher than those of a dense table.
    """
    row, column = (
        max(_LEAST, min(most, size // n))
        for n, size, most in zip(shape, room, (DENSE.row, max(DENSE.column, column)), strict=True)
    )
    enlarged = max(SMALLEST, min(1.0, (row - 1) / DENSE.row * 1.3))
    return Density(row, column, 2, 0, enlarged, 0, scales=False, fitted=True)


def rounded(length: int) -> int:
    """Return the next multiple of `STEP`."""
    return -(-length // STEP) * STEP


__all__ = [
    "DENSE",
    "MEDIUM",
    "ROOMY",
    "SMALLEST",
    "STEP",
    "Density",
    "density_for",
    "fitted_density",
    "rounded",
]
