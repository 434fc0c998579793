"""How cells look: counts on heat colours, and the margins beside them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import groupby

import numpy as np
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPolygonF

from gui.table_editor.bare import bare_colors, image_of
from gui.table_editor.colors import LIGHT, EditorColors
from gui.table_editor.density import MEDIUM, SMALLEST, Density
from gui.table_editor.edits import Box
from gui.table_editor.heat import Rgb, heat, mixed, text_on
from gui.table_editor.model import TableModel
from gui.table_editor.script import Line, Script, tabular

#: Between a score and the mark before it.
_MARK_GAP = 6
_FRAME = 2
_SELECTED_SHARE = 0.35
#: Width and height of the triangle that says whether a move is for the better. No sign of a
#: number: beside a count it would be read as a part of it.
_SIGN = (6, 4)
_TOO_NARROW = "…"
#: Height of a row that digits fit, as a share of the height of the font.
_TIGHT = 0.8
#: While the whole table is shown: least width of a column in which a mark says that a number
#: is left out.
_MARKED = 20


class HeatScale(StrEnum):
    """What the lightest heat colour stands for."""

    ROW = "row"
    """The largest cell of the row: rows vote."""
    SHARE = "share"
    """All items of the row."""
    TABLE = "table"
    """The largest cell of the table."""
    OFF = "off"


class CellPainter:
    """Paints any rectangle of cells, wherever its rows and columns stand on the screen.

    Not the delegate, which Qt would ask for one cell at a time: a full window holds
    thousands, and the keyboard must not wait for them.

    Parameters
    ----------
    model : TableModel
    """

    def __init__(self, model: TableModel) -> None:
        self._model = model
        self.scale = HeatScale.ROW
        self.density = MEDIUM
        self._paints: dict[Rgb, tuple[QColor, QColor]] = {}
        self.set_colors(LIGHT)
        self.set_font(QFont(), MEDIUM)

    def set_colors(self, colors: EditorColors) -> None:
        """Paint in other colours from now on."""
        self._paints.clear()
        self._color = {name: QColor(value) for name, value in vars(colors).items()}
        self._background = rgb(self._color["background"])
        self._tint = rgb(self._color["selection"])

    def set_font(self, font: QFont, density: Density) -> None:
        """Write in another font, or with more or less room, from now on."""
        self.density = density
        plain = tabular(font)
        slanted = QFont(plain)
        slanted.setItalic(True)
        if density.fitted:
            plain, slanted = density.count_font(plain), density.count_font(slanted)
        self._margins, self._stale = Script(plain), Script(slanted)
        self._counts = Script(tabular(density.count_font(font)))
        small = tabular(font)
        if font.pointSizeF() > 0:
            small.setPointSizeF(font.pointSizeF() * SMALLEST)
        else:
            small.setPixelSize(round(font.pixelSize() * SMALLEST))
        self._small = Script(small)

    @property
    def count_font(self) -> QFont:
        """The font of counts."""
        return self._counts.font

    @property
    def margin_font(self) -> QFont:
        """The font of sums and scores."""
        return self._margins.font

    @property
    def writes(self) -> bool:
        """Whether rows are high enough for numbers."""
        return not self.density.fitted or self.density.row >= self._counts.height * _TIGHT

    @property
    def row_height(self) -> int:
        """The height of a row."""
        return self.density.row_height(QFontMetrics(self.count_font).height())

    @property
    def least_width(self) -> int:
        """The least width of a column."""
        return self.density.column_width(QFontMetrics(self.count_font).height())

    # Colours

    def cell_colors(self, row: int, column: int, selected: bool) -> tuple[QColor, QColor]:
        """Return the colour of a cell that holds a count, and of what is written in it."""
        most = self._most(self._model.shown.line(0, row))
        return self._pair(self._model.count(row, column), most, selected)

    def _most(self, line: int) -> int:
        """Return the count with the lightest colour in a row of the data."""
        state = self._model.document.state
        if self.scale is HeatScale.SHARE:
            return int(state.row_sums[line])
        return int(state.row_max[line]) if self.scale is HeatScale.ROW else state.largest

    def _pair(self, count: int, most: int, selected: bool) -> tuple[QColor, QColor]:
        fill = self._background
        if count and self.scale is not HeatScale.OFF:
            fill = heat(count, most)
        if selected:
            fill = mixed(fill, self._tint, _SELECTED_SHARE)
        elif not count:
            return self._color["background"], self._color["zero"]
        if fill not in self._paints:
            self._paints[fill] = (QColor(*fill), QColor(*text_on(fill)))
        return self._paints[fill]

    # Painting

    def paint(
        self,
        painter: QPainter,
        rows: Sequence[Line],
        columns: Sequence[Line],
        selected: Sequence[Box] = (),
        current: tuple[int, int] = (-1, -1),
    ) -> None:
        """Paint the cells where some rows and columns cross.

        Parameters
        ----------
        painter : QPainter
        rows, columns : sequence of Line
            In order. Counts stand in consecutive ones, margins may stand apart.
        selected : sequence of Box
        current : tuple of int
            Row and column of the current cell: it has its frame, and a tint would hide
            its own colour.
        """
        r, c = self._model.document.state.shape
        among, across = [x for x in rows if x.section < r], [x for x in columns if x.section < c]
        if among and across and self.writes:
            self._paint_counts(painter, among, across, selected, current)
        elif among and across:
            self._paint_bare(painter, among, across, selected)
        for row in rows:
            for column in columns:
                if row.section >= r or column.section >= c:
                    self._paint_margin(painter, row, column)
        self._paint_grid(painter, rows, columns)

    def _paint_counts(
        self,
        painter: QPainter,
        rows: Sequence[Line],
        columns: Sequence[Line],
        selected: Sequence[Box],
        current: tuple[int, int],
    ) -> None:
        state, shown = self._model.document.state, self._model.shown
        top, left = rows[0].section, columns[0].section
        right = left + len(columns) - 1
        counts = shown.block((top, top + len(rows) - 1), (left, right))
        across = shown.lines(1, left, right).tolist()
        targets = self._model.targets
        tinted = np.zeros(counts.shape, dtype=bool)
        for box in selected:
            tinted[
                max(box.top - top, 0) : max(box.bottom + 1 - top, 0),
                max(box.left - left, 0) : max(box.right + 1 - left, 0),
            ] = True
        if 0 <= current[0] - top < len(rows) and 0 <= current[1] - left < len(columns):
            tinted[current[0] - top, current[1] - left] = False
        x, width = columns[0].start, columns[-1].start + columns[-1].size - columns[0].start
        y, height = rows[0].start, rows[-1].start + rows[-1].size - rows[0].start
        background = self._color["background"]
        painter.fillRect(x, y, width, height, background)
        script = self._counts
        painter.setFont(script.font)
        for row, values, tints in zip(rows, counts.tolist(), tinted.tolist(), strict=True):
            line = shown.line(0, row.section)
            most, peak = self._most(line), int(state.row_max[line])
            tied = state.row_peaks[line] > 1
            base = script.baseline(row)
            for column, j, count, tint in zip(columns, across, values, tints, strict=True):
                fill, ink = self._pair(count, most, tint)
                better: bool | None = None
                if targets is not None and (line == targets.row or j == targets.column):
                    look = targets.look(line, j, self._background)
                    if look is not None:
                        fill, ink, better = QColor(*look[0]), QColor(*look[1]), look[2]
                if fill is not background:
                    painter.fillRect(column.start, row.start, column.size, row.size, fill)
                if count and count == peak:
                    self._paint_frame(painter, row, column, ink, tied=tied)
                painter.setPen(ink)
                self._write(painter, script, column, base, str(count))
                if better is not None:
                    self._paint_sign(painter, row, column, better)

    def _paint_bare(
        self,
        painter: QPainter,
        rows: Sequence[Line],
        columns: Sequence[Line],
        selected: Sequence[Box],
    ) -> None:
        """Paint cells too small for numbers: as images, for there may be very many."""
        shown = self._model.shown
        top, left = rows[0].section, columns[0].section
        bottom, right = top + len(rows) - 1, left + len(columns) - 1
        counts = shown.block((top, bottom), (left, right))
        most = [self._most(line) for line in shown.lines(0, top, bottom).tolist()]
        off = self.scale is HeatScale.OFF
        colors = bare_colors(counts, None if off else most, self._background)
        for box in selected:
            area = (
                slice(max(box.top - top, 0), max(box.bottom + 1 - top, 0)),
                slice(max(box.left - left, 0), max(box.right + 1 - left, 0)),
            )
            tint = np.array(self._tint)
            colors[area] = colors[area] + (tint - colors[area]) * _SELECTED_SHARE
        height = rows[-1].start + rows[-1].size - rows[0].start
        for _, same in groupby(enumerate(columns), key=lambda item: item[1].size):
            run = list(same)
            first, last = run[0][1], run[-1][1]
            image = image_of(colors[:, run[0][0] : run[-1][0] + 1])
            width = last.start + last.size - first.start
            painter.drawImage(QRect(first.start, rows[0].start, width, height), image)

    def _paint_frame(
        self, painter: QPainter, row: Line, column: Line, ink: QColor, *, tied: bool
    ) -> None:
        """Frame a largest cell: the cell's colour all around sets it off from the grid."""
        thick = 1 if self.density.fitted else _FRAME
        pen = QPen(ink, thick)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if tied:
            pen.setDashPattern([2.5, 2.0])
        painter.setPen(pen)
        inset = self.density.inset + thick // 2
        # Less to the right and below: the grid line belongs to the cell. A thin pen ends a
        # pixel later than a thick one.
        less = 2 * inset + (1 if thick > 1 else 2)
        painter.drawRect(
            column.start + inset, row.start + inset, column.size - less, row.size - less
        )

    def _paint_sign(self, painter: QPainter, row: Line, column: Line, better: bool) -> None:
        """Mark whether a move is for the better, in the upper left corner."""
        room = self.density.inset + (_FRAME if self.density.inset else 0) + 1
        x, y = column.start + room + 0.5, row.start + room + 0.5
        width, height = _SIGN
        tip, base = (y, y + height) if better else (y + height, y)
        corners = [QPointF(x, base), QPointF(x + width, base), QPointF(x + width / 2, tip)]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(painter.pen().color())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon(QPolygonF(corners))
        painter.restore()

    def _paint_margin(self, painter: QPainter, row: Line, column: Line) -> None:
        model = self._model
        r, c = model.document.state.shape
        painter.fillRect(
            column.start, row.start, column.size, row.size, self._color["sum_background"]
        )
        if column.section == c + 1 and row.section < r:
            self._paint_score(painter, row, column)
            return
        total = row.section == r and column.section == c
        painter.setFont(self._margins.font)
        painter.setPen(self._color["text" if total else "muted"])
        text = model.text(row.section, column.section)
        self._write(painter, self._margins, column, self._margins.baseline(row), text)

    def _paint_score(self, painter: QPainter, row: Line, column: Line) -> None:
        model = self._model
        stale = model.scores_stale
        script = self._stale if stale else self._margins
        base = script.baseline(row)
        painter.setFont(script.font)
        painter.setPen(self._color["stale" if stale else "text"])
        width = self._write(painter, script, column, base, model.score_text(row.section))
        if mark := model.score_mark(row.section):
            painter.setPen(self._color["stale" if stale else "mark"])
            self._write(painter, script, column, base, mark.glyph, after=round(width) + _MARK_GAP)

    def _write(
        self,
        painter: QPainter,
        script: Script,
        column: Line,
        baseline: int,
        text: str,
        after: int = 0,
    ) -> float:
        """Write at the right of a cell, or before what stands there; return the width taken."""
        if not text or not self.writes:
            return 0
        width = script.width(text)
        # Part of a number is another number. Half the blank space may be used up.
        room = column.size - self.density.padding - 1
        small = False
        if width > room:
            if self.density.fitted:
                small = self._small.width(text) <= room
                if not small and column.size < _MARKED:
                    return 0
            if small:
                width = self._small.width(text)
                painter.setFont(self._small.font)
            else:
                text = _TOO_NARROW
                width = script.width(text)
        x = column.start + column.size - 1 - self.density.padding - after - width
        painter.drawText(QPointF(x, baseline), text)
        if small:
            painter.setFont(script.font)
        return width

    def _paint_grid(self, painter: QPainter, rows: Sequence[Line], columns: Sequence[Line]) -> None:
        """Paint the lines below and to the right of cells; strong ones over the others."""
        r, c = self._model.document.state.shape
        if not self.writes:
            rows = [row for row in rows if row.section >= r - 1]
            columns = [column for column in columns if column.section >= c - 1]
        for name, strong in (("grid", False), ("grid_strong", True)):
            color = self._color[name]
            for row in rows:
                if (row.section in (r - 1, r)) is strong:
                    for x, width in _stretches(columns):
                        painter.fillRect(x, row.start + row.size - 1, width, 1, color)
            for column in columns:
                if (column.section in (c - 1, c + 1)) is strong:
                    for y, height in _stretches(rows):
                        painter.fillRect(column.start + column.size - 1, y, 1, height, color)


def _stretches(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Return start and length of each run of lines that touch."""
    stretches: list[tuple[int, int]] = []
    for line in lines:
        if stretches and sum(stretches[-1]) == line.start:
            stretches[-1] = (stretches[-1][0], stretches[-1][1] + line.size)
        else:
            stretches.append((line.start, line.size))
    return stretches


def rgb(color: QColor) -> Rgb:
    """Return red, green and blue of a colour, 0 to 255."""
    return color.red(), color.green(), color.blue()


__all__ = ["CellPainter", "HeatScale", "rgb"]
