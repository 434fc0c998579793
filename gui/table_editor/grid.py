"""The grid on the screen: cursor and selection, moved by keys and mouse."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    Qt,
    QTimer,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from gui.table_editor.document import TableDocument
from gui.table_editor.editors import Leave, leave_of
from gui.table_editor.edits import Box, cells_in
from gui.table_editor.moves import Cursor, after_key, after_leave
from gui.table_editor.surface import Index, TableSurface

_SCROLL_MS = 50

SELECT = QItemSelectionModel.SelectionFlag
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


class GridView(TableSurface):
    """A table in which one moves and selects as in a spreadsheet; margins stay apart.

    The current cell is the one that typing goes to; with Shift, the far corner of the
    selection moves and the current cell stays.

    Parameters
    ----------
    document : TableDocument
    parent : QWidget, optional
    """

    def __init__(self, document: TableDocument, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self._far: tuple[int, int] | None = None
        self._tab_start: int | None = None
        self._leaving = False
        # While the mouse is down: what was selected before, and where the mouse is.
        self._drag: QItemSelection | None = None
        self._drag_point = QPoint()
        self._scroll = QTimer(self)
        self._scroll.setInterval(_SCROLL_MS)
        self._scroll.timeout.connect(self._on_scroll_timer)

        # The cell of a click whose button is still down.
        self._pressed: tuple[int, int] | None = None
        self.corner.clicked.connect(self.selectAll)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.AnyKeyPressed
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.selectionModel().currentChanged.connect(self._on_current_changed)

    # Selection

    def around_selection(self) -> Box | None:
        """Return the rectangle around everything that is selected."""
        boxes = self.selected_boxes()
        if not boxes:
            return None
        return Box(
            min(box.top for box in boxes),
            min(box.left for box in boxes),
            max(box.bottom for box in boxes),
            max(box.right for box in boxes),
        )

    def select_box(self, box: Box, current: tuple[int, int] | None = None) -> None:
        """Select a rectangle of counts; the current cell is its upper left by default."""
        row, column = current or (box.top, box.left)
        self._tab_start = self._far = None
        model, selection = self.table_model, self.selectionModel()
        selection.setCurrentIndex(model.index(row, column), SELECT.NoUpdate)
        area = QItemSelection(model.index(box.top, box.left), model.index(box.bottom, box.right))
        selection.select(area, SELECT.ClearAndSelect)

    def select_boxes(self, boxes: Sequence[Box], current: tuple[int, int]) -> None:
        """Select some rectangles of counts; nothing is scrolled."""
        model, selection = self.table_model, self.selectionModel()
        area = QItemSelection()
        for box in boxes:
            area.select(model.index(box.top, box.left), model.index(box.bottom, box.right))
        selection.setCurrentIndex(model.index(*current), SELECT.NoUpdate)
        selection.select(area, SELECT.ClearAndSelect)
        self._far = self._tab_start = None

    def selectAll(self) -> None:
        r, c = self.document.state.shape
        index = self.currentIndex()
        at = (index.row(), index.column())
        self.select_box(Box(0, 0, r - 1, c - 1), at if self.table_model.is_count(*at) else (0, 0))

    def set_current(self, row: int, column: int) -> None:
        """Go to a cell: select it alone and scroll to it."""
        self.select_box(Box(row, column, row, column))
        self.scrollTo(self.table_model.index(row, column))

    def _far_corner(self) -> tuple[int, int]:
        """Return the corner of the selection opposite to the current cell."""
        index = self.currentIndex()
        here = (index.row(), index.column())
        if self._far is not None:
            return self._far
        for box in self.selected_boxes():
            if box.top <= here[0] <= box.bottom and box.left <= here[1] <= box.right:
                return (
                    box.top if here[0] == box.bottom else box.bottom,
                    box.left if here[1] == box.right else box.right,
                )
        return here

    def _extend_to(self, row: int, column: int) -> None:
        """Select from the current cell to another; scroll to that one."""
        model, here = self.table_model, self.currentIndex()
        self._tab_start = None
        area = QItemSelection(
            model.index(min(row, here.row()), min(column, here.column())),
            model.index(max(row, here.row()), max(column, here.column())),
        )
        if self._drag is not None:
            area.merge(self._drag, SELECT.Select)
        self.selectionModel().select(area, SELECT.ClearAndSelect)
        self._far = (row, column)
        self.scrollTo(model.index(row, column))

    @Slot(QItemSelection, QItemSelection)
    def _on_selection_changed(self, *_: object) -> None:
        self._update_outlines()
        self.row_header.viewport().update()
        self.column_header.viewport().update()

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, *_: object) -> None:
        self._far = None
        self._update_outlines()

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        leave = leave_of(event)
        index = self.currentIndex()
        if leave is not None:
            event.accept()
            if leave is not Leave.STAY:
                self.leave(leave)
            return
        if not self.table_model.is_count(index.row(), index.column()):
            self.set_current(0, 0)
            index = self.currentIndex()
        if event.key() == Qt.Key.Key_F2 and not event.modifiers() & (CTRL | SHIFT):
            self.scrollTo(index)
            self.edit(index, QAbstractItemView.EditTrigger.EditKeyPressed, event)
            event.accept()
        elif self._move_key(event):
            event.accept()
        elif _types_text(event):
            self.scrollTo(index)
            self.edit(index, QAbstractItemView.EditTrigger.AnyKeyPressed, event)
            event.accept()
        else:
            event.ignore()

    def _move_key(self, event: QKeyEvent) -> bool:
        """Move the cursor, or with Shift the far corner of the selection."""
        key, modifiers = event.key(), event.modifiers()
        ctrl, shift = bool(modifiers & CTRL), bool(modifiers & SHIFT)
        if modifiers & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier):
            return False
        if key == Qt.Key.Key_Space and ctrl != shift:
            self._select_lines(columns=ctrl)
            return True
        index = self.currentIndex()
        row, column = self._far_corner() if shift else (index.row(), index.column())
        page = self.row_header.room // max(1, self.row_header.defaultSectionSize()) - 1
        place = after_key(row, column, self.document.state.shape, key, ctrl=ctrl, page=max(1, page))
        if place is None:
            return False
        if shift:
            self._extend_to(*place)
        else:
            self.set_current(*place)
        return True

    def _select_lines(self, *, columns: bool) -> None:
        """Widen the selection to whole columns or rows."""
        if (box := self.around_selection()) is None:
            return
        r, c = self.document.state.shape
        index = self.currentIndex()
        lines = (
            Box(0, box.left, r - 1, box.right) if columns else Box(box.top, 0, box.bottom, c - 1)
        )
        self.select_box(lines, (index.row(), index.column()))

    @Slot(object)
    def leave(self, leave: Leave) -> None:
        """Move on as the key that ended an editor says."""
        if leave in (Leave.NEXT_WIDGET, Leave.PREVIOUS_WIDGET):
            self._leaving = True
            try:
                self.focusNextPrevChild(leave is Leave.NEXT_WIDGET)
            finally:
                self._leaving = False
            return
        index = self.currentIndex()
        if leave is Leave.STAY or not index.isValid():
            return
        here = Cursor(index.row(), index.column(), self._tab_start)
        row, column, tab_start = after_leave(here, self.document.state.shape, leave)
        self.set_current(row, column)
        self._tab_start = tab_start

    def focusNextPrevChild(self, forward: bool) -> bool:
        # With Tab navigation on, Qt turns this into a Tab key for the table.
        self.setTabKeyNavigation(not self._leaving)
        try:
            return super().focusNextPrevChild(forward)
        finally:
            self.setTabKeyNavigation(True)

    def edit(  # type: ignore[override]
        self,
        index: Index,
        trigger: QAbstractItemView.EditTrigger | None = None,
        event: QEvent | None = None,
    ) -> bool:
        """Open the editor of a cell; F2 and a double click keep its text, typing replaces it."""
        if trigger is None:
            super().edit(index)
            return self.cell_delegate.editor is not None
        if not self.cells.writes and trigger & self.editTriggers():
            # Nobody types into cells in which nothing can be read.
            self.set_fitted(False)
            self.scrollTo(index)
        opened = bool(super().edit(index, trigger, event))  # type: ignore[arg-type]
        editor = self.cell_delegate.editor
        keep = (
            QAbstractItemView.EditTrigger.EditKeyPressed,
            QAbstractItemView.EditTrigger.DoubleClicked,
        )
        if opened and editor is not None:
            # The user may have scrolled away since.
            editor.textEdited.connect(self._show_current)
            if trigger in keep:
                editor.deselect()
                editor.end(False)
        return opened

    @Slot()
    def _show_current(self) -> None:
        self.scrollTo(self.currentIndex())

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        inside = self.table_model.is_count(index.row(), index.column())
        if event.button() != Qt.MouseButton.LeftButton or not inside:
            event.accept()
            return
        row, column = index.row(), index.column()
        self._drag = QItemSelection()
        self._tab_start = None
        if event.modifiers() & SHIFT:
            self._extend_to(row, column)
        elif event.modifiers() & CTRL:
            selection = self.selectionModel()
            here = QItemSelection(index, index)
            alone = sum(map(cells_in, self.selected_boxes())) <= 1
            if selection.isSelected(index) and not alone:
                self._drag = None
                selection.select(here, SELECT.Deselect)
            else:
                self._drag = QItemSelection(selection.selection())
                selection.setCurrentIndex(index, SELECT.NoUpdate)
                selection.select(here, SELECT.Select)
            self._far = None
        else:
            self.select_box(Box(row, column, row, column))
            self._pressed = (row, column)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        point = event.position().toPoint()
        self._drag_point = point
        self._drag_to(point)
        if self.frozen.room.contains(point):
            self._scroll.stop()
        elif not self._scroll.isActive():
            self._scroll.start()
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._scroll.stop()
        self._drag = None
        pressed, self._pressed = self._pressed, None
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and pressed == (index.row(), index.column()):
            self.clicked.emit(index)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        self._drag = None
        if event.button() == Qt.MouseButton.LeftButton and self.table_model.is_count(
            index.row(), index.column()
        ):
            self.set_current(index.row(), index.column())
            self.edit(index, QAbstractItemView.EditTrigger.DoubleClicked, event)
        event.accept()

    def _drag_to(self, point: QPoint) -> None:
        """Extend the selection to the count nearest to a point of the viewport."""
        area = self.frozen.room
        x = min(max(point.x(), area.left()), area.right())
        y = min(max(point.y(), area.top()), area.bottom())
        r, c = self.document.state.shape
        row, column = self.rowAt(y), self.columnAt(x)
        row = r - 1 if row < 0 else min(row, r - 1)
        column = c - 1 if column < 0 else min(column, c - 1)
        if (row, column) != self._far:
            self._extend_to(row, column)

    @Slot()
    def _on_scroll_timer(self) -> None:
        """Scroll on while the mouse is held outside the counts."""
        if self._drag is None:
            self._scroll.stop()
            return
        point = self._drag_point
        area = self.frozen.room
        for bar, low, at, high in (
            (self.horizontalScrollBar(), area.left(), point.x(), area.right()),
            (self.verticalScrollBar(), area.top(), point.y(), area.bottom()),
        ):
            beyond = min(at - low, 0) + max(at - high, 0)
            bar.setValue(bar.value() + max(-120, min(120, beyond)))
        self._drag_to(point)


def _types_text(event: QKeyEvent) -> bool:
    """Whether a key writes a character; with AltGr, Ctrl and Alt are down too."""
    modifiers = event.modifiers()
    ctrl = bool(modifiers & CTRL)
    alt = bool(modifiers & Qt.KeyboardModifier.AltModifier)
    if ctrl != alt or modifiers & Qt.KeyboardModifier.MetaModifier:
        return False
    text = event.text()
    return bool(text) and text.isprintable()


__all__ = ["CTRL", "SELECT", "SHIFT", "GridView"]
