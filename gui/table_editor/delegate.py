"""The editor that opens in a cell."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from core.files.counts import read_count
from core.files.errors import CountError, FaultKind, shown
from gui.table_editor.blocks import grouped_count
from gui.table_editor.cells import CellPainter, HeatScale
from gui.table_editor.colors import LIGHT, EditorColors
from gui.table_editor.editors import InlineEditor, Leave
from gui.table_editor.model import TableModel, named

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
#: QLineEdit leaves so many pixels beside its text.
_LINE_EDIT_MARGIN = 2


class CellDelegate(QStyledItemDelegate):
    """Opens the editor of a cell, and takes what was typed.

    Parameters
    ----------
    model : TableModel
    cells : CellPainter
        Knows the fonts and measures of cells.
    parent : QObject, optional
    """

    committed = Signal(object)
    """A text was taken and its editor closed; the `Leave` says where the cursor goes."""

    edit_again = Signal(int, int, str)
    """The user wants to mend a text that was not taken: row and column of the data, text."""

    def __init__(
        self, model: TableModel, cells: CellPainter, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._cells = cells
        self.editor: InlineEditor | None = None
        self._at = QPersistentModelIndex()
        self._colors = LIGHT

    def set_colors(self, colors: EditorColors) -> None:
        """Open editors in other colours from now on."""
        self._colors = colors

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        metrics = QFontMetrics(self._cells.count_font)
        width = metrics.horizontalAdvance(self._model.text(index.row(), index.column()))
        padding = self._cells.density.padding
        return QSize(width + 2 * padding + 1, metrics.height() + padding)

    # Editing

    def createEditor(
        self,
        parent: QWidget,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> QWidget:
        editor = InlineEditor(parent, self._colors)
        editor.setObjectName("cell_editor")
        editor.setAlignment(_RIGHT)
        editor.setFont(self._cells.count_font)
        editor.setTextMargins(0, 0, self._cells.density.padding - _LINE_EDIT_MARGIN, 1)
        editor.setAccessibleName(self._model.data(index, Qt.ItemDataRole.AccessibleTextRole))
        editor.done.connect(partial(self._on_done, editor))
        editor.cancelled.connect(partial(self._on_cancelled, editor))
        editor.left.connect(partial(self._on_left, editor))
        editor.textChanged.connect(partial(self._widen, editor))
        self.editor, self._at = editor, QPersistentModelIndex(index)
        return editor

    def destroyEditor(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        if editor is self.editor:
            self.editor = None
        super().destroyEditor(editor, index)

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        if isinstance(editor, InlineEditor) and not editor.isModified():
            editor.setText(str(index.data(Qt.ItemDataRole.EditRole)))

    def setModelData(
        self,
        editor: QWidget,
        model: QAbstractItemModel,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Do nothing: `finish` writes, once the text is a count."""

    def updateEditorGeometry(
        self,
        editor: QWidget,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        editor.setGeometry(option.rect)
        self._widen(editor)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the editor decide when it is done, not QStyledItemDelegate."""
        return False

    def finish(self, leave: Leave = Leave.STAY) -> bool:
        """Take the text of the open editor, if one is open.

        Returns
        -------
        bool
            False if the text is not a count: the editor stays and a notice says why.
        """
        if self.editor is None:
            return True
        return self._on_done(self.editor, leave)

    def cancel(self) -> None:
        """Close the open editor, if any, and leave the cell as it was."""
        if self.editor is not None:
            self._on_cancelled(self.editor)

    def _widen(self, editor: QWidget, *_: Any) -> None:
        """Show the whole text, to the left of the cell if need be."""
        if not isinstance(editor, InlineEditor):
            return
        needed = editor.fontMetrics().horizontalAdvance(editor.text())
        needed += 2 * self._cells.density.padding + 8
        rect = editor.geometry()
        if needed > rect.width():
            rect.setLeft(max(0, rect.right() - needed))
            rect.setRight(max(rect.right(), rect.left() + needed))
            editor.setGeometry(rect)

    def _on_done(self, editor: InlineEditor, leave: Leave) -> bool:
        if editor is not self.editor or not self._at.isValid():
            return True
        row, column = self._cell()
        try:
            count = read_count(editor.text())
        except CountError as error:
            editor.set_fault(True)
            self._model.document.warn(str(error), self._remedies(error, row, column, leave))
            return False
        self._close(editor)
        self._model.document.set_cell(row, column, count)
        self.committed.emit(leave)
        return True

    def _on_cancelled(self, editor: InlineEditor) -> None:
        if editor is self.editor:
            self._close(editor)
            self._model.document.say(None)

    def _on_left(self, editor: InlineEditor) -> None:
        """The user went elsewhere: take a count; give anything else back, and say so."""
        if editor is not self.editor or not self._at.isValid():
            return
        (row, column), text = self._cell(), editor.text()
        document = self._model.document
        try:
            count = read_count(text)
        except CountError as error:
            self._close(editor)
            kept = int(document.state.counts[row, column])
            again: Callable[[], object] = partial(self.edit_again.emit, row, column, text)
            document.warn(
                f"{self._place(row, column)} keeps {kept}. {error}",
                (*self._remedies(error, row, column, None), ("Edit again", again)),
            )
            return
        self._close(editor)
        document.set_cell(row, column, count)

    def _cell(self) -> tuple[int, int]:
        """Return row and column of the data under the editor: a remedy must not miss it."""
        return self._model.shown.cell(self._at.row(), self._at.column())

    def _close(self, editor: InlineEditor) -> None:
        self.editor = None
        self.closeEditor.emit(editor, QStyledItemDelegate.EndEditHint.NoHint)

    def _remedies(
        self, error: CountError, row: int, column: int, leave: Leave | None
    ) -> tuple[tuple[str, Callable[[], object]], ...]:
        if error.kind is FaultKind.BLANK:
            return (("Write 0", partial(self._write_count, row, column, 0, leave)),)
        text = str(error.value)
        count = None if error.mark is None else grouped_count(text, error.mark)
        if count is None:
            return ()
        write = partial(self._write_count, row, column, count, leave)
        return ((f"Read {shown(text.strip())} as {count}", write),)

    def _write_count(self, row: int, column: int, count: int, leave: Leave | None) -> None:
        if self.editor is not None:
            self._close(self.editor)
        self._model.document.set_cell(row, column, count)
        if leave is not None:
            self.committed.emit(leave)

    def _place(self, row: int, column: int) -> str:
        state = self._model.document.state
        return f"Class {named(state.truth[row])}, cluster {named(state.clusters[column])}"


__all__ = ["CellDelegate", "HeatScale"]
