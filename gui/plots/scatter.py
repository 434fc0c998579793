"""Two scores of many tables: points, or how densely they lie."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF, QTimer, Signal, Slot
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
# So many points are counted at once; more of them, a part at a time.
_AT_ONCE = 1 << 18
_PIECE = 1 << 17
_DONE = object()
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
        self._few = (np.zeros(0), np.zeros(0))
        self._counts: npt.NDArray[np.int64] | None = None
        self._axes = ((0.0, 1.0), (0.0, 1.0))
        self._shown: int | None = None
        self._work: Iterator[None] = iter(())
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._go_on)
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
        """Show other points; a pair of which one does not exist is left out.

        Very many are counted a part at a time, while the window goes on; they are seen when
        all of them are counted.
        """
        self._turn.stop()
        self._x, self._y, self._shown = x, y, None
        self._counts = None
        self._work = self._take_points()
        if len(x) > _AT_ONCE:
            self._show_nothing()
            self._turn.start()
            return
        for _ in self._work:
            pass

    def clear(self) -> None:
        """Show no points."""
        self.set_points(np.zeros(0), np.zeros(0))

    @Slot()
    def _go_on(self) -> None:
        """Look at a part of very many points."""
        if next(self._work, _DONE) is _DONE:
            self._turn.stop()

    def _take_points(self) -> Iterator[None]:
        """Count the points part by part, and show them."""
        n, ends = 0, [[math.inf, -math.inf], [math.inf, -math.inf]]
        for pair in self._parts():
            yield
            n += len(pair[0])
            for end, values in zip(ends, pair, strict=True):
                end[0] = min(end[0], float(values.min(initial=math.inf)))
                end[1] = max(end[1], float(values.max(initial=-math.inf)))
        across, up = _axis(*ends[0]), _axis(*ends[1])
        few: list[tuple[npt.NDArray[np.float64], ...]] = []
        counts = None
        if n > MOST_POINTS:
            counts = np.zeros(_CELLS, np.int64)
            for x, y in self._parts():
                yield
                counts += density(x, y, across, up, _CELLS)
        else:
            few = list(self._parts())
        self._axes, self._counts = (across, up), counts
        self._few = (
            np.concatenate([pair[0] for pair in few] or [np.zeros(0)]),
            np.concatenate([pair[1] for pair in few] or [np.zeros(0)]),
        )
        self.canvas.set_x_range(*across)
        self.canvas.set_y_range(*up)
        self.canvas.fit_left(*up, self.canvas.height())
        self._paint()

    def _parts(self) -> Iterator[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]:
        for start in range(0, len(self._x), _PIECE):
            x, y = self._x[start : start + _PIECE], self._y[start : start + _PIECE]
            both = np.isfinite(x) & np.isfinite(y)
            yield x[both], y[both]

    def _show_nothing(self) -> None:
        self._few = (np.zeros(0), np.zeros(0))
        self._paint()
        self.image.setVisible(False)

    def _paint(self) -> None:
        self.points.setVisible(self._counts is None)
        self.image.setVisible(self._counts is not None)
        brush = pg.mkBrush(faded(self._colour, 0.5))
        self.points.setData(*self._few, brush=brush, pen=None)
        if self._counts is not None:
            self._paint_density(self._counts)
        self._paint_mark()

    def _paint_density(self, counts: npt.NDArray[np.int64]) -> None:
        # By logarithm: one table is seen beside thousands.
        levels = np.log1p(counts) / math.log1p(max(int(counts.max(initial=0)), 1))
        palette = np.array(CIVIDIS, np.uint8)
        if not self._theme.is_dark:
            palette = palette[::-1]
        picture = np.zeros((*counts.shape, 4), np.uint8)
        picture[..., :3] = palette[(levels * 255).astype(np.int64)]
        picture[..., 3] = np.where(counts > 0, 255, 0)
        self.image.setImage(picture, levels=None, autoLevels=False)
        (left, right), (low, high) = self._axes
        self.image.setRect(QRectF(left, low, right - left, high - low))

    def _paint_mark(self) -> None:
        number = self._shown
        if number is None or not 0 <= number < len(self._x):
            self.mark.setData([], [])
            return
        # Filled: a ring alone is lost on a density.
        pen, brush = pg.mkPen(self._theme.text, width=2), pg.mkBrush(self._theme.base)
        self.mark.setData([self._x[number]], [self._y[number]], pen=pen, brush=brush)

    @Slot(float, float)
    def _on_clicked(self, x: float, y: float) -> None:
        if self._turn.isActive():
            # The axes are still those of other points.
            return
        size = self.canvas.box.viewPixelSize()
        scale = float(size[0]), float(size[1])
        number = nearest(self._x, self._y, (x, y), scale, _NEAR)
        if number is not None:
            self._shown = number
            self._paint_mark()
            self.point_clicked.emit(number)


def _axis(low: float, high: float) -> tuple[float, float]:
    """Return the ends of an axis: 0 to 1 where scores lie there."""
    if low > high:
        return 0.0, 1.0
    if low >= 0 and high <= 1:
        return -0.01, 1.01
    return own_axis(low, high)
