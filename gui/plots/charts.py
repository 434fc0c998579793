"""Figures of simulations for print: histograms, correlations, points."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.statistics.density import density
from core.studies.correlations import Correlations
from core.studies.study import Step
from gui.plots.charts_correlations import CorrelationsDrawing
from gui.plots.charts_histograms import Panel, SheetDrawing
from gui.plots.charts_points import PointsDrawing
from gui.plots.export import Drawing

SINGLE_COLUMN, DOUBLE_COLUMN = 89.0, 183.0
"""Widths of figures in journals, in mm."""

Prepared = Generator[Step[Any], None, Drawing]

# Above so many points their density is drawn, in so many cells along each side.
MOST_POINTS = 2_000
_CELLS = 120
_PIECE = 1 << 17

_Floats = npt.NDArray[np.float64]


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
    """Return how many panels stand side by side: up to four, and rows as full as can be."""
    if n < 3:
        return max(n, 1)
    if n > 9:
        return 4
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
            self.found, self.symbols, self.colours, self.title, self.settings, DOUBLE_COLUMN
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
        """Count where points are many, with steps, and return the drawing."""
        total = len(self.x)
        n, lows, highs = 0, [math.inf, math.inf], [-math.inf, -math.inf]
        for start, *pair in self._pieces():
            yield Step(start, 2 * total, "looking at the points")
            n += len(pair[0])
            for place, values in enumerate(pair):
                lows[place] = min(lows[place], float(values.min(initial=math.inf)))
                highs[place] = max(highs[place], float(values.max(initial=-math.inf)))
        across, up = _ends(lows[0], highs[0]), _ends(lows[1], highs[1])
        counts: npt.NDArray[np.int64] | None = None
        x = y = np.zeros(0)
        if n > MOST_POINTS:
            counts = np.zeros((_CELLS, _CELLS), np.int64)
            for start, some_x, some_y in self._pieces():
                yield Step(total + start, 2 * total, "counting the points")
                counts += density(some_x, some_y, across, up, (_CELLS, _CELLS))
        else:
            for _, some_x, some_y in self._pieces():
                x, y = np.append(x, some_x), np.append(y, some_y)
        return PointsDrawing(
            (x, y),
            counts,
            (across, up),
            self.labels,
            self.colour,
            f"{self.title}, n = {n:,}",
            self.settings,
            SINGLE_COLUMN,
        )

    def _pieces(self) -> Iterator[tuple[int, _Floats, _Floats]]:
        """Yield pairs that have both scores, some milliseconds' work at a time."""
        for start in range(0, len(self.x), _PIECE):
            x, y = self.x[start : start + _PIECE], self.y[start : start + _PIECE]
            both = np.isfinite(x) & np.isfinite(y)
            yield start, x[both], y[both]


def _ends(low: float, high: float) -> tuple[float, float]:
    """Return the ends of an axis: 0 to 1 where scores lie there."""
    if low > high or (low >= 0 and high <= 1):
        return 0.0, 1.0
    # As far above as below: what is equal has room, too.
    room = 0.03 * (high - low) or max(abs(low) * 0.1, 0.05)
    return low - room, max(high + room, 1.0 if high <= 1 else high + room)


__all__ = [
    "DOUBLE_COLUMN",
    "SINGLE_COLUMN",
    "CorrelationsFigure",
    "HistogramsFigure",
    "Panel",
    "PointsFigure",
]
