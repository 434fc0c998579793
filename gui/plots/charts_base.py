"""What charts for print have in common: texts, axes, a white page; 1200 units an inch."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from core.studies.study import Step
from core.version import __version__
from gui.plots.export import Drawing
from gui.plots.heatmap_layout import MM, POINT, Ruler, font_of, line_height
from gui.plots.ticks import axis_ticks, tick_texts

INK, QUIET, GRID_LINE, BAND = "#1b1e24", "#5d6470", "#e3e6ea", "#f1f3f6"
TEXT, SMALL = 9.0, 7.5
EDGE = 1.5 * MM
GAP = 1.0 * MM
HAIR = 0.5 * POINT

LEFT, RIGHT, MIDDLE = (
    Qt.AlignmentFlag.AlignLeft,
    Qt.AlignmentFlag.AlignRight,
    Qt.AlignmentFlag.AlignHCenter,
)

Work = Generator[Step[Any], None, None]


class Chart(Drawing):
    """What all of them have in common: texts, axes, a white page."""

    def __init__(self, size: tuple[float, float], title: str, settings: str) -> None:
        super().__init__(size, title, f"Tallyscope {__version__}", settings)
        self.ruler = Ruler("")

    def clear(self, painter: QPainter) -> None:
        """Paint the page white."""
        painter.fillRect(QRectF(0, 0, *self.size), QColor("#ffffff"))

    def text(
        self,
        painter: QPainter,
        at: QRectF,
        words: str,
        align: Qt.AlignmentFlag = LEFT,
        *,
        pt: float = TEXT,
        colour: str = INK,
        bold: bool = False,
    ) -> None:
        """Write words in a box, in the middle of its height; what does not fit is cut with dots."""
        font = font_of("", pt, bold=bold)
        # Metrics round up: what just fits is not cut.
        room = at.width() + POINT
        words = QFontMetricsF(font).elidedText(words, Qt.TextElideMode.ElideRight, room)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        flags = align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
        painter.drawText(at, flags, words)

    def upwards(
        self, painter: QPainter, x: float, middle: float, words: str, room: float | None = None
    ) -> None:
        """Write words that read upwards, around a middle, in the room that there is."""
        painter.save()
        painter.translate(x, middle)
        painter.rotate(-90)
        line = line_height(SMALL)
        half = self.size[1] if room is None else room / 2
        self.text(
            painter, QRectF(-half, -line, 2 * half, line), words, MIDDLE, pt=SMALL, colour=QUIET
        )
        painter.restore()

    def line(
        self, painter: QPainter, a: QPointF, b: QPointF, colour: str, width: float = HAIR
    ) -> None:
        """Draw a line."""
        pen = QPen(QColor(colour), width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(a, b)

    def axes(
        self,
        painter: QPainter,
        area: QRectF,
        x: tuple[float, float],
        y: tuple[float, float],
        *,
        whole: bool = False,
        across: bool = False,
    ) -> None:
        """Draw a light grid, ticks and numbers.

        Parameters
        ----------
        painter : QPainter
        area : QRectF
        x, y : (float, float)
            Ends of the axes.
        whole : bool
            Whether heights are counts, which have whole numbers.
        across : bool
            Whether there are lines for both axes.
        """
        line = line_height(SMALL)
        marks = axis_ticks(x, 6 if area.width() > 50 * MM else 3)
        for value, words in zip(marks, tick_texts(marks), strict=True):
            at = area.left() + area.width() * (value - x[0]) / (x[1] - x[0])
            if across:
                self.line(painter, QPointF(at, area.top()), QPointF(at, area.bottom()), GRID_LINE)
            self.line(painter, QPointF(at, area.bottom()), QPointF(at, area.bottom() + MM), QUIET)
            box = QRectF(at - 10 * MM, area.bottom() + MM, 20 * MM, line)
            self.text(painter, box, words, MIDDLE, pt=SMALL, colour=QUIET)
        marks = y_marks(y, area.height(), whole)
        for value, words in zip(marks, tick_texts(marks), strict=True):
            at = area.bottom() - area.height() * (value - y[0]) / (y[1] - y[0])
            self.line(painter, QPointF(area.left(), at), QPointF(area.right(), at), GRID_LINE)
            box = QRectF(area.left() - 21 * MM, at - line / 2, 20 * MM, line)
            self.text(painter, box, words, RIGHT, pt=SMALL, colour=QUIET)

    def base_line(self, painter: QPainter, area: QRectF) -> None:
        """Draw the axis below an area."""
        self.line(painter, area.bottomLeft(), area.bottomRight(), QUIET)

    def bottom_label(self, painter: QPainter, area: QRectF, words: str) -> None:
        """Say what the axis below an area is."""
        line = line_height(SMALL)
        box = QRectF(area.left(), area.bottom() + MM + line, area.width(), line)
        self.text(painter, box, words, MIDDLE, pt=SMALL, colour=QUIET)

    def room_for_numbers(
        self, ends: tuple[float, float], height: float, *, whole: bool = False
    ) -> float:
        """Return the room that the numbers of an axis need at its left, some air included."""
        return self.ruler.widest(tick_texts(y_marks(ends, height, whole)), SMALL) + 2.5 * MM


def y_marks(ends: tuple[float, float], height: float, whole: bool = False) -> list[float]:
    """Return the ticks of an axis that is so high: six steps, fewer if it is low."""
    return axis_ticks(ends, 6 if height > 30 * MM else 3, whole=whole)


def mixed(colour: str, share: float) -> QColor:
    """Return a share of a colour on white: no layer that lets lines shine through."""
    ink = QColor(colour)
    parts = (255 - (255 - part) * share for part in (ink.red(), ink.green(), ink.blue()))
    return QColor(*(round(part) for part in parts))
