"""Where the cursor goes: keys in, a cell out. No Qt widgets here."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt

from gui.table_editor.editors import Leave

_ARROWS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
_STEPS = {Leave.DOWN: (1, 0), Leave.UP: (-1, 0), Leave.RIGHT: (0, 1), Leave.LEFT: (0, -1)}


class Cursor(NamedTuple):
    """A cell, and the column where a run of Tabs began."""

    row: int
    column: int
    tab_start: int | None = None


def after_leave(cursor: Cursor, shape: tuple[int, int], leave: Leave) -> Cursor:
    """Return where Enter or Tab leads.

    Enter goes down, Tab right, with Shift the other way. At the edge of the table they go
    on in the next line. Enter after a run of Tabs goes to the column where it began.

    Parameters
    ----------
    cursor : Cursor
    shape : tuple of int
        Rows and columns that the cursor can reach.
    leave : Leave

    Returns
    -------
    Cursor
    """
    if leave not in _STEPS:
        return cursor
    (row, column, start), (r, c) = cursor, shape
    down, across = _STEPS[leave]
    if across:
        start = column if start is None else start
        column += across
        if not 0 <= column < c and 0 <= row + across < r:
            row, column = row + across, 0 if across > 0 else c - 1
    elif start is not None:
        row, column, start = row + down, start, None
    else:
        row += down
        if not 0 <= row < r and 0 <= column + down < c:
            row, column = 0 if down > 0 else r - 1, column + down
    return Cursor(min(max(row, 0), r - 1), min(max(column, 0), c - 1), start)


def after_key(
    row: int, column: int, shape: tuple[int, int], key: int, *, ctrl: bool, page: int
) -> tuple[int, int] | None:
    """Return where an arrow, Home, End or a page key leads, None for other keys.

    Parameters
    ----------
    row, column : int
        Where the cursor is.
    shape : tuple of int
        Rows and columns that it can reach.
    key : Qt.Key
    ctrl : bool
        Whether Ctrl is down: arrows go to the edge, Home and End to the first and last cell.
    page : int
        Rows of a page.

    Returns
    -------
    tuple of int, or None
    """
    r, c = shape
    if key in _ARROWS:
        down, across = _ARROWS[Qt.Key(key)]
        row += down * (r if ctrl else 1)
        column += across * (c if ctrl else 1)
    elif key == Qt.Key.Key_Home:
        row, column = (0 if ctrl else row), 0
    elif key == Qt.Key.Key_End:
        row, column = (r - 1 if ctrl else row), c - 1
    elif key == Qt.Key.Key_PageUp:
        row -= page
    elif key == Qt.Key.Key_PageDown:
        row += page
    else:
        return None
    return min(max(row, 0), r - 1), min(max(column, 0), c - 1)


__all__ = ["Cursor", "after_key", "after_leave"]
