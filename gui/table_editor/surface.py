"""The table on the screen: where cells are, what is seen of them, and what is drawn over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    QTimer,
)
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from gui.table_editor.cells import CellPainter, HeatScale
from gui.table_editor.colors import LIGHT, EditorColors
from gui.table_editor.corner import Corner
from gui.table_editor.delegate import CellDelegate
from gui.table_editor.density import DENSE, MEDIUM, Density, density_for, rounded
from gui.table_editor.document import TableDocument
from gui.table_editor.edits import Box
from gui.table_editor.fitting import density_that_fits
from gui.table_editor.frozen import FrozenMargins, lines_between
from gui.table_editor.headers import NameHeader
from gui.table_editor.model import TableModel
from gui.table_editor.widths import ColumnWidths

_LEAST_HEADER = 32
#: Least size of rows and columns, and while the whole table is shown.
_LEAST_SECTION, _LEAST_FITTED = 24, 2

Index = QModelIndex | QPersistentModelIndex


class TableSurface(QTableView):
    """A table whose margins stay in sight.

    Parameters
    ----------
    document : TableDocument
    parent : QWidget, optional
    """

    # Qt calls methods of the view while it is being made.
    _made = False

    def __init__(self, document: TableDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.table_model = TableModel(document, self)
        self.cells = CellPainter(self.table_model)
        self.cell_delegate = CellDelegate(self.table_model, self.cells, self)
        self.density: Density = MEDIUM
        self._fitted = False
        self._refit_soon = QTimer(self)
        self._refit_soon.setSingleShot(True)
        self._refit_soon.setInterval(0)
        self._refit_soon.timeout.connect(self.refit)
        self._color: dict[str, QColor] = {}
        # Where outlines have been painted, in the viewport.
        self._outlined: list[QRect] = []
        # Whether the current cell was in sight when it or the view last moved.
        self._in_sight = False

        self.setModel(self.table_model)
        self.setItemDelegate(self.cell_delegate)
        self.row_header = NameHeader(Qt.Orientation.Vertical, self, self._active_rows)
        self.column_header = NameHeader(Qt.Orientation.Horizontal, self, self._active_columns)
        self.setVerticalHeader(self.row_header)
        self.setHorizontalHeader(self.column_header)
        self.row_header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.column_header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.widths = ColumnWidths(self.table_model, self.column_header, self.cells)
        self.corner = Corner(self)
        self.setCornerButtonEnabled(False)
        # The style would draw borders between the scroll bars.
        self.setCornerWidget(QWidget(self))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # Every pixel is painted here, so that scrolling moves what is there already.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.frozen = FrozenMargins(self, self.column_header, self.row_header, self.cells)
        self._made = True
        self.set_colors(LIGHT)

    def set_colors(self, colors: EditorColors) -> None:
        """Paint in other colours from now on."""
        self._color = {name: QColor(value) for name, value in vars(colors).items()}
        self.cells.set_colors(colors)
        self.cell_delegate.set_colors(colors)
        self.row_header.set_colors(colors)
        self.column_header.set_colors(colors)
        self.corner.set_colors(colors)
        self.frozen.set_colors(colors)
        self.viewport().update()

    def set_heat_scale(self, scale: HeatScale) -> None:
        """Set what the shade of a cell is a share of, if there is any."""
        self.cells.scale = scale
        self.viewport().update()

    # Selection

    def selected_boxes(self) -> list[Box]:
        """Return the rectangles of counts that are selected."""
        r, c = self.document.state.shape
        boxes = [
            Box(s.top(), s.left(), min(s.bottom(), r - 1), min(s.right(), c - 1))
            for s in self._ranges()
        ]
        return [box for box in boxes if box.top <= box.bottom and box.left <= box.right]

    def _ranges(self) -> Iterator[QItemSelectionRange]:
        selection = self.selectionModel().selection()
        return (selection.at(i) for i in range(selection.count()))

    def _active_rows(self) -> list[tuple[int, int]]:
        return [(box.top, box.bottom) for box in self.selected_boxes()]

    def _active_columns(self) -> list[tuple[int, int]]:
        return [(box.left, box.right) for box in self.selected_boxes()]

    # Measures

    def fit(self) -> None:
        """Give rows, headers and columns the room that the table and the font ask for."""
        for header in (self.row_header, self.column_header):
            header.measure()
        self.density = self._density()
        self._measure()

    @property
    def fitted(self) -> bool:
        """Whether the whole table is shown, its cells as small as that takes."""
        return self._fitted

    def set_fitted(self, fitted: bool) -> None:
        """Show the whole table, its cells as small as that takes, or cells that can be read."""
        if fitted != self._fitted:
            self._fitted = fitted
            self.fit()
            self.scrollTo(self.currentIndex())

    def _density(self, now: Density | None = None) -> Density:
        if self._fitted:
            return density_that_fits(self)
        return density_for(self.document.state.shape, now)

    def names_size(self, padding: int) -> tuple[int, int]:
        """Return height and width of the headers with so many blank pixels beside names."""
        two_lines = rounded(int(2 * 0.8 * self.fontMetrics().lineSpacing() + 4))
        least = rounded(self.corner.needed_width(padding))
        return max(_LEAST_HEADER, two_lines), self.row_header.needed_width(padding, least)

    def refit(self) -> None:
        """Do the same if the table has become much larger or smaller; keep widths if not."""
        density = self._density(self.density)
        if density is not self.density and density != self.density:
            self.density = density
            self._measure()

    def _measure(self) -> None:
        self.cells.set_font(self.font(), self.density)
        least = _LEAST_FITTED if self.density.fitted else _LEAST_SECTION
        for header in (self.row_header, self.column_header):
            header.setMinimumSectionSize(least)
            header.fitted = self.density.fitted
        self.row_header.small = self.cells.margin_font if self.density.fitted else None
        self.row_header.row_height = self.cells.row_height
        self.row_header.setDefaultSectionSize(self.cells.row_height)
        self.column_header.row_height = self.names_size(0)[0]
        self.column_header.geometriesChanged.emit()
        padding = DENSE.padding if self.density.fitted else self.density.padding
        for part in (self.row_header, self.column_header, self.corner):
            part.padding = padding
            part.update()
        if self.density.fitted:
            self.column_header.padding = self.density.padding + 1
        self.row_header.least_width = rounded(self.corner.needed_width(padding))
        self.row_header.viewport().update()
        self.row_header.measure()
        self.column_header.measure()
        self.widths.fit_all()
        # Now, not later: scrolled beyond the end of lower rows, nothing would be seen.
        self.updateGeometries()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._made and self._fitted:
            # Not in the midst of the resize, which sizes of sections would begin anew.
            self._refit_soon.start()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._made:
            self._measure()

    # Where cells are

    def indexAt(self, point: QPoint) -> QModelIndex:
        if not self._made:
            return super().indexAt(point)
        row, column = self.frozen.cell_at(point)
        return self.table_model.index(row, column)

    def visualRect(self, index: Index) -> QRect:
        row, column = index.row(), index.column()
        if not self._made or not index.isValid() or self.table_model.is_count(row, column):
            return super().visualRect(index)
        return self.frozen.rect_of(row, column)

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Bring a cell into sight, and not beneath the frozen margins, where Qt would stop."""
        if hint != QAbstractItemView.ScrollHint.EnsureVisible:
            super().scrollTo(index, hint)
        self._settle()
        for header, bar, section in (
            (self.column_header, self.horizontalScrollBar(), index.column()),
            (self.row_header, self.verticalScrollBar(), index.row()),
        ):
            if section < 0 or (header.frozen and section >= header.named_sections):
                continue
            start, size = header.sectionPosition(section), header.sectionSize(section)
            # Of a cell that is larger than the room, the end: there are the last digits.
            least = start + size - header.room
            bar.setValue(max(least, min(bar.value(), start)) if size <= header.room else least)
        self._in_sight = self._sees_current()

    def _settle(self) -> None:
        """Let the scroll bars know of lines that have just come or grown."""
        self.executeDelayedItemsLayout()
        for header, bar in (
            (self.column_header, self.horizontalScrollBar()),
            (self.row_header, self.verticalScrollBar()),
        ):
            if bar.maximum() != max(0, header.length() - header.extent):
                self.updateGeometries()
                return

    def _sees_current(self) -> bool:
        index = self.currentIndex()
        return index.isValid() and self.frozen.room.contains(self.visualRect(index))

    def currentChanged(self, current: Index, previous: Index) -> None:
        # Qt would scroll here: `set_current` does, and dragging must not.
        self.setAutoScroll(False)
        super().currentChanged(current, previous)
        self.setAutoScroll(True)
        self._in_sight = self._sees_current()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        if not self._made:
            super().scrollContentsBy(dx, dy)
            return
        self.scrollDirtyRegion(dx, dy)
        self.column_header.setOffset(self.horizontalScrollBar().value())
        self.row_header.setOffset(self.verticalScrollBar().value())
        # Only where no strip lies over it can Qt move what is painted already. The rest is
        # painted anew, with the strips.
        self.viewport().scroll(dx, dy, self.frozen.bare)
        self.updateEditorGeometries()
        self._outlined = [rect.translated(dx, dy) for rect in self._outlined]
        self.frozen.update()
        self._in_sight = self._sees_current()

    def updateGeometries(self) -> None:
        super().updateGeometries()
        if not self._made:
            return
        self.corner.setGeometry(0, 0, self.row_header.width(), self.column_header.height())
        # A page is what is seen, less than the viewport.
        self.horizontalScrollBar().setPageStep(max(1, self.column_header.room))
        self.verticalScrollBar().setPageStep(max(1, self.row_header.room))
        self.frozen.place()
        # A notice above the table or a longer number must not push the cell one works in
        # beneath the margins.
        was_in_sight, self._in_sight = self._in_sight, self._sees_current()
        if was_in_sight and not self._in_sight and not self.column_header.resizing:
            self.scrollTo(self.currentIndex())

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        boxes = self._boxes_near(event.rect())
        index = self.currentIndex()
        current = (index.row(), index.column())
        # A strip ends where the table does; beyond it lies what is around the table.
        for rect in event.region() - QRegion(self.frozen.open_area):  # type: ignore[attr-defined]
            painter.fillRect(rect, self._color["surround"])
        # Beneath the strips nothing is seen.
        region = event.region() & self.frozen.open_area
        for rect in region:  # type: ignore[attr-defined]
            painter.fillRect(rect, self._color["surround"])
            rows = lines_between(self.row_header, rect.top(), rect.bottom())
            columns = lines_between(self.column_header, rect.left(), rect.right())
            self.cells.paint(painter, rows, columns, boxes, current)
        painter.setClipRegion(region)
        here = Box(*current, *current)
        for box in boxes:
            if box != here:
                self._outline(painter, self._rect_of(box), "selection_edge", 2)
        if self.table_model.is_count(*current):
            focused = self.hasFocus() or self.cell_delegate.editor is not None
            self._outline(painter, self._rect_of(here), "current", 3 if focused else 2)
        painter.end()

    def _boxes_near(self, rect: QRect) -> list[Box]:
        """Return the selected rectangles that are seen in a part of the viewport, or near."""
        rows = lines_between(self.row_header, rect.top(), rect.bottom())
        columns = lines_between(self.column_header, rect.left(), rect.right())
        if not rows or not columns:
            return []
        # An outline reaches into the cells around.
        return [
            box
            for box in self.selected_boxes()
            if box.top <= rows[-1].section + 1
            and box.bottom >= rows[0].section - 1
            and box.left <= columns[-1].section + 1
            and box.right >= columns[0].section - 1
        ]

    def dataChanged(self, top_left: Index, bottom_right: Index, roles: Sequence[int] = ()) -> None:
        """Repaint the cells that are seen; Qt would repaint all of them."""
        viewport = self.viewport().rect()
        rows = lines_between(self.row_header, viewport.top(), viewport.bottom())
        columns = lines_between(self.column_header, viewport.left(), viewport.right())
        if rows and columns:
            top = max(rows[0].section, top_left.row())
            bottom = min(rows[-1].section, bottom_right.row())
            left = max(columns[0].section, top_left.column())
            right = min(columns[-1].section, bottom_right.column())
            if top <= bottom and left <= right:
                model = self.table_model
                super().dataChanged(model.index(top, left), model.index(bottom, right), list(roles))
        if not self.table_model.is_count(bottom_right.row(), bottom_right.column()):
            self.frozen.update()

    def _update_outlines(self) -> None:
        """Repaint where outlines were and will be: they reach beyond what Qt repaints."""
        current = self.currentIndex()
        here = Box(current.row(), current.column(), current.row(), current.column())
        boxes = [*self.selected_boxes(), here]
        self._outlined += [self._rect_of(box).adjusted(-2, -2, 2, 2) for box in boxes]
        for rect in self._outlined:
            self.viewport().update(rect)
        self._outlined = self._outlined[-len(boxes) :]

    def _rect_of(self, box: Box) -> QRect:
        first = self.visualRect(self.table_model.index(box.top, box.left))
        last = self.visualRect(self.table_model.index(box.bottom, box.right))
        # The grid line above and to the left belongs to the cells before.
        return first.united(last).adjusted(-1, -1, 0, 0)

    def _outline(self, painter: QPainter, rect: QRect, color: str, width: int) -> None:
        """Draw a frame, and a thin line inside that sets it off from any heat colour."""
        for inset, thickness, name in ((0, width, color), (width, 1, "halo")):
            inner = rect.adjusted(inset, inset, -inset, -inset)
            x, y, w, h = inner.x(), inner.y(), inner.width(), inner.height()
            paint = self._color[name]
            painter.fillRect(x, y, w, thickness, paint)
            painter.fillRect(x, y + h - thickness, w, thickness, paint)
            painter.fillRect(x, y, thickness, h, paint)
            painter.fillRect(x + w - thickness, y, thickness, h, paint)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._update_outlines()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._update_outlines()


__all__ = ["Index", "TableSurface"]
