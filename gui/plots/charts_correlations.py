"""How correlations are drawn for print."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from core.formatting import UNDEFINED, format_score
from core.statistics.correlation import BANDS
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
)
from gui.plots.heatmap_layout import MM, POINT, line_height
from gui.plots.ticks import tick_texts

_ROW = 5.2 * MM
_SAMPLE = "\N{MINUS SIGN}0.000 [\N{MINUS SIGN}0.000, \N{MINUS SIGN}0.000]"
_MOST_NAME = 45 * MM


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
        self._subtitle = title
        self._keys = [key for key in found.by_key if key != found.reference]
        width = width_mm * MM
        text, small = line_height(TEXT), line_height(SMALL)
        self._head = text + 2 * small + 2 * GAP
        rows = _ROW * max(len(self._keys), 1)
        height = 2 * EDGE + self._head + rows + 2 * small + 2 * MM
        self._what = "Pearson" if found.kind == "pearson" else "Spearman"
        heading = f"{self._what} correlation with {symbols[found.reference]}"
        super().__init__((width, height), heading, settings)
        names = self.ruler.widest([symbols[key] for key in self._keys], TEXT) + POINT
        left = EDGE + min(names, _MOST_NAME) + 2 * MM
        values = self.ruler.width(_SAMPLE, SMALL)
        room = width - left - values - 4 * MM - EDGE
        self._area = QRectF(left, EDGE + self._head, room, rows)
        ends = [x for c in found.by_key.values() for x in (c.coefficient, c.low)]
        least = min((x for x in ends if not math.isnan(x)), default=0.0)
        self._low = 0.0 if least >= 0 else -0.25 if least >= -0.25 else -1.0

    def paint(self, painter: QPainter) -> Work:
        """Draw it."""
        self.clear(painter)
        yield Step(0, 1, "drawing the correlations")
        text, small = line_height(TEXT), line_height(SMALL)
        room = self.size[0] - 2 * EDGE
        self.text(painter, QRectF(EDGE, EDGE, room, text), self.title, bold=True)
        below = QRectF(EDGE, EDGE + text, room, small)
        self.text(painter, below, self._subtitle, pt=SMALL, colour=QUIET)
        self._paint_bands(painter)
        self._paint_axis(painter)
        for number, key in enumerate(self._keys):
            self._paint_row(painter, number, key)

    def _at(self, value: float) -> float:
        share = (min(max(value, self._low), 1.0) - self._low) / (1 - self._low)
        return self._area.left() + self._area.width() * share

    def _paint_bands(self, painter: QPainter) -> None:
        small, area = line_height(SMALL), self._area
        before = 0.0
        for number, (limit, word) in enumerate(BANDS):
            for sign in (1, -1):
                start, end = sorted((sign * before, sign * limit))
                if start < self._low:
                    continue
                band = QRectF(
                    self._at(start), area.top(), self._at(end) - self._at(start), area.height()
                )
                if number % 2:
                    painter.fillRect(band, QColor(BAND))
                head = QRectF(band.left(), area.top() - small - GAP / 2, band.width(), small)
                self.text(painter, head, word, MIDDLE, pt=SMALL, colour=QUIET)
            before = limit

    def _paint_axis(self, painter: QPainter) -> None:
        small, area = line_height(SMALL), self._area
        marks = [
            value
            for value in (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0)
            if value >= self._low
        ]
        for value, words in zip(marks, tick_texts(marks), strict=True):
            x = self._at(value)
            colour = QUIET if value == 0 else GRID_LINE
            self.line(painter, QPointF(x, area.top()), QPointF(x, area.bottom()), colour)
            box = QRectF(x - 10 * MM, area.bottom() + 0.5 * MM, 20 * MM, small)
            self.text(painter, box, words, MIDDLE, pt=SMALL, colour=QUIET)
        label = QRectF(EDGE, area.bottom() + 0.5 * MM + small, self.size[0] - 2 * EDGE, small)
        # In the middle of the axis as long as it fits the page.
        words = self._axis_words()
        half = self.ruler.width(words, SMALL) / 2 + POINT
        left = min(max(area.center().x() - half, EDGE), self.size[0] - EDGE - 2 * half)
        label.setLeft(max(left, EDGE))
        self.text(painter, label, words, pt=SMALL, colour=QUIET)

    def _axis_words(self) -> str:
        parts = [f"{self._what} correlation"]
        if any(not math.isnan(c.low) for c in self._found.by_key.values()):
            parts.append(f"95 % bootstrap interval of {self._found.resamples:,} resamples")
        tables = [self._found.by_key[key].tables for key in self._keys]
        if tables:
            least, most = min(tables), max(tables)
            n = f"{most:,}" if least == most else f"{least:,} to {most:,}"
            parts.append(f"n = {n} tables")
        return ", ".join(parts)

    def _paint_row(self, painter: QPainter, number: int, key: str) -> None:
        one, area = self._found.by_key[key], self._area
        top = area.top() + number * _ROW
        names = QRectF(EDGE, top, area.left() - 1.5 * MM - EDGE, _ROW)
        self.text(painter, names, self._symbols[key], RIGHT)
        left = area.right() + 3 * MM
        values = QRectF(left, top, self.size[0] - left, _ROW)
        if math.isnan(one.coefficient):
            self.text(painter, values, UNDEFINED, pt=SMALL, colour=QUIET)
            return
        middle, thick = top + _ROW / 2, _ROW * 0.5
        ends = sorted((self._at(0.0), self._at(one.coefficient)))
        box = QRectF(ends[0], middle - thick / 2, ends[1] - ends[0], thick)
        painter.fillRect(box, QColor(self._colours[key]))
        words = format_score(one.coefficient, 3)
        if not math.isnan(one.low):
            a, b = QPointF(self._at(one.low), middle), QPointF(self._at(one.high), middle)
            self.line(painter, a, b, INK, 0.9 * POINT)
            for end in (a, b):
                up = QPointF(0, 0.6 * MM)
                self.line(painter, end - up, end + up, INK, 0.9 * POINT)
            words += f" [{format_score(one.low, 3)}, {format_score(one.high, 3)}]"
        self.text(painter, values, words, pt=SMALL)
