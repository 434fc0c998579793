"""The editor of a table: actions, clipboard and menus around the grid."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QItemSelection, QPoint, Qt, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QWidget

from core.scores import Scores
from gui.table_editor.actions import (
    CELL_MENU,
    CLASS_MENU,
    CLUSTER_MENU,
    lines_of,
    make_actions,
    name_actions,
    pop_up,
)
from gui.table_editor.blocks import BlockOptions
from gui.table_editor.clipboard import MAX_RICH_CELLS, ClipboardError, mime_data, pasted_text
from gui.table_editor.document import TableDocument
from gui.table_editor.edits import (
    HERE,
    Box,
    Place,
    RenameColumns,
    RenameRows,
    SetCells,
    Step,
    Transpose,
    cells_in,
    rectangle,
)
from gui.table_editor.grid import SELECT, GridView
from gui.table_editor.headers import NameHeader
from gui.table_editor.notice import Notice
from gui.table_editor.pasting import paste_text

#: Cells of a table that are compared one by one.
_COMPARED_CELLS = 100_000


class TableView(GridView):
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
        delete_rows, delete_columns, rename_row, rename_column, transpose. Their
        shortcuts work while the table has the focus, in a menu or not.
    """

    def __init__(self, document: TableDocument, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        # The cursor when a reset of the model has taken it away.
        self._lost: tuple[int, int] | None = None
        self.setAccessibleName("Contingency table: truth classes in rows, clusters in columns")
        self.table_actions = self._make_actions()
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
        model.headerDataChanged.connect(self.row_header.measure)
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

    def finish_editing(self) -> bool:
        """Take what is being typed; call it before the table is read, saved or closed.

        Returns
        -------
        bool
            False if it is not a count: the editor stays open and a notice says why.
        """
        self.row_header.finish()
        self.column_header.finish()
        return self.cell_delegate.finish()

    def cancel_editing(self) -> None:
        """Close an open editor and leave the cell or name as it was."""
        self.row_header.close_editor()
        self.column_header.close_editor()
        self.cell_delegate.cancel()

    # Actions

    def _make_actions(self) -> dict[str, QAction]:
        return make_actions(
            self,
            {
                "undo": self.undo,
                "redo": self.redo,
                "cut": self.cut,
                "copy": self.copy,
                "copy_with_names": partial(self.copy, names=True),
                "paste": self.paste,
                "clear": self.clear,
                "select_all": self.selectAll,
                "insert_row_above": partial(self.insert_rows, False),
                "insert_row_below": partial(self.insert_rows, True),
                "insert_column_left": partial(self.insert_columns, False),
                "insert_column_right": partial(self.insert_columns, True),
                "delete_rows": self.delete_rows,
                "delete_columns": self.delete_columns,
                "rename_row": self.rename_row,
                "rename_column": self.rename_column,
                "transpose": self.transpose,
            },
        )

    @Slot()
    def _update_actions(self) -> None:
        name_actions(self.table_actions, self.document.undo_stack, self.selected_boxes())

    def undo(self) -> None:
        """Undo the last edit, or the typing that is under way."""
        if self.cell_delegate.editor is not None:
            self.cancel_editing()
        else:
            self.row_header.close_editor()
            self.column_header.close_editor()
            self.document.undo_stack.undo()

    def redo(self) -> None:
        """Do again what was undone."""
        if self.finish_editing():
            self.document.undo_stack.redo()

    def copy(self, *, names: bool = False) -> bool:
        """Copy the selected rectangle.

        Parameters
        ----------
        names : bool
            Whether names go along; they always do with whole rows and columns.

        Returns
        -------
        bool
            False if the selection is no rectangle, which a notice says.
        """
        if not self.finish_editing():
            return False
        boxes = self.selected_boxes()
        box = rectangle(boxes)
        if box is None:
            self.document.warn(
                "Nothing was copied: the selection is in several pieces, and one rectangle "
                "can be copied at a time."
                if boxes
                else "Nothing was copied: no cell is selected."
            )
            return False
        r, c = self.document.state.shape
        whole = (box.left == 0 and box.right == c - 1) or (box.top == 0 and box.bottom == r - 1)
        data = mime_data(self.document.state, box, names=names or (whole and cells_in(box) > 1))
        QGuiApplication.clipboard().setMimeData(data)
        if (n := cells_in(box)) > MAX_RICH_CELLS:
            self.document.say(Notice(f"Copied {n:,} counts; so many go as plain text only."))
        return True

    def cut(self) -> None:
        """Copy the selected rectangle and set it to 0."""
        if not self.copy():
            return
        boxes = self.selected_boxes()
        box = rectangle(boxes)
        if box is not None:
            size = f"{box.bottom - box.top + 1:,} x {box.right - box.left + 1:,}"
            self.document.clear_cells([box], f"Cut {size}")

    def paste(self) -> bool:
        """Paste from the clipboard at the selection.

        Returns
        -------
        bool
            Whether the table changed. If not, a notice says why.
        """
        if not self.finish_editing():
            return False
        boxes = self.selected_boxes()
        if not boxes:
            self.document.warn("Nothing was pasted: select the cell where it is to go.")
            return False
        try:
            text, separator = pasted_text(QGuiApplication.clipboard().mimeData())
        except ClipboardError as error:
            self.document.warn(str(error))
            return False
        return paste_text(self.document, text, boxes, BlockOptions(separator=separator))

    def clear(self) -> None:
        """Set the selected counts to 0."""
        boxes = self.selected_boxes()
        if boxes and self.finish_editing():
            self.document.clear_cells(boxes)

    def insert_rows(self, below: bool) -> None:
        """Insert empty classes at the selection, as many as whole rows are selected."""
        if (box := self.around_selection()) is None or not self.finish_editing():
            return
        whole = box.left == 0 and box.right == self.document.state.shape[1] - 1
        n = box.bottom - box.top + 1 if whole and box.right > 0 else 1
        self.document.insert_rows(box.bottom + 1 if below else box.top, n)

    def insert_columns(self, right: bool) -> None:
        """Insert empty clusters at the selection, as many as whole columns are selected."""
        if (box := self.around_selection()) is None or not self.finish_editing():
            return
        whole = box.top == 0 and box.bottom == self.document.state.shape[0] - 1
        n = box.right - box.left + 1 if whole and box.bottom > 0 else 1
        self.document.insert_columns(box.right + 1 if right else box.left, n)

    def delete_rows(self) -> None:
        """Delete the classes that the selection touches."""
        if self.finish_editing():
            self.document.delete_rows(lines_of(self.selected_boxes())[0])

    def delete_columns(self) -> None:
        """Delete the clusters that the selection touches."""
        if self.finish_editing():
            self.document.delete_columns(lines_of(self.selected_boxes())[1])

    def rename_row(self) -> None:
        """Edit the name of the current class."""
        self._edit_name(self.row_header, self.currentIndex().row())

    def rename_column(self) -> None:
        """Edit the name of the current cluster."""
        self._edit_name(self.column_header, self.currentIndex().column())

    def transpose(self) -> None:
        """Exchange truth classes and clusters."""
        if self.finish_editing():
            self.document.transpose()

    # Editing

    @Slot(int, int, str)
    def _on_edit_again(self, row: int, column: int, text: str) -> None:
        if not self.table_model.is_count(row, column):
            return
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
        self.document.rename_row(row, name)

    @Slot(int, str)
    def _rename_column(self, column: int, name: str) -> None:
        self.document.rename_column(column, name)

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
        index = self.currentIndex()
        self._lost = (max(index.row(), 0), max(index.column(), 0))

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
        r, c = self.document.state.shape
        index = self.currentIndex()
        row, column = index.row(), index.column()
        if not index.isValid() and self._lost is not None:
            row, column = self._lost
        self._lost = None
        row, column = min(max(row, 0), r - 1), min(max(column, 0), c - 1)
        boxes = [
            Box(
                row if box.top == HERE else box.top,
                column if box.left == HERE else box.left,
                row if box.bottom == HERE else min(box.bottom, r - 1),
                column if box.right == HERE else min(box.right, c - 1),
            )
            for box in place
        ]
        if not boxes:
            if not index.isValid():
                self.set_current(row, column)
            return
        inside = any(
            box.top <= row <= box.bottom and box.left <= column <= box.right for box in boxes
        )
        here = (row, column) if inside else (boxes[0].top, boxes[0].left)
        area = QItemSelection()
        model = self.table_model
        for box in boxes:
            area.select(model.index(box.top, box.left), model.index(box.bottom, box.right))
        tab_start = self._tab_start
        self.selectionModel().setCurrentIndex(model.index(*here), SELECT.NoUpdate)
        self.selectionModel().select(area, SELECT.ClearAndSelect)
        self._far = None
        self._tab_start = tab_start
        self.scrollTo(model.index(*here))

    @Slot()
    def _on_changed(self) -> None:
        self.widths.grow()

    @Slot()
    def _on_loaded(self) -> None:
        self.fit()
        self._tab_start = None
        self.set_current(0, 0)
        self._update_actions()


__all__ = ["TableView"]
