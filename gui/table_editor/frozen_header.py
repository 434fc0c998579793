"""A header whose last sections, the margins, stay in sight while the others scroll."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHeaderView, QTableView

from gui.table_editor.model import MARGIN_COLUMNS, MARGIN_ROWS

#: Pixels beside a border in which the mouse takes hold of it.
_GRIP = 5
#: Most pixels that one move of the mouse beyond the names scrolls.
_FASTEST = 120


class FrozenHeader(QHeaderView):
    """A header whose margins stay in sight.

    While the table is larger than the view, they are frozen: they stand at the end of the
    view, and the last names scroll away beneath them.

    Parameters
    ----------
    orientation : Qt.Orientation
    view : QTableView
    """

    def __init__(self, orientation: Qt.Orientation, view: QTableView) -> None:
        super().__init__(orientation, view)
        self._view = view
        #: Whether the user is changing the size of a section.
        self.resizing = False
        # While the mouse drags the border of a frozen section: that, where, its size.
        self._grip: tuple[int, int, int] | None = None
        # While the mouse drags over names to select them.
        self._selecting = False

    @property
    def across(self) -> bool:
        """Whether this is the header above the columns."""
        return self.orientation() == Qt.Orientation.Horizontal

    @property
    def named_sections(self) -> int:
        """Number of sections with names; those after them are margins."""
        model = self.model()
        if model is None:
            return 0
        return (
            model.columnCount() - MARGIN_COLUMNS if self.across else model.rowCount() - MARGIN_ROWS
        )

    # Where sections stand

    @property
    def extent(self) -> int:
        """Width of the view, or its height."""
        size = self._view.viewport().size()
        return size.width() if self.across else size.height()

    @property
    def frozen(self) -> int:
        """Size of the margins together while they are frozen, 0 while they are not."""
        extent = self.extent
        if self.length() <= extent:
            return 0
        margins = sum(map(self.sectionSize, range(self.named_sections, self.count())))
        # In a very small view they would leave no room for counts.
        return margins if 2 * margins <= extent else 0

    @property
    def hides(self) -> bool:
        """Whether there are names beneath the frozen margins, or beyond."""
        return self.frozen > 0 and self.offset() + self.extent < self.length()

    @property
    def room(self) -> int:
        """Size of the part of the view in which names scroll; a line ends it."""
        return self.extent - self.frozen - self.hides

    def section_start(self, section: int) -> int:
        """Return where a section begins on the screen."""
        frozen = self.frozen
        if not frozen or section < self.named_sections:
            return self.sectionViewportPosition(section)
        before = sum(map(self.sectionSize, range(self.named_sections, section)))
        return self.extent - frozen + before

    def section_at(self, place: int) -> int:
        """Return the section at a place on the screen, -1 if there is none."""
        if self._is_frozen_at(place):
            for section in reversed(range(self.named_sections, self.count())):
                if place >= self.section_start(section):
                    return section
        return self.logicalIndexAt(place)

    def _is_frozen_at(self, place: int) -> bool:
        frozen = self.frozen
        return frozen > 0 and place >= self.extent - frozen

    def _along(self, point: QPoint) -> int:
        return point.x() if self.across else point.y()

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._along(event.position().toPoint())
        left = event.button() == Qt.MouseButton.LeftButton
        section = self._grip_at(place)
        if section is not None and left:
            self._grip = (section, place, self.sectionSize(section))
            self.resizing = True
        elif self._is_frozen_at(place) or (self._on_margin(place) and not self._on_handle()):
            event.accept()
            return
        else:
            self.resizing = left and self._on_handle()
            self._selecting = left and not self.resizing
            super().mousePressEvent(event)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._along(event.position().toPoint())
        if self._grip is not None:
            section, start, size = self._grip
            # The margins stand at the end of the view: they grow towards its beginning,
            # and take at most half of it.
            most = self.extent // 2 - self.frozen + self.sectionSize(section)
            wanted = max(self.minimumSectionSize(), size + start - place)
            self.resizeSection(section, min(wanted, most))
        elif self._selecting:
            self._drag(event, place)
        elif not event.buttons() and self._is_frozen_at(place):
            if self._grip_at(place) is None:
                self.unsetCursor()
            else:
                self.setCursor(Qt.CursorShape.SplitHCursor)
        else:
            super().mouseMoveEvent(event)

    def _drag(self, event: QMouseEvent, place: int) -> None:
        """Select names up to the mouse, and scroll where it is beyond them."""
        last = min(self.room, self.section_start(self.named_sections)) - 1
        beyond = min(place, 0) + max(place - last, 0)
        bar = self._view.horizontalScrollBar() if self.across else self._view.verticalScrollBar()
        bar.setValue(bar.value() + max(-_FASTEST, min(_FASTEST, beyond)))
        position = event.position()
        if self.across:
            position.setX(max(0, min(place, last)))
        else:
            position.setY(max(0, min(place, last)))
        super().mouseMoveEvent(
            QMouseEvent(
                event.type(),
                position,
                event.globalPosition(),
                event.button(),
                event.buttons(),
                event.modifiers(),
            )
        )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None
        self.resizing = self._selecting = False
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self._along(event.position().toPoint())
        section = self._grip_at(place)
        if section is not None:
            self.sectionHandleDoubleClicked.emit(section)
        elif not self._is_frozen_at(place) and (not self._on_margin(place) or self._on_handle()):
            super().mouseDoubleClickEvent(event)
        event.accept()

    def _on_margin(self, place: int) -> bool:
        section = self.section_at(place)
        return section >= self.named_sections or section < 0

    def _on_handle(self) -> bool:
        shape = self.cursor().shape()
        return shape in (Qt.CursorShape.SplitHCursor, Qt.CursorShape.SplitVCursor)

    def _grip_at(self, place: int) -> int | None:
        """Return the frozen column that the mouse can resize here, by its left border."""
        if not self.across or not self._is_frozen_at(place):
            return None
        section = self.section_at(place)
        return section if place - self.section_start(section) < _GRIP else None


__all__ = ["FrozenHeader"]
