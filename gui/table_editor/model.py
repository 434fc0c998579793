"""The document as a Qt model: the counts, and their margins around them."""

from __future__ import annotations

import html
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Slot,
)

from core.files.counts import read_count
from core.files.errors import CountError
from core.formatting import format_score
from core.table import IntArray
from gui.table_editor.document import TableDocument
from gui.table_editor.edits import (
    DeleteColumns,
    DeleteRows,
    InsertColumns,
    InsertRows,
    RenameColumns,
    RenameRows,
    SetCells,
    Step,
    runs,
)

#: Between groups of three digits in sums: a narrow no-break space.
GROUP_SEPARATOR = "\u202f"
TIE_MARK = "="
EMPTY_MARK = "∅"

#: Letters of a name that a sentence holds, and that a header can show.
_NAME_IN_SENTENCE = 80
_LONGEST_TEXT = 512

#: Columns to the right of the clusters, sum and peakiness, and rows below the classes.
MARGIN_COLUMNS = 2
MARGIN_ROWS = 1

_ROLE = Qt.ItemDataRole
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CENTRE = Qt.AlignmentFlag.AlignCenter


class RowMark(NamedTuple):
    """A small sign beside the peakiness of a row, and the sentence it stands for."""

    glyph: str
    text: str


class _RowScores(NamedTuple):
    values: npt.NDArray[np.float64]
    #: Whether a value has been set since the row came.
    known: npt.NDArray[np.bool_]
    #: How many cells of the row were largest; 0 in an empty row.
    peaks: IntArray


