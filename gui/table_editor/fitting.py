"""How small cells are when a whole table is to be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.table_editor.density import DENSE, MEDIUM, Density, density_for, fitted_density

if TYPE_CHECKING:
    from gui.table_editor.surface import TableSurface

#: Width of both margins while nothing can be written in them.
_BARE_MARGINS = 18


def density_that_fits(view: TableSurface) -> Density:
    """Return the roomiest measures with which the table fits its view.

    Parameters
    ----------
    view : TableSurface
        Its fonts and measures stay as they are.

    Returns
    -------
    Density
        One of those that a table has otherwise, as long as it fits with all its numbers and
        names; beyond that one that leaves out what there is no room for.
    """
    try:
        return _usual(view) or _small(view)
    finally:
        view.cells.set_font(view.font(), view.density)


def _usual(view: TableSurface) -> Density | None:
    r, c = view.document.state.shape
    for density in (density_for((r, c)), MEDIUM, DENSE):
        header, names = view.names_size(density.padding)
        high, wide = view.height() - header, view.width() - names
        # To measure the columns of a large table would take a while.
        if (r + 1) * density.row > high or c * density.column > wide:
            continue
        view.cells.set_font(view.font(), density)
        if (r + 1) * view.cells.row_height <= high and view.widths.needed_length() <= wide:
            return density
    return None


def _small(view: TableSurface) -> Density:
    r, c = view.document.state.shape
    # The sums are a row, too.
    shape = (r + 1, c)
    header, names = view.names_size(DENSE.padding)
    high, wide = view.height() - header, view.width() - names
    column = 0
    if wide // c >= DENSE.column:
        view.cells.set_font(view.font(), DENSE)
        column = view.widths.widest_column()
    density = fitted_density(shape, (high, wide - _BARE_MARGINS), column)
    view.cells.set_font(view.font(), density)
    if view.cells.writes:
        margins = view.widths.margins_length()
        density = fitted_density(shape, (high, wide - margins), column)
    return density


__all__ = ["density_that_fits"]
