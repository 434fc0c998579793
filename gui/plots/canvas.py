"""A plot area in the program's own look: a light grid, no box, no menu, one click."""

from __future__ import annotations

import math
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QWidget

from gui.plots.ticks import axis_ticks, log_text, log_ticks, tick_texts
from gui.theme import GRID, LIGHT, Theme, tabular

# pyqtgraph after PySide6, which it then takes.
import pyqtgraph as pg  # isort: skip

# A press and a release farther apart, in pixels, are no click.
_STILL = 4
# Most steps along an axis; pixels between numbers across, and lines a number takes upwards.
_MOST_STEPS, _MOST_LOG_STEPS = 6, 12
_BETWEEN, _LINES = GRID * 1.5, 1.4


class RoundAxis(pg.AxisItem):
    """An axis with few ticks at round numbers, all of them with their number.

    Attributes
    ----------
    whole : bool
        Whether only whole numbers stand at ticks, as for counts.
    logarithmic : bool
        Whether the coordinates are powers of ten of what is shown.
    last : float
        Beyond it there is room, but no tick.
    """

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self.whole = False
        self.logarithmic = False
        self.last = math.inf

    def ticks_for(self, low: float, high: float, size: float) -> list[float]:
        """Return the numbers at the ticks between two ends, so many pixels apart."""
        if not low < high:
            return []
        metrics = QFontMetricsF(self.style["tickFont"] or self.font())
        found: list[float] = []
        for most in range(_MOST_LOG_STEPS if self.logarithmic else _MOST_STEPS, 0, -1):
            found = self._ticks(low, high, most)
            if self.orientation == "left":
                need = metrics.height() * _LINES
            else:
                texts = self.texts_of(found)
                widest = max((metrics.horizontalAdvance(text) for text in texts), default=0.0)
                need = widest + _BETWEEN
            nearest = min((b - a for a, b in pairwise(found)), default=high - low)
            if len(found) < 2 or nearest / (high - low) * size >= need:
                break
        return found

    def _ticks(self, low: float, high: float, most: int) -> list[float]:
        if not self.logarithmic:
            return axis_ticks((low, high), most, whole=self.whole)
        return [math.log10(tick) for tick in log_ticks(10.0**low, 10.0**high, most + 1)]

    def texts_of(self, ticks: list[float]) -> list[str]:
        """Return the numbers that stand at some ticks."""
        if self.logarithmic:
            return [log_text(10.0**tick) for tick in ticks]
        return tick_texts(ticks)

    def tickValues(
        self, minVal: float, maxVal: float, size: float
    ) -> list[tuple[float | None, list[float]]]:
        """Return one level of ticks: no lines without numbers."""
        ticks = self.ticks_for(minVal, maxVal, size)
        return [(None, [tick for tick in ticks if tick <= self.last])]

    def tickStrings(
        self, values: list[float], scale: float, spacing: float | None
    ) -> list[str | None]:
        """Return the numbers as texts."""
        return [*self.texts_of(values)]

    def boundingRect(self) -> QRectF:
        """Leave room for numbers that reach beyond the ends: else they are not painted."""
        rect: QRectF = super().boundingRect()
        return rect.adjusted(-GRID * 2, -GRID * 2, GRID * 2, GRID * 2)


class Canvas(pg.PlotWidget):
    """Axes without a box; a click says where it was, in the units of the axes.

    Signals
    -------
    clicked(float, float)
    """

    clicked = Signal(float, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, axisItems={side: RoundAxis(side) for side in ("left", "bottom")})
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.plot = self.getPlotItem()
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        self.plot.setMouseEnabled(False, False)
        self.plot.setContentsMargins(0, 4, 8, 0)
        self.box = self.plot.getViewBox()
        self.box.setDefaultPadding(0)
        self.left_axis: RoundAxis = self.plot.getAxis("left")
        self.bottom_axis: RoundAxis = self.plot.getAxis("bottom")
        self.plot.showGrid(x=False, y=True, alpha=0.25)
        self._pressed: QPointF | None = None
        font = tabular(self.font())
        for axis in (self.left_axis, self.bottom_axis):
            axis.enableAutoSIPrefix(False)
            axis.setTickFont(font)
            axis.setStyle(tickLength=-4, tickTextOffset=4, hideOverlappingLabels=False)
        self._labels = {"left": "", "bottom": ""}
        self.set_theme(LIGHT)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours: pyqtgraph does not follow the palette."""
        self.setBackground(theme.window)
        for axis in (self.left_axis, self.bottom_axis):
            axis.setPen(pg.mkPen(theme.border))
            axis.setTextPen(pg.mkPen(theme.muted))
        self._colour = theme.muted
        self._show_labels()

    def set_labels(self, *, bottom: str, left: str) -> None:
        """Name the axes."""
        labels = {"left": left, "bottom": bottom}
        if labels != self._labels:
            self._labels = labels
            self._show_labels()

    def _show_labels(self) -> None:
        for side, text in self._labels.items():
            axis = self.plot.getAxis(side)
            if text:
                axis.setLabel(text, color=self._colour)
            axis.showLabel(bool(text))

    def fit_left(self, low: float, high: float, height: float) -> None:
        """Give the numbers at the left the room that they need between two ends."""
        texts = self.left_axis.texts_of(self.left_axis.ticks_for(low, high, height))
        metrics = QFontMetricsF(tabular(self.font()))
        widest = max((metrics.horizontalAdvance(text) for text in texts), default=0.0)
        # As wide without the label: what stands below one another begins at one place.
        self.left_axis.setWidth(round(max(widest + metrics.height() + GRID * 1.5, GRID * 5)))

    def set_x_range(self, low: float, high: float) -> None:
        """Show values from one to another."""
        self.box.setXRange(low, high, padding=0.01)

    def set_y_range(self, low: float, high: float) -> None:
        """Show heights from one to another."""
        self.box.setYRange(low, high, padding=0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a click begins."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position()
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Say where a click was."""
        pressed, self._pressed = self._pressed, None
        event.accept()
        if event.button() != Qt.MouseButton.LeftButton or pressed is None:
            return
        if (event.position() - pressed).manhattanLength() > _STILL:
            return
        at = self.mapToScene(event.position().toPoint())
        if self.box.sceneBoundingRect().contains(at):
            point = self.box.mapSceneToView(at)
            self.clicked.emit(float(point.x()), float(point.y()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Leave moves alone: nothing is dragged here."""
        event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what scrolls the page."""
        event.ignore()

    def pixel_of(self, x: float, y: float) -> QPointF:
        """Return where a point stands in the widget."""
        scene = self.box.mapViewToScene(QPointF(x, y))
        return QPointF(self.mapFromScene(scene))


def faded(colour: QColor, alpha: float) -> QColor:
    """Return a colour that lets shine through."""
    soft = QColor(colour)
    soft.setAlphaF(alpha)
    return soft
