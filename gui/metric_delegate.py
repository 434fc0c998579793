"""Paints the lines of the metric panel: name, value, gauge; headings with their triangle."""

import math

from PySide6.QtCore import (
    QObject,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from core.metrics.metric import Metric
from gui.metric_model import CHANGE, NAME, VALUE, Index, MetricModel, Node
from gui.metric_text import Gauge
from gui.theme import GRID, LIGHT, Theme, scaled, tabular

_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_INDENT = GRID * 5 / 2
# What is of the table before, drawn lightly.
_DIMMED = 0.45


class MetricDelegate(QStyledItemDelegate):
    """Paints the lines of the panel."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme: Theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return a line's height; the headings of families are a little taller."""
        node: Node = index.data(MetricModel.NodeRole)
        tall = node.metric is None and not node.is_more
        height = QFontMetrics(option.font).height()
        return QSize(GRID * 4, height + (GRID * 3 // 2 if tall else GRID * 5 // 8))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a name, a value, a gauge or a heading."""
        # The view has set the font, the colours and the state; nothing else is asked for.
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, option.palette.highlight())
        text = QColor(self.theme.on_accent if selected else self.theme.text)
        colour = self.theme.family(index.data(MetricModel.FamilyRole))
        if selected:
            colour = QColor(self.theme.on_accent)
        if index.data(MetricModel.NodeRole).metric is None:
            if index.column() == NAME:
                self._paint_heading(painter, option, rect, colour, index)
        elif index.column() == NAME:
            dim = bool(index.data(MetricModel.DimRole)) and not selected
            name = QColor(self.theme.muted) if dim else text
            self._paint_name(painter, option.font, rect, name, selected, index)
        else:
            if index.data(MetricModel.DimRole):
                painter.setOpacity(_DIMMED)
            if index.column() == VALUE:
                painter.setPen(text)
                painter.setFont(tabular(option.font))
                painter.drawText(rect.adjusted(0, 0, -GRID, 0), _RIGHT, index.data() or "")
            elif index.column() == CHANGE:
                self._paint_change(painter, option.font, rect, text, index)
            else:
                self._paint_gauge(painter, rect, colour, index)
        painter.restore()

    def _paint_heading(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        rect: QRectF,
        colour: QColor,
        index: Index,
    ) -> None:
        node: Node = index.data(MetricModel.NodeRole)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        unfolded = bool(option.state & QStyle.StateFlag.State_Open)
        # A family's heading stands nearer to what it heads than to what is above it.
        room = rect if node.is_more else rect.adjusted(0, GRID / 2, 0, 0)
        muted = QColor(self.theme.on_accent if selected else self.theme.muted)
        left = rect.left() + (_INDENT if node.is_more else GRID)
        _paint_triangle(
            painter, left, room.center().y(), muted if node.is_more else colour, unfolded
        )
        painter.setPen(muted)
        painter.setFont(scaled(option.font, 0.92, bold=not node.is_more))
        title = str(index.data())
        words = room.adjusted(left - rect.left() + GRID * 3 / 2, 0, -GRID, 0)
        metrics = QFontMetrics(painter.font())
        painter.drawText(words, _LEFT, _elided(metrics, title, words.width()))
        if unfolded:
            return
        rest = words.adjusted(metrics.horizontalAdvance(title) + GRID, 0, 0, 0)
        painter.setFont(scaled(option.font, 0.92))
        painter.setOpacity(1.0 if selected else 0.75)
        inside = _elided(
            QFontMetrics(painter.font()), index.data(MetricModel.InsideRole), rest.width()
        )
        painter.drawText(rest, _LEFT, inside)

    def _paint_name(
        self,
        painter: QPainter,
        font: QFont,
        rect: QRectF,
        text: QColor,
        selected: bool,
        index: Index,
    ) -> None:
        metric: Metric = index.data(Qt.ItemDataRole.UserRole)
        inner = rect.adjusted(_INDENT, 0, -GRID / 2, 0)
        painter.setFont(font)
        painter.setPen(text)
        metrics = QFontMetrics(font)
        symbol = metric.symbol
        painter.drawText(inner, _LEFT, _elided(metrics, symbol, inner.width()))
        if symbol.lower() == metric.name.lower():
            return
        rest = inner.adjusted(metrics.horizontalAdvance(symbol) + GRID * 0.75, 0, 0, 0)
        painter.setFont(scaled(font, 0.92))
        painter.setPen(text if selected else QColor(self.theme.muted))
        small = QFontMetrics(painter.font())
        # Two letters and dots say nothing.
        if rest.width() >= small.averageCharWidth() * 5:
            painter.drawText(rest, _LEFT, _elided(small, metric.name, rest.width()))

    def _paint_change(
        self, painter: QPainter, font: QFont, rect: QRectF, text: QColor, index: Index
    ) -> None:
        """Paint a change; an arrow up says better and one down worse, whatever the sign."""
        words = index.data() or ""
        painter.setFont(tabular(font))
        painter.setPen(text)
        room = rect.adjusted(0, 0, -GRID, 0)
        painter.drawText(room, _RIGHT, words)
        better: bool | None = index.data(MetricModel.BetterRole)
        if better is None:
            return
        colour = self.theme.families["information"] if better else self.theme.error
        if text == QColor(self.theme.on_accent):
            colour = self.theme.on_accent
        paint_arrow(painter, QPointF(rect.left() + GRID / 2, rect.center().y()), colour, better)

    def _paint_gauge(self, painter: QPainter, rect: QRectF, colour: QColor, index: Index) -> None:
        kind: Gauge = index.data(MetricModel.GaugeRole)
        if kind is Gauge.NONE:
            return
        value: float = index.data(MetricModel.ValueRole)
        low, high = index.data(MetricModel.RangeRole)
        low = low if math.isfinite(low) else 0.0
        middle = rect.center().y()
        track = QRectF(rect.left(), middle - 3, rect.width() - GRID * 3 / 2, 6)

        def place(at: float) -> float:
            return track.left() + track.width() * (min(max(at, low), high) - low) / (high - low)

        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.theme.track))
        if kind is Gauge.BAR:
            painter.drawRoundedRect(track, 3, 3)
        else:
            painter.drawRoundedRect(track.adjusted(0, 2, 0, -2), 1, 1)
        if math.isnan(value):
            return
        if kind is Gauge.MARK:
            painter.setPen(QPen(colour, 2))
            painter.setBrush(QColor(self.theme.base) if colour != self.theme.on_accent else colour)
            inside = min(max(place(value), track.left() + 4), track.right() - 4)
            painter.drawEllipse(QPointF(inside, middle), 3.5, 3.5)
            return
        zero, tip = place(0.0), place(value)
        painter.setBrush(colour)
        bar = QRectF(min(zero, tip), track.top(), abs(tip - zero), track.height())
        painter.drawRoundedRect(bar, 3, 3)
        if low < 0:
            painter.fillRect(
                QRectF(zero - 0.5, track.top() - 2, 1, track.height() + 4),
                QColor(self.theme.muted),
            )


def _elided(metrics: QFontMetrics, text: str, width: float) -> str:
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(int(width), 0))


def paint_arrow(painter: QPainter, centre: QPointF, colour: str, better: bool) -> None:
    """Paint a small triangle that points up for better and down for worse."""
    half, tall = GRID * 0.45, GRID * 0.4 * (-1 if better else 1)
    corners = ((-half, -tall), (half, -tall), (0.0, tall))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawPolygon(QPolygonF([QPointF(centre.x() + x, centre.y() + y) for x, y in corners]))


def _paint_triangle(
    painter: QPainter, left: float, middle: float, colour: QColor, unfolded: bool
) -> None:
    """Paint a triangle that points down where something is unfolded, else to the right."""
    across, along = GRID / 2, GRID * 0.7
    x, y = left + GRID / 2, middle
    if unfolded:
        corners = ((-across, -along / 2), (across, -along / 2), (0.0, along / 2))
    else:
        corners = ((-along / 2, -across), (-along / 2, across), (along / 2, 0.0))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners]))
