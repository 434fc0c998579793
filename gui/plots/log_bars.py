"""Values of very different size as bars from the left, by logarithm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.formatting import UNDEFINED
from gui.plots.ticks import log_text, log_ticks
from gui.theme import GRID, LIGHT, Theme, tabular

_BAR = GRID * 2
_LEAST_LINE, _MOST_LINE = GRID * 3, GRID * 5


@dataclass(frozen=True)
class LogBar:
    """One bar.

    Attributes
    ----------
    key, label, colour : str
    value : float
        Above 0; NaN where there is none.
    low, high : float
        What the values spread over; NaN for no whisker.
    mark : float
        Another value to compare with; NaN for no mark.
    texts : tuple of str
        What stands in the columns at the right.
    tip : str
    strong : bool
    """

    key: str
    label: str
    colour: str
    value: float
    low: float = math.nan
    high: float = math.nan
    mark: float = math.nan
    texts: tuple[str, ...] = ()
    tip: str = ""
    strong: bool = False


class LogBars(QWidget):
    """Bars on a logarithmic axis, numbers beside them.

    Signals
    -------
    bar_clicked(str)
    """

    bar_clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._at = -1
        self._heads: tuple[str, ...] = ()
        self._unit = ""
        self.bars: list[LogBar] = []
        self.setFont(tabular(self.font()))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.update()

    def set_bars(self, bars: Sequence[LogBar], unit: str, heads: Sequence[str] = ()) -> None:
        """Show other values.

        Parameters
        ----------
        bars : sequence of LogBar
        unit : str
            What the axis is in.
        heads : sequence of str
            Of the columns of texts.
        """
        self.bars, self._unit, self._heads = list(bars), unit, tuple(heads)
        self._at = min(self._at, len(self.bars) - 1)
        self.setMinimumHeight(self._head() + _LEAST_LINE * len(self.bars) + 2 * self._head())
        self.setAccessibleDescription(
            "; ".join(f"{bar.label}: {', '.join(bar.texts)}" for bar in self.bars)
        )
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(GRID * 60, self._head() * 3 + GRID * 4 * max(len(self.bars), 1))

    # Where things stand

    def _head(self) -> int:
        return self.fontMetrics().height() + GRID // 2

    def _ends(self) -> tuple[float, float]:
        numbers = [
            number
            for bar in self.bars
            for number in (bar.value, bar.low, bar.high, bar.mark)
            if number > 0
        ]
        if not numbers:
            return 0.1, 10.0
        # Bars have no zero to start from: all begin at a power of ten below the least.
        low = 10.0 ** math.floor(math.log10(min(numbers) / 1.5))
        return low, max(numbers) * 1.15

    def _columns(self) -> list[int]:
        """Return the widths of the columns of texts."""
        metrics = self.fontMetrics()
        return [
            max(
                [metrics.horizontalAdvance(head)]
                + [
                    metrics.horizontalAdvance(bar.texts[i])
                    for bar in self.bars
                    if i < len(bar.texts)
                ]
            )
            + 2 * GRID
            for i, head in enumerate(self._heads)
        ]

    def _area(self) -> QRectF:
        metrics = self.fontMetrics()
        names = max((metrics.horizontalAdvance(bar.label) for bar in self.bars), default=0)
        left, right = names + GRID * 3 // 2, sum(self._columns()) + GRID * 2
        room = self.height() - 3 * self._head() - GRID
        line = min(max(room / max(len(self.bars), 1), _LEAST_LINE), _MOST_LINE)
        width = max(self.width() - left - right, GRID * 10)
        return QRectF(left, self._head(), width, line * len(self.bars))

    def _x(self, area: QRectF, value: float) -> float:
        low, high = (math.log10(end) for end in self._ends())
        return area.left() + area.width() * (math.log10(value) - low) / (high - low)

    def row_rect(self, row: int) -> QRectF:
        """Return where a bar's line stands."""
        area = self._area()
        height = area.height() / max(len(self.bars), 1)
        return QRectF(0, area.top() + row * height, self.width(), height)

    def _row_at(self, point: QPointF) -> int:
        rows = range(len(self.bars))
        return next((row for row in rows if self.row_rect(row).contains(point)), -1)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.bars:
            area = self._area()
            if 0 <= self._at < len(self.bars):
                painter.fillRect(self.row_rect(self._at), QColor(self._theme.info_background))
            self._paint_axis(painter, area)
            self._paint_heads(painter, area)
            for row, bar in enumerate(self.bars):
                self._paint_bar(painter, area, row, bar)
        painter.end()

    def _paint_axis(self, painter: QPainter, area: QRectF) -> None:
        muted = QColor(self._theme.muted)
        most = max(int(area.width() / (GRID * 7)), 2)
        for tick in log_ticks(*self._ends(), most):
            x = self._x(area, tick)
            painter.setPen(QPen(QColor(self._theme.border), 1))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            painter.setPen(muted)
            under = QRectF(x - GRID * 5, area.bottom() + GRID / 4, GRID * 10, self._head())
            painter.drawText(under, Qt.AlignmentFlag.AlignHCenter, log_text(tick))
        below = QRectF(area.left(), area.bottom() + self._head(), area.width(), self._head())
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, self._unit)

    def _paint_heads(self, painter: QPainter, area: QRectF) -> None:
        painter.setPen(QColor(self._theme.muted))
        right = area.right() + GRID
        for head, width in zip(self._heads, self._columns(), strict=True):
            box = QRectF(right, 0, width, self._head())
            painter.drawText(box, Qt.AlignmentFlag.AlignRight, head)
            right += width

    def _paint_bar(self, painter: QPainter, area: QRectF, row: int, bar: LogBar) -> None:
        theme, line = self._theme, self.row_rect(row)
        middle = Qt.AlignmentFlag.AlignVCenter
        font = self.font()
        font.setBold(bar.strong)
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        names = QRectF(0, line.top(), area.left() - GRID, line.height())
        painter.drawText(names, Qt.AlignmentFlag.AlignRight | middle, bar.label)
        y, thick = line.center().y(), min(_BAR, line.height() * 0.6)
        if bar.value > 0:
            bar_rect = QRectF(
                area.left(), y - thick / 2, self._x(area, bar.value) - area.left(), thick
            )
            painter.fillRect(bar_rect, QColor(bar.colour))
        if bar.low > 0 and bar.high > 0:
            low, high = self._x(area, bar.low), self._x(area, bar.high)
            painter.setPen(QPen(QColor(theme.text), 1.5))
            painter.drawLine(QPointF(low, y), QPointF(high, y))
            for end in (low, high):
                painter.drawLine(QPointF(end, y - 4), QPointF(end, y + 4))
        if bar.mark > 0:
            self._paint_mark(painter, QPointF(self._x(area, bar.mark), y))
        right = area.right() + GRID
        painter.setPen(QColor(theme.text))
        for i, width in enumerate(self._columns()):
            text = bar.texts[i] if i < len(bar.texts) else UNDEFINED
            box = QRectF(right, line.top(), width, line.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | middle, text)
            right += width

    def _paint_mark(self, painter: QPainter, at: QPointF) -> None:
        size = 5.0
        corners = ((0.0, -size), (size, 0.0), (0.0, size), (-size, 0.0))
        painter.setPen(QPen(QColor(self._theme.text), 1.5))
        painter.setBrush(QColor(self._theme.base))
        painter.drawPolygon(QPolygonF([at + QPointF(x, y) for x, y in corners]))

    # Mouse and keys

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position())
        if row != self._at:
            self._at = row
            self.update()
        if row >= 0 and self.bars[row].tip:
            QToolTip.showText(event.globalPosition().toPoint(), self.bars[row].tip, self)

    def leaveEvent(self, event: object) -> None:
        if not self.hasFocus():
            self._at = -1
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position())
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.bar_clicked.emit(self.bars[row].key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if key in steps and self.bars:
            self._at = min(max(self._at + steps[key], 0), len(self.bars) - 1)
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and 0 <= self._at < len(self.bars):
            self.bar_clicked.emit(self.bars[self._at].key)
        else:
            super().keyPressEvent(event)
