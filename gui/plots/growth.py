"""How a cost grows: points and fitted powers, both axes by logarithm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.plots.canvas import faded
from gui.plots.log_canvas import LogCanvas, logs
from gui.theme import LIGHT, Theme

# pyqtgraph after PySide6, which it then takes.
import pyqtgraph as pg  # isort: skip

_STRONG, _THIN = 2.5, 1.5


@dataclass(frozen=True, eq=False)
class GrowthLine:
    """The cost of one metric at several sizes.

    Attributes
    ----------
    key, label, colour : str
    sizes, costs : ndarray of float64, shape (n,)
        All above 0.
    fit : (ndarray, ndarray) or None
        Sizes and costs on the fitted line; None where there is no fit.
    strong : bool
    """

    key: str
    label: str
    colour: str
    sizes: npt.NDArray[np.float64]
    costs: npt.NDArray[np.float64]
    fit: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None = None
    strong: bool = False


class GrowthPlot(QWidget):
    """Costs against sizes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        # A line and its points for each key: to make them takes longer than to move them.
        self._drawn: dict[str, tuple[pg.PlotDataItem, pg.PlotDataItem]] = {}
        self.lines: list[GrowthLine] = []
        self.canvas = LogCanvas(across=True)
        self.canvas.plot.showGrid(x=True, y=True, alpha=0.25)
        self.canvas.setAccessibleName("Cost against size")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.canvas)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.canvas.set_theme(theme)

    def set_axes(self, *, bottom: str, left: str) -> None:
        """Name the axes."""
        self.canvas.set_labels(bottom=bottom, left=left)

    def set_lines(
        self, lines: Sequence[GrowthLine], ends: tuple[float, float] | None = None
    ) -> None:
        """Show other costs.

        Parameters
        ----------
        lines : sequence of GrowthLine
        ends : (float, float), optional
            Sizes that the axis goes to, whether there are costs or not.
        """
        for key in [key for key in self._drawn if key not in {line.key for line in lines}]:
            for item in self._drawn.pop(key):
                self.canvas.plot.removeItem(item)
        self.lines = list(lines)
        names: list[tuple[str, str, float]] = []
        sizes = [size for line in lines for size in line.sizes if size > 0]
        costs = [cost for line in lines for cost in line.costs if cost > 0]
        for line in lines:
            self._draw(line)
            there = line.costs > 0
            if there.any():
                names.append((line.label, line.colour, float(np.log10(line.costs[there][-1]))))
        if costs:
            low, high = ends or (min(sizes), max(sizes))
            if low == high:
                low, high = low / 2, high * 2
            self.canvas.show_between(
                (low / 1.15, high * 1.15), (min(costs) / 1.6, max(costs) * 1.6)
            )
        self.canvas.set_names(names)

    @property
    def _items(self) -> list[pg.PlotDataItem]:
        return [item for pair in self._drawn.values() for item in pair]

    def _draw(self, line: GrowthLine) -> None:
        if line.key not in self._drawn:
            self._drawn[line.key] = pg.PlotDataItem(connect="finite"), pg.PlotDataItem(pen=None)
            for item in self._drawn[line.key]:
                self.canvas.plot.addItem(item)
        joined, points = self._drawn[line.key]
        colour = QColor(line.colour)
        x, y = logs(line.sizes), logs(line.costs)
        if line.fit is None:
            # What nothing was fitted to is only connected, faintly.
            joined.setPen(pg.mkPen(faded(colour, 0.5), width=1))
            joined.setData(x, y)
        else:
            joined.setPen(pg.mkPen(colour, width=_STRONG if line.strong else _THIN))
            joined.setData(logs(line.fit[0]), logs(line.fit[1]))
        points.setData(
            x,
            y,
            symbol="o",
            symbolSize=8 if line.strong else 6,
            symbolBrush=pg.mkBrush(colour),
            symbolPen=pg.mkPen(self._theme.window, width=1),
        )