class TableModel(QAbstractTableModel):
    """Counts in the first r rows and c columns, sums and peakiness around them.

    Row r holds the cluster sizes, column c the class sizes, column c + 1 the peakiness,
    which the page computes and sets with `set_row_scores`. Only the counts can be
    selected and edited.

    Parameters
    ----------
    document : TableDocument
    parent : QObject, optional
    """

    def __init__(self, document: TableDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self._shape = document.state.shape
        self._scores = _no_scores(self._shape[0])
        self.digits = 3
        self._resetting = False
        self._largest = document.state.largest
        #: Whether the scores shown belong to the table before the last edit.
        self.scores_stale = False
        document.before_step.connect(self._before_step)
        document.after_step.connect(self._after_step)
        document.changed.connect(self._on_changed)

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
            return int(self.document.state.counts[row, column]) if count else self.text(row, column)
        if role == _ROLE.TextAlignmentRole:
            return _RIGHT
        if role == _ROLE.ToolTipRole:
            return as_tool_tip(self._sentence(row, column))
        if role == _ROLE.AccessibleTextRole:
            return self._sentence(row, column) or self.text(row, column)
        return None

    def setData(
        self,
        index: QModelIndex | QPersistentModelIndex,
        value: Any,
        role: int = _ROLE.EditRole,
    ) -> bool:
        row, column = index.row(), index.column()
        if role != _ROLE.EditRole or not self.is_count(row, column):
            return False
        if isinstance(value, str):
            try:
                value = read_count(value)
            except CountError as error:
                self.document.warn(str(error))
                return False
        return self.document.set_cell(row, column, value)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole
    ) -> Any:
        across = orientation == Qt.Orientation.Horizontal
        state = self.document.state
        names = state.clusters if across else state.truth
        if role == _ROLE.TextAlignmentRole:
            return _CENTRE
        if section < 0 or section >= len(names) + (MARGIN_COLUMNS if across else 1):
            return None
        if role == _ROLE.DisplayRole:
            if section < len(names):
                return header_name(names[section])
            return "sum" if section == len(names) else "peakiness"
        if role == _ROLE.EditRole:
            return names[section] if section < len(names) else None
        if role == _ROLE.ToolTipRole:
            return as_tool_tip(self._header_sentence(section, across))
        if role == _ROLE.AccessibleTextRole:
            return self._header_sentence(section, across)
        return None

    def _header_sentence(self, section: int, across: bool) -> str:
        state = self.document.state
        names = state.clusters if across else state.truth
        if section < len(names):
            size = (state.column_sums if across else state.row_sums)[section]
            what = "Cluster" if across else "Class"
            return f"{what} {named(names[section])}: {items(int(size))}"
        if section == len(names):
            return "Size of each class" if across else "Size of each cluster"
        return (
            "Peakiness of each class: how far its largest cell stands above the next, "
            "(largest − next) / largest"
        )

    def text(self, row: int, column: int) -> str:
        """Return what a place of the grid shows."""
        state = self.document.state
        r, c = self._shape
        if row < r:
            if column < c:
                return str(state.counts[row, column])
            return grouped(int(state.row_sums[row])) if column == c else self.score_text(row)
        if column < c:
            return grouped(int(state.column_sums[column]))
        return grouped(state.total) if column == c else ""

    def _sentence(self, row: int, column: int) -> str | None:
        state = self.document.state
        r, c = self._shape
        if row < r and column < c:
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
        if column == c + 1 and row < r:
            mark = self.score_mark(row)
            parts = [mark.text if mark else None]
            if self.scores_stale and self._scores.known[row]:
                parts.append("Of the table before the last edit.")
            return "\n".join(part for part in parts if part) or None
        if row == r and column == c:
            return f"All items, N = {state.total:,}"
        if row == r and column < c:
            return self._header_sentence(column, across=True)
        if row < r and column == c:
            return self._header_sentence(row, across=False)
        return None

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
            NaN where it does not exist; shown as an em dash.
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
        self._scores = _RowScores(array, np.ones(len(array), dtype=bool), largest)
        self.scores_stale = False
        self._emit_scores_changed()
        return True

    def set_digits(self, digits: int) -> None:
        """Set the digits after the point of the scores."""
        self.digits = digits
        self._emit_scores_changed()

    def score_text(self, row: int) -> str:
        """Return the peakiness of a row as shown; empty where none has been set."""
        if not self._scores.known[row]:
            return ""
        value = float(self._scores.values[row])
        return format_score(value, self.digits)

    def score_mark(self, row: int) -> RowMark | None:
        """Return the sign beside the peakiness of a row."""
        peaks = int(self._scores.peaks[row])
        if peaks == 1:
            return None
        if not peaks:
            return RowMark(EMPTY_MARK, "An empty class has no peakiness.\nThe class has no items.")
        return RowMark(
            TIE_MARK,
            f"{peaks:,} cells are largest: which cluster the class votes for is decided by "
            "their order.",
        )

    def _emit_scores_changed(self) -> None:
        r, c = self._shape
        self.dataChanged.emit(self.index(0, c + 1), self.index(r - 1, c + 1))

    # Changes of the document

    @Slot(object)
    def _before_step(self, step: Step) -> None:
        root = QModelIndex()
        if isinstance(step, SetCells | RenameRows | RenameColumns):
            return
        if isinstance(step, InsertRows | InsertColumns):
            spans = runs(step.positions)
            begin = (
                self.beginInsertRows if isinstance(step, InsertRows) else self.beginInsertColumns
            )
        elif isinstance(step, DeleteRows | DeleteColumns):
            spans = runs(step.indices)
            begin = (
                self.beginRemoveRows if isinstance(step, DeleteRows) else self.beginRemoveColumns
            )
        else:
            spans = []
        self._resetting = len(spans) != 1
        if self._resetting:
            self.beginResetModel()
        else:
            begin(root, *spans[0])

    @Slot(object)
    def _after_step(self, step: Step) -> None:
        self._shape = self.document.state.shape
        if isinstance(step, SetCells):
            self._cells_changed(step)
            return
        if isinstance(step, RenameRows | RenameColumns):
            if step.indices.size:
                self.headerDataChanged.emit(
                    Qt.Orientation.Vertical
                    if isinstance(step, RenameRows)
                    else Qt.Orientation.Horizontal,
                    int(step.indices.min()),
                    int(step.indices.max()),
                )
            return
        if isinstance(step, InsertRows):
            self._scores = _with_rows(self._scores, step.positions)
        elif isinstance(step, DeleteRows):
            self._scores = _without_rows(self._scores, step.indices)
        elif not isinstance(step, InsertColumns | DeleteColumns):
            self._scores = _no_scores(self._shape[0])
        if self._resetting:
            self.endResetModel()
        elif isinstance(step, InsertRows):
            self.endInsertRows()
        elif isinstance(step, InsertColumns):
            self.endInsertColumns()
        elif isinstance(step, DeleteRows):
            self.endRemoveRows()
        else:
            self.endRemoveColumns()
        self._largest = self.document.state.largest
        if not self._resetting:
            self._all_changed()

    def _cells_changed(self, step: SetCells) -> None:
        if not step.values.size:
            return
        largest, self._largest = self._largest, self.document.state.largest
        if largest != self._largest:
            # The whole table is shaded anew where the scale is the table's.
            self._all_changed()
            return
        r, c = self._shape
        top, bottom = int(step.rows.min()), int(step.rows.max())
        # Whole rows: shades and frames depend on the largest cell of the row.
        self.dataChanged.emit(self.index(top, 0), self.index(bottom, c + 1))
        left, right = int(step.columns.min()), int(step.columns.max())
        self.dataChanged.emit(self.index(r, left), self.index(r, right))
        self.dataChanged.emit(self.index(r, c), self.index(r, c))

    def _all_changed(self) -> None:
        r, c = self._shape
        self.dataChanged.emit(self.index(0, 0), self.index(r, c + 1))

    @Slot(int)
    def _on_changed(self, _revision: int) -> None:
        if not self.scores_stale:
            self.scores_stale = True
            self._emit_scores_changed()


