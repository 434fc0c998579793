"""The document as a Qt model: what the user does goes to it, what it does is shown."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, Signal, Slot

from core.files.counts import read_count
from core.files.errors import CountError
from core.table import IntArray
from gui.table_editor.contents import MARGIN_COLUMNS, MARGIN_ROWS, TableContents
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
    Transpose,
    runs,
)
from gui.table_editor.row_scores import EMPTY_MARK, TIE_MARK, RowScores
from gui.table_editor.shown import Order
from gui.table_editor.targets import Targets
from gui.table_editor.words import grouped, header_name, named

_ROLE = Qt.ItemDataRole


class TableModel(TableContents):
    """Counts in the first r rows and c columns, sums and peakiness around them.

    Row r holds the cluster sizes, column c the class sizes, column c + 1 the peakiness,
    which the page computes and sets with `set_row_scores`. Only the counts can be
    selected and edited. The rows and columns of the model are places: which line of the
    data stands in each, `shown` knows.

    Parameters
    ----------
    document : TableDocument
    parent : QObject, optional
    """

    order_about_to_change = Signal()
    """Lines are about to be shown in other places."""

    order_changed = Signal()
    """Lines are shown in other places."""

    def __init__(self, document: TableDocument, parent: QObject | None = None) -> None:
        super().__init__(document, parent)
        #: Grows whenever lines come or go, so that an order of lines is of another table.
        self.structure = 0
        self._resetting = False
        self._largest = document.state.largest
        document.before_step.connect(self._before_step)
        document.after_step.connect(self._after_step)
        document.changed.connect(self._on_changed)

    # Editing

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
        return self.document.set_cell(*self.shown.cell(row, column), value)

    # What is shown of the data

    def set_order(self, rows: Order, columns: Order) -> None:
        """Show lines in other places.

        Parameters
        ----------
        rows, columns : ndarray of int64, or None
            The line of the data at each place; None as entered.

        Raises
        ------
        ValueError
            If there is not one place for each line.
        """
        for axis, order in enumerate((rows, columns)):
            if order is not None and order.shape != (self._shape[axis],):
                raise ValueError(f"{order.shape} places for {self._shape[axis]} lines")
        self.order_about_to_change.emit()
        self.shown.set_order(0, rows)
        self.shown.set_order(1, columns)
        r, c = self._shape
        self._all_changed()
        self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, r - 1)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, c - 1)
        self.order_changed.emit()

    def set_targets(self, targets: Targets | None) -> None:
        """Show what a score would gain or lose if one item were elsewhere.

        Raises
        ------
        ValueError
            If the changes are not those of this table.
        """
        if targets is not None:
            r, c = self._shape
            for given, n in ((targets.by_column, c), (targets.by_row, r)):
                if given is not None and given.shape != (n,):
                    raise ValueError(f"{given.shape} changes for {n} lines")
            if not (0 <= targets.row < r and 0 <= targets.column < c):
                raise ValueError(f"there is no cell {targets.row}, {targets.column}")
        before, self.targets = self.targets, targets
        r, c = self._shape
        for some in (before, targets):
            if some is not None and some.row < r and some.column < c:
                row, column = self.shown.place(0, some.row), self.shown.place(1, some.column)
                self.dataChanged.emit(self.index(row, 0), self.index(row, c - 1))
                self.dataChanged.emit(self.index(0, column), self.index(r - 1, column))

    # Changes of the document

    @Slot(object)
    def _before_step(self, step: Step) -> None:
        root = QModelIndex()
        # They are of the table before.
        self.set_targets(None)
        if isinstance(step, SetCells | RenameRows | RenameColumns):
            return
        shown = self.shown
        if isinstance(step, InsertRows | InsertColumns):
            axis = int(isinstance(step, InsertColumns))
            spans = runs(step.positions)
            if spans and shown.orders[axis] is not None:
                spans = shown.insert_spans(axis, step.positions)
            begin = self.beginInsertColumns if axis else self.beginInsertRows
        elif isinstance(step, DeleteRows | DeleteColumns):
            axis = int(isinstance(step, DeleteColumns))
            spans = runs(shown.places_of(axis, step.indices))
            begin = self.beginRemoveColumns if axis else self.beginRemoveRows
        else:
            spans = []
        self._resetting = len(spans) != 1
        if self._resetting:
            self.beginResetModel()
        else:
            begin(root, *spans[0])

    @Slot(object)
    def _after_step(self, step: Step) -> None:
        if isinstance(step, SetCells):
            self._cells_changed(step)
            return
        if isinstance(step, RenameRows | RenameColumns):
            self._names_changed(step)
            return
        self._shape = self.document.state.shape
        self.structure += 1
        self._follow(step)
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

    def _follow(self, step: Step) -> None:
        """Let the scores and the order follow lines that have come, gone or been exchanged."""
        shown = self.shown
        if isinstance(step, InsertRows | InsertColumns):
            if step.positions.size:
                shown.insert(int(isinstance(step, InsertColumns)), step.positions)
            if isinstance(step, InsertRows):
                self._scores = self._scores.with_rows(step.positions)
        elif isinstance(step, DeleteRows | DeleteColumns):
            shown.delete(int(isinstance(step, DeleteColumns)), step.indices)
            if isinstance(step, DeleteRows):
                self._scores = self._scores.without_rows(step.indices)
        else:
            self._scores = RowScores.none(self._shape[0])
            rows, columns = shown.orders if isinstance(step, Transpose) else (None, None)
            shown.set_order(0, columns)
            shown.set_order(1, rows)

    def _names_changed(self, step: RenameRows | RenameColumns) -> None:
        axis = int(isinstance(step, RenameColumns))
        places = self.shown.places_of(axis, step.indices)
        if places.size:
            self.headerDataChanged.emit(
                Qt.Orientation.Horizontal if axis else Qt.Orientation.Vertical,
                int(places.min()),
                int(places.max()),
            )

    def _cells_changed(self, step: SetCells) -> None:
        if not step.values.size:
            return
        largest, self._largest = self._largest, self.document.state.largest
        if largest != self._largest:
            # The whole table is shaded anew where the scale is the table's.
            self._all_changed()
            return
        r, c = self._shape
        top, bottom = self._extent(0, step.rows)
        # Whole rows: shades and frames depend on the largest cell of the row.
        self.dataChanged.emit(self.index(top, 0), self.index(bottom, c + 1))
        left, right = self._extent(1, step.columns)
        self.dataChanged.emit(self.index(r, left), self.index(r, right))
        self.dataChanged.emit(self.index(r, c), self.index(r, c))

    def _extent(self, axis: int, lines: IntArray) -> tuple[int, int]:
        """Return the first and the last place in which some lines are shown."""
        places = self.shown.places_of(axis, lines.reshape(-1))
        return int(places.min()), int(places.max())

    def _all_changed(self) -> None:
        r, c = self._shape
        self.dataChanged.emit(self.index(0, 0), self.index(r, c + 1))

    @Slot(int)
    def _on_changed(self, _revision: int) -> None:
        if not self.scores_stale:
            self.scores_stale = True
            self._emit_scores_changed()


__all__ = [
    "EMPTY_MARK",
    "MARGIN_COLUMNS",
    "MARGIN_ROWS",
    "TIE_MARK",
    "TableModel",
    "grouped",
    "header_name",
    "named",
]
