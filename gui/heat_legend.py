"""What the heat colours of the table mean."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.formatting import format_score
from core.heat_colors import CIVIDIS
from gui.table_editor.cells import HeatScale
from gui.theme import GRID

_BAR = GRID * 8
_STOPS = 16
_MEANINGS = {
    HeatScale.ROW: "largest of its class",
    HeatScale.SHARE: "100\N{NARROW NO-BREAK SPACE}% of its class",
}


class HeatLegend(QWidget):
    """A bar of the colours from 0 to what the lightest stands for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scale = HeatScale.ROW
        self._largest = 0
        self.setObjectName("muted")
        # Name and size of the table come first.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(_BAR)
        self._describe()

    @property
    def text(self) -> str:
        """What the lightest colour stands for; empty where there are no colours."""
        if self._scale is HeatScale.OFF or not self._largest:
            return ""
        if self._scale is HeatScale.TABLE:
            return format_score(self._largest)
        return _MEANINGS[self._scale]

    def set_scale(self, scale: HeatScale) -> None:
        """Explain another scale."""
        self._scale = scale
        self._describe()

    def set_largest(self, count: int) -> None:
        """Take the largest count of the table; without any there are no colours."""
        if count != self._largest:
            self._largest = count
            self._describe()

    def _describe(self) -> None:
        text = self.text
        self.setVisible(bool(text))
        self.setToolTip(
            f"Colours of the cells: from dark, few items, to light, {text}. Empty cells have none. "
            "The largest count of each class is framed, with a broken line where several are equal."
            " View > Heat colours has other scales."
        )
        self.setAccessibleName(f"Colours of the cells, from 0 to {text}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the room that bar and text take."""
        metrics = self.fontMetrics()
        words = metrics.horizontalAdvance("0") + metrics.horizontalAdvance(self.text)
        return QSize(words + _BAR + 2 * GRID + 2, metrics.height())

    def minimumSizeHint(self) -> QSize:
        """Return the least room: the bar."""
        return QSize(_BAR, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar, and the words where there is room."""
        del event
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        metrics, left = self.fontMetrics(), self.width() - _BAR
        needed = self.sizeHint().width()
        if self.width() >= needed:
            painter.translate(self.width() - needed, 0)
            zero = metrics.horizontalAdvance("0") + GRID
            whole = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            painter.drawText(self.rect(), whole, "0")
            painter.drawText(self.rect().adjusted(zero + _BAR + GRID, 0, 0, 0), whole, self.text)
            left = zero
        bar = QRectF(left, (self.height() - GRID) / 2, _BAR, GRID)
        colours = QLinearGradient(bar.topLeft(), bar.topRight())
        for i in range(_STOPS + 1):
            colours.setColorAt(i / _STOPS, QColor(*CIVIDIS[i * 255 // _STOPS]))
        painter.fillRect(bar, colours)
        painter.end()
