"""Draws a heat map: one routine for pictures on the screen and for every kind of file."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QLinearGradient, QPainter, QPen

from core.heat import TOP, ticks
from core.studies.study import Pulse, Step
from core.version import __version__
from gui.plots.export import Drawing
from gui.plots.heatmap_content import LABELS, Content, Look
from gui.plots.heatmap_layout import MM, POINT, Layout, Names, Ruler, font_of, line_height
from gui.table_editor.heat import CIVIDIS, Rgb, text_on
from gui.table_editor.words import grouped, header_name

#: So many cells are drawn one by one; more are an image in the figure.
DRAWN_CELLS = 20_000
#: Cells of at least this size have lines between them and frames around peaks.
_LINED, _FRAMED = 1.6 * MM, 1.0 * MM
#: Smaller cells are not drawn one by one: their edges would blur into each other.
_DRAWN = 0.5 * MM
#: So far cells reach beneath the next ones: viewers would show gaps between them.
_OVERLAP = 0.12 * POINT

#: Cells of an image that are coloured in one go.
_CELLS_AT_ONCE = 1 << 18
#: Points of an image that are drawn in one go.
_DRAWN_AT_ONCE = 500_000

#: Every so many levels have a colour of their own in the colour bar; 255 is a multiple.
_STOP = 5

_INK, _QUIET, _LINE, _BLANK = "#1f2328", "#505a64", "#c3c9d0", "#ffffff"


class HeatMapDrawing(Drawing):
    """A heat map that is ready to be drawn, in units of which 1200 make an inch.

    Parameters
    ----------
    look : Look
    content : what it shows, in its order
    layout : Layout
    """

    def __init__(self, look: Look, content: Content, layout: Layout) -> None:
        super().__init__(
            (layout.width, layout.height),
            look.title
            or (f"Heat map of {look.name}" if look.name else "Heat map of a contingency table"),
            f"Tallyscope {__version__}",
            look.settings,
        )
        self.figure, self.layout, self._content = look, layout, content
        self._ruler = Ruler(look.font_family)

    def paint(self, painter: QPainter) -> Generator[Step[Any], None, None]:
        """Draw it, with a step now and then."""
        layout = self.layout
        painter.fillRect(QRectF(0, 0, layout.width, layout.height), QColor(_BLANK))
        self._paint_words(painter)
        yield Step(0, None, "drawing the heat map")
        r, c = layout.shape
        if r * c <= DRAWN_CELLS and min(layout.cell) >= _DRAWN:
            yield from self._paint_cells(painter)
        else:
            yield from self._paint_image(painter)
        frame = QRectF(layout.left, layout.top, layout.cell[0] * c, layout.cell[1] * r)
        self._outline(painter, frame, 0.6 * POINT, _QUIET)
        yield from self._paint_names(painter)
        self._paint_bar(painter)

    # Cells

    def _paint_cells(self, painter: QPainter) -> Generator[Step[Any], None, None]:
        layout, heat = self.layout, self._content.heat
        width, height = layout.cell
        small = min(width, height)
        counts = self._content.counts
        row_max = counts.max(axis=1)
        peaks = (counts == row_max[:, None]) & (counts > 0)
        font = font_of(self.figure.font_family, layout.counts_pt or 5.0)
        over = min(_OVERLAP, small / 20)
        pulse = Pulse()
        for i, row in enumerate(counts.tolist()):
            top = layout.top + i * height
            tied = int(peaks[i].sum()) > 1
            for j, count in enumerate(row):
                rect = QRectF(layout.left + j * width, top, width, height)
                fill: Rgb = CIVIDIS[heat.levels[i, j]] if heat.filled[i, j] else (255, 255, 255)
                painter.fillRect(rect.adjusted(0, 0, over, over), QColor(*fill))
                ink = QColor(*text_on(fill)) if count else QColor("#8a939d")
                if peaks[i, j] and small >= _FRAMED:
                    self._frame(painter, rect, ink, tied=tied)
                if layout.counts_pt:
                    self._write(painter, font, rect, str(count), ink)
            if pulse.due():
                yield Step(i, len(counts), "drawing the heat map")
        if small >= _LINED:
            self._paint_lines(painter)

    def _frame(self, painter: QPainter, rect: QRectF, ink: QColor, *, tied: bool) -> None:
        """Frame a largest cell; with dashes where there are several."""
        small = min(rect.width(), rect.height())
        thick = min(0.9 * POINT, small * 0.09)
        inset = thick / 2 + min(0.9 * POINT, small * 0.05)
        pen = QPen(ink, thick)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if tied:
            pen.setDashPattern([2.5, 2.0])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect.adjusted(inset, inset, -inset, -inset))

    def _paint_lines(self, painter: QPainter) -> None:
        layout = self.layout
        r, c = layout.shape
        painter.setPen(QPen(QColor(_LINE), 0.3 * POINT))
        for i in range(1, r):
            y = layout.top + i * layout.cell[1]
            painter.drawLine(QPointF(layout.left, y), QPointF(layout.right, y))
        for j in range(1, c):
            x = layout.left + j * layout.cell[0]
            painter.drawLine(QPointF(x, layout.top), QPointF(x, layout.bottom))

    def _paint_image(self, painter: QPainter) -> Generator[Step[Any], None, None]:
        """Draw so many cells as one image, which stays sharp where it is enlarged."""
        heat, layout = self._content.heat, self.layout
        r, c = layout.shape
        image = QImage(c, r, QImage.Format.Format_RGB888)
        palette = np.array(CIVIDIS, np.uint8)
        points = np.frombuffer(image.bits(), np.uint8).reshape(r, image.bytesPerLine())
        rows = max(1, _CELLS_AT_ONCE // c)
        for first in range(0, r, rows):
            part = slice(first, first + rows)
            colors = palette[heat.levels[part]]
            colors[~heat.filled[part]] = 255
            points[part, : 3 * c] = colors.reshape(len(colors), 3 * c)
            yield Step(first, 2 * r, "drawing the heat map")
        target = QRectF(layout.left, layout.top, layout.cell[0] * c, layout.cell[1] * r)
        scale = painter.transform().m11()
        device = target.width() * scale, target.height() * scale
        if not self.vector and (c > device[0] or r > device[1]):
            # Fewer points than cells: the mean of cells, for a part of them would mislead.
            size = (max(1, min(c, round(device[0]))), max(1, min(r, round(device[1]))))
            image = image.scaled(
                *size,
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        height = image.height()
        rows = max(1, _DRAWN_AT_ONCE // image.width())
        for first in range(0, height, rows):
            # In strips, for one call would hold up the window; each reaches one row beneath
            # the next, so that viewers show no seam.
            last = min(first + rows + 1, height)
            strip = image.copy(0, first, image.width(), last - first)
            tall = target.height() / height
            painter.drawImage(
                QRectF(
                    target.left(),
                    target.top() + first * tall,
                    target.width(),
                    (last - first) * tall,
                ),
                strip,
            )
            yield Step(height + first, 2 * height, "drawing the heat map")
        painter.restore()

    # Words

    def _paint_words(self, painter: QPainter) -> None:
        figure, layout = self.figure, self.layout
        text = line_height(layout.label_pt)
        edge = 1.5 * MM
        font = font_of(figure.font_family, layout.label_pt)
        if figure.title:
            bold = font_of(figure.font_family, layout.label_pt, bold=True)
            title = header_name(figure.title)
            # Above the first cell, or further to the left if it is long.
            room = layout.width - 2 * edge
            length = min(QFontMetricsF(bold).horizontalAdvance(title), room)
            start = max(edge, min(layout.left, layout.width - edge - length))
            words = QFontMetricsF(bold).elidedText(title, Qt.TextElideMode.ElideRight, room)
            rect = QRectF(start, edge, length, text)
            self._write(painter, bold, rect, words, QColor(_INK), Qt.AlignmentFlag.AlignLeft)
        middle = (layout.left + layout.right) / 2
        above = layout.top - 0.6 * MM - text
        names = layout.column_names
        above -= names.room if names.turned else text
        rect = QRectF(middle - layout.width / 2, above - 0.6 * MM, layout.width, text)
        self._write(painter, font, rect, "Cluster", QColor(_QUIET))
        # As near to the names as they are long.
        x = layout.left - 1.2 * MM - layout.row_names.room - 0.8 * MM - text / 2
        y = (layout.top + layout.bottom) / 2
        self._write_upwards(painter, font, QPointF(x, y), "Truth class", QColor(_QUIET))

    def _paint_names(self, painter: QPainter) -> Generator[Step[Any], None, None]:
        layout, content = self.layout, self._content
        ink, quiet = QColor(_INK), QColor(_QUIET)
        width, height = layout.cell
        gap = 1.2 * MM
        names = layout.row_names
        font = font_of(self.figure.font_family, names.pt)
        line = line_height(names.pt)
        right = Qt.AlignmentFlag.AlignRight
        for i in range(0, layout.shape[0], names.every):
            y = layout.top + (i + 0.5) * height - line / 2
            rect = QRectF(layout.left - gap - names.room, y, names.room, line)
            text = self._elided(content.truth[i], names)
            self._write(painter, font, rect, text, ink, right)
        yield Step(1, 2, "drawing the heat map")
        names = layout.column_names
        font = font_of(self.figure.font_family, names.pt)
        base = layout.top - 0.6 * MM
        for j in range(0, layout.shape[1], names.every):
            x = layout.left + (j + 0.5) * width
            text = self._elided(content.clusters[j], names)
            if names.turned:
                at = QPointF(x, base)
                self._write_upwards(painter, font, at, text, ink, Qt.AlignmentFlag.AlignLeft)
            else:
                line = line_height(names.pt)
                self._write(
                    painter, font, QRectF(x - width, base - line, 2 * width, line), text, ink
                )
        yield Step(1, 2, "drawing the heat map")
        self._paint_sums(painter, quiet)

    def _paint_sums(self, painter: QPainter, ink: QColor) -> None:
        layout, content = self.layout, self._content
        width, height = layout.cell
        gap = 1.2 * MM
        label = font_of(self.figure.font_family, layout.label_pt)
        text = line_height(layout.label_pt)
        if (sums := layout.row_sums) is not None:
            font, line = font_of(self.figure.font_family, sums.pt), line_height(sums.pt)
            for i, words in enumerate(content.row_sums):
                y = layout.top + (i + 0.5) * height - line / 2
                rect = QRectF(layout.right + gap, y, sums.room, line)
                self._write(painter, font, rect, words, ink, Qt.AlignmentFlag.AlignRight)
            rect = QRectF(layout.right + gap, layout.top - 0.6 * MM - text, sums.room, text)
            self._write(painter, label, rect, "sum", ink, Qt.AlignmentFlag.AlignRight)
        if (sums := layout.column_sums) is not None:
            font, line = font_of(self.figure.font_family, sums.pt), line_height(sums.pt)
            top = layout.bottom + gap / 2
            for j, words in enumerate(content.column_sums):
                x = layout.left + (j + 0.5) * width
                if sums.turned:
                    at = QPointF(x, top)
                    right = Qt.AlignmentFlag.AlignRight
                    self._write_upwards(painter, font, at, words, ink, right)
                else:
                    self._write(painter, font, QRectF(x - width, top, 2 * width, line), words, ink)
            room = layout.row_names.room + 10 * MM
            line = text if sums.turned else line
            rect = QRectF(layout.left - gap - room, top, room, line)
            self._write(painter, label, rect, "sum", ink, Qt.AlignmentFlag.AlignRight)
            if (beside := layout.row_sums) is not None:
                font = font_of(self.figure.font_family, beside.pt)
                rect = QRectF(layout.right + gap, top, beside.room, line)
                self._write(painter, font, rect, content.total, ink, Qt.AlignmentFlag.AlignRight)

    def _paint_bar(self, painter: QPainter) -> None:
        """Draw what the colours stand for."""
        layout, figure, heat = self.layout, self.figure, self._content.heat
        left, top, width, height = layout.bar
        text = line_height(layout.label_pt)
        font = font_of(figure.font_family, layout.label_pt)
        ink, quiet = QColor(_INK), QColor(_QUIET)
        none = QRectF(*layout.none)
        self._outline(painter, none, 0.5 * POINT, _QUIET)
        below = top + height + 0.8 * MM
        around = QRectF(none.center().x() - 10 * MM, below, 20 * MM, text)
        self._write(painter, font, around, "0", ink)
        if not heat.top:
            return
        colours = QLinearGradient(left, 0, left + width, 0)
        for i in range(0, TOP + 1, _STOP):
            colours.setColorAt(i / TOP, QColor(*CIVIDIS[i]))
        painter.fillRect(QRectF(left, top, width, height), colours)
        share = figure.scale != "table"
        painter.setPen(QPen(quiet, 0.5 * POINT))
        for value, words in self._ticks(share):
            x = left + width * value / heat.top
            painter.setPen(QPen(quiet, 0.5 * POINT))
            painter.drawLine(QPointF(x, top + height), QPointF(x, top + height + 0.7 * MM))
            if value:
                self._write(painter, font, QRectF(x - 15 * MM, below, 30 * MM, text), words, ink)
        # On a narrow page the words are smaller, and stay on it.
        words, pt = LABELS[figure.scale], layout.label_pt
        pt *= min(1.0, (layout.width - 2 * MM) / self._ruler.width(words, pt))
        half = self._ruler.width(words, pt) / 2 + MM / 2
        middle = min(max(left + width / 2, half), layout.width - half)
        room = QRectF(middle - half, below + text, 2 * half, text)
        self._write(painter, font_of(figure.font_family, pt), room, words, quiet)

    def _ticks(self, share: bool) -> list[tuple[float, str]]:
        """Return round numbers along the colour bar, and how they are written, side by side."""
        top, pt = self._content.heat.top, self.layout.label_pt
        found: list[tuple[float, str]] = []
        for most in range(5, 0, -1):
            found = [
                (value, f"{value * 100:.3g}\u202f%" if share else grouped(round(value)))
                for value in ticks(top, most, whole=not share)
            ]
            apart = self.layout.bar[2] / top * (found[1][0] if len(found) > 1 else top)
            if self._ruler.widest([words for _, words in found], pt) * 1.2 <= apart:
                break
        return found

    # Tools

    def _elided(self, name: str, names: Names) -> str:
        if self._ruler.width(name, names.pt) <= names.room * 1.001:
            return name
        font = font_of(self.figure.font_family, names.pt)
        return QFontMetricsF(font).elidedText(name, Qt.TextElideMode.ElideMiddle, names.room)

    def _write(
        self,
        painter: QPainter,
        font: QFont,
        rect: QRectF,
        text: str,
        ink: QColor,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter,
    ) -> None:
        """Write a line of text, its middle in that of a rectangle, which does not cut it."""
        metrics = QFontMetricsF(font)
        width = metrics.horizontalAdvance(text)
        x = rect.center().x() - width / 2
        if align == Qt.AlignmentFlag.AlignRight:
            x = rect.right() - width
        elif align == Qt.AlignmentFlag.AlignLeft:
            x = rect.left()
        # The middle of digits and capitals, not of the font's whole height.
        y = rect.center().y() + metrics.capHeight() / 2
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(QPointF(x, y), text)

    def _write_upwards(
        self,
        painter: QPainter,
        font: QFont,
        at: QPointF,
        text: str,
        ink: QColor,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter,
    ) -> None:
        """Write text that reads upwards: it begins, has its middle or ends at a point."""
        painter.save()
        painter.translate(at)
        painter.rotate(-90)
        self._write(painter, font, QRectF(0, 0, 0, 0), text, ink, align)
        painter.restore()

    def _outline(self, painter: QPainter, rect: QRectF, thick: float, colour: str) -> None:
        pen = QPen(QColor(colour), thick)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect)


__all__ = ["DRAWN_CELLS", "HeatMapDrawing"]
