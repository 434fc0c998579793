"""Correlations as bars over the AP paper's verbal bands."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.formatting import UNDEFINED, format_score
from core.metrics.catalogue import METRICS
from core.statistics.correlation import BANDS
from core.studies.correlations import Correlations
from gui.theme import GRID, LIGHT, Theme, tabular

_LINE = GRID * 4
_BAR = GRID * 2
_MOST_LINE = GRID * 6


class CorrelationBars(QWidget):
    """A bar for each metric, from 0 to its correlation with the chosen one.

    Signals
    -------
    bar_clicked(str)
        The key of the metric.
    """

    bar_clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._found: Correlations | None = None
        self._symbols: Mapping[str, str] = {}
        self._colours: Mapping[str, str] = {}
        self._at = -1
        self.setFont(tabular(self.font()))
        self.setAccessibleName("Correlations with the chosen metric")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def keys(self) -> tuple[str, ...]:
        """The metrics shown: all but the chosen one."""
        if self._found is None:
            return ()
        return tuple(key for key in self._found.by_key if key != self._found.reference)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.update()

    def set_correlations(
        self, found: Correlations, symbols: Mapping[str, str], colours: Mapping[str, str]
    ) -> None:
        """Show other correlations.

        Parameters
        ----------
        found : Correlations
        symbols, colours : mapping of str to str
            Of each metric.
        """
        self._found, self._symbols, self._colours = found, symbols, colours
        self.setMinimumHeight(self._head() + GRID * 3 * len(self.keys) + GRID * 5)
        self.update()

    def clear(self) -> None:
        """Show no correlations."""
        self._found = None
        self._at = -1
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(GRID * 60, GRID * 40)

    # Where things stand

    def _ends(self) -> tuple[float, float]:
        if self._found is None:
            return 0.0, 1.0
        lows = [x for c in self._found.by_key.values() for x in (c.coefficient, c.low)]
        least = min((x for x in lows if not math.isnan(x)), default=0.0)
        return (-1.0 if least < -0.25 else -0.25 if least < 0 else 0.0), 1.0

    def _head(self) -> int:
        return self.fontMetrics().height() + GRID

    def _area(self) -> QRectF:
        metrics = self.fontMetrics()
        names = max((metrics.horizontalAdvance(self._symbols[k]) for k in self.keys), default=0)
        values = metrics.horizontalAdvance(
            "\N{MINUS SIGN}0.000  [\N{MINUS SIGN}0.000, \N{MINUS SIGN}0.000]"
        )
        left = names + GRID * 2
        foot = self._head() + GRID
        return QRectF(
            left,
            self._head(),
            max(self.width() - left - values - GRID * 3, GRID * 10),
            max(min(self.height() - self._head() - foot, _MOST_LINE * len(self.keys)), 1),
        )

    def _x(self, area: QRectF, value: float) -> float:
        low, high = self._ends()
        return area.left() + area.width() * (value - low) / (high - low)

    def row_rect(self, row: int) -> QRectF:
        """Return where a bar's line stands."""
        area = self._area()
        height = area.height() / max(len(self.keys), 1)
        return QRectF(0, area.top() + row * height, self.width(), height)

    def _row_at(self, point: QPointF) -> int:
        for row in range(len(self.keys)):
            if self.row_rect(row).contains(point):
                return row
        return -1

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._found is not None:
            area = self._area()
            self._paint_bands(painter, area)
            for row, key in enumerate(self.keys):
                self._paint_bar(painter, area, row, key)
        painter.end()

    def _paint_bands(self, painter: QPainter, area: QRectF) -> None:
        theme = self._theme
        low, _high = self._ends()
        muted, track = QColor(theme.muted), QColor(theme.track)
        before = 0.0
        for number, (limit, word) in enumerate(BANDS):
            for sign in (1, -1):
                start, end = sorted((sign * before, sign * limit))
                if end <= low or (sign < 0 and low == 0):
                    continue
                left, right = self._x(area, max(start, low)), self._x(area, end)
                band = QRectF(left, area.top(), right - left, area.height())
                if number % 2:
                    painter.fillRect(band, track)
                painter.setPen(muted)
                head = QRectF(left, 0, right - left, self._head() - GRID / 2)
                if self.fontMetrics().horizontalAdvance(word) < head.width():
                    painter.drawText(head, Qt.AlignmentFlag.AlignCenter, word)
            before = limit
        painter.setPen(QPen(QColor(theme.border), 1))
        for value in (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0):
            if value < low:
                continue
            x = self._x(area, value)
            painter.setPen(QPen(muted if value == 0 else QColor(theme.border), 1))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            painter.setPen(muted)
            text = format_score(value, 2)
            under = QRectF(x - GRID * 4, area.bottom() + GRID / 2, GRID * 8, self._head())
            painter.drawText(under, Qt.AlignmentFlag.AlignHCenter, text)

    def _paint_bar(self, painter: QPainter, area: QRectF, row: int, key: str) -> None:
        theme, line = self._theme, self.row_rect(row)
        assert self._found is not None
        one = self._found.by_key[key]
        if row == self._at:
            painter.fillRect(line, QColor(theme.info_background))
        painter.setPen(QColor(theme.text))
        names = QRectF(0, line.top(), area.left() - GRID, line.height())
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(names, Qt.AlignmentFlag.AlignRight | middle, self._symbols[key])
        values = QRectF(area.right() + GRID * 2, line.top(), self.width(), line.height())
        if math.isnan(one.coefficient):
            painter.setPen(QColor(theme.muted))
            painter.drawText(values, Qt.AlignmentFlag.AlignLeft | middle, UNDEFINED)
            return
        zero, x = self._x(area, 0.0), self._x(area, one.coefficient)
        thick = min(_BAR, line.height() * 0.6)
        bar = QRectF(min(zero, x), line.center().y() - thick / 2, abs(x - zero), thick)
        painter.fillRect(bar, QColor(self._colours[key]))
        text = format_score(one.coefficient, 3)
        if not math.isnan(one.low):
            low, high = self._x(area, one.low), self._x(area, one.high)
            y = line.center().y()
            painter.setPen(QPen(QColor(theme.text), 1.5))
            painter.drawLine(QPointF(low, y), QPointF(high, y))
            for end in (low, high):
                painter.drawLine(QPointF(end, y - 4), QPointF(end, y + 4))
            text += f"  [{format_score(one.low, 3)}, {format_score(one.high, 3)}]"
        painter.setPen(QColor(theme.text))
        painter.drawText(values, Qt.AlignmentFlag.AlignLeft | middle, text)

    # Mouse and keys

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position())
        if row != self._at:
            self._at = row
            self.update()
        if row >= 0 and self._found is not None:
            key = self.keys[row]
            tip = f"{METRICS[key].name}: {self._found.by_key[key].band}"
            QToolTip.showText(event.globalPosition().toPoint(), tip, self)

    def leaveEvent(self, event: object) -> None:
        if not self.hasFocus():
            self._at = -1
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position())
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.bar_clicked.emit(self.keys[row])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if key in steps and self.keys:
            self._at = min(max(self._at + steps[key], 0), len(self.keys) - 1)
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and 0 <= self._at < len(self.keys):
            self.bar_clicked.emit(self.keys[self._at])
        else:
            super().keyPressEvent(event)
