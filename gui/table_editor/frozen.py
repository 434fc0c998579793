"""The margins that stay at the edges of a view while the counts scroll beneath them."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QTableView, QWidget

from gui.table_editor.cells import CellPainter
from gui.table_editor.colors import EditorColors
from gui.table_editor.headers import NameHeader
from gui.table_editor.script import Line

#: Pixels of counts that lie in the shadow of the margins; a line ends it.
_SHADOW = 8
_DARKEST = 40


class FrozenMargins:
    """Keeps the sums and scores in sight while the table is larger than its view.

    Two strips lie over the view, one at the right and one at the bottom. They only paint:
    what the mouse does goes on to the view, which asks here what is under it. The margins
    are part of the table too, beyond the last count; scrolled to its end, table and strips
    show the same in the same place, so that nothing is ever out of reach beneath a strip.

    Parameters
    ----------
    view : QTableView
    columns, rows : NameHeader
        Say where margins stand.
    cells : CellPainter
    """

    def __init__(
        self, view: QTableView, columns: NameHeader, rows: NameHeader, cells: CellPainter
    ) -> None:
        self._view = view
        self._columns, self._rows = columns, rows
        self._right = _RightStrip(view, columns, rows, cells)
        self._bottom = _BottomStrip(view, columns, rows, cells)

    def set_colors(self, colors: EditorColors) -> None:
        """Paint in other colours from now on."""
        for strip in (self._right, self._bottom):
            strip.line = QColor(colors.grid_strong)
        self.update()

    def place(self) -> None:
        """Put the strips where they belong, or away."""
        for strip in (self._right, self._bottom):
            rect = strip.wanted()
            strip.setVisible(not rect.isEmpty())
            strip.setGeometry(rect)
        self.update()

    def update(self) -> None:
        """Paint the strips anew."""
        self._right.update()
        self._bottom.update()

    @property
    def frozen_at_all(self) -> bool:
        """Whether any margins are frozen now."""
        return self._columns.frozen > 0 or self._rows.frozen > 0

    @property
    def room(self) -> QRect:
        """The part of the viewport in which counts are seen."""
        return QRect(0, 0, self._columns.room, self._rows.room)

    @property
    def open_area(self) -> QRect:
        """The part of the viewport that the strips leave open."""
        columns, rows = self._columns, self._rows
        return QRect(0, 0, columns.extent - columns.frozen, rows.extent - rows.frozen)

    @property
    def bare(self) -> QRect:
        """The part of the viewport in which not even a shadow falls."""
        area = self.open_area
        shadow = (_SHADOW if self._columns.frozen else 0, _SHADOW if self._rows.frozen else 0)
        return area.adjusted(0, 0, -shadow[0], -shadow[1])

    def cell_at(self, point: QPoint) -> tuple[int, int]:
        """Return row and column of the cell that is seen at a point; -1 where there is none."""
        return self._rows.section_at(point.y()), self._columns.section_at(point.x())

    def rect_of(self, row: int, column: int) -> QRect:
        """Return where a cell is on the screen."""
        return QRect(
            self._columns.section_start(column),
            self._rows.section_start(row),
            self._columns.sectionSize(column),
            self._rows.sectionSize(row),
        )


class _Strip(QWidget):
    """Margins over an edge of the view, in the coordinates of its viewport."""

    def __init__(
        self, view: QTableView, columns: NameHeader, rows: NameHeader, cells: CellPainter
    ) -> None:
        super().__init__(view)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self.line = QColor()
        self._view, self._columns, self._rows, self._cells = view, columns, rows, cells

    def wanted(self) -> QRect:
        """Return the place of the strip in the view, empty if it is not wanted."""
        raise NotImplementedError

    def _painter(self) -> QPainter:
        painter = QPainter(self)
        painter.translate(self._view.viewport().pos() - self.pos())
        return painter

    def _seen(self, header: NameHeader) -> list[Line]:
        """Return the sections that scroll, as far as they are in sight."""
        return lines_between(header, 0, header.extent - header.frozen - 1)

    def _frozen(self, header: NameHeader) -> list[Line]:
        if not header.frozen:
            return []
        return [
            Line(section, header.section_start(section), header.sectionSize(section))
            for section in range(header.named_sections, header.count())
        ]

    def _reach(self, header: NameHeader) -> int:
        """Return how far the table reaches in the view."""
        return min(header.extent, header.length() - header.offset())

    def _paint_edge(self, painter: QPainter, end: QPoint, size: int, *, across: bool) -> None:
        """Paint the line that ends the room of the counts, and a shadow before it."""
        header = self._columns if across else self._rows
        if not header.hides:
            # The counts end here, and have their own line.
            return
        rect = QRect(end, end)
        if across:
            rect.adjust(1 - _SHADOW, 0, 0, size - 1)
            shadow = QLinearGradient(rect.topLeft(), rect.topRight())
        else:
            rect.adjust(0, 1 - _SHADOW, size - 1, 0)
            shadow = QLinearGradient(rect.topLeft(), rect.bottomLeft())
        shadow.setColorAt(0, QColor(0, 0, 0, 0))
        shadow.setColorAt(1, QColor(0, 0, 0, _DARKEST))
        painter.fillRect(rect, shadow)
        if across:
            painter.fillRect(end.x(), end.y(), 1, size, self.line)
        else:
            painter.fillRect(end.x(), end.y(), size, 1, self.line)


class _RightStrip(_Strip):
    """The class sizes and peakinesses, with their names above."""

    def wanted(self) -> QRect:
        frozen = self._columns.frozen
        if not frozen:
            return QRect()
        corner = self._view.viewport().pos()
        above = self._columns.height()
        width = frozen + _SHADOW
        return QRect(
            corner.x() + self._columns.extent - width,
            corner.y() - above,
            width,
            above + self._reach(self._rows) - self._rows.frozen,
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = self._painter()
        columns = self._frozen(self._columns)
        above = self._columns.height()
        self._cells.paint(painter, self._seen(self._rows), columns)
        # Names over the first of the cells: it may be cut.
        for line in columns:
            rect = QRect(line.start, -above, line.size, above)
            self._columns.paintSection(painter, rect, line.section)
        if columns:
            edge = QPoint(columns[0].start - 1, -above)
            self._paint_edge(painter, edge, self.height(), across=True)
        painter.end()


class _BottomStrip(_Strip):
    """The cluster sizes, with their name beside; the total where both strips meet."""

    def wanted(self) -> QRect:
        frozen = self._rows.frozen
        if not frozen:
            return QRect()
        corner = self._view.viewport().pos()
        beside = self._rows.width()
        height = frozen + _SHADOW
        return QRect(
            corner.x() - beside,
            corner.y() + self._rows.extent - height,
            beside + self._reach(self._columns),
            height,
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = self._painter()
        rows, columns = self._frozen(self._rows), self._frozen(self._columns)
        beside = self._rows.width()
        self._cells.paint(painter, rows, self._seen(self._columns))
        # Over the first and the last of the sums that scroll: they may be cut.
        self._cells.paint(painter, rows, columns)
        for line in rows:
            rect = QRect(-beside, line.start, beside, line.size)
            self._rows.paintSection(painter, rect, line.section)
            edge = QPoint(-beside, line.start - 1)
            self._paint_edge(painter, edge, self.width(), across=False)
            if columns:
                top = QPoint(columns[0].start - 1, line.start)
                self._paint_edge(painter, top, line.size, across=True)
        painter.end()


def lines_between(header: NameHeader, first: int, last: int) -> list[Line]:
    """Return the sections that scroll and are seen between two places on the screen."""
    section = header.logicalIndexAt(first)
    if section < 0:
        return []
    lines = []
    start = header.sectionViewportPosition(section)
    for number in range(section, header.count()):
        if start > last:
            break
        size = header.sectionSize(number)
        lines.append(Line(number, start, size))
        start += size
    return lines


__all__ = ["FrozenMargins", "lines_between"]
