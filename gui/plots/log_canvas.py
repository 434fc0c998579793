"""A plot area whose heights, and widths too, may stand by logarithm."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor, QFontMetricsF
from PySide6.QtWidgets import QWidget

from gui.plots.canvas import Canvas
from gui.plots.ticks import apart, log_text, log_ticks
from gui.theme import GRID, LIGHT, Theme, tabular

# pyqtgraph after PySide6, which it then takes.
import pyqtgraph as pg  # isort: skip

# Between the end of a line and its name.
_BEFORE_NAME = GRID


def logs(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return logarithms of what is above 0; NaN of the rest."""
    found = np.full(len(values), np.nan)
    above = values > 0
    found[above] = np.log10(values[above])
    return found


class LogCanvas(Canvas):
    """A canvas in which coordinates of a logarithmic axis are powers of ten.

    Names stand beside the lines that they belong to, at the right, apart from each other.

    Parameters
    ----------
    across : bool
        Whether widths stand by logarithm as well as heights.
    """

    def __init__(self, *, across: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._across = across
        self._theme = LIGHT
        self._y = (0.0, 1.0)
        self._x = (0.0, 1.0)
        self._names: list[tuple[pg.TextItem, float]] = []
        self._told: list[tuple[str, str]] = []
        for axis, logarithmic in ((self.left_axis, True), (self.bottom_axis, across)):
            axis.logarithmic = logarithmic

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        super().set_theme(theme)
        self._theme = theme

    def show_between(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        """Show values between some ends, as they are: not their logarithms."""
        if self._across:
            x = (math.log10(x[0]), math.log10(x[1]))
        self._x, self._y = x, (math.log10(y[0]), math.log10(y[1]))
        self.box.setYRange(*self._y, padding=0.02)
        self.fit_left(*self._y, self.canvas_height())
        self._fit_right()

    def canvas_height(self) -> int:
        """Return the height of the widget, of which the axis below takes some."""
        return max(self.height() - GRID * 5, GRID * 4)

    def set_names(self, names: list[tuple[str, str, float]]) -> None:
        """Write names at the right: text, colour and the height of the line's end."""
        told = [(text, colour) for text, colour, _ in names]
        if told == self._told:
            # Only the ends have moved.
            heights = [height for _, _, height in names]
            self._names = [(item, h) for (item, _), h in zip(self._names, heights, strict=True)]
            self._fit_right()
            return
        self._told = told
        for item, _ in self._names:
            self.plot.removeItem(item)
        self._names = []
        for text, colour, height in names:
            item = pg.TextItem(text, color=QColor(colour), anchor=(0.0, 0.5))
            item.setFont(tabular(self.font()))
            item.setZValue(20)
            self.plot.addItem(item, ignoreBounds=True)
            self._names.append((item, height))
        self._fit_right()

    def _fit_right(self) -> None:
        """Leave room for the names, and put them there."""
        metrics = QFontMetricsF(tabular(self.font()))
        widest = max(
            (metrics.horizontalAdvance(item.toPlainText()) for item, _ in self._names), default=0.0
        )
        room = widest + 3 * _BEFORE_NAME if self._names else GRID
        low, high = self._x
        inside = max(self.width() - self.left_axis.width() - GRID * 2, GRID * 10)
        scale = (high - low) / max(inside - room, GRID * 4)
        self.bottom_axis.last = high
        self.box.setXRange(low, high + room * scale, padding=0.0)
        span = self._y[1] - self._y[0]
        gap = span * metrics.height() * 0.95 / self.canvas_height()
        # A name in the middle of its line's height stands wholly inside.
        inner = self._y[0] + gap / 2, self._y[1] - gap / 2
        places = apart([height for _, height in self._names], gap, *inner)
        for (item, _), place in zip(self._names, places, strict=True):
            item.setPos(high + _BEFORE_NAME * scale, place)

    def resizeEvent(self, event: object) -> None:
        """Give the names the same room in pixels as before."""
        super().resizeEvent(event)
        # pyqtgraph's own constructor resizes before there is anything.
        if hasattr(self, "_names"):
            self.fit_left(*self._y, self.canvas_height())
            self._fit_right()


__all__ = ["LogCanvas", "log_text", "log_ticks", "logs"]