def grouped(number: int) -> str:
    """Return a whole number with its digits in groups of three."""
    return f"{number:,}".replace(",", GROUP_SEPARATOR)


def items(number: int) -> str:
    """Return a number of items in words."""
    return f"{number:,} item{'s' if number != 1 else ''}"


def named(name: str) -> str:
    """Return a name for a sentence, its end cut if it is long."""
    # Most may be blanks, but there may be very many letters too.
    flat = " ".join(name[:_LONGEST_TEXT].split())
    if len(flat) > _NAME_IN_SENTENCE or len(name) > _LONGEST_TEXT:
        flat = flat[: _NAME_IN_SENTENCE - 1] + "…"
    return flat or "(no name)"


def header_name(name: str) -> str:
    """Return a name on one line, its middle cut if no column could be so wide."""
    if len(name) > _LONGEST_TEXT:
        name = f"{name[: _LONGEST_TEXT // 2]}…{name[-_LONGEST_TEXT // 2 :]}"
    return " ".join(name.split())


def as_tool_tip(text: str | None) -> str | None:
    """Return text for a tool tip, which would take a name such as ``<b>`` for markup."""
    if text is None or "<" not in text:
        return text
    return f"<span>{html.escape(text)}</span>".replace("\n", "<br>")


def _no_scores(r: int) -> _RowScores:
    return _RowScores(np.full(r, np.nan), np.zeros(r, dtype=bool), np.ones(r, dtype=np.int64))


def _with_rows(scores: _RowScores, positions: npt.NDArray[np.int64]) -> _RowScores:
    kept = np.ones(scores.values.size + positions.size, dtype=bool)
    kept[positions] = False
    new = _no_scores(kept.size)
    for mine, old in zip(new, scores, strict=True):
        mine[kept] = old
    return new


def _without_rows(scores: _RowScores, indices: npt.NDArray[np.int64]) -> _RowScores:
    kept = np.ones(scores.values.size, dtype=bool)
    kept[indices] = False
    return _RowScores(scores.values[kept], scores.known[kept], scores.peaks[kept])


__all__ = ["EMPTY_MARK", "TIE_MARK", "RowMark", "TableModel", "grouped"]
