"""How traces and growing costs are drawn for print: lines by logarithm, names beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from core.studies.study import Step
from gui.plots.charts_base import (
    EDGE,
    GAP,
    GRID_LINE,
    MIDDLE,
    QUIET,
    RIGHT,
    SMALL,
    TEXT,
    Chart,
    Work,
    mixed,
)
from gui.plots.growth import GrowthLine
from gui.plots.heatmap_layout import MM, POINT, line_height
from gui.plots.ticks import apart, axis_ticks, log_text, log_ticks, tick_texts
from gui.plots.traces import Trace

_SPAN = "#3b5bdb"
_STRONG, _THIN = 1.2 * POINT, 0.5 * POINT
_MOST_NAME = 50 * MM

_Floats = npt.NDArray[np.float64]
_Ends = tuple[float, float]


class LinesDrawing(Chart):
    """What both kinds have in common: titles, a logarithmic axis at the left, names at the right.

    Parameters
    ----------
    title, subtitle, settings : str
    labels : (str, str)
        Of the axis below, and of that at the left.
    ends : ((float, float), (float, float))
        Of both axes, as values; heights stand by logarithm.
    names : sequence of (str, str, float)
        Text, colour and the height of the line's end.
    width_mm : float
    across : bool
        Whether widths stand by logarithm, too.
    """

    def __init__(
        self,
        title: str,
        subtitle: str,
        settings: str,
        labels: tuple[str, str],
        ends: tuple[_Ends, _Ends],
        names: Sequence[tuple[str, str, float]],
        width_mm: float,
        *,
        across: bool = False,
    ) -> None:
        width = width_mm * MM
        super().__init__((width, width * 0.5), title, settings)
        self._subtitle, self._labels, self._ends, self._names = subtitle, labels, ends, names
        self._across = across
        text, small = line_height(TEXT), line_height(SMALL)
        top = EDGE + text + small + 2 * GAP
        foot = MM + 2 * small + EDGE
        tall = self.size[1] - top - foot
        self._marks = log_ticks(*ends[1], 9)
        numbers = self.ruler.widest([log_text(mark) for mark in self._marks], SMALL) + 2.5 * MM
        left = EDGE + small + numbers
        room = min(self.ruler.widest([name for name, _, _ in names], SMALL) + POINT, _MOST_NAME)
        self._name_room = room
        self._area = QRectF(left, top, width - left - room - 3 * MM - EDGE, tall)

    def x(self, value: float | _Floats) -> _Floats:
        """Return how far from the left values stand."""
        low, high = self._ends[0]
        shares = (
            np.log(np.asarray(value) / low) / math.log(high / low)
            if self._across
            else (np.asarray(value) - low) / (high - low)
        )
        return np.asarray(self._area.left() + self._area.width() * shares, np.float64)

    def y(self, value: float | _Floats) -> _Floats:
        """Return how far from the top values stand."""
        low, high = self._ends[1]
        shares = np.log(np.asarray(value) / low) / math.log(high / low)
        return np.asarray(self._area.bottom() - self._area.height() * shares, np.float64)

    def paint(self, painter: QPainter) -> Work:
        """Draw it."""
        self.clear(painter)
        text, small, area = line_height(TEXT), line_height(SMALL), self._area
        room = self.size[0] - 2 * EDGE
        self.text(painter, QRectF(EDGE, EDGE, room, text), self.title, bold=True)
        below = QRectF(EDGE, EDGE + text, room, small)
        self.text(painter, below, self._subtitle, pt=SMALL, colour=QUIET)
        self.paint_behind(painter)
        self._paint_axes(painter)
        self.base_line(painter, area)
        self.bottom_label(painter, area, self._labels[0])
        self.upwards(painter, EDGE + small, area.center().y(), self._labels[1], area.height())
        yield from self.paint_lines(painter)
        self._paint_names(painter)

    def paint_behind(self, painter: QPainter) -> None:
        """Draw what stands behind everything."""

    def paint_lines(self, painter: QPainter) -> Work:
        """Draw the lines, with steps."""
        raise NotImplementedError

    def _paint_axes(self, painter: QPainter) -> None:
        small, area = line_height(SMALL), self._area
        if self._across:
            marks = log_ticks(*self._ends[0], 8)
            texts = [log_text(mark) for mark in marks]
        else:
            marks = axis_ticks(self._ends[0], 6, whole=True)
            texts = tick_texts(marks)
        for value, words in zip(marks, texts, strict=True):
            at = float(self.x(value))
            if self._across:
                self.line(painter, QPointF(at, area.top()), QPointF(at, area.bottom()), GRID_LINE)
            self.line(painter, QPointF(at, area.bottom()), QPointF(at, area.bottom() + MM), QUIET)
            box = QRectF(at - 10 * MM, area.bottom() + MM, 20 * MM, small)
            self.text(painter, box, words, MIDDLE, pt=SMALL, colour=QUIET)
        for value in self._marks:
            at = float(self.y(value))
            self.line(painter, QPointF(area.left(), at), QPointF(area.right(), at), GRID_LINE)
            box = QRectF(area.left() - 21 * MM, at - small / 2, 20 * MM, small)
            self.text(painter, box, log_text(value), RIGHT, pt=SMALL, colour=QUIET)

    def _paint_names(self, painter: QPainter) -> None:
        small, area = line_height(SMALL), self._area
        heights = [float(self.y(height)) for _, _, height in self._names]
        places = apart(heights, small * 0.95, area.top() + small / 2, area.bottom() - small / 2)
        for (name, colour, _), at in zip(self._names, places, strict=True):
            box = QRectF(area.right() + 2 * MM, at - small / 2, self._name_room + POINT, small)
            self.text(painter, box, name, pt=SMALL, colour=_legible(colour))

    def polyline(
        self, painter: QPainter, x: _Floats, y: _Floats, colour: QColor, width: float
    ) -> None:
        """Draw a line through points; it has gaps where there is none."""
        pen = QPen(colour, width)
        painter.setPen(pen)
        across, up = self.x(x), self.y(y)
        there = np.isfinite(up)
        for run in np.split(np.arange(len(x)), np.flatnonzero(np.diff(there.astype(int))) + 1):
            if len(run) and there[run[0]]:
                points = zip(across[run], up[run], strict=True)
                painter.drawPolyline(QPolygonF([QPointF(a, b) for a, b in points]))


class TracesDrawing(LinesDrawing):
    """The time of several metrics at each instance, and the span that is averaged."""

    def __init__(
        self,
        traces: Sequence[Trace],
        span: tuple[int, int],
        labels: tuple[str, str],
        title: str,
        subtitle: str,
        settings: str,
        width_mm: float,
    ) -> None:
        self._traces, self._span = traces, span
        values = np.concatenate([trace.values[trace.values > 0] for trace in traces])
        count = max(len(trace.values) for trace in traces)
        names = [
            (trace.label, trace.colour, float(np.median(trace.values[trace.values > 0])))
            for trace in traces
            if (trace.values > 0).any()
        ]
        ends = ((0.5, count + 0.5), (float(values.min()) / 1.25, float(values.max()) * 1.25))
        super().__init__(title, subtitle, settings, labels, ends, names, width_mm)

    def paint_behind(self, painter: QPainter) -> None:
        """Tint the span that is averaged."""
        start, stop = self._span
        if stop <= start:
            return
        left, right = float(self.x(start + 0.5)), float(self.x(stop + 0.5))
        box = QRectF(left, self._area.top(), right - left, self._area.height())
        painter.fillRect(box, mixed(_SPAN, 0.1))
        for at in (left, right):
            bottom = QPointF(at, self._area.bottom())
            self.line(painter, QPointF(at, self._area.top()), bottom, _SPAN)

    def paint_lines(self, painter: QPainter) -> Work:
        """Draw a line for each metric, the strong ones last."""
        ordered = sorted(self._traces, key=lambda trace: trace.strong)
        for number, trace in enumerate(ordered):
            yield Step(number, len(ordered), "drawing the traces")
            width = _STRONG if trace.strong else _THIN
            values = np.where(trace.values > 0, trace.values, np.nan)
            x = np.arange(1, len(values) + 1, dtype=np.float64)
            self.polyline(painter, x, values, QColor(trace.colour), width)


class GrowthDrawing(LinesDrawing):
    """Costs against sizes, and the powers that were fitted to them."""

    def __init__(
        self,
        lines: Sequence[GrowthLine],
        labels: tuple[str, str],
        title: str,
        subtitle: str,
        settings: str,
        width_mm: float,
    ) -> None:
        self._lines = lines
        costs = np.concatenate([line.costs[line.costs > 0] for line in lines])
        sizes = np.concatenate([line.sizes for line in lines])
        names = [
            (line.label, line.colour, float(line.costs[line.costs > 0][-1]))
            for line in lines
            if (line.costs > 0).any()
        ]
        low, high = float(sizes.min()), float(sizes.max())
        ends = (
            (low / 1.15, high * 1.15),
            (float(costs.min()) / 1.6, float(costs.max()) * 1.6),
        )
        super().__init__(title, subtitle, settings, labels, ends, names, width_mm, across=True)

    def paint_lines(self, painter: QPainter) -> Work:
        """Draw points and fits."""
        for number, line in enumerate(sorted(self._lines, key=lambda line: line.strong)):
            yield Step(number, len(self._lines), "drawing the costs")
            colour = QColor(line.colour)
            width = _STRONG if line.strong else 2 * _THIN
            if line.fit is None:
                self.polyline(painter, line.sizes, line.costs, mixed(line.colour, 0.4), _THIN)
            else:
                self.polyline(painter, *line.fit, colour, width)
            painter.setPen(QPen(QColor("#ffffff"), 0.4 * POINT))
            painter.setBrush(colour)
            radius = (1.9 if line.strong else 1.5) * POINT
            there = line.costs > 0
            points = zip(self.x(line.sizes[there]), self.y(line.costs[there]), strict=True)
            for a, b in points:
                painter.drawEllipse(QPointF(a, b), radius, radius)


def _legible(colour: str) -> str:
    """Return a colour dark enough for small text on white."""
    ink = QColor(colour)
    return ink.darker(125).name() if ink.lightnessF() > 0.4 else colour
