"""The corner between the names of classes and those of clusters."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from gui.table_editor.colors import LIGHT, EditorColors
from gui.table_editor.density import MEDIUM

_ACROSS, _DOWN = "cluster →", "class ↓"


class Corner(QAbstractButton):
    """The corner between the headers: says which side is which, selects everything."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Select all")
        self.setToolTip("Rows are truth classes, columns are clusters. Click to select all counts.")
        self.padding = MEDIUM.padding
        self._color: dict[str, QColor] = {}
        self.set_colors(LIGHT)

    def set_colors(self, colors: EditorColors) -> None:
        """Paint in other colours from now on."""
        self._color = {name: QColor(value) for name, value in vars(colors).items()}
        self.update()

    def needed_width(self) -> int:
        """Return the width in which both names can be read."""
        advance = QFontMetrics(self._small_font()).horizontalAdvance
        return max(advance(_ACROSS), advance(_DOWN)) + 2 * self.padding + 1

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
        painter.setPen(self._color["muted"])
        room = rect.adjusted(self.padding, 2, -self.padding - 1, -3)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, _ACROSS)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, _DOWN)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FontChange:
            self.update()
        return super().event(event)


__all__ = ["Corner"]
