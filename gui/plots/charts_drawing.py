"""How figures of simulations are drawn, in units of which 1200 make an inch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from core.formatting import UNDEFINED, format_score
from core.heat_colors import CIVIDIS
from core.statistics.correlation import BANDS
from core.statistics.histogram import nice_top
from core.studies.correlations import Correlations
from core.studies.study import Step
from gui.plots.charts_base import (
    BAND,
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
    tick_text,
)
from gui.plots.heatmap_layout import MM, POINT, line_height


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
    """

    title: str
    note: str
    colour: str
    ends: tuple[float, float]
    edges: npt.NDArray[np.float64]
    heights: Sequence[npt.NDArray[np.float64]]
    top: float


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
        self._panels, self._titles, self._columns = panels, titles, columns
        self._label = "% of tables" if shares else "tables"
        self._tops = [nice_top(panel.top) for panel in panels]
        width = width_mm * MM
        self._cell = (width - 2 * EDGE) / columns
        self._plot_height = self._cell * (0.5 if columns > 1 else 0.55)
        text, small = line_height(TEXT), line_height(SMALL)
        self._head = text + small + GAP
        self._foot = MM + 2 * small + 2 * MM
        self._legend = small + GAP if titles else 0.0
        rows = -(-len(panels) // columns)
        height = 2 * EDGE + self._legend + rows * (self._head + self._plot_height + self._foot)
        names = ", ".join(panel.title for panel in panels)
        super().__init__((width, height), f"Histograms of {names}", settings)

    def paint(self, painter: QPainter) -> Work:
        """Draw panel by panel."""
        self.clear(painter)
        self._paint_legend(painter)
        for number in range(len(self._panels)):
            self._paint_panel(painter, number)
            yield Step(number, len(self._panels), "drawing the histograms")

    def _paint_legend(self, painter: QPainter) -> None:
        line, x = line_height(SMALL), EDGE
        for number, title in enumerate(self._titles):
            if len(self._titles) > 1:
                box = QRectF(x, EDGE + line * 0.28, line * 0.5, line * 0.5)
                if number == 0:
                    painter.fillRect(box, QColor(QUIET))
                else:
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.setPen(QPen(QColor(INK), POINT))
                    painter.drawRect(box)
                x += line * 0.8
            width = self.ruler.width(title, SMALL) + 2 * MM
            room = min(width, self.size[0] - EDGE - x)
            self.text(painter, QRectF(x, EDGE, room, line), title, pt=SMALL, colour=QUIET)
            x += width + 3 * MM

    def _paint_panel(self, painter: QPainter, number: int) -> None:
        panel, top = self._panels[number], self._tops[number]
        row, column = divmod(number, self._columns)
        text, small = line_height(TEXT), line_height(SMALL)
        left = EDGE + column * self._cell
        upper = EDGE + self._legend + row * (self._head + self._plot_height + self._foot)
        indent = small + self.room_for_numbers((0, top * 1.04))
        area = QRectF(
            left + indent, upper + self._head, self._cell - indent - 3 * MM, self._plot_height
        )
        letter = f"{chr(ord('a') + number)}  " if 1 < len(self._panels) <= 26 else ""
        across = self._cell - small
        self.text(
            painter, QRectF(left + small, upper, across, text), f"{letter}{panel.title}", bold=True
        )
        note = QRectF(left + small, upper + text, across, small)
        self.text(painter, note, panel.note, pt=SMALL, colour=QUIET)
        self.axes(painter, area, panel.ends, (0.0, top * 1.04))
        self._paint_bars(painter, area, panel, top * 1.04)
        self.bottom_label(painter, area, "score")
        if column == 0:
            self.upwards(painter, left + small, area.center().y(), self._label)

    def _paint_bars(self, painter: QPainter, area: QRectF, panel: Panel, top: float) -> None:
        low, high = panel.ends
        x = area.left() + area.width() * (panel.edges - low) / (high - low)
        gap = min(0.35 * POINT, (x[1] - x[0]) * 0.1)
        colour = QColor(panel.colour)
        if len(panel.heights) > 1:
            colour.setAlphaF(0.6)
        for place, height in enumerate(panel.heights[0]):
            if height > 0:
                tall = area.height() * min(height / top, 1.0)
                box = QRectF(
                    x[place] + gap, area.bottom() - tall, x[place + 1] - x[place] - 2 * gap, tall
                )
                painter.fillRect(box, colour)
        if len(panel.heights) > 1:
            path = QPainterPath(QPointF(x[0], area.bottom()))
            for place, height in enumerate(panel.heights[1]):
                y = area.bottom() - area.height() * min(height / top, 1.0)
                path.lineTo(x[place], y)
                path.lineTo(x[place + 1], y)
            path.lineTo(x[-1], area.bottom())
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(INK), 0.8 * POINT))
            painter.drawPath(path)


