"""A line of text that gives way where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


class ElidedLabel(QWidget):
    """Shows a text, cut in its middle where it is too long; the whole is its tool tip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def text(self) -> str:
        """Return the whole text."""
        return self._text

    def setText(self, text: str) -> None:
        """Show another text."""
        self._text = text
        self.setToolTip(text[:1000])
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the room that the whole text takes."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._text) + 2, metrics.height())

    def minimumSizeHint(self) -> QSize:
        """Return the least room: some letters."""
        metrics = self.fontMetrics()
        least = min(self.sizeHint().width(), metrics.averageCharWidth() * 8)
        return QSize(least, metrics.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as much as there is room for."""
        del event
        painter = QPainter(self)
        shown = self.fontMetrics().elidedText(
            self._text, Qt.TextElideMode.ElideMiddle, self.width()
        )
        alignment = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), int(alignment), shown)
        painter.end()
