"""The editor of a table: actions, clipboard and menus around the grid."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from core.scores import Scores
from gui.table_editor.actions import CELL_MENU, CLASS_MENU, CLUSTER_MENU, pop_up
from gui.table_editor.commands import CommandView
from gui.table_editor.document import TableDocument
from gui.table_editor.edits import Box, Place, RenameColumns, RenameRows, SetCells, Step, Transpose
from gui.table_editor.headers import NameHeader
from gui.table_editor.targets import Targets

#: Cells of a table that are compared one by one.
_COMPARED_CELLS = 100_000


class TableView(CommandView):
    """The editor of a `TableDocument`.

    Parameters
    ----------
    document : TableDocument
    parent : QWidget, optional

    Attributes
    ----------
    document : TableDocument
    table_model : TableModel
    table_actions : dict of str to QAction
        By name: undo, redo, cut, copy, copy_with_names, paste, clear, select_all,
        insert_row_above, insert_row_below, insert_column_left, insert_column_right,
        delete_rows, delete_columns, rename_row, rename_column, transpose; and checkable
        ones for the order, order_rows_table, order_rows_size, order_rows_name,
        order_columns_table, order_columns_matching, order_columns_size,
        order_columns_name, with order_again. Their shortcuts work while the table has
        the focus, in a menu or not.
    """

    def __init__(self, document: TableDocument, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        # The cursor when a reset of the model has taken it away.
        self._lost: tuple[int, int] | None = None
        self.setAccessibleName("Contingency table: truth classes in rows, clusters in columns")
        self.addActions(list(self.table_actions.values()))
        self._connect()
        self._on_loaded()

    def _connect(self) -> None:
        document, model = self.document, self.table_model
        document.before_step.connect(self._before_step)
        document.after_step.connect(self._after_step)
        document.touched.connect(self._on_touched)
        document.changed.connect(self._on_changed)
        document.loaded.connect(self._on_loaded)
        document.history_changed.connect(self._update_actions)
        model.modelAboutToBeReset.connect(self._before_reset)
        model.modelReset.connect(self.widths.fit_all)
        model.columnsInserted.connect(self.widths.fit_inserted)
        model.headerDataChanged.connect(self.widths.fit_names)
        model.columnsRemoved.connect(self.widths.forget_removed)
        for signal in (model.modelReset, model.rowsInserted, model.rowsRemoved):
            signal.connect(self.row_header.measure)
        for signal in (model.modelReset, model.columnsInserted, model.columnsRemoved):
            signal.connect(self.column_header.measure)
        for header in (self.row_header, self.column_header):
            model.headerDataChanged.connect(header.measure)
        self.cell_delegate.committed.connect(self.leave)
        self.cell_delegate.edit_again.connect(self._on_edit_again)
        for header, rename in (
            (self.row_header, self._rename_row),
            (self.column_header, self._rename_column),
        ):
            header.sectionDoubleClicked.connect(partial(self._edit_name, header))
            header.sectionHandleDoubleClicked.connect(self.widths.fit)
            header.renamed.connect(rename)
            header.move_asked.connect(partial(self._edit_name, header))
            header.leave_asked.connect(self.leave)
            header.sectionResized.connect(header.close_editor)
            header.customContextMenuRequested.connect(partial(self._header_menu, header))
        for bar in (self.verticalScrollBar(), self.horizontalScrollBar()):
            bar.valueChanged.connect(self.row_header.finish)
            bar.valueChanged.connect(self.column_header.finish)
        self.selectionModel().selectionChanged.connect(self._update_actions)

    # For the page

    def set_digits(self, digits: int) -> None:
        """Set the digits after the point of the peakiness."""
        self.table_model.set_digits(digits)
        self.widths.fit(self.document.state.shape[1] + 1)

    def set_row_scores(self, scores: Scores) -> bool:
        """Show the peakiness of each class; see `TableModel.set_row_scores` for plain arrays.

        Parameters
        ----------
        scores : Scores
            With the key ``row_peakiness``.

        Returns
        -------
        bool
            False if they are the scores of another table than the present one. A large
            table must be the document's very snapshot: to compare its cells would take
            too long.
        """
        table = self.document.snapshot()
        if scores.table is not table:
            small = table.shape[0] * table.shape[1] <= _COMPARED_CELLS
            if not small or scores.table != table:
                return False
        # Of the table that was scored, which is this one.
        peaks = self.document.state.row_peaks
        return self.table_model.set_row_scores(scores.by_row("row_peakiness"), peaks)

    def set_targets(
        self,
        row: int,
        column: int,
        differences_by_column: npt.ArrayLike | None,
        differences_by_row: npt.ArrayLike | None,
        sentence: Callable[[int, int, float], str],
        *,
        larger_is_better: bool = True,
    ) -> None:
        """Tint the row and column of a cell by what a score would change.

        Rows and columns are those of the data. The next edit takes the tints away.

        Parameters
        ----------
        row, column : int
            The cell that one item would leave.
        differences_by_column : array_like of float, shape (c,), or None
            What the score would gain if the item were in another cluster; NaN where it
            cannot go.
        differences_by_row : array_like of float, shape (r,), or None
            The same if it were of another class.
        sentence : callable
            Takes row, column and difference; returns what the tool tip of the cell adds.
        larger_is_better : bool
            Whether a rise of the score is for the better.

        Raises
        ------
        ValueError
            If there is not one difference for each line, or no such cell.
        """
        by_column, by_row = (
            None if given is None else np.array(given, np.float64)
            for given in (differences_by_column, differences_by_row)
        )
        self.table_model.set_targets(
            Targets(row, column, by_column, by_row, sentence, larger_is_better)
        )

    def clear_targets(self) -> None:
        """Take the tints away."""
        self.table_model.set_targets(None)

    def finish_editing(self) -> bool:
        """Take what is being typed; call it before the table is read, saved or closed.

        Returns
        -------
        bool
            False if it is not a count: the editor stays open and a notice says why.
        """
        self.finishing.emit()
        self.row_header.finish()
        self.column_header.finish()
        return self.cell_delegate.finish()

    def cancel_editing(self) -> None:
        """Close an open editor and leave the cell or name as it was."""
        self.row_header.close_editor()
        self.column_header.close_editor()
        self.cell_delegate.cancel()

    # Editing

    @Slot(int, int, str)
    def _on_edit_again(self, row: int, column: int, text: str) -> None:
        r, c = self.document.state.shape
        if not (0 <= row < r and 0 <= column < c):
            return
        shown = self.table_model.shown
        row, column = shown.place(0, row), shown.place(1, column)
        self.set_current(row, column)
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edit(
            self.table_model.index(row, column), QAbstractItemView.EditTrigger.EditKeyPressed, None
        )
        if self.cell_delegate.editor is not None:
            self.cell_delegate.editor.setText(text)
            self.cell_delegate.editor.setModified(True)

    @Slot(int, str)
    def _rename_row(self, row: int, name: str) -> None:
        self.document.rename_row(self.table_model.shown.line(0, row), name)

    @Slot(int, str)
    def _rename_column(self, column: int, name: str) -> None:
        self.document.rename_column(self.table_model.shown.line(1, column), name)

    def _edit_name(self, header: NameHeader, section: int) -> None:
        if not 0 <= section < header.named_sections or not self.finish_editing():
            return
        index = self.currentIndex()
        row, column = max(index.row(), 0), max(index.column(), 0)
        place = (row, section) if header.across else (section, column)
        if place != (index.row(), index.column()):
            self.set_current(*place)
        self.scrollTo(self.table_model.index(*place))
        header.edit_name(section)

    # Menus

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            rect = self.visualRect(self.currentIndex())
            point = self.viewport().mapToGlobal(rect.center())
        else:
            point = event.globalPos()
            index = self.indexAt(event.pos())
            row, column = index.row(), index.column()
            if self.table_model.is_count(row, column) and not self._is_selected(row, column):
                self.set_current(row, column)
        pop_up(self, self.table_actions, CELL_MENU, point)
        event.accept()

    def _header_menu(self, header: NameHeader, at: QPoint) -> None:
        section = header.section_at(at.x() if header.across else at.y())
        if not 0 <= section < header.named_sections or not self.finish_editing():
            return
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.select_line(header, section, unless_selected=True)
        groups = CLUSTER_MENU if header.across else CLASS_MENU
        pop_up(self, self.table_actions, groups, header.viewport().mapToGlobal(at))

    def select_line(
        self, header: NameHeader, section: int, *, unless_selected: bool = False
    ) -> None:
        """Select a whole class or cluster."""
        r, c = self.document.state.shape
        line = Box(0, section, r - 1, section) if header.across else Box(section, 0, section, c - 1)
        if unless_selected and any(
            box.top <= line.top
            and box.left <= line.left
            and box.bottom >= line.bottom
            and box.right >= line.right
            for box in self.selected_boxes()
        ):
            return
        self.select_box(line)

    def _is_selected(self, row: int, column: int) -> bool:
        return self.selectionModel().isSelected(self.table_model.index(row, column))

    # Changes of the document

    @Slot()
    def _before_reset(self) -> None:
        index, shown = self.currentIndex(), self.table_model.shown
        # In the data: the order may go with what is reset.
        self._lost = shown.cell(max(index.row(), 0), max(index.column(), 0))

    @Slot(object)
    def _before_step(self, step: Step) -> None:
        if not isinstance(step, SetCells | RenameRows | RenameColumns):
            # The cell or name under an editor may go away.
            self.cancel_editing()

    @Slot(object)
    def _after_step(self, step: Step) -> None:
        if isinstance(step, Transpose) and self._lost is not None:
            self._lost = (self._lost[1], self._lost[0])

    @Slot(object)
    def _on_touched(self, place: Place) -> None:
        """Select what an edit, an undo or a redo has changed."""
        # First, so that it is scrolled to where it stays.
        self.refit()
        self.orders.follow()
        shown = self.table_model.shown
        r, c = shown.shape
        index = self.currentIndex()
        row, column = index.row(), index.column()
        if index.isValid():
            here = shown.cell(min(max(row, 0), r - 1), min(max(column, 0), c - 1))
        else:
            row, column = self._lost or (0, 0)
            here = min(max(row, 0), r - 1), min(max(column, 0), c - 1)
        self._lost = None
        row, column = shown.place(0, here[0]), shown.place(1, here[1])
        boxes = shown.shown_boxes(place, here)
        if not boxes:
            if not index.isValid():
                self.set_current(row, column)
            return
        inside = any(
            box.top <= row <= box.bottom and box.left <= column <= box.right for box in boxes
        )
        current = (row, column) if inside else (boxes[0].top, boxes[0].left)
        tab_start = self._tab_start
        self.select_boxes(boxes, current)
        self._tab_start = tab_start
        self.scrollTo(self.table_model.index(*current))

    @Slot()
    def _on_changed(self) -> None:
        self.widths.grow()

    @Slot()
    def _on_loaded(self) -> None:
        self.orders.follow()
        self.fit()
        self._tab_start = None
        self.set_current(0, 0)
        self._update_actions()


__all__ = ["TableView"]
