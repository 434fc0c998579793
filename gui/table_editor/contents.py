"""What the table on the screen shows: counts, their margins, and what is said of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from core.formatting import format_score
from gui.table_editor.document import TableDocument
from gui.table_editor.row_scores import RowMark, RowScores
from gui.table_editor.shown import ShownTable
from gui.table_editor.targets import Targets
from gui.table_editor.words import as_tool_tip, grouped, header_name, items, named

#: Columns to the right of the clusters, sum and peakiness, and rows below the classes.
MARGIN_COLUMNS = 2
MARGIN_ROWS = 1

_ROLE = Qt.ItemDataRole
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CENTRE = Qt.AlignmentFlag.AlignCenter


class TableContents(QAbstractTableModel):
    """What a table under edit shows, and says of what it shows.

    Counts stand in the first r rows and c columns, sums and peakiness around them. The
    rows and columns are places: which line of the data stands in each, `shown` knows.

    Parameters
    ----------
    document : TableDocument
    parent : QObject, optional
    """

    def __init__(self, document: TableDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.shown = ShownTable(document.state)
        self.targets: Targets | None = None
        self._shape = document.state.shape
        self._scores = RowScores.none(self._shape[0])
        self.digits = 3
        #: Whether the scores shown belong to the table before the last edit.
        self.scores_stale = False

    # Shape

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else self._shape[0] + MARGIN_ROWS

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        valid = parent is not None and parent.isValid()
        return 0 if valid else self._shape[1] + MARGIN_COLUMNS

    def is_count(self, row: int, column: int) -> bool:
        """Whether a place of the grid holds a count, not a margin."""
        return 0 <= row < self._shape[0] and 0 <= column < self._shape[1]

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if not self.is_count(index.row(), index.column()):
            return Qt.ItemFlag.NoItemFlags
        return (
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsSelectable
            | Qt.ItemFlag.ItemIsEditable
            | Qt.ItemFlag.ItemNeverHasChildren
        )

    # Content

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = _ROLE.DisplayRole
    ) -> Any:
        row, column = index.row(), index.column()
        if not (0 <= row <= self._shape[0] and 0 <= column < self._shape[1] + MARGIN_COLUMNS):
            return None
        if role == _ROLE.DisplayRole:
            return self.text(row, column)
        if role == _ROLE.EditRole:
            count = self.is_count(row, column)
            return self.count(row, column) if count else self.text(row, column)
        if role == _ROLE.TextAlignmentRole:
            return _RIGHT
        if role == _ROLE.ToolTipRole:
            return as_tool_tip(self._sentence(row, column))
        if role == _ROLE.AccessibleTextRole:
            return self._sentence(row, column) or self.text(row, column)
        return None

    def count(self, row: int, column: int) -> int:
        """Return the count at a place."""
        return int(self.document.state.counts[self.shown.cell(row, column)])

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole
    ) -> Any:
        across = orientation == Qt.Orientation.Horizontal
        state = self.document.state
        names = state.clusters if across else state.truth
        line = section
        if 0 <= section < len(names):
            line = self.shown.line(int(across), section)
        if role == _ROLE.TextAlignmentRole:
            return _CENTRE
        if section < 0 or section >= len(names) + (MARGIN_COLUMNS if across else 1):
            return None
        if role == _ROLE.DisplayRole:
            if section < len(names):
                return header_name(names[line])
            return "sum" if section == len(names) else "peakiness"
        if role == _ROLE.EditRole:
            return names[line] if section < len(names) else None
        if role == _ROLE.ToolTipRole:
            return as_tool_tip(self._header_sentence(section, across))
        if role == _ROLE.AccessibleTextRole:
            return self._header_sentence(section, across)
        return None

    def _header_sentence(self, section: int, across: bool) -> str:
        state = self.document.state
        names = state.clusters if across else state.truth
        if section < len(names):
            line = self.shown.line(int(across), section)
            size = (state.column_sums if across else state.row_sums)[line]
            what = "Cluster" if across else "Class"
            return f"{what} {named(names[line])}: {items(int(size))}"
        if section == len(names):
            return "Size of each class" if across else "Size of each cluster"
        return (
            "Peakiness of each class: how far its largest cell stands above the next, "
            "(largest − next) / largest"
        )

    def text(self, row: int, column: int) -> str:
        """Return what a place of the grid shows."""
        state, shown = self.document.state, self.shown
        r, c = self._shape
        if row < r:
            if column < c:
                return str(state.counts[shown.cell(row, column)])
            if column > c:
                return self.score_text(row)
            return grouped(int(state.row_sums[shown.line(0, row)]))
        if column < c:
            return grouped(int(state.column_sums[shown.line(1, column)]))
        return grouped(state.total) if column == c else ""

    def _sentence(self, row: int, column: int) -> str | None:
        state = self.document.state
        r, c = self._shape
        if row < r and column < c:
            here = self.shown.cell(row, column)
            target = None if self.targets is None else self.targets.text(*here)
            return self._of_count(*here) if target is None else f"{self._of_count(*here)}\n{target}"
        if column == c + 1 and row < r:
            mark = self.score_mark(row)
            parts = [mark.text if mark else None]
            if self.scores_stale and self._scores.known[self.shown.line(0, row)]:
                parts.append("Of the table before the last edit.")
            return "\n".join(part for part in parts if part) or None
        if row == r and column == c:
            return f"All items, N = {state.total:,}"
        if row == r and column < c:
            return self._header_sentence(column, across=True)
        if row < r and column == c:
            return self._header_sentence(row, across=False)
        return None

    def _of_count(self, row: int, column: int) -> str:
        """Return what is said of a cell of the data."""
        state = self.document.state
        count = int(state.counts[row, column])
        where = f"Class {named(state.truth[row])}, cluster {named(state.clusters[column])}"
        if not count:
            return f"{where}: no items"
        of_row, of_column = int(state.row_sums[row]), int(state.column_sums[column])
        shares = (
            f"{count / of_row:.1%} of the class, {count / of_column:.1%} of the cluster"
        ).replace("%", "\u00a0%")
        peak = ""
        if count == state.row_max[row]:
            tied = int(state.row_peaks[row])
            peak = (
                ". The largest cell of its class"
                if tied == 1
                else f". One of the {tied} largest cells of its class, which are equal"
            )
        return f"{where}: {items(count)}, {shares}{peak}"

    # Scores of rows

    def set_row_scores(
        self,
        values: npt.ArrayLike,
        peaks: npt.ArrayLike | None = None,
        *,
        revision: int | None = None,
    ) -> bool:
        """Show the peakiness of the rows.

        Parameters
        ----------
        values : array_like of float, shape (r,)
            In the order of the data; NaN where it does not exist, shown as an em dash.
        peaks : array_like of int, shape (r,), optional
            How many cells of each row are largest, 0 in an empty row: these and rows with
            several have a mark.
        revision : int, optional
            The document's revision that was scored; older scores are dropped.

        Returns
        -------
        bool
            Whether the scores were taken.

        Raises
        ------
        ValueError
            If there is not one value, or one number of cells, for each row of the table.
        """
        if revision is not None and revision != self.document.revision:
            return False
        array = np.array(values, dtype=np.float64)
        largest = np.array(np.ones(array.shape) if peaks is None else peaks, dtype=np.int64)
        if not array.shape == largest.shape == (self._shape[0],):
            raise ValueError(f"{array.shape} scores for {self._shape[0]} rows")
        self._scores = RowScores(array, np.ones(len(array), dtype=bool), largest)
        self.scores_stale = False
        self._emit_scores_changed()
        return True

    def set_digits(self, digits: int) -> None:
        """Set the digits after the point of the scores."""
        self.digits = digits
        self._emit_scores_changed()

    def score_text(self, row: int) -> str:
        """Return the peakiness of a row as shown; empty where none has been set."""
        line = self.shown.line(0, row)
        if not self._scores.known[line]:
            return ""
        return format_score(float(self._scores.values[line]), self.digits)

    def score_mark(self, row: int) -> RowMark | None:
        """Return the sign beside the peakiness of a row."""
        return self._scores.mark(self.shown.line(0, row))

    def _emit_scores_changed(self) -> None:
        r, c = self._shape
        self.dataChanged.emit(self.index(0, c + 1), self.index(r - 1, c + 1))


__all__ = ["MARGIN_COLUMNS", "MARGIN_ROWS", "TableContents"]
