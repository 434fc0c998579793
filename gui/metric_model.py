"""Every metric and its latest value as a Qt model."""

import html
import math
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from core.metrics.catalogue import FAMILIES, METRICS
from core.metrics.metric import Family, Metric, ScoreOptions
from core.scoring import Scores, format_score

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
    left = (
        "\N{MINUS SIGN}\N{INFINITY}"
        if math.isinf(low)
        else f"{low:g}".replace("-", "\N{MINUS SIGN}")
    )
    right = "\N{INFINITY}" if math.isinf(high) else f"{high:.4g}"
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
                and m.when != "request"
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