class CorrelationsDrawing(Chart):
    """Bars with intervals over the bands of the AP paper."""

    def __init__(
        self,
        found: Correlations,
        symbols: Mapping[str, str],
        colours: Mapping[str, str],
        title: str,
        settings: str,
        width_mm: float,
    ) -> None:
        self._found, self._symbols, self._colours = found, symbols, colours
        self._title = title
        self._keys = [key for key in found.by_key if key != found.reference]
        width = width_mm * MM
        self._row = 5.2 * MM
        text, small = line_height(TEXT), line_height(SMALL)
        self._head = text + 2 * small + GAP
        height = 2 * EDGE + self._head + self._row * len(self._keys) + 2 * small + 2 * MM
        what = "Pearson" if found.kind == "pearson" else "Spearman"
        self._heading = f"{what} correlation with {symbols[found.reference]}"
        super().__init__((width, height), self._heading, settings)

    def paint(self, painter: QPainter) -> Work:
        """Draw it."""
        self.clear(painter)
        yield Step(0, 1, "drawing the correlations")
        text, small = line_height(TEXT), line_height(SMALL)
        room = self.size[0] - 2 * EDGE
        self.text(painter, QRectF(EDGE, EDGE, room, text), self._heading, bold=True)
        below = QRectF(EDGE, EDGE + text, room, small)
        self.text(painter, below, self._title, pt=SMALL, colour=QUIET)
        names = self.ruler.widest([self._symbols[key] for key in self._keys], TEXT)
        sample = "\N{MINUS SIGN}0.000 [\N{MINUS SIGN}0.000, \N{MINUS SIGN}0.000]"
        values = self.ruler.width(sample, SMALL)
        left = EDGE + names + 2 * MM
        area = QRectF(
            left,
            EDGE + self._head,
            self.size[0] - left - values - 4 * MM - EDGE,
            self._row * len(self._keys),
        )
        low = self._low()
        self._paint_bands(painter, area, low)
        for number, key in enumerate(self._keys):
            self._paint_row(painter, area, low, number, key)

    def _low(self) -> float:
        ends = [x for c in self._found.by_key.values() for x in (c.coefficient, c.low)]
        least = min((x for x in ends if not math.isnan(x)), default=0.0)
        return 0.0 if least >= 0 else -0.25 if least >= -0.25 else -1.0

    def _paint_bands(self, painter: QPainter, area: QRectF, low: float) -> None:
        small = line_height(SMALL)

        def at(value: float) -> float:
            return area.left() + area.width() * (value - low) / (1 - low)

        before = 0.0
        for number, (limit, word) in enumerate(BANDS):
            for sign in (1, -1):
                start, end = sorted((sign * before, sign * limit))
                if start < low - 1e-9 or (sign < 0 and low == 0):
                    continue
                band = QRectF(at(start), area.top(), at(end) - at(start), area.height())
                if number % 2:
                    painter.fillRect(band, QColor(BAND))
                head = QRectF(at(start), area.top() - small, band.width(), small)
                if self.ruler.width(word, SMALL) < band.width():
                    self.text(painter, head, word, MIDDLE, pt=SMALL, colour=QUIET)
            before = limit
        for value in (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0):
            if value >= low:
                x = at(value)
                colour = QUIET if value == 0 else GRID_LINE
                self.line(painter, QPointF(x, area.top()), QPointF(x, area.bottom()), colour)
                box = QRectF(x - 10 * MM, area.bottom() + 0.5 * MM, 20 * MM, small)
                self.text(painter, box, tick_text(value, 2), MIDDLE, pt=SMALL, colour=QUIET)
        label = QRectF(area.left(), area.bottom() + 0.5 * MM + small, area.width(), small)
        words = "correlation, with 95 % bootstrap interval"
        self.text(painter, label, words, MIDDLE, pt=SMALL, colour=QUIET)

    def _paint_row(
        self, painter: QPainter, area: QRectF, low: float, number: int, key: str
    ) -> None:
        one = self._found.by_key[key]
        top = area.top() + number * self._row
        names = QRectF(EDGE, top, area.left() - 1.5 * MM - EDGE, self._row)
        self.text(painter, names, self._symbols[key], RIGHT)
        values = QRectF(area.right() + 2 * MM, top, self.size[0], self._row)
        if math.isnan(one.coefficient):
            self.text(painter, values, UNDEFINED, pt=SMALL, colour=QUIET)
            return

        def at(value: float) -> float:
            return area.left() + area.width() * (value - low) / (1 - low)

        middle, thick = top + self._row / 2, self._row * 0.5
        ends = sorted((at(0.0), at(one.coefficient)))
        box = QRectF(ends[0], middle - thick / 2, ends[1] - ends[0], thick)
        painter.fillRect(box, QColor(self._colours[key]))
        words = format_score(one.coefficient, 3)
        if not math.isnan(one.low):
            a, b = QPointF(at(one.low), middle), QPointF(at(one.high), middle)
            self.line(painter, a, b, INK, 0.9 * POINT)
            for end in (a, b):
                up = QPointF(0, 0.6 * MM)
                self.line(painter, end - up, end + up, INK, 0.9 * POINT)
            words += f" [{format_score(one.low, 3)}, {format_score(one.high, 3)}]"
        self.text(painter, values, words, pt=SMALL)


