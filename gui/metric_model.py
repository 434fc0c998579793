"""Every metric and its latest value as a Qt model: families, their scores, the rest of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from core.explanation.baseline import Change, changes
from core.explanation.difference import signed
from core.formatting import format_score
from core.metrics.catalogue import FAMILIES, METRICS
from core.metrics.metric import Family, Metric, ScoreOptions
from core.metrics.wording import family_title
from core.scores import Scores
from gui.metric_text import COUNT_DIGITS, Gauge, describe, gauge

Index = QModelIndex | QPersistentModelIndex

HEADLINE = ("ap", "associativity", "peakiness")
TIE_KEYS = ("associativity_min", "associativity_max", "ap_min", "ap_max")
TIE_FAMILY = METRICS[TIE_KEYS[0]].family

NAME, VALUE, BAR, CHANGE = range(4)

# Scores of a family that are seen without unfolding the rest: the first of the catalogue.
_FIRST = 5

_TOP = -1


@dataclass(frozen=True)
class Node:
    """A line of the panel: the heading of a section, or a metric.

    Attributes
    ----------
    number : int
        Its place in the list of nodes.
    parent : int
        Number of the section that it stands in, -1 at the top.
    family : Family
    metric : Metric or None
        None for a heading.
    section : str
        What the folding of a heading is remembered by.
    """

    number: int
    parent: int
    family: Family
    metric: Metric | None = None
    section: str = ""

    @property
    def is_more(self) -> bool:
        """Whether it heads the rest of a family."""
        return self.metric is None and self.parent != _TOP

    @property
    def folded_at_first(self) -> bool:
        """Whether a section stays folded until the user unfolds it.

        That is the rest of a family; a family whose scores hang on an option; and the scores
        over ties, which the headline sums up.
        """
        return self.is_more or self.family.option is not None or self.family == TIE_FAMILY


def _nodes() -> list[Node]:
    nodes: list[Node] = []

    def add(parent: int, family: Family, metric: Metric | None = None, section: str = "") -> int:
        nodes.append(Node(len(nodes), parent, family, metric, section))
        return len(nodes) - 1

    for family in FAMILIES:
        metrics = [
            m
            for m in METRICS.values()
            if m.family == family
            and m.per == "table"
            and m.when != "request"
            and m.key not in HEADLINE
        ]
        # Quantities, which are neither good nor bad, after the scores.
        metrics.sort(key=lambda m: m.larger_is_better is None)
        if not metrics:
            continue
        heading = add(_TOP, family, section=family.key)
        # A line that says "1 more" takes as much room as what it hides.
        first = len(metrics) if len(metrics) <= _FIRST + 1 else _FIRST
        for metric in metrics[:first]:
            add(heading, family, metric)
        if metrics[first:]:
            rest = add(heading, family, section=f"{family.key}-more")
            for metric in metrics[first:]:
                add(rest, family, metric)
    return nodes


class MetricModel(QAbstractItemModel):
    """Metrics by family; the values are the latest ones that there are."""

    ValueRole: ClassVar[int] = Qt.ItemDataRole.UserRole + 2
    RangeRole: ClassVar[int] = Qt.ItemDataRole.UserRole + 1
    FamilyRole: ClassVar[int] = Qt.ItemDataRole.UserRole + 3
    NodeRole: ClassVar[int] = Qt.ItemDataRole.UserRole + 4
    GaugeRole: ClassVar[int] = Qt.ItemDataRole.UserRole + 5
    DimRole: ClassVar[int] = Qt.ItemDataRole.UserRole + 6
    InsideRole: ClassVar[int] = Qt.ItemDataRole.UserRole + 7
    BetterRole: ClassVar[int] = Qt.ItemDataRole.UserRole + 8

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scores: Scores | None = None
        self._source: dict[str, Scores] = {}
        self._digits = 4
        self._stale = False
        self._baseline: Scores | None = None
        self._changes: dict[str, Change] = {}
        self._folded: dict[str, bool] = {}
        self._nodes = _nodes()
        self._place = {node.metric.key: node for node in self._nodes if node.metric}
        self._children: dict[int, list[int]] = {}
        for node in self._nodes:
            self._children.setdefault(node.parent, []).append(node.number)
        self._row = {n: row for numbers in self._children.values() for row, n in enumerate(numbers)}
        self._tie_node = next(n.number for n in self._nodes if n.section == TIE_FAMILY.key)
        self._show_top([n for n in self._children[_TOP] if n != self._tie_node])

    def _show_top(self, numbers: list[int]) -> None:
        self._children[_TOP] = numbers
        self._row.update({number: row for row, number in enumerate(numbers)})

    # Values

    @property
    def scores(self) -> Scores | None:
        """The latest scores."""
        return self._scores

    @property
    def stale(self) -> bool:
        """Whether the scores are those of an earlier table."""
        return self._stale

    def set_scores(self, scores: Scores, *, complete: bool = True) -> None:
        """Show scores; of those still to come the earlier ones stay, dimmed."""
        self._scores = scores
        self._stale = False
        if complete:
            self._source = {}
        self._source.update(dict.fromkeys(scores, scores))
        self._compare(scores)
        self._show_ties(bool(scores.tied_rows))
        self._all_changed()

    def set_baseline(self, baseline: Scores | None) -> None:
        """Show beside each score how it differs from that of another table."""
        self._baseline = baseline
        self._changes = {}
        for scores in {id(scores): scores for scores in self._source.values()}.values():
            self._compare(scores)
        self._all_changed()

    def _compare(self, scores: Scores) -> None:
        if self._baseline is None:
            return
        found = changes(scores, self._baseline)
        for key in scores:
            if self._source.get(key) is not scores:
                continue
            self._changes.pop(key, None)
            if key in found:
                self._changes[key] = found[key]

    def change(self, key: str) -> Change | None:
        """Return how a score differs from the baseline's, None where nothing is compared."""
        return self._changes.get(key)

    def change_text(self, key: str) -> str:
        """Return a change as the panel shows it, empty where nothing is compared."""
        change = self._changes.get(key)
        return "" if change is None else signed(change.difference, self._digits)

    def set_stale(self) -> None:
        """Mark the values as those of an earlier table."""
        self._stale = True
        self._all_changed()

    def set_digits(self, digits: int) -> None:
        """Show so many decimals."""
        self._digits = digits
        self._all_changed()

    def set_folded(self, section: str, folded: bool) -> None:
        """Take note of what the view shows, for those who listen to it."""
        self._folded[section] = folded

    def _show_ties(self, ties: bool) -> None:
        top = self._children[_TOP]
        if ties == (self._tie_node in top):
            return
        if ties:
            self.beginInsertRows(QModelIndex(), 0, 0)
            self._show_top([self._tie_node, *top])
            self.endInsertRows()
        else:
            self.beginRemoveRows(QModelIndex(), 0, 0)
            self._show_top(top[1:])
            self.endRemoveRows()

    def _all_changed(self) -> None:
        for parent in (QModelIndex(), *self.headings()):
            last = self.rowCount(parent) - 1
            self.dataChanged.emit(self.index(0, NAME, parent), self.index(last, CHANGE, parent))

    def value(self, key: str) -> float | int | None:
        """Return the value of a metric of the present table, None while there is none."""
        return None if self.is_dim(key) else self._source[key][key]

    def is_dim(self, key: str) -> bool:
        """Return whether what is shown of a metric is of an earlier table, or nothing."""
        return self._stale or key not in self._source or self._source[key] is not self._scores

    def text(self, key: str) -> str:
        """Return a score as the panel shows it."""
        if key not in self._source:
            return ""
        return format_score(self._source[key][key], self._digits, most=COUNT_DIGITS)

    def description(self, key: str) -> str:
        """Return what is known of a metric and its value as HTML."""
        pending = self.is_dim(key) and self._scores is not None
        return describe(METRICS[key], self._source.get(key), pending=pending)

    # The tree

    def node(self, index: Index) -> Node | None:
        """Return the line of an index."""
        return self._nodes[index.internalId()] if index.isValid() else None

    def metric(self, index: Index) -> Metric | None:
        """Return the metric of an index, None for a heading."""
        node = self.node(index)
        return node.metric if node is not None else None

    def metrics_in(self, index: Index) -> Iterator[Metric]:
        """Yield the metric of a line, or those of its section."""
        node = self.node(index)
        if node is not None:
            yield from self._metrics_in(node)

    def _metrics_in(self, node: Node) -> Iterator[Metric]:
        if node.metric is not None:
            yield node.metric
        for number in self._children.get(node.number, ()):
            yield from self._metrics_in(self._nodes[number])

    def headings(self) -> Iterator[QModelIndex]:
        """Yield the headings, from above."""
        for node in self._nodes:
            if node.metric is None and self._is_shown(node):
                yield self._index_of(node)

    @property
    def sections(self) -> list[str]:
        """Keys of all sections, also of one that is not shown now."""
        return [node.section for node in self._nodes if node.metric is None]

    def section(self, key: str) -> QModelIndex:
        """Return the heading of a section."""
        return next((i for i in self.headings() if self._node(i).section == key), QModelIndex())

    def index_of(self, key: str) -> QModelIndex:
        """Return the line of a metric, an invalid index if it has none."""
        node = self._place.get(key)
        return self._index_of(node) if node and self._is_shown(node) else QModelIndex()

    def _node(self, index: Index) -> Node:
        return self._nodes[index.internalId()]

    def _index_of(self, node: Node) -> QModelIndex:
        return self.createIndex(self._row[node.number], NAME, node.number)

    def _is_shown(self, node: Node) -> bool:
        while node.parent != _TOP:
            node = self._nodes[node.parent]
        return node.number in self._children[_TOP]

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        """Return the index of a line under a heading."""
        children = self._children.get(parent.internalId() if parent.isValid() else _TOP, ())
        if 0 <= row < len(children) and 0 <= column <= CHANGE and parent.column() <= NAME:
            return self.createIndex(row, column, children[row])
        return QModelIndex()

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        """Return the heading that a line stands under."""
        if not index.isValid() or self._node(index).parent == _TOP:
            return QModelIndex()
        return self._index_of(self._nodes[self._node(index).parent])

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of lines under a heading."""
        if parent.column() > NAME:
            return 0
        return len(self._children.get(parent.internalId() if parent.isValid() else _TOP, ()))

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of columns: name, value, bar, change."""
        return 4

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Every line can be reached and selected, the headings to fold and to copy."""
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows in a role."""
        node = self.node(index)
        if node is None:
            return None
        if role == self.NodeRole:
            return node
        if role == self.FamilyRole:
            return node.family.key
        if node.metric is None:
            return self._heading_data(node, role) if index.column() == NAME else None
        return self._metric_data(node.metric, index.column(), role)

    def _heading_data(self, node: Node, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._title(node)
        if role == self.InsideRole:
            return ", ".join(metric.symbol for metric in self._metrics_in(node))
        if role == Qt.ItemDataRole.ToolTipRole:
            return ", ".join(metric.name for metric in self._metrics_in(node))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            of = f" of {node.family.name}" if node.is_more else ""
            folded = self._folded.get(node.section, node.folded_at_first)
            return f"{self._title(node)}{of}, {'folded' if folded else 'unfolded'}"
        return None

    def _title(self, node: Node) -> str:
        if node.is_more:
            return f"{len(self._children[node.number])} more"
        options = self._scores.options if self._scores is not None else ScoreOptions()
        return family_title(node.family, options)

    def _metric_data(self, metric: Metric, column: int, role: int) -> Any:
        key = metric.key
        if role == Qt.ItemDataRole.DisplayRole:
            return (metric.name, self.text(key), None, self.change_text(key))[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.description(key)
        if role == self.BetterRole:
            change = self._changes.get(key)
            return None if change is None else change.better
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (VALUE, CHANGE):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{metric.name}: {self.text(key) or 'not computed yet'}{self._spoken(key)}"
        if role == self.DimRole:
            return self.is_dim(key)
        if role == Qt.ItemDataRole.UserRole:
            return metric
        return self._drawn(metric, role)

    def _spoken(self, key: str) -> str:
        """Return a change in words, with a comma before them; empty where there is none."""
        text = self.change_text(key)
        if not text:
            return ""
        change = self._changes[key]
        meaning = {None: "", True: ", better", False: ", worse"}[change.better]
        if change.tied:
            meaning = ", better or worse as ties are broken"
        return f", change {text}{meaning}"

    def _drawn(self, metric: Metric, role: int) -> Any:
        scores = self._source.get(metric.key)
        if scores is None:
            return Gauge.NONE if role == self.GaugeRole else None
        if role == self.ValueRole:
            return scores[metric.key]
        if role == self.RangeRole:
            return scores.range(metric.key)
        if role == self.GaugeRole:
            return gauge(metric, *scores.range(metric.key))
        return None
