"""The panel beside the table: every metric, its value, a bar on its range."""

from __future__ import annotations

import html
import math
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from core.metrics.catalogue import FAMILIES, METRICS
from core.metrics.metric import AP_FAMILY, Family, Metric, ScoreOptions
from core.scoring import Scores, format_score
from gui.theme import GRID, LIGHT, Theme, scaled, tabular

Index = QModelIndex | QPersistentModelIndex

HEADLINE = ("ap", "associativity", "peakiness")
TIE_KEYS = ("associativity_min", "associativity_max", "ap_min", "ap_max")

NAME, VALUE, BAR = range(3)


def describe(metric: Metric, scores: Scores | None) -> str:
    """Return what is known of a metric and its value as HTML."""
    parts = [f"<b>{html.escape(metric.name)}</b>"]
    if scores is not None and metric.key in scores and metric.per == "table":
        value, why = scores[metric.key], scores.why(metric.key)
        if why is not None:
            parts.append(f"undefined: {html.escape(why)}")
        else:
            low, high = scores.range(metric.key)
            parts.append(f"{format_score(value, 10)} &nbsp; range {_range(low, high)}")
    parts.append(html.escape(metric.formula))
    parts.append(f"<i>{html.escape(metric.source)}</i>")
    return "<br>".join(parts)


def unusual_conventions(options: ScoreOptions) -> str:
    """Return what differs from the usual conventions, in one sentence, or nothing."""
    usual = asdict(ScoreOptions())
    differ = [f"{key} = {value}" for key, value in asdict(options).items() if value != usual[key]]
    return f"Not the usual conventions: {', '.join(differ)}." if differ else ""


def _range(low: float, high: float) -> str:
    left = "any" if math.isinf(low) else f"{low:g}".replace("-", "\N{MINUS SIGN}")
    right = "any" if math.isinf(high) else f"{high:.4g}"
    return f"{left} to {right}"


@dataclass(frozen=True)
class _Row:
    """A line of the panel: a family's heading, or a metric."""

    family: Family
    metric: Metric | None = None


