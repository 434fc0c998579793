"""What charts for print have in common: texts, axes, a white page; 1200 units an inch."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from core.heat import ticks_between
from core.studies.study import Step
from core.version import __version__
from gui.plots.export import Drawing
from gui.plots.heatmap_layout import MM, POINT, Ruler, font_of, line_height

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
        """Write words in a box, in the middle of its height."""
        painter.setFont(font_of("", pt, bold=bold))
        painter.setPen(QColor(colour))
        painter.drawText(at, align | Qt.AlignmentFlag.AlignVCenter, words)

    def upwards(self, painter: QPainter, x: float, middle: float, words: str) -> None:
        """Write words that read upwards, around a middle."""
        painter.save()
        painter.translate(x, middle)
        painter.rotate(-90)
        line = line_height(SMALL)
        half = self.size[1]
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
        self, painter: QPainter, area: QRectF, x: tuple[float, float], y: tuple[float, float]
    ) -> None:
        """Draw a light grid, ticks and numbers: 0 to 1 has five steps, a short axis fewer."""
        line = line_height(SMALL)
        steps = 6 if area.width() > 50 * MM else 3
        digits = tick_digits(ticks_between(*x, steps))
        for value in ticks_between(*x, steps):
            at = area.left() + area.width() * (value - x[0]) / (x[1] - x[0])
            self.line(painter, QPointF(at, area.bottom()), QPointF(at, area.bottom() + MM), QUIET)
            box = QRectF(at - 10 * MM, area.bottom() + MM, 20 * MM, line)
            self.text(painter, box, tick_text(value, digits), MIDDLE, pt=SMALL, colour=QUIET)
        marks = ticks_between(*y, 5 if area.height() > 18 * MM else 3)
        digits = tick_digits(marks)
        for value in marks:
            at = area.bottom() - area.height() * (value - y[0]) / (y[1] - y[0])
            self.line(painter, QPointF(area.left(), at), QPointF(area.right(), at), GRID_LINE)
            box = QRectF(area.left() - 21 * MM, at - line / 2, 20 * MM, line)
            self.text(painter, box, tick_text(value, digits), RIGHT, pt=SMALL, colour=QUIET)
        self.line(
            painter,
            QPointF(area.left(), area.bottom()),
            QPointF(area.right(), area.bottom()),
            QUIET,
        )

    def bottom_label(self, painter: QPainter, area: QRectF, words: str) -> None:
        """Say what the axis below an area is."""
        line = line_height(SMALL)
        box = QRectF(area.left(), area.bottom() + MM + line, area.width(), line)
        self.text(painter, box, words, MIDDLE, pt=SMALL, colour=QUIET)

    def room_for_numbers(self, ends: tuple[float, float], steps: int = 5) -> float:
        """Return the room that the numbers of an axis need at its left."""
        marks = ticks_between(*ends, steps)
        digits = tick_digits(marks)
        return self.ruler.widest([tick_text(value, digits) for value in marks], SMALL) + 1.5 * MM


def tick_digits(marks: Sequence[float]) -> int:
    """Return the decimals that tell marks apart."""
    return max((len(f"{mark:.6f}".rstrip("0").partition(".")[2]) for mark in marks), default=0)


def tick_text(value: float, digits: int) -> str:
    """Return a number as it stands at a tick."""
    grouped = f"{value:,.{digits}f}" if abs(value) >= 1000 else f"{value:.{digits}f}"
    return grouped.replace("-", "\N{MINUS SIGN}").replace(",", "\N{NARROW NO-BREAK SPACE}")
