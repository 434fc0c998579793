"""How histograms are drawn for print, one or a sheet of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from core.studies.study import Step
from gui.plots.charts_base import (
    EDGE,
    GAP,
    INK,
    MIDDLE,
    QUIET,
    SMALL,
    TEXT,
    Chart,
    Work,
    mixed,
)
from gui.plots.heatmap_layout import MM, POINT, line_height

#: A page has room for so much; more panels than fit at their least height make it taller.
TALLEST = 240 * MM
_LEAST_HEIGHT = 13 * MM

# What stands before an entry of the legend.
_PLAIN, _BARS, _OUTLINE, _MEDIAN = "plain", "bars", "outline", "median"


@dataclass(frozen=True, eq=False)
class Panel:
    """One histogram.

    Attributes
    ----------
    title, note : str
        The metric, and a line below it.
    colour : str
    ends : (float, float)
        Of the axis of scores.
    edges : ndarray of float64, shape (b + 1,)
    heights : sequence of ndarray of float64, shape (b,)
        Of the bars, and of the outline where there is one.
    top : float
        The highest bar for which there is room.
    median : float
        Of the scores that the bars count; NaN for no mark.
    """

    title: str
    note: str
    colour: str
    ends: tuple[float, float]
    edges: npt.NDArray[np.float64]
    heights: Sequence[npt.NDArray[np.float64]]
    top: float
    median: float = math.nan

    @property
    def empty(self) -> bool:
        """Whether there is no bar at all."""
        return not any(heights.any() for heights in self.heights)


class SheetDrawing(Chart):
    """Histograms side by side, with letters where there are several."""

    def __init__(
        self,
        panels: Sequence[Panel],
        titles: Sequence[str],
        shares: bool,
        settings: str,
        width_mm: float,
        columns: int,
    ) -> None:
        names = ", ".join(panel.title for panel in panels)
        width = width_mm * MM
        super().__init__((width, 0.0), f"Histograms of {names}", settings)
        self._panels, self._columns = panels, columns
        entries = list(zip((_BARS, _OUTLINE), titles, strict=False))
        if len(titles) == 1:
            entries = [(_PLAIN, titles[0])]
        if any(not math.isnan(panel.median) for panel in panels):
            entries.append((_MEDIAN, "median" + (" of the bars" if len(titles) > 1 else "")))
        self._entries = entries
        self._shares = shares
        # A little air above the highest bar; no bar at all still has an axis.
        self._tops = [panel.top * 1.05 if panel.top > 0 else 1.05 for panel in panels]
        self._cell = (width - 2 * EDGE) / columns
        text, small = line_height(TEXT), line_height(SMALL)
        self._head = text + small + 1.5 * GAP
        self._foot = MM + small + 2 * MM
        self._legend_places = list(self._placed_titles())
        lines = max((line for line, _, _ in self._legend_places), default=-1) + 1
        self._legend = lines * small + 2 * GAP if lines else 0.0
        self._rows = -(-len(panels) // columns)
        fixed = 2 * EDGE + self._legend + small
        height = self._cell * (0.5 if columns > 1 else 0.55)
        spare = (TALLEST - fixed) / max(self._rows, 1) - self._head - self._foot
        self._plot_height = min(height, max(spare, _LEAST_HEIGHT))
        self._line = self._head + self._plot_height + self._foot
        # The same for all panels, so that their axes stand below one another.
        numbers = (
            self.room_for_numbers((0, top), self._plot_height, whole=not shares)
            for top in self._tops
        )
        self._indent = small + max(numbers, default=0.0)
        self.size = (width, fixed + self._rows * self._line)

    def _placed_titles(self) -> Iterator[tuple[int, float, str]]:
        """Yield the line, the place and the text of each entry: side by side if they fit."""
        room = self.size[0] - EDGE
        line, x = 0, EDGE
        for mark, title in self._entries:
            width = _mark_room(mark) + self.ruler.width(title, SMALL) + 2 * MM
            if x > EDGE and x + width > room:
                line, x = line + 1, EDGE
            yield line, x, title
            x += width + 3 * MM

    def paint(self, painter: QPainter) -> Work:
        """Draw panel by panel."""
        self.clear(painter)
        self._paint_legend(painter)
        for number in range(len(self._panels)):
            self._paint_panel(painter, number)
            yield Step(number, len(self._panels), "drawing the histograms")

    def _paint_legend(self, painter: QPainter) -> None:
        small = line_height(SMALL)
        for (mark, _), (line, left, title) in zip(self._entries, self._legend_places, strict=True):
            y = EDGE + line * small
            box = QRectF(left, y + small * 0.28, small * 0.5, small * 0.5)
            if mark == _BARS:
                painter.fillRect(box, mixed(QUIET, 0.6))
            elif mark == _OUTLINE:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(INK), POINT))
                painter.drawRect(box)
            elif mark == _MEDIAN:
                painter.setPen(_median_pen())
                x = box.center().x()
                painter.drawLine(QPointF(x, y + small * 0.1), QPointF(x, y + small * 0.9))
            x = left + _mark_room(mark)
            at = QRectF(x, y, self.size[0] - EDGE - x, small)
            self.text(painter, at, title, pt=SMALL, colour=QUIET)

    def _paint_panel(self, painter: QPainter, number: int) -> None:
        panel, top = self._panels[number], self._tops[number]
        row, column = divmod(number, self._columns)
        text, small = line_height(TEXT), line_height(SMALL)
        left = EDGE + column * self._cell
        upper = EDGE + self._legend + row * self._line
        whole = not self._shares
        # The last number reaches beyond its axis.
        wide = self._cell - self._indent - 4 * MM
        area = QRectF(left + self._indent, upper + self._head, wide, self._plot_height)
        start = left + small
        across = self._cell - small - 2 * MM
        if len(self._panels) > 1:
            letter = panel_letter(number)
            self.text(painter, QRectF(start, upper, across, text), letter, bold=True)
            step = self.ruler.width(f"{letter}   ", TEXT)
            start, across = start + step, across - step
        self.text(painter, QRectF(start, upper, across, text), panel.title, bold=True)
        note = QRectF(left + small, upper + text, self._cell - small - 2 * MM, small)
        self.text(painter, note, panel.note, pt=SMALL, colour=QUIET)
        self.axes(painter, area, panel.ends, (0.0, top), whole=whole)
        self._paint_bars(painter, area, panel, top)
        self._paint_median(painter, area, panel)
        self.base_line(painter, area)
        if panel.empty:
            self.text(painter, area, "no score exists", MIDDLE, pt=SMALL, colour=QUIET)
        if number + self._columns >= len(self._panels):
            # Where no other panel stands below it.
            self.bottom_label(painter, area, "score")
        if column == 0:
            words = "% of tables" if self._shares else "tables"
            self.upwards(painter, left + small, area.center().y(), words)

    def _paint_bars(self, painter: QPainter, area: QRectF, panel: Panel, top: float) -> None:
        low, high = panel.ends
        x = area.left() + area.width() * (panel.edges - low) / (high - low)
        gap = min(0.35 * POINT, float(x[1] - x[0]) * 0.1)
        colour = QColor(panel.colour) if len(panel.heights) < 2 else mixed(panel.colour, 0.6)
        for place in np.flatnonzero(panel.heights[0] > 0).tolist():
            tall = area.height() * min(float(panel.heights[0][place]) / top, 1.0)
            width = float(x[place + 1] - x[place])
            box = QRectF(x[place] + gap, area.bottom() - tall, width - 2 * gap, tall)
            painter.fillRect(box, colour)
        if len(panel.heights) > 1:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            pen = QPen(QColor(INK), 0.8 * POINT)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            painter.drawPath(_outline(area, x, panel.heights[1], top))

    def _paint_median(self, painter: QPainter, area: QRectF, panel: Panel) -> None:
        low, high = panel.ends
        if low <= panel.median <= high:
            x = area.left() + area.width() * (panel.median - low) / (high - low)
            painter.setPen(_median_pen())
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))


def _mark_room(mark: str) -> float:
    return 0.0 if mark == _PLAIN else line_height(SMALL) * 0.8


def _median_pen() -> QPen:
    pen = QPen(QColor(INK), 0.7 * POINT, Qt.PenStyle.CustomDashLine)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    # In widths of the line.
    pen.setDashPattern([2.0, 2.0])
    return pen


def _outline(
    area: QRectF, x: npt.NDArray[np.float64], heights: npt.NDArray[np.float64], top: float
) -> QPainterPath:
    """Return the outline of bars: none along the axis, where there are no bars."""
    path = QPainterPath()
    inside = False
    for place, height in enumerate(heights.tolist()):
        if not height:
            if inside:
                path.lineTo(x[place], area.bottom())
            inside = False
            continue
        if not inside:
            path.moveTo(QPointF(x[place], area.bottom()))
            inside = True
        y = area.bottom() - area.height() * min(height / top, 1.0)
        path.lineTo(x[place], y)
        path.lineTo(x[place + 1], y)
    if inside:
        path.lineTo(x[-1], area.bottom())
    return path


def panel_letter(number: int) -> str:
    """Return the letter of a panel, from 0: a to z, then aa, ab and so on."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters
