"""How bars on a logarithmic axis are drawn for print."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from core.formatting import UNDEFINED
from core.studies.study import Step
from gui.plots.charts_base import (
    EDGE,
    GAP,
    GRID_LINE,
    INK,
    MIDDLE,
    QUIET,
    RIGHT,
    SMALL,
    TEXT,
    Chart,
    Work,
)
from gui.plots.heatmap_layout import MM, POINT, line_height
from gui.plots.log_bars import LogBar
from gui.plots.ticks import log_text, log_ticks

_ROW = 5.2 * MM
_MOST_NAME = 45 * MM


class LogBarsDrawing(Chart):
    """Bars from the left, with whiskers, marks and columns of numbers."""

    def __init__(
        self,
        bars: Sequence[LogBar],
        unit: str,
        heads: Sequence[str],
        mark: str,
        title: str,
        subtitle: str,
        settings: str,
        width_mm: float,
    ) -> None:
        self._bars, self._unit, self._heads, self._mark = bars, unit, heads, mark
        self._subtitle = subtitle
        width = width_mm * MM
        text, small = line_height(TEXT), line_height(SMALL)
        self._head = text + 2 * small + 2 * GAP
        rows = _ROW * len(bars)
        legend = small if mark else 0.0
        super().__init__(
            (width, 2 * EDGE + self._head + rows + 2 * small + 2 * MM + legend), title, settings
        )
        names = self.ruler.widest([bar.label for bar in bars], TEXT) + POINT
        left = EDGE + min(names, _MOST_NAME) + 2 * MM
        self._columns = [
            self.ruler.widest([head, *(bar.texts[i] for bar in bars if i < len(bar.texts))], SMALL)
            + 3 * MM
            for i, head in enumerate(heads)
        ]
        room = width - left - sum(self._columns) - MM - EDGE
        self._area = QRectF(left, EDGE + self._head, room, rows)
        numbers = [
            number
            for bar in bars
            for number in (bar.value, bar.low, bar.high, bar.mark)
            if number > 0
        ]
        least = min(numbers, default=0.1)
        self._ends = (10.0 ** math.floor(math.log10(least / 1.5)), max(numbers, default=1) * 1.15)

    def _x(self, value: float) -> float:
        low, high = self._ends
        share = math.log(value / low) / math.log(high / low)
        return self._area.left() + self._area.width() * share

    def paint(self, painter: QPainter) -> Work:
        """Draw it."""
        self.clear(painter)
        yield Step(0, 1, "drawing the bars")
        text, small, area = line_height(TEXT), line_height(SMALL), self._area
        room = self.size[0] - 2 * EDGE
        self.text(painter, QRectF(EDGE, EDGE, room, text), self.title, bold=True)
        below = QRectF(EDGE, EDGE + text, room, small)
        self.text(painter, below, self._subtitle, pt=SMALL, colour=QUIET)
        for tick in log_ticks(*self._ends, max(int(area.width() / (12 * MM)), 2)):
            at = self._x(tick)
            self.line(painter, QPointF(at, area.top()), QPointF(at, area.bottom()), GRID_LINE)
            box = QRectF(at - 10 * MM, area.bottom() + MM, 20 * MM, small)
            self.text(painter, box, log_text(tick), MIDDLE, pt=SMALL, colour=QUIET)
        self.bottom_label(painter, area, self._unit)
        right = area.right() + MM
        for head, width in zip(self._heads, self._columns, strict=True):
            box = QRectF(right, area.top() - small - GAP, width, small)
            self.text(painter, box, head, RIGHT, pt=SMALL, colour=QUIET)
            right += width
        for number, bar in enumerate(self._bars):
            self._paint_row(painter, area.top() + (number + 0.5) * _ROW, bar)
        if self._mark:
            corner = QPointF(area.left() + 2 * MM, self.size[1] - EDGE - small / 2)
            self._paint_mark(painter, corner)
            box = QRectF(corner.x() + 2 * MM, corner.y() - small / 2, area.width(), small)
            self.text(painter, box, self._mark, pt=SMALL, colour=QUIET)

    def _paint_row(self, painter: QPainter, y: float, bar: LogBar) -> None:
        area, text = self._area, line_height(TEXT)
        box = QRectF(EDGE, y - text / 2, area.left() - 2 * MM - EDGE, text)
        self.text(painter, box, bar.label, RIGHT, bold=bar.strong)
        thick = _ROW * 0.55
        if bar.value > 0:
            length = self._x(bar.value) - area.left()
            painter.fillRect(QRectF(area.left(), y - thick / 2, length, thick), QColor(bar.colour))
        if bar.low > 0 and bar.high > 0:
            low, high = self._x(bar.low), self._x(bar.high)
            self.line(painter, QPointF(low, y), QPointF(high, y), INK, 0.8 * POINT)
            for end in (low, high):
                top, bottom = QPointF(end, y - 0.8 * MM), QPointF(end, y + 0.8 * MM)
                self.line(painter, top, bottom, INK, 0.8 * POINT)
        if bar.mark > 0:
            self._paint_mark(painter, QPointF(self._x(bar.mark), y))
        right, small = area.right() + MM, line_height(SMALL)
        for i, width in enumerate(self._columns):
            words = bar.texts[i] if i < len(bar.texts) else UNDEFINED
            box = QRectF(right, y - small / 2, width, small)
            self.text(painter, box, words, RIGHT, pt=SMALL, bold=bar.strong)
            right += width

    def _paint_mark(self, painter: QPainter, at: QPointF) -> None:
        size = 1.1 * MM
        corners = ((0.0, -size), (size, 0.0), (0.0, size), (-size, 0.0))
        painter.setPen(QPen(QColor(INK), 0.8 * POINT))
        painter.setBrush(QColor("#ffffff"))
        painter.drawPolygon(QPolygonF([at + QPointF(x, y) for x, y in corners]))
