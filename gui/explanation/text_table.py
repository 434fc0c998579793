"""A table of texts, made as they are painted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from gui.theme import GRID, tabular

Index = QModelIndex | QPersistentModelIndex

# Lines that the columns are measured by.
_MEASURED = 50


class TextModel(QAbstractTableModel):
    """Texts by row and column; numbers stand at the right."""

    def __init__(self, columns: Sequence[str], left: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = list(columns)
        self._left = left
        self._count = 0
        self._text: Callable[[int, int], str] = lambda _row, _column: ""
        self._tip: Callable[[int], str] = lambda _row: ""

    def show(
        self,
        count: int,
        text: Callable[[int, int], str],
        tip: Callable[[int], str],
        columns: Sequence[str],
    ) -> None:
        """Show other texts: of row and column, and a sentence on each row."""
        same = count == self._count
        if not same:
            self.beginResetModel()
        self._count, self._text, self._tip, self._columns = count, text, tip, list(columns)
        if not same:
            self.endResetModel()
        elif count:
            self.dataChanged.emit(self.index(0, 0), self.index(count - 1, len(self._columns) - 1))
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._columns) - 1)

    def tip(self, row: int) -> str:
        """Return the sentence on a row."""
        return self._tip(row)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(index.row())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            said = self._text(index.row(), index.column())
            if index.column() == 0:
                return f"{said}. {self._tip(index.row())}"
            return f"{self._columns[index.column()]}: {said}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(index.column())
        return None

    def _alignment(self, column: int) -> int:
        side = Qt.AlignmentFlag.AlignLeft if column < self._left else Qt.AlignmentFlag.AlignRight
        return int(side | Qt.AlignmentFlag.AlignVCenter)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        return None


class TextTable(QTableView):
    """A table to read: whole lines are selected, Ctrl+C copies them with their headings.

    Parameters
    ----------
    name : str
        What a screen reader calls it.
    columns : sequence of str
    left : int
        How many of them, from the first, stand at the left.
    stretched : int
        The column that gives way.

    Signals
    -------
    row_changed(int)
        The current line, counted from 0; -1 where there is none.
    row_chosen(int)
        A line was clicked, or Return was pressed on it.
    """

    row_changed = Signal(int)
    row_chosen = Signal(int)

    def __init__(
        self,
        name: str,
        columns: Sequence[str],
        left: int = 1,
        stretched: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.texts = TextModel(columns, left, self)
        self._stretched = stretched
        self.setAccessibleName(name)
        self.setObjectName("texts")
        self.setModel(self.texts)
        self.setFont(tabular(self.font()))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(QFontMetrics(self.font()).height() + GRID // 2)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setMinimumSectionSize(GRID * 4)
        for column in range(len(columns)):
            header.setSectionResizeMode(
                column,
                QHeaderView.ResizeMode.Stretch
                if column == stretched
                else QHeaderView.ResizeMode.Fixed,
            )
        self.clicked.connect(self._on_clicked)

    def show_texts(
        self,
        count: int,
        text: Callable[[int, int], str],
        tip: Callable[[int], str],
        columns: Sequence[str],
    ) -> None:
        """Show other texts; as many lines stay as there were, none is current any more."""
        self.texts.show(count, text, tip, columns)
        metrics = QFontMetrics(self.font())
        for column, title in enumerate(columns):
            if column == self._stretched:
                continue
            shown = (text(row, column) for row in range(min(count, _MEASURED)))
            needed = max(metrics.horizontalAdvance(words) for words in (title, *shown))
            self.setColumnWidth(column, min(needed + GRID * 3, GRID * 22))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.row() != previous.row():
            self.row_changed.emit(current.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._on_clicked(self.currentIndex())
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def _copy(self) -> None:
        columns = range(self.texts.columnCount())
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        if not rows:
            return
        titles = [
            str(self.texts.headerData(column, Qt.Orientation.Horizontal)) for column in columns
        ]
        lines = [[str(self.texts.index(row, column).data()) for column in columns] for row in rows]
        text = "\n".join("\t".join(line) for line in [titles, *lines])
        QGuiApplication.clipboard().setText(text)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        if index.isValid():
            self.row_chosen.emit(index.row())
