"""What one does to a table on the screen: clipboard, lines, names, order."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QWidget

from core.ordering import ColumnsBy, RowsBy, TableOrder
from gui.jobs import JobRunner
from gui.table_editor.actions import lines_of, make_actions, mark_order, name_actions
from gui.table_editor.blocks import BlockOptions
from gui.table_editor.clipboard import MAX_RICH_CELLS, ClipboardError, mime_data, pasted_text
from gui.table_editor.document import TableDocument
from gui.table_editor.edits import Box, cells_in, rectangle
from gui.table_editor.grid import GridView
from gui.table_editor.headers import NameHeader
from gui.table_editor.notice import Notice
from gui.table_editor.ordering import OrderKeeper
from gui.table_editor.pasting import Paster
from gui.table_editor.shown import Order

#: How long an order waits for the end of typing before it is tried again.
_WAIT_MS = 100


class CommandView(GridView):
    """A grid with commands, each an action with its key.

    Parameters
    ----------
    document : TableDocument
    parent : QWidget, optional
    """

    order_changed = Signal()
    """Lines are shown in another order, or another one was asked for."""

    finishing = Signal()
    """What is being typed is taken: whoever has an editor of its own takes it, too."""

    def __init__(self, document: TableDocument, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        model = self.table_model
        self.orders = OrderKeeper(model, self)
        self.paster = Paster(document, model.shown, self)
        self.table_actions = self._make_actions()
        # What was selected before lines went to other places, in the data.
        self._before_order: tuple[tuple[int, int], list[Box]] = ((0, 0), [])
        self._widths_before: tuple[Order, list[int]] = (None, [])
        self._waiting: tuple[TableOrder, int]
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_WAIT_MS)
        self._wait.timeout.connect(self._show_waiting_order)
        self.orders.found.connect(self._show_order)
        self.orders.failed.connect(document.warn)
        self.orders.changed.connect(self._on_order_changed)
        self.paster.as_entered.connect(self.show_as_entered)
        model.order_about_to_change.connect(self._before_order_changes)
        model.order_changed.connect(self._after_order_changed)

    def set_runner(self, runner: JobRunner | None) -> None:
        """Let long work on the table run beside the window.

        Without a runner, large tables are put in order and long texts read at once.
        """
        self.orders.runner = runner
        self.paster.runner = runner

    def finish_editing(self) -> bool:
        """Take what is being typed."""
        raise NotImplementedError

    def cancel_editing(self) -> None:
        """Close an open editor and leave the cell or name as it was."""
        raise NotImplementedError

    def _edit_name(self, header: NameHeader, section: int) -> None:
        raise NotImplementedError

    def set_fitted(self, fitted: bool) -> None:
        """Show the whole table, its cells as small as that takes, or cells that can be read."""
        self.cancel_editing()
        super().set_fitted(fitted)
        self.table_actions["fit_table"].setChecked(fitted)

    def _toggle_fitted(self) -> None:
        if self.finish_editing():
            self.set_fitted(not self.fitted)
        self.table_actions["fit_table"].setChecked(self.fitted)

    # Order

    def set_order(self, rows: RowsBy, columns: ColumnsBy) -> bool:
        """Show classes and clusters in an order; the data stay as they are.

        It is found anew when lines come or go, and by `order_again`, but not while counts
        are typed. Large tables are put in order beside the window.

        Parameters
        ----------
        rows : {"table", "size", "name"}
        columns : {"table", "matching", "size", "name"}
            As in `core.ordering`.

        Returns
        -------
        bool
            False if what is being typed is no count: a notice says so.

        Raises
        ------
        ValueError
            If there is no such order.
        """
        if not self.finish_editing():
            self._on_order_changed()
            return False
        self.orders.choose(rows, columns)
        return True

    def order_again(self) -> None:
        """Find the order anew, of the table as it is now."""
        self.set_order(self.orders.rows, self.orders.columns)

    @Slot()
    def show_as_entered(self) -> None:
        """Show rows and columns as they are in the data."""
        self.set_order("table", "table")

    def _order_rows(self, by: RowsBy) -> None:
        self.set_order(by, self.orders.columns)

    def _order_columns(self, by: ColumnsBy) -> None:
        self.set_order(self.orders.rows, by)

    @Slot(object)
    def _show_order(self, order: TableOrder) -> None:
        headers = self.row_header, self.column_header
        if self.cell_delegate.editor is not None or any(h.editor is not None for h in headers):
            # Found beside the window: rows must not jump under the hand that types.
            self._waiting = order, self.table_model.structure
            self._wait.start()
            return
        self._wait.stop()
        self.table_model.set_order(order.rows, order.columns)

    @Slot()
    def _show_waiting_order(self) -> None:
        order, structure = self._waiting
        if structure == self.table_model.structure:
            self._show_order(order)

    @Slot()
    def _on_order_changed(self) -> None:
        orders = self.orders
        mark_order(self.table_actions, orders.rows, orders.columns, orders.asked)
        self.corner.set_order(orders.rows != "table", orders.columns != "table", orders.sentence())
        self.order_changed.emit()

    @Slot()
    def _before_order_changes(self) -> None:
        shown, index = self.table_model.shown, self.currentIndex()
        row, column = max(index.row(), 0), max(index.column(), 0)
        r, c = shown.shape
        here = shown.cell(min(row, r - 1), min(column, c - 1))
        boxes = shown.data_boxes(self.selected_boxes())
        self._before_order = (here, [Box(*here, *here)] if boxes is None else boxes)
        self._widths_before = self.widths.measured()

    @Slot()
    def _after_order_changed(self) -> None:
        # What the last notice offers to do may have been meant for another place.
        self.document.say(None)
        self.widths.follow(self._widths_before)
        here, boxes = self._before_order
        shown = self.table_model.shown
        row, column = shown.place(0, here[0]), shown.place(1, here[1])
        self.select_boxes(shown.shown_boxes(boxes, here), (row, column))
        self.scrollTo(self.table_model.index(row, column))

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
                "fit_table": self._toggle_fitted,
                "order_again": self.order_again,
                **{
                    f"order_rows_{by}": partial(self._order_rows, by)
                    for by in ("table", "size", "name")
                },
                **{
                    f"order_columns_{by}": partial(self._order_columns, by)
                    for by in ("table", "matching", "size", "name")
                },
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
            # A name typed elsewhere is an edit, and the last one.
            self.finishing.emit()
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
        names = names or (whole and cells_in(box) > 1)
        if self.table_model.shown.ordered:
            part = self.table_model.shown.part(box)
            k, n = part.counts.shape
            data = mime_data(part, Box(0, 0, k - 1, n - 1), names=names)
        else:
            data = mime_data(self.document.state, box, names=names)
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
            self._set_to_zero([box], f"Cut {size}")

    def paste(self) -> bool:
        """Paste from the clipboard at the selection.

        Returns
        -------
        bool
            Whether the table changed. If not, a notice says why, or a long text is being
            read beside the window and pasted later.
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
        return self.paster.paste(text, boxes, BlockOptions(separator=separator))

    def clear(self) -> None:
        """Set the selected counts to 0."""
        boxes = self.selected_boxes()
        if boxes and self.finish_editing():
            self._set_to_zero(boxes)

    def _set_to_zero(self, boxes: list[Box], label: str = "") -> None:
        if not self.table_model.shown.ordered:
            self.document.clear_cells(boxes, label)
            return
        if not label and sum(map(cells_in, boxes)) == 1:
            label = "Clear cell"
        self.document.apply(self.table_model.shown.filled(boxes, 0, label))

    def insert_rows(self, below: bool) -> None:
        """Insert empty classes at the selection, as many as whole rows are selected.

        Under an order, beside the class in the data that is shown there.
        """
        if (box := self.around_selection()) is None or not self.finish_editing():
            return
        whole = box.left == 0 and box.right == self.document.state.shape[1] - 1
        n = box.bottom - box.top + 1 if whole and box.right > 0 else 1
        line = self.table_model.shown.line(0, box.bottom if below else box.top)
        self.document.insert_rows(line + below, n)

    def insert_columns(self, right: bool) -> None:
        """Insert empty clusters at the selection, as many as whole columns are selected."""
        if (box := self.around_selection()) is None or not self.finish_editing():
            return
        whole = box.top == 0 and box.bottom == self.document.state.shape[0] - 1
        n = box.right - box.left + 1 if whole and box.bottom > 0 else 1
        line = self.table_model.shown.line(1, box.right if right else box.left)
        self.document.insert_columns(line + right, n)

    def delete_rows(self) -> None:
        """Delete the classes that the selection touches."""
        if self.finish_editing():
            places = lines_of(self.selected_boxes())[0]
            self.document.delete_rows(self.table_model.shown.lines_at(0, places))

    def delete_columns(self) -> None:
        """Delete the clusters that the selection touches."""
        if self.finish_editing():
            places = lines_of(self.selected_boxes())[1]
            self.document.delete_columns(self.table_model.shown.lines_at(1, places))

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


__all__ = ["CommandView"]
