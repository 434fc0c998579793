"""Inline messages: what went wrong or what was done, with the remedy as a button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from gui.table_editor.notice import Notice
from gui.theme import GRID


class NoticeBar(QFrame):
    """A strip that shows one notice at a time and is hidden when there is none.

    Signals
    -------
    left()
        A button was clicked or the notice dismissed: the keyboard is needed elsewhere.
    noticed(Notice)
        A notice is shown.
    """

    left = Signal()
    noticed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self._notice: Notice | None = None
        self._buttons: list[QPushButton] = []
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(GRID * 3 // 2, GRID // 2, GRID // 2, GRID // 2)
        self._layout.setSpacing(GRID)
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._close = QToolButton()
        self._close.setText("\N{MULTIPLICATION SIGN}")
        self._close.setToolTip("Dismiss (Esc)")
        self._close.setAccessibleName("Dismiss the message")
        self._close.clicked.connect(self.clear)
        self._close.clicked.connect(self.left)
        self._layout.addWidget(self._text, 1)
        self._layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    @property
    def notice(self) -> Notice | None:
        """What is shown."""
        return self._notice

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The remedies offered."""
        return tuple(self._buttons)

    @Slot(object)
    def show_notice(self, notice: Notice) -> None:
        """Show a notice in place of the one before it."""
        self._remove_buttons()
        self._notice = notice
        self._text.setText(notice.text)
        self.setAccessibleName(notice.text)
        self.setProperty("severity", str(notice.severity))
        self.style().unpolish(self)
        self.style().polish(self)
        for label, action in notice.actions:
            button = QPushButton(label)
            button.clicked.connect(self.clear)
            button.clicked.connect(lambda _checked=False, act=action: act())
            button.clicked.connect(self.left)
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            self._layout.insertWidget(self._layout.count() - 1, button)
            self._buttons.append(button)
        self.show()
        self.noticed.emit(notice)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close by Escape while the keyboard is here."""
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    @Slot()
    def clear(self) -> None:
        """Hide the bar."""
        self._notice = None
        self._remove_buttons()
        self.hide()

    def _remove_buttons(self) -> None:
        for button in self._buttons:
            self._layout.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons.clear()
