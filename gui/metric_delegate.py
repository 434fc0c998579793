"""Paints the lines of the metric panel: name, value, bar on its range."""

import math

from PySide6.QtCore import (
    QObject,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QPainter,
    QPalette,
)
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from core.metrics.metric import Metric
from gui.metric_model import NAME, VALUE, Index, MetricModel
from gui.theme import GRID, LIGHT, Theme, scaled, tabular


class MetricDelegate(QStyledItemDelegate):
    """Paints the lines of the panel."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme: Theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return a line's height; headings are a little taller."""
        metrics = QFontMetrics(option.font)
        heading = bool(index.data(MetricModel.HeadingRole))
        return QSize(GRID * 4, metrics.height() + (GRID * 3 // 2 if heading else GRID * 5 // 8))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a name, a value, a bar or a heading."""
        self.initStyleOption(option, index)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect)
        palette: QPalette = option.palette
        state = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        colour = self.theme.family(index.data(MetricModel.FamilyRole))
        if index.data(MetricModel.HeadingRole):
            self._paint_heading(painter, option, rect, colour, index)
        else:
            if selected:
                painter.fillRect(rect, palette.highlight())
            text = QColor(self.theme.on_accent if selected else self.theme.text)
            model = index.model()
            if isinstance(model, MetricModel) and model.stale and not selected:
                text = QColor(self.theme.muted)
            if index.column() == NAME:
                self._paint_name(painter, option, rect, text, selected, index)
            elif index.column() == VALUE:
                painter.setPen(text)
                painter.setFont(tabular(option.font))
                painter.drawText(
                    rect.adjusted(0, 0, -GRID, 0),
                    int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter),
                    index.data() or "",
                )
            else:
                self._paint_bar(
                    painter, rect, QColor(self.theme.on_accent) if selected else colour, index
                )
        painter.restore()

    def _paint_heading(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        rect: QRectF,
        colour: QColor,
        index: Index,
    ) -> None:
        if index.column() != NAME:
            return
        bottom = rect.bottom() - GRID / 4
        metrics = QFontMetrics(option.font)
        chip = QRectF(rect.left() + GRID, bottom - metrics.height() * 0.72, GRID, GRID)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(chip, 2, 2)
        painter.setPen(QColor(self.theme.muted))
        painter.setFont(scaled(option.font, 0.92, bold=True))
        painter.drawText(
            QRectF(rect.left() + GRID * 5 / 2, rect.top(), rect.width(), bottom - rect.top()),
            int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom),
            str(index.data()),
        )

    def _paint_name(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        rect: QRectF,
        text: QColor,
        selected: bool,
        index: Index,
    ) -> None:
        metric: Metric = index.data(Qt.ItemDataRole.UserRole)
        inner = rect.adjusted(GRID * 5 / 2, 0, -GRID / 2, 0)
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        font = option.font
        painter.setFont(font)
        painter.setPen(text)
        metrics = QFontMetrics(font)
        symbol = metric.symbol
        if symbol.lower() == metric.name.lower():
            painter.drawText(
                inner,
                flags,
                metrics.elidedText(symbol, Qt.TextElideMode.ElideRight, int(inner.width())),
            )
            return
        painter.drawText(inner, flags, symbol)
        used = metrics.horizontalAdvance(symbol) + GRID * 0.75
        rest = inner.adjusted(used, 0, 0, 0)
        painter.setFont(scaled(font, 0.92))
        painter.setPen(text if selected else QColor(self.theme.muted))
        small = QFontMetrics(painter.font())
        painter.drawText(
            rest,
            flags,
            small.elidedText(metric.name, Qt.TextElideMode.ElideRight, int(rest.width())),
        )

    def _paint_bar(self, painter: QPainter, rect: QRectF, colour: QColor, index: Index) -> None:
        value, ends = index.data(MetricModel.ValueRole), index.data(MetricModel.RangeRole)
        track = QRectF(rect.left(), rect.center().y() - 3, rect.width() - GRID * 3 / 2, 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.theme.track))
        painter.drawRoundedRect(track, 3, 3)
        if value is None or math.isnan(value) or ends is None:
            return
        low = ends[0] if math.isfinite(ends[0]) else min(0.0, value)
        high = ends[1] if math.isfinite(ends[1]) else max(1.0, value)
        if high <= low:
            return
        zero = track.left() + track.width() * (0.0 - low) / (high - low)
        tip = track.left() + track.width() * (min(max(value, low), high) - low) / (high - low)
        painter.setBrush(colour)
        painter.drawRoundedRect(
            QRectF(min(zero, tip), track.top(), abs(tip - zero), track.height()), 3, 3
        )
        if low < 0:
            painter.fillRect(
                QRectF(zero - 0.5, track.top() - 2, 1, track.height() + 4),
                QColor(self.theme.muted),
            )
