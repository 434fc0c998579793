"""A table on the screen, keys that go where the focus is, and what the editor said."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from core.table import ContingencyTable
from gui.table_editor.document import TableDocument
from gui.table_editor.edits import Box
from gui.table_editor.view import TableView

FIGURE_1 = [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]]


class Editor:
    """A `TableView` in a window between two line edits, and hands to use it."""

    def __init__(self, qtbot, table: ContingencyTable) -> None:
        self.document = TableDocument(table)
        self.notices: list = []
        self.document.notice.connect(self.notices.append)
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.before, self.view, self.after = QLineEdit(), TableView(self.document), QLineEdit()
        layout = QVBoxLayout(self.window)
        for widget in (self.before, self.view, self.after):
            layout.addWidget(widget)
        self.window.resize(800, 500)
        self.window.show()
        qtbot.waitExposed(self.window)
        self.window.activateWindow()
        self.view.setFocus()
        qtbot.waitUntil(self.view.hasFocus)

    # What there is

    @property
    def counts(self) -> list[list[int]]:
        return self.document.state.counts.tolist()

    @property
    def names(self) -> tuple[list[str], list[str]]:
        return self.document.state.truth, self.document.state.clusters

    @property
    def at(self) -> tuple[int, int]:
        index = self.view.currentIndex()
        return index.row(), index.column()

    @property
    def boxes(self) -> list[tuple[int, ...]]:
        return [tuple(box) for box in self.view.selected_boxes()]

    @property
    def said(self) -> str:
        return self.notices[-1].text if self.notices else ""

    @property
    def cell_editor(self):
        return self.view.cell_delegate.editor

    @property
    def labels(self) -> list[str]:
        stack = self.document.undo_stack
        return [stack.text(i) for i in range(stack.count())]

    # What one does

    def go(self, row: int, column: int) -> None:
        self.view.set_current(row, column)

    def select(self, *box: int) -> None:
        self.view.select_box(Box(*box))

    def press(self, key: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
        combined = Qt.KeyboardModifier.NoModifier
        for modifier in modifiers:
            combined |= modifier
        QTest.keyClick(QApplication.focusWidget() or self.view, key, combined)

    def type(self, text: str) -> None:
        for character in text:
            QTest.keyClicks(QApplication.focusWidget() or self.view, character)

    def put(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def paste(self, text: str) -> None:
        self.put(text)
        self.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    def point(self, row: int, column: int) -> QPoint:
        return self.view.visualRect(self.view.table_model.index(row, column)).center()

    def click(self, row: int, column: int, *modifiers: Qt.KeyboardModifier) -> None:
        combined = Qt.KeyboardModifier.NoModifier
        for modifier in modifiers:
            combined |= modifier
        QTest.mouseClick(
            self.view.viewport(),
            Qt.MouseButton.LeftButton,
            combined,
            self.point(row, column),
        )

    def double_click(self, row: int, column: int) -> None:
        QTest.mouseDClick(
            self.view.viewport(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            self.point(row, column),
        )

    def act(self, label: str) -> None:
        """Press a button of the last notice."""
        actions = dict(self.notices[-1].actions)
        actions[label]()


@pytest.fixture
def figure_1() -> ContingencyTable:
    return ContingencyTable(FIGURE_1, truth=list("4567"), clusters=list("0123"))


@pytest.fixture
def make_editor(qtbot):
    return lambda table: Editor(qtbot, table)


@pytest.fixture
def editor(qtbot, figure_1) -> Editor:
    return Editor(qtbot, figure_1)