class PointsDrawing(Chart):
    """Points of two scores, or how densely they lie."""

    def __init__(
        self,
        points: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]],
        counts: npt.NDArray[np.int64] | None,
        ends: tuple[tuple[float, float], tuple[float, float]],
        labels: tuple[str, str],
        colour: str,
        title: str,
        settings: str,
        width_mm: float,
    ) -> None:
        self._points, self._counts, self._ends = points, counts, ends
        self._labels, self._colour, self._title = labels, colour, title
        width = width_mm * MM
        super().__init__((width, width * 0.92), f"{labels[1]} against {labels[0]}", settings)

    def paint(self, painter: QPainter) -> Work:
        """Draw it, some points at a time."""
        self.clear(painter)
        text, small = line_height(TEXT), line_height(SMALL)
        room = self.size[0] - 2 * EDGE
        self.text(painter, QRectF(EDGE, EDGE, room, text), self.title, bold=True)
        below = QRectF(EDGE, EDGE + text, room, small)
        self.text(painter, below, self._title, pt=SMALL, colour=QUIET)
        left = EDGE + small + self.room_for_numbers(self._ends[1])
        top = EDGE + text + small + 2 * GAP
        foot = MM + 2 * small + EDGE
        if self._counts is not None:
            foot += small
        area = QRectF(left, top, self.size[0] - left - 4 * MM, self.size[1] - top - foot)
        self.axes(painter, area, *self._ends)
        self.bottom_label(painter, area, self._labels[0])
        self.upwards(painter, EDGE + small, area.center().y(), self._labels[1])
        if self._counts is None:
            yield from self._paint_points(painter, area)
        else:
            self._paint_density(painter, area)
            most = int(self._counts.max(initial=0))
            words = f"colour: tables in a cell, 1 to {most:,}, by logarithm; dark is many"
            line = QRectF(area.left(), area.bottom() + MM + 2 * small, area.width(), small)
            self.text(painter, line, words, MIDDLE, pt=SMALL, colour=QUIET)

    def _paint_points(self, painter: QPainter, area: QRectF) -> Work:
        (x0, x1), (y0, y1) = self._ends
        x = area.left() + area.width() * (self._points[0] - x0) / (x1 - x0)
        y = area.bottom() - area.height() * (self._points[1] - y0) / (y1 - y0)
        colour = QColor(self._colour)
        colour.setAlphaF(0.55)
        pen = QPen(colour, 1.6 * POINT)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        for start in range(0, len(x), 500):
            painter.setPen(pen)
            some = zip(x[start : start + 500], y[start : start + 500], strict=True)
            painter.drawPoints(QPolygonF([QPointF(a, b) for a, b in some]))
            yield Step(start, len(x), "drawing the points")

    def _paint_density(self, painter: QPainter, area: QRectF) -> None:
        assert self._counts is not None
        columns, rows = self._counts.shape
        levels = np.log1p(self._counts) / math.log1p(max(int(self._counts.max(initial=0)), 1))
        palette = np.array(CIVIDIS, np.uint8)[::-1]
        image = QImage(columns, rows, QImage.Format.Format_RGBA8888)
        view = np.frombuffer(image.bits(), np.uint8).reshape(rows, image.bytesPerLine())
        colours = np.zeros((rows, columns, 4), np.uint8)
        turned = levels.T[::-1]
        colours[..., :3] = palette[(turned * 255).astype(np.int64)]
        colours[..., 3] = np.where(self._counts.T[::-1] > 0, 255, 0)
        view[:, : 4 * columns] = colours.reshape(rows, 4 * columns)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(area, image)
        painter.restore()