class MetricModel(QAbstractTableModel):
    """Metrics by family; the values are those of the latest scores."""

    RangeRole: ClassVar[int] = Qt.ItemDataRole.UserRole + 1
    ValueRole: ClassVar[int] = Qt.ItemDataRole.UserRole + 2
    FamilyRole: ClassVar[int] = Qt.ItemDataRole.UserRole + 3
    HeadingRole: ClassVar[int] = Qt.ItemDataRole.UserRole + 4

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scores: Scores | None = None
        self._digits = 4
        self._stale = False
        self._ties = False
        self._rows = self._layout()

    def _layout(self) -> list[_Row]:
        rows: list[_Row] = []
        for family in FAMILIES:
            metrics = [
                m
                for m in METRICS.values()
                if m.family == family
                and m.per == "table"
                and m.key not in HEADLINE
                and (self._ties or m.key not in TIE_KEYS)
            ]
            if metrics:
                rows.append(_Row(family))
                rows += [_Row(family, metric) for metric in metrics]
        return rows

    @property
    def scores(self) -> Scores | None:
        """The scores shown."""
        return self._scores

    @property
    def stale(self) -> bool:
        """Whether the scores are those of an earlier table."""
        return self._stale

    def set_scores(self, scores: Scores) -> None:
        """Show scores; metrics that they lack stay empty."""
        self._scores = scores
        self._stale = False
        ties = bool(scores.tied_rows)
        if ties != self._ties:
            self.beginResetModel()
            self._ties = ties
            self._rows = self._layout()
            self.endResetModel()
        else:
            self._all_changed()

    def set_stale(self) -> None:
        """Mark the values as those of an earlier table."""
        self._stale = True
        self._all_changed()

    def set_digits(self, digits: int) -> None:
        """Show so many decimals."""
        self._digits = digits
        self._all_changed()

    def _all_changed(self) -> None:
        self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, BAR))

    def metric(self, row: int) -> Metric | None:
        """Return the metric of a line, None for a heading."""
        return self._rows[row].metric if 0 <= row < len(self._rows) else None

    def row_of(self, key: str) -> int:
        """Return the line of a metric, -1 if it is not shown."""
        return next((i for i, r in enumerate(self._rows) if r.metric and r.metric.key == key), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of lines."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of columns: name, value, bar."""
        return 0 if parent.isValid() else 3

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Headings cannot be selected."""
        if self._rows[index.row()].metric is None:
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def text(self, key: str) -> str:
        """Return a score as the panel shows it."""
        if self._scores is None or key not in self._scores:
            return ""
        return format_score(self._scores[key], self._digits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows in a role."""
        row = self._rows[index.row()]
        if role == self.FamilyRole:
            return row.family.key
        if role == self.HeadingRole:
            return row.metric is None
        if row.metric is None:
            return row.family.name if index.column() == NAME and role == 0 else None
        return self._metric_data(row.metric, index.column(), role)

    def _metric_data(self, metric: Metric, column: int, role: int) -> Any:
        known = self._scores is not None and metric.key in self._scores
        if role == Qt.ItemDataRole.DisplayRole:
            return (metric.name, self.text(metric.key), None)[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return describe(metric, self._scores)
        if role == Qt.ItemDataRole.TextAlignmentRole and column == VALUE:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{metric.name}: {self.text(metric.key) or 'not computed yet'}"
        if role == self.ValueRole and known and self._scores is not None:
            return self._scores[metric.key]
        if role == self.RangeRole and known and self._scores is not None:
            return self._scores.range(metric.key)
        if role == Qt.ItemDataRole.UserRole:
            return metric
        return None


class _MetricDelegate(QStyledItemDelegate):
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
                self._paint_bar(painter, rect, colour, index)
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


class _Tree(QTreeView):
    """The list of metrics; Ctrl+C copies the selected ones with all their digits."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy on the system's copy key."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selected()
            event.accept()
            return
        super().keyPressEvent(event)

    def copy_selected(self) -> None:
        """Put the selected scores on the clipboard, a key and a value a line."""
        model = self.model()
        if not isinstance(model, MetricModel) or model.scores is None:
            return
        lines = []
        for index in self.selectionModel().selectedRows():
            metric = model.metric(index.row())
            if metric is not None and metric.key in model.scores:
                value = model.scores[metric.key]
                lines.append(f"{metric.key}\t{'' if math.isnan(value) else repr(value)}")
        if lines:
            QGuiApplication.clipboard().setText("\n".join(lines))


class _Headline(QWidget):
    """AP in large figures, with the two numbers that it is made of."""

    picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: dict[str, QLabel] = {}
        self._names: dict[str, QLabel] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID * 2, GRID * 3 // 2, GRID * 3 // 2, GRID // 2)
        layout.setSpacing(0)
        row = QHBoxLayout()
        row.setSpacing(GRID * 3)
        layout.addLayout(row)
        for key, size in zip(HEADLINE, (2.6, 1.5, 1.5), strict=True):
            metric = METRICS[key]
            box = QVBoxLayout()
            box.setSpacing(0)
            name = QLabel(metric.symbol if key == "ap" else metric.name)
            value = QLabel()
            value.setFont(tabular(scaled(self.font(), size, bold=key == "ap")))
            value.setAccessibleName(metric.name)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            for label in (name, value):
                label.installEventFilter(self)
                label.setProperty("metric", key)
                box.addWidget(label, 0, Qt.AlignmentFlag.AlignLeft)
            box.insertStretch(0)
            row.addLayout(box)
            self._values[key], self._names[key] = value, name
        row.addStretch()
        self._note = QLabel()
        self._note.setWordWrap(True)
        self._note.hide()
        layout.addWidget(self._note)
        self._bar = _HeadlineBar()
        layout.addSpacing(GRID // 2)
        layout.addWidget(self._bar)

    def text(self, key: str) -> str:
        """Return a value as shown."""
        return self._values[key].text()

    def show_scores(self, scores: Scores | None, digits: int, *, stale: bool, theme: Theme) -> None:
        """Show the three values; a reason where they are undefined."""
        for key, label in self._values.items():
            metric = METRICS[key]
            known = scores is not None and key in scores
            label.setText(
                format_score(scores[key], digits) if known and scores is not None else " "
            )
            current = theme.families["ap"] if key == "ap" else theme.text
            colour = theme.muted if stale else current
            label.setStyleSheet(f"color: {colour}")
            self._names[key].setStyleSheet(f"color: {theme.muted}")
            for widget in (label, self._names[key]):
                widget.setToolTip(describe(metric, scores))
        self._show_note(scores, digits, theme)
        self._bar.theme = theme
        self._bar.value = scores["ap"] if scores is not None and "ap" in scores else math.nan
        self._bar.update()

    def _show_note(self, scores: Scores | None, digits: int, theme: Theme) -> None:
        note = ""
        if scores is not None and "ap" in scores:
            why = scores.why("ap")
            if why is not None:
                note = f"Undefined: {why}."
            elif scores.tied_rows and "ap_max" in scores:
                low, high = scores["ap_min"], scores["ap_max"]
                note = (
                    f"Tied peaks: AP lies between {format_score(low, digits)} and "
                    f"{format_score(high, digits)}, as ties are broken."
                    if low != high
                    else "Tied peaks, but AP is the same however they are broken."
                )
        self._note.setText(note)
        self._note.setStyleSheet(f"color: {theme.warning}")
        self._note.setVisible(bool(note))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Explain the metric whose number is clicked."""
        if event.type() == QEvent.Type.MouseButtonPress and watched.property("metric"):
            self.picked.emit(watched.property("metric"))
        return super().eventFilter(watched, event)


class _HeadlineBar(QWidget):
    """AP on its range."""

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.value = math.nan
        self.setFixedHeight(GRID)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the track and the value."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        track = QRectF(0, 0, self.width(), self.height())
        painter.setBrush(QColor(self.theme.track))
        painter.drawRoundedRect(track, 4, 4)
        if not math.isnan(self.value) and self.value > 0:
            painter.setBrush(self.theme.family(AP_FAMILY.key))
            track.setWidth(track.width() * min(self.value, 1.0))
            painter.drawRoundedRect(track, 4, 4)
        painter.end()


class MetricPanel(QWidget):
    """All scores of the table.

    Signals
    -------
    explained(str)
        The key of the metric that the user asks about.
    """

    explained = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = LIGHT
        self._digits = 4
        self._selected = "ap"
        self.model = MetricModel(self)
        self._delegate = _MetricDelegate(self)
        self.headline = _Headline()
        self.headline.picked.connect(self._pick)
        self.tree = _Tree()
        self.tree.setObjectName("metrics")
        self.tree.setAccessibleName("Scores")
        self.tree.setModel(self.model)
        self.tree.setItemDelegate(self._delegate)
        self.tree.setRootIsDecorated(False)
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(0)
        self.tree.setTabKeyNavigation(False)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.selectionModel().currentChanged.connect(self._on_current)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(VALUE, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(BAR, QHeaderView.ResizeMode.Fixed)
        header.setMinimumSectionSize(GRID * 4)
        header.resizeSection(BAR, GRID * 11)
        self._fit_value_column()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.headline)
        layout.addWidget(self.tree, 1)
        self._conventions = QLabel()
        self._conventions.setWordWrap(True)
        self._conventions.setContentsMargins(GRID * 2, GRID, GRID, GRID)
        self._conventions.hide()
        layout.addWidget(self._conventions)
        self.setMinimumWidth(GRID * 36)
        self._span_headings()
        self.model.modelReset.connect(self._span_headings)

    @property
    def selected(self) -> str:
        """Key of the metric that is explained."""
        return self._selected

    def text(self, key: str) -> str:
        """Return a score as the panel shows it."""
        return self.headline.text(key) if key in HEADLINE else self.model.text(key)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self._delegate.theme = theme
        self._show()
        self._conventions.setStyleSheet(f"color: {theme.warning}")
        self.tree.viewport().update()

    def set_digits(self, digits: int) -> None:
        """Show so many decimals."""
        self._digits = digits
        self.model.set_digits(digits)
        self._fit_value_column()
        self._show()

    @Slot()
    def set_stale(self) -> None:
        """Dim the values until new ones arrive."""
        self.model.set_stale()
        self._show()

    def set_scores(self, scores: Scores) -> None:
        """Show new scores."""
        self.model.set_scores(scores)
        chosen = unusual_conventions(scores.options)
        self._conventions.setText(chosen)
        self._conventions.setVisible(bool(chosen))
        self._show()

    def _show(self) -> None:
        self.headline.show_scores(
            self.model.scores, self._digits, stale=self.model.stale, theme=self._theme
        )

    def _fit_value_column(self) -> None:
        metrics = QFontMetrics(tabular(self.font()))
        widest = metrics.horizontalAdvance("\N{MINUS SIGN}0." + "0" * self._digits)
        self.tree.header().resizeSection(VALUE, widest + GRID * 2)

    @Slot()
    def _span_headings(self) -> None:
        for row in range(self.model.rowCount()):
            heading = self.model.metric(row) is None
            self.tree.setFirstColumnSpanned(row, QModelIndex(), heading)

    @Slot(str)
    def _pick(self, key: str) -> None:
        self._selected = key
        self.tree.clearSelection()
        self.explained.emit(key)

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        metric = self.model.metric(current.row()) if current.isValid() else None
        if metric is not None:
            self._selected = metric.key
            self.explained.emit(metric.key)
