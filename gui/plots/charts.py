"""Figures of simulations for print: histograms, correlations, points."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.statistics.density import density
from core.studies.correlations import Correlations
from core.studies.study import Step
from gui.plots.charts_drawing import (
    CorrelationsDrawing,
    Panel,
    PointsDrawing,
    SheetDrawing,
)
from gui.plots.export import Drawing

SINGLE_COLUMN, DOUBLE_COLUMN = 89.0, 183.0
"""Widths of figures in journals, in mm."""

Prepared = Generator[Step[Any], None, Drawing]

# Above so many points their density is drawn, in so many cells along each side.
MOST_POINTS = 2_000
_CELLS = 120


@dataclass(frozen=True, eq=False)
class HistogramsFigure:
    """Histograms as a sheet, or one of them alone.

    Attributes
    ----------
    panels : sequence of Panel
        One is a figure of a single column, several a sheet of two.
    titles : sequence of str
        What the bars are, and the outlines where there are two runs.
    shares : bool
        Whether heights are percent of the tables.
    settings : str
        How it was made, for the document.
    """

    panels: Sequence[Panel]
    titles: Sequence[str]
    shares: bool
    settings: str

    def prepare(self) -> Prepared:
        """Return the drawing, after a step."""
        yield Step(0, 1, "drawing the histograms")
        many = len(self.panels) > 1
        return SheetDrawing(
            self.panels,
            self.titles,
            self.shares,
            self.settings,
            DOUBLE_COLUMN if many else SINGLE_COLUMN,
            _columns(len(self.panels)),
        )


def _columns(n: int) -> int:
    """Return how many panels stand side by side: two to four, and rows as full as can be."""
    if n < 3:
        return max(n, 1)
    return min((4, 3), key=lambda columns: (-(-n // columns) * columns - n, columns))


@dataclass(frozen=True, eq=False)
class CorrelationsFigure:
    """Correlations with a chosen metric as bars over the paper's bands.

    Attributes
    ----------
    found : Correlations
    symbols, colours : mapping of str to str
        Of each metric.
    title : str
        Of which tables they are.
    settings : str
    """

    found: Correlations
    symbols: Mapping[str, str]
    colours: Mapping[str, str]
    title: str
    settings: str

    def prepare(self) -> Prepared:
        """Return the drawing, after a step."""
        yield Step(0, 1, "drawing the correlations")
        return CorrelationsDrawing(
            self.found, self.symbols, self.colours, self.title, self.settings, SINGLE_COLUMN * 1.5
        )


@dataclass(frozen=True, eq=False)
class PointsFigure:
    """Two scores of many tables, as points or as their density.

    Attributes
    ----------
    x, y : ndarray of float64, shape (n,)
    labels : (str, str)
        Of the axes.
    colour : str
    title : str
        Of which tables they are.
    settings : str
    """

    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]
    labels: tuple[str, str]
    colour: str
    title: str
    settings: str

    def prepare(self) -> Prepared:
        """Count where points are many, and return the drawing."""
        yield Step(0, 1, "drawing the points")
        both = np.isfinite(self.x) & np.isfinite(self.y)
        x, y = self.x[both], self.y[both]
        ends = _ends(x), _ends(y)
        counts = None
        if len(x) > MOST_POINTS:
            counts = density(x, y, ends[0], ends[1], (_CELLS, _CELLS))
            x = y = np.zeros(0)
        return PointsDrawing(
            (x, y),
            counts,
            ends,
            self.labels,
            self.colour,
            f"{self.title}, n = {int(both.sum()):,}",
            self.settings,
            SINGLE_COLUMN,
        )


def _ends(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the ends of an axis: 0 to 1 where scores lie there."""
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    room = 0.03 * (high - low or 1.0)
    return low - room, max(high + room, 1.0 if high <= 1 else high + room)


__all__ = [
    "DOUBLE_COLUMN",
    "SINGLE_COLUMN",
    "CorrelationsFigure",
    "HistogramsFigure",
    "Panel",
    "PointsFigure",
]
