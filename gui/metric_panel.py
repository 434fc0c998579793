"""The panel beside the table: every metric, its value, a bar on its range."""

import math

from PySide6.QtCore import (
    QModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from core.scoring import Scores
from gui.headline import Headline
from gui.metric_delegate import MetricDelegate
from gui.metric_model import BAR, HEADLINE, NAME, VALUE, MetricModel, unusual_conventions
from gui.theme import GRID, LIGHT, Theme, tabular


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
        self._delegate = MetricDelegate(self)
        self.headline = Headline()
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
        self.tree.setMinimumWidth(GRID * 36)
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
