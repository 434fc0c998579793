"""How the points of two scores are drawn for print, or how densely they lie."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from core.heat_colors import CIVIDIS
from core.studies.study import Step
from gui.plots.charts_base import EDGE, GAP, MIDDLE, QUIET, RIGHT, SMALL, TEXT, Chart, Work
from gui.plots.heatmap_layout import MM, POINT, line_height

Ends = tuple[float, float]
Floats = npt.NDArray[np.float64]

_BAR = (32 * MM, 2 * MM)
# Of the numbers 1, 10, 100 and so on, those that stand so far apart have a tick.
_APART = 7 * MM


class PointsDrawing(Chart):
    """Points of two scores, or how densely they lie."""

    def __init__(
        self,
        points: tuple[Floats, Floats],
        counts: npt.NDArray[np.int64] | None,
        ends: tuple[Ends, Ends],
        labels: tuple[str, str],
        colour: str,
        title: str,
        settings: str,
        width_mm: float,
    ) -> None:
        self._points, self._counts, self._ends = points, counts, ends
        self._labels, self._colour, self._subtitle = labels, colour, title
        width = width_mm * MM
        super().__init__((width, width * 0.92), f"{labels[1]} against {labels[0]}", settings)
        self._most = 0 if counts is None else int(counts.max(initial=0))

    def paint(self, painter: QPainter) -> Work:
        """Draw it, some points at a time."""
        self.clear(painter)
        text, small = line_height(TEXT), line_height(SMALL)
        room = self.size[0] - 2 * EDGE
        self.text(painter, QRectF(EDGE, EDGE, room, text), self.title, bold=True)
        below = QRectF(EDGE, EDGE + text, room, small)
        self.text(painter, below, self._subtitle, pt=SMALL, colour=QUIET)
        top = EDGE + text + small + 2 * GAP
        foot = MM + 2 * small + EDGE
        if self._most:
            foot += 2 * GAP + small + _BAR[1]
        tall = self.size[1] - top - foot
        left = EDGE + small + self.room_for_numbers(self._ends[1], tall)
        area = QRectF(left, top, self.size[0] - left - 4 * MM, tall)
        self.axes(painter, area, *self._ends, across=True)
        self.base_line(painter, area)
        self.bottom_label(painter, area, self._labels[0])
        self.upwards(painter, EDGE + small, area.center().y(), self._labels[1], area.height())
        if self._most:
            self._paint_density(painter, area)
            self._paint_key(painter, area)
        elif not len(self._points[0]):
            self.text(painter, area, "no table has both scores", MIDDLE, pt=SMALL, colour=QUIET)
        else:
            yield from self._paint_points(painter, area)

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
        # Pictures have their first row at the top.
        counts = self._counts.T[::-1]
        colours = np.zeros((*counts.shape, 4), np.uint8)
        colours[..., :3] = _colours(self._levels(counts))
        colours[..., 3] = np.where(counts > 0, 255, 0)
        _paint_raster(painter, area, colours)

    def _levels(self, counts: npt.NDArray[np.int64] | Floats) -> Floats:
        """Return counts as shares of the scale of colours: by logarithm, so that one is seen."""
        levels: Floats = np.log1p(counts) / math.log1p(max(self._most, 1))
        return levels

    def _paint_key(self, painter: QPainter, area: QRectF) -> None:
        """Draw what the colours mean, below the axis."""
        small = line_height(SMALL)
        top = area.bottom() + MM + 2 * small + 2 * GAP
        words = "tables in a cell"
        wide = self.ruler.width(words, SMALL) + 2 * MM
        room = _BAR[0] if self._most > 1 else _BAR[1] * 2
        left = area.center().x() - (wide + room) / 2 + wide
        bar = QRectF(left, top, room, _BAR[1])
        say = QRectF(left - wide, bar.center().y() - small / 2, wide - 2 * MM, small)
        self.text(painter, say, words, RIGHT, pt=SMALL, colour=QUIET)
        first, last = (float(each) for each in self._levels(np.array([1.0, self._most])))
        colours = np.full((1, 64, 4), 255, np.uint8)
        colours[0, :, :3] = _colours(np.linspace(first, last, 64))
        _paint_raster(painter, bar, colours)
        before = -math.inf
        for count in self._key_ticks():
            level = float(self._levels(np.array([float(count)]))[0])
            share = (level - first) / (last - first) if last > first else 0.5
            x = bar.left() + share * bar.width()
            end = count == self._most
            if x - before < _APART or (not end and bar.right() - x < _APART):
                continue
            before = x
            self.line(painter, QPointF(x, bar.bottom()), QPointF(x, bar.bottom() + 0.6 * MM), QUIET)
            box = QRectF(x - 10 * MM, bar.bottom() + 0.6 * MM, 20 * MM, small)
            self.text(painter, box, f"{count:,}", MIDDLE, pt=SMALL, colour=QUIET)

    def _key_ticks(self) -> list[int]:
        powers = [10**power for power in range(len(str(self._most)))]
        return sorted({count for count in powers if count <= self._most} | {self._most})


def _colours(levels: Floats) -> npt.NDArray[np.uint8]:
    """Return colours of levels from 0 to 1: on paper, dark is many."""
    palette = np.array(CIVIDIS, np.uint8)[::-1]
    found: npt.NDArray[np.uint8] = palette[np.minimum(levels * 255, 255).astype(np.int64)]
    return found


def _paint_raster(painter: QPainter, area: QRectF, colours: npt.NDArray[np.uint8]) -> None:
    """Draw cells of colours, shape (rows, columns, 4), with sharp edges."""
    rows, columns, _ = colours.shape
    image = QImage(columns, rows, QImage.Format.Format_RGBA8888)
    view = np.frombuffer(image.bits(), np.uint8).reshape(rows, image.bytesPerLine())
    view[:, : 4 * columns] = colours.reshape(rows, 4 * columns)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(area, image)
    painter.restore()
