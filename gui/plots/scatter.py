"""Two scores of many tables: points, or how densely they lie."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.heat_colors import CIVIDIS
from core.statistics.density import density, nearest
from core.studies.simulated import own_axis
from gui.plots.canvas import Canvas, faded
from gui.theme import LIGHT, Theme

# pyqtgraph after PySide6, which it then takes.
import pyqtgraph as pg  # isort: skip

#: Above so many points their density is shown.
MOST_POINTS = 2000
_CELLS = (140, 140)
# A click is on the nearest point within so many pixels.
_NEAR = 12.0


class ScatterPlot(QWidget):
    """Points of two metrics; a density image where they would cover one another.

    Signals
    -------
    point_clicked(int)
        The number of the nearest point, from 0.
    """

    point_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._colour = QColor(LIGHT.accent)
        self._x = self._y = np.zeros(0)
        self._shown: int | None = None
        self.canvas = Canvas()
        self.canvas.plot.showGrid(x=True, y=True, alpha=0.25)
        self.points = pg.ScatterPlotItem(size=5, pen=None)
        self.image = pg.ImageItem()
        self.mark = pg.ScatterPlotItem(size=12, brush=None)
        self.mark.setZValue(10)
        for item in (self.image, self.points, self.mark):
            self.canvas.plot.addItem(item)
        self.canvas.clicked.connect(self._on_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.canvas)

    @property
    def is_density(self) -> bool:
        """Whether the density is shown instead of points."""
        return self.image.isVisible()

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.canvas.set_theme(theme)
        self._paint()

    def set_axes(self, across: str, up: str, colour: str) -> None:
        """Name the axes."""
        self._colour = QColor(colour)
        self.canvas.set_labels(bottom=across, left=up)
        self.canvas.setAccessibleName(f"{up} against {across}")

    def set_points(self, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> None:
        """Show other points; a pair of which one does not exist is left out."""
        self._x, self._y, self._shown = x, y, None
        self._paint()

    def clear(self) -> None:
        """Show no points."""
        self.set_points(np.zeros(0), np.zeros(0))

    def _paint(self) -> None:
        both = np.isfinite(self._x) & np.isfinite(self._y)
        x, y = self._x[both], self._y[both]
        self.points.setVisible(len(x) <= MOST_POINTS)
        self.image.setVisible(len(x) > MOST_POINTS)
        across, up = _axis(x), _axis(y)
        self.canvas.set_x_range(*across)
        self.canvas.set_y_range(*up)
        self.canvas.fit_left(*up, self.canvas.height())
        if len(x) <= MOST_POINTS:
            self.points.setData(x, y, brush=pg.mkBrush(faded(self._colour, 0.5)), pen=None)
        else:
            self.points.setData([], [])
            self._paint_density(x, y, across, up)
        self._paint_mark()

    def _paint_density(
        self,
        x: npt.NDArray[np.float64],
        y: npt.NDArray[np.float64],
        across: tuple[float, float],
        up: tuple[float, float],
    ) -> None:
        counts = density(x, y, across, up, _CELLS)
        # By logarithm: one table is seen beside thousands.
        levels = np.log1p(counts) / math.log1p(max(int(counts.max(initial=0)), 1))
        palette = np.array(CIVIDIS, np.uint8)
        if not self._theme.is_dark:
            palette = palette[::-1]
        picture = np.zeros((*counts.shape, 4), np.uint8)
        picture[..., :3] = palette[(levels * 255).astype(np.int64)]
        picture[..., 3] = np.where(counts > 0, 255, 0)
        self.image.setImage(picture, levels=None, autoLevels=False)
        width, height = across[1] - across[0], up[1] - up[0]
        self.image.setRect(QRectF(across[0], up[0], width, height))

    def _paint_mark(self) -> None:
        number = self._shown
        if number is None or not 0 <= number < len(self._x):
            self.mark.setData([], [])
            return
        # Filled: a ring alone is lost on a density.
        pen, brush = pg.mkPen(self._theme.text, width=2), pg.mkBrush(self._theme.base)
        self.mark.setData([self._x[number]], [self._y[number]], pen=pen, brush=brush)

    def _on_clicked(self, x: float, y: float) -> None:
        size = self.canvas.box.viewPixelSize()
        number = nearest(self._x, self._y, (x, y), (float(size[0]), float(size[1])))
        if number is None:
            return
        apart = math.hypot(
            (self._x[number] - x) / float(size[0]), (self._y[number] - y) / float(size[1])
        )
        if apart <= _NEAR:
            self._shown = number
            self._paint_mark()
            self.point_clicked.emit(number)


def _axis(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the ends of an axis: 0 to 1 where scores lie there."""
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 1:
        return -0.01, 1.01
    return own_axis(low, high)
