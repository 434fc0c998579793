"""The names of classes and clusters along the table, and the editor of a name."""

from __future__ import annotations

import heapq
from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QTableView, QToolTip

from gui.table_editor.colors import LIGHT, EditorColors
from gui.table_editor.density import MEDIUM
from gui.table_editor.editors import InlineEditor, Leave
from gui.table_editor.frozen_header import FrozenHeader
from gui.table_editor.model import TableModel, header_name

#: Most that the class names are wide, unless the font is large.
MAX_NAME_WIDTH = 200
#: An editor of a name is at least so wide.
EDITOR_WIDTH = 160

_MEASURED_NAMES = 64
#: Columns that are narrower than so many letters do not have a name each.
_LETTERS = 5
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class NameHeader(FrozenHeader):
    """A header whose names can be edited in place, and whose margins stay in sight.

    Parameters
    ----------
    orientation : Qt.Orientation
    view : QTableView
    active : callable
        Return the first and last section of each run that the selection touches.
    """

    renamed = Signal(int, str)
    """A name was typed: section, name."""

    move_asked = Signal(int)
    """Tab ended an editor: the section whose name is to be edited next."""

    leave_asked = Signal(object)
    """Ctrl+Tab ended an editor: the `Leave`."""

    def __init__(
        self,
        orientation: Qt.Orientation,
        view: QTableView,
        active: Callable[[], list[tuple[int, int]]],
    ) -> None:
        super().__init__(orientation, view)
        self._active_runs = active
        self._active: list[tuple[int, int]] = []
        self._colors = LIGHT
        self._color: dict[str, QColor] = {}
        self.editor: InlineEditor | None = None
        self._section = -1
        #: Least width of the class names.
        self.least_width = 0
        self._width = 0
        #: Width of the longest name.
        self.widest_name = 0
        #: What names are written in while rows are low; None for the font of the header.
        self.small: QFont | None = None
        self.row_height = 32
        self.padding = MEDIUM.padding
        #: Whether sections are as small as it takes to show all of them.
        self.fitted = False
        self.setSectionsClickable(True)
        self.setHighlightSections(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setMinimumSectionSize(24)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.set_colors(LIGHT)

    def set_colors(self, colors: EditorColors) -> None:
        """Paint in other colours from now on."""
        self._colors = colors
        self._color = {name: QColor(value) for name, value in vars(colors).items()}
        self.viewport().update()

    # Looks

    def sectionSizeFromContents(self, logical_index: int) -> QSize:
        text = self._text(logical_index)
        width = self.fontMetrics().horizontalAdvance(text) + 2 * self.padding + 1
        return QSize(width, self.row_height)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        # Not as high as Qt found the names to be: it remembers that of another font.
        if self.across:
            return QSize(hint.width(), self.row_height)
        return QSize(self._width, hint.height())

    def measure(self) -> None:
        """Give the class names the width they need, within limits."""
        advance = self.fontMetrics().horizontalAdvance
        # The widest is among the longest; to measure every name would take too long.
        names = heapq.nlargest(_MEASURED_NAMES, self._names(), key=len)
        self.widest_name = max((advance(header_name(name)) for name in names), default=0)
        if self.across:
            return
        width = self.needed_width(self.padding, self.least_width)
        if width != self._width:
            self._width = width
            self.geometriesChanged.emit()

    def needed_width(self, padding: int, least: int) -> int:
        """Return how wide the class names are with so many blank pixels beside them."""
        widest = max(
            self.widest_name,
            self.fontMetrics().horizontalAdvance(self._text(self.named_sections)),
        )
        return max(min(widest + 2 * padding + 3, MAX_NAME_WIDTH), least)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._active = self._active_runs()
        if self._has_sections_in(event.rect()):
            super().paintEvent(event)
        if self._thins():
            self._paint_some_names(event.rect())
        # Behind the last section: as the table is there.
        end = self.length() - self.offset()
        rect = self.viewport().rect()
        empty = rect.adjusted(end, 0, 0, 0) if self.across else rect.adjusted(0, end, 0, 0)
        painter = QPainter(self.viewport())
        painter.fillRect(empty, self._color["surround"])
        painter.end()

    def _thins(self) -> bool:
        """Whether sections are too small for a name each."""
        size, metrics = self.defaultSectionSize(), self._metrics()
        if self.across:
            return self.fitted and size < self._name_room() + self.padding + 2
        return self.fitted and size < metrics.height() * 0.8

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self.small or self.font())

    def _name_room(self) -> int:
        """Return the width that a name takes where there is not much: that of a few letters."""
        # Two pixels more: what fits exactly is elided at times.
        return min(self._metrics().horizontalAdvance("0" * _LETTERS), self.widest_name + 2)

    def _paint_some_names(self, rect: QRect) -> None:
        """Write the names of every so many sections, over those that have none."""
        size = max(1, self.defaultSectionSize())
        metrics = self._metrics()
        room = self._name_room() if self.across else metrics.height()
        every = -(-(room + 4) // size)
        begin, end = (rect.left(), rect.right()) if self.across else (rect.top(), rect.bottom())
        first = max(0, self.logicalIndexAt(max(0, begin)) - every)
        painter = QPainter(self.viewport())
        painter.setFont(self.small or self.font())
        painter.setPen(self._color["header_text"])
        for section in range(first - first % every, self.named_sections, every):
            start = self.section_start(section)
            if start > end:
                break
            if self.across:
                place = QRect(start + 1, 0, room, self.viewport().height() - 1)
            else:
                place = QRect(self.padding, start, self.width() - 2 * self.padding, room)
            text = metrics.elidedText(
                self._text(section), Qt.TextElideMode.ElideMiddle, place.width()
            )
            painter.drawText(place, _LEFT, text)
        painter.end()

    def _has_sections_in(self, rect: QRect) -> bool:
        """Whether any section is seen here; where there is none, Qt would paint them all."""
        first, last = (rect.left(), rect.right()) if self.across else (rect.top(), rect.bottom())
        return self.visualIndexAt(first) >= 0 or self.visualIndexAt(last) >= 0

    def paintSection(self, painter: QPainter, rect: QRect, logical_index: int) -> None:
        margin = logical_index >= self.named_sections
        active = not margin and any(a <= logical_index <= b for a, b in self._active)
        painter.save()
        kind = "header_active" if active else "header"
        painter.fillRect(rect, self._color["sum_background" if margin else f"{kind}_background"])
        x, y, width, height = rect.x(), rect.y(), rect.width(), rect.height()
        strong, grid = self._color["grid_strong"], self._color["grid"]
        last = logical_index in (self.named_sections - 1, self.count() - 1)
        between = strong if last else grid
        if self.across:
            painter.fillRect(x + width - 1, y, 1, height, between)
            painter.fillRect(x, y + height - 1, width, 1, strong)
        else:
            painter.fillRect(x, y + height - 1, width, 1, between)
            painter.fillRect(x + width - 1, y, 1, height, strong)
        if self._thins() and not (margin and self.across):
            # Where sections are this small, `paintEvent` writes some of the names.
            painter.restore()
            return
        left = 1 if self.across and self.fitted else self.padding
        room = rect.adjusted(left, 0, -self.padding - 1, -1)
        text = self._metrics().elidedText(
            self._text(logical_index), Qt.TextElideMode.ElideMiddle, room.width()
        )
        painter.setFont(self.small or self.font())
        painter.setPen(self._color["muted" if margin else f"{kind}_text"])
        painter.drawText(room, _RIGHT if self.across else _LEFT, text)
        painter.restore()

    def _names(self) -> list[str]:
        model = self.model()
        if not isinstance(model, TableModel):
            return []
        state = model.document.state
        return state.clusters if self.across else state.truth

    def _text(self, section: int) -> str:
        return str(self.model().headerData(section, self.orientation()) or "")

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            # Qt would name the section beneath.
            section = self.section_at(self._along(event.pos()))
            role = Qt.ItemDataRole.ToolTipRole
            text = self.model().headerData(section, self.orientation(), role)
            QToolTip.showText(event.globalPos(), text or "", self)
            return True
        return super().viewportEvent(event)

    # Renaming

    def edit_name(self, section: int) -> None:
        """Open an editor over a name."""
        if not 0 <= section < self.named_sections:
            return
        self.close_editor()
        state_names = self.model().headerData(section, self.orientation(), Qt.ItemDataRole.EditRole)
        editor = InlineEditor(self._view, self._colors)
        editor.setObjectName("name_editor")
        editor.setFont(self.font())
        editor.setAlignment(_LEFT)
        editor.setTextMargins(self.padding - 3, 0, self.padding - 3, 0)
        editor.setText(str(state_names))
        editor.setAccessibleName(f"Name of {'cluster' if self.across else 'class'} {section + 1}")
        editor.done.connect(self._on_done)
        editor.cancelled.connect(self.close_editor)
        editor.left.connect(self._on_left)
        self.editor, self._section = editor, section
        self._place_editor()
        editor.selectAll()
        editor.show()
        editor.raise_()
        editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def finish(self) -> None:
        """Take the name in the open editor, if one is open."""
        if self.editor is not None:
            text, section = self.editor.text(), self._section
            self.close_editor()
            self.renamed.emit(section, text)

    def close_editor(self) -> None:
        """Close the open editor, if any, and leave the name as it was."""
        editor, self.editor = self.editor, None
        if editor is None:
            return
        if editor.hasFocus():
            # Before it is hidden: Qt would look for the next widget, as after a Tab.
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)
        editor.hide()
        editor.deleteLater()

    def _place_editor(self) -> None:
        if self.editor is None:
            return
        start, size = self.sectionViewportPosition(self._section), self.sectionSize(self._section)
        viewport = self.viewport()
        if self.across:
            rect = QRect(start, 0, max(size, EDITOR_WIDTH), viewport.height())
        else:
            rect = QRect(0, start, max(viewport.width(), EDITOR_WIDTH), size)
        rect.moveTopLeft(viewport.mapTo(self._view, rect.topLeft()))
        # Over the names before it rather than outside.
        rect.moveLeft(max(0, min(rect.left(), self._view.width() - rect.width())))
        self.editor.setGeometry(rect)

    def _on_done(self, leave: Leave) -> None:
        section = self._section
        self.finish()
        if leave in (Leave.NEXT_WIDGET, Leave.PREVIOUS_WIDGET):
            self.leave_asked.emit(leave)
        elif leave in (Leave.RIGHT, Leave.LEFT):
            self.move_asked.emit(section + (1 if leave is Leave.RIGHT else -1))

    def _on_left(self) -> None:
        self.finish()


__all__ = ["NameHeader"]
