"""A list of names with bars and values, as light as its lines that are seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAccessible, QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gui.theme import GRID, LIGHT, Theme, tabular

Index = QModelIndex | QPersistentModelIndex

_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

_LAID_OUT = 500


@dataclass(frozen=True)
class Bar:
    """A line of the list.

    Attributes
    ----------
    place : int
        What it stands for, counted from 0.
    name : str
    value : float
        NaN draws no bar.
    text : str
        The value as it is shown.
    """

    place: int
    name: str
    value: float
    text: str


def _no_bar(_row: int) -> Bar:
    raise IndexError


class BarModel(QAbstractListModel):
    """Bars, made when they are painted; between two ends that they share."""

    BarRole: ClassVar[int] = Qt.ItemDataRole.UserRole + 1

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._count = 0
        self._bar: Callable[[int], Bar] = _no_bar
        self._tip: Callable[[int], str] = str
        self.ends = (0.0, 0.0)

    def show(
        self,
        count: int,
        bar: Callable[[int], Bar],
        tip: Callable[[int], str],
        ends: tuple[float, float],
    ) -> None:
        """Show other bars.

        Parameters
        ----------
        count : int
        bar : callable
            Of the row in the list, counted from 0.
        tip : callable
            Of the place that a bar stands for; the sentence on it.
        ends : (float, float)
            The least and the greatest value, 0 among them.
        """
        same = count == self._count
        if not same:
            self.beginResetModel()
        self._count, self._bar, self._tip, self.ends = count, bar, tip, ends
        if not same:
            self.endResetModel()
        elif count:
            self.dataChanged.emit(self.index(0), self.index(count - 1))

    def bar(self, row: int) -> Bar:
        """Return a bar."""
        return self._bar(row)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._count

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == self.BarRole:
            return self._bar(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            bar = self._bar(index.row())
            return f"{bar.name} {bar.text}"
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._tip(self._bar(index.row()).place)
        return None


class _BarDelegate(QStyledItemDelegate):
    """Paints a name, a bar from the common zero, and a value at the right."""

    def __init__(self, model: BarModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self.theme: Theme = LIGHT
        self.colour = QColor(LIGHT.accent)
        self.value_width = 0

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(GRID * 10, QFontMetrics(option.font).height() + GRID // 2)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        bar: Bar = index.data(BarModel.BarRole)
        rect = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, option.palette.highlight())
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, QColor(self.theme.track))
        text = QColor(self.theme.on_accent if selected else self.theme.text)
        inner = rect.adjusted(GRID / 2, 0, -GRID / 2, 0)
        name = QRectF(inner.left(), inner.top(), inner.width() * 0.34, inner.height())
        painter.setPen(text)
        painter.setFont(option.font)
        elided = QFontMetrics(option.font).elidedText(
            bar.name, Qt.TextElideMode.ElideMiddle, int(name.width())
        )
        painter.drawText(name, _LEFT, elided)
        painter.setFont(tabular(option.font))
        painter.drawText(inner, _RIGHT, bar.text)
        track = QRectF(name.right() + GRID, inner.center().y() - 4, 0, 8)
        track.setRight(inner.right() - self.value_width - GRID)
        self._paint_bar(painter, track, bar.value, text if selected else self.colour, text)
        painter.restore()

    def _paint_bar(
        self, painter: QPainter, track: QRectF, value: float, colour: QColor, text: QColor
    ) -> None:
        low, high = self._model.ends
        if track.width() <= 0 or math.isnan(value) or not high - low > 0:
            return

        def at(x: float) -> float:
            return track.left() + track.width() * (x - low) / (high - low)

        zero, tip = at(0.0), at(value)
        painter.setPen(Qt.PenStyle.NoPen)
        if value < 0:
            # What helps is hollow: it is told from what costs without its colour, too.
            painter.setPen(colour)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        else:
            painter.setBrush(colour)
        bar = QRectF(min(zero, tip), track.top(), abs(tip - zero), track.height())
        if bar.width() > 0:
            painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
        if low < 0:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.fillRect(QRectF(zero - 0.5, track.top() - 3, 1, track.height() + 6), text)


class BarList(QListView):
    """Ranked bars.

    Signals
    -------
    chosen(int)
        The place that a bar stands for: it was clicked, or Return was pressed on it.
    """

    chosen = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars = BarModel(self)
        self._delegate = _BarDelegate(self.bars, self)
        self.setAccessibleName(name)
        self.setObjectName("bars")
        self.setModel(self.bars)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        # Thousands of lines are laid out some at a time.
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_LAID_OUT)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._on_clicked)

    def show_bars(
        self,
        count: int,
        bar: Callable[[int], Bar],
        tip: Callable[[int], str],
        ends: tuple[float, float],
        widest: str,
    ) -> None:
        """Show other bars; the values have room for the widest text."""
        metrics = QFontMetrics(tabular(self.font()))
        self._delegate.value_width = metrics.horizontalAdvance(widest)
        self.bars.show(count, bar, tip, ends)
        self.viewport().update()

    def set_colours(self, theme: Theme, colour: QColor) -> None:
        """Take over colours."""
        self._delegate.theme = theme
        self._delegate.colour = colour
        self.viewport().update()

    def dataChanged(self, top_left: Index, bottom_right: Index, roles: Sequence[int] = ()) -> None:
        """Paint the bars anew; no line has changed its height, so none is laid out."""
        if QAccessible.isActive():
            super().dataChanged(top_left, bottom_right, roles)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if index.isValid() and event.key() in (
            Qt.Key.Key_Return,
            Qt.Key.Key_Enter,
            Qt.Key.Key_Space,
        ):
            self._on_clicked(index)
            event.accept()
            return
        super().keyPressEvent(event)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.chosen.emit(self.bars.bar(index.row()).place)
