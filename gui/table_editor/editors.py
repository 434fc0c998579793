"""The line in which a count or a name is typed."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from gui.table_editor.colors import EditorColors


class Leave(Enum):
    """How an editor is left, and where the cursor goes."""

    DOWN = "down"
    UP = "up"
    RIGHT = "right"
    LEFT = "left"
    STAY = "stay"
    NEXT_WIDGET = "next widget"
    PREVIOUS_WIDGET = "previous widget"


#: Focus that comes back by itself: another window, a menu.
_PASSING = (
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)

_FRAME = 2


class InlineEditor(QLineEdit):
    """A line edit inside a table: says how it is left, and marks a text at fault.

    Parameters
    ----------
    parent : QWidget
    colors : EditorColors
    """

    done = Signal(object)
    """A key ended the editing; the `Leave` says which way."""

    cancelled = Signal()
    """Escape."""

    left = Signal()
    """The focus went elsewhere."""

    def __init__(self, parent: QWidget, colors: EditorColors) -> None:
        super().__init__(parent)
        self.at_fault = False
        self._colors = colors
        self.setFrame(False)
        # Its own sheet, so that the window's for other line edits does not move the text.
        self.setStyleSheet(
            "QLineEdit { border: none; border-radius: 0; margin: 0; padding: 0; min-height: 0; "
            f"background: {colors.editor_background}; color: {colors.editor_text}; "
            f"selection-background-color: {colors.editor_selection}; "
            f"selection-color: {colors.editor_selected_text}; }}"
        )
        self.textEdited.connect(lambda: self.set_fault(False))

    def set_fault(self, fault: bool) -> None:
        """Mark the text as one that cannot be taken, or no longer."""
        self.at_fault = fault
        self.update()

    def event(self, event: QEvent) -> bool:
        # Before QLineEdit and the focus chain: they would take Enter and Tab.
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.cancelled.emit()
                return True
            if (leave := leave_of(event)) is not None:
                self.done.emit(leave)
                return True
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and (event.key() == Qt.Key.Key_Escape or leave_of(event) is not None)
        ):
            event.accept()
            return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in _PASSING:
            self.left.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        color = QColor(self._colors.warning if self.at_fault else self._colors.current)
        rect = self.rect()
        painter.fillRect(0, 0, rect.width(), _FRAME, color)
        painter.fillRect(0, 0, _FRAME, rect.height(), color)
        painter.fillRect(rect.width() - _FRAME, 0, _FRAME, rect.height(), color)
        # Thicker below where the text is at fault: not by colour alone.
        below = 2 * _FRAME if self.at_fault else _FRAME
        painter.fillRect(0, rect.height() - below, rect.width(), below, color)
        painter.end()


def leave_of(event: QKeyEvent) -> Leave | None:
    """Return what a key does to the cursor of a table, if it is Enter or Tab."""
    key, modifiers = event.key(), event.modifiers()
    shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
    if modifiers & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier):
        return None
    if key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        back = shift or key == Qt.Key.Key_Backtab
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            return Leave.PREVIOUS_WIDGET if back else Leave.NEXT_WIDGET
        return Leave.LEFT if back else Leave.RIGHT
    if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            return Leave.STAY
        return Leave.UP if shift else Leave.DOWN
    return None


__all__ = ["InlineEditor", "Leave", "leave_of"]
