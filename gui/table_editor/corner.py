"""The corner between the names of classes and those of clusters."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from gui.table_editor.colors import LIGHT, EditorColors
from gui.table_editor.density import MEDIUM

_ACROSS, _DOWN = "cluster →", "class ↓"
#: The same while clusters or classes are shown in an order.
_ORDERED_ACROSS, _ORDERED_DOWN = "cluster ⇄", "class ⇅"
_SIDES = "Rows are truth classes, columns are clusters. Click to select all counts."
#: Thickness of the line beside names that are in an order.
_MARK = 2


class Corner(QAbstractButton):
    """The corner between the headers: says which side is which, selects everything."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Select all")
        self.setToolTip(_SIDES)
        self._rows_ordered = self._columns_ordered = False
        self.padding = MEDIUM.padding
        self._color: dict[str, QColor] = {}
        self.set_colors(LIGHT)

    def set_colors(self, colors: EditorColors) -> None:
        """Paint in other colours from now on."""
        self._color = {name: QColor(value) for name, value in vars(colors).items()}
        self.update()

    def set_order(self, rows: bool, columns: bool, sentence: str) -> None:
        """Mark that classes or clusters are not shown as entered, and say how they are."""
        self._rows_ordered, self._columns_ordered = rows, columns
        self.setToolTip(f"{sentence}\n{_SIDES}" if sentence else _SIDES)
        self.setAccessibleDescription(sentence)
        self.update()

    def needed_width(self, padding: int) -> int:
        """Return the width in which both names can be read, so many blank pixels beside them."""
        advance = QFontMetrics(self._small_font()).horizontalAdvance
        words = (_ACROSS, _DOWN, _ORDERED_ACROSS, _ORDERED_DOWN)
        return max(map(advance, words)) + 2 * padding + 1

    def _small_font(self) -> QFont:
        font = QFont(self.font())
        if font.pointSizeF() > 0:
            font.setPointSizeF(font.pointSizeF() * 0.8)
        return font

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = self.rect()
        painter.fillRect(rect, self._color["header_background"])
        strong = self._color["grid_strong"]
        painter.fillRect(rect.width() - 1, 0, 1, rect.height(), strong)
        painter.fillRect(0, rect.height() - 1, rect.width(), 1, strong)
        painter.setFont(self._small_font())
        room = rect.adjusted(self.padding, 2, -self.padding - 1, -3)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
        accent, muted = self._color["header_active_text"], self._color["muted"]
        painter.setPen(accent if self._columns_ordered else muted)
        painter.drawText(room, right, _ORDERED_ACROSS if self._columns_ordered else _ACROSS)
        painter.setPen(accent if self._rows_ordered else muted)
        painter.drawText(room, left, _ORDERED_DOWN if self._rows_ordered else _DOWN)
        mark = self._color["current"]
        if self._columns_ordered:
            painter.fillRect(rect.width() - _MARK, 0, _MARK, rect.height(), mark)
        if self._rows_ordered:
            painter.fillRect(0, rect.height() - _MARK, rect.width(), _MARK, mark)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FontChange:
            self.update()
        return super().event(event)


__all__ = ["Corner"]
