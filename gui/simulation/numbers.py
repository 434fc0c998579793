"""The scores of a simulation in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Slot
from PySide6.QtGui import QAction, QBrush, QColor, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QHeaderView, QLabel, QTableView, QVBoxLayout, QWidget

from core.formatting import UNDEFINED, format_score
from core.metrics.catalogue import METRICS
from core.statistics.summary import Summary
from core.studies.simulated import SummariseScores
from gui.jobs import Job, JobRunner
from gui.simulation.runs import Run
from gui.theme import GRID, LIGHT, Theme, tabular

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole

_HEADS = (
    *("Mean", "SD", "Least", "5 %", "25 %", "Median", "75 %", "95 %", "Most"),
    *("Range", "Mode", "Zeros", "Ones", "Undefined"),
)
_TIPS = {
    "SD": "Standard deviation between the tables",
    "Range": "Dynamic range: the most minus the least",
    "Mode": "Middle of the fullest bin of width 0.05",
    "Zeros": "Share of tables with a score of exactly 0",
    "Ones": "Share of tables with a score of exactly 1",
    "Undefined": "Tables that have no such score",
}


class NumbersModel(QAbstractTableModel):
    """A line a metric, a column a statistic."""

    def __init__(self) -> None:
        super().__init__()
        self._summaries: Mapping[str, Summary] = {}
        self._keys: tuple[str, ...] = ()
        self._why: Mapping[str, Mapping[str, int]] = {}
        self._digits = 4
        self._theme = LIGHT

    def show_summaries(
        self, summaries: Mapping[str, Summary], why: Mapping[str, Mapping[str, int]]
    ) -> None:
        """Show the numbers of other scores, and why some do not exist."""
        self.beginResetModel()
        self._summaries, self._keys, self._why = summaries, tuple(summaries), why
        self.endResetModel()

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        self.beginResetModel()
        self._digits = digits
        self.endResetModel()

    def set_theme(self, theme: Theme) -> None:
        """Take over the families' colours."""
        self.beginResetModel()
        self._theme = theme
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._keys)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(_HEADS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal:
            if role == ROLE.TextAlignmentRole:
                return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if role == ROLE.ToolTipRole:
                return _TIPS.get(_HEADS[section])
            return _HEADS[section] if role == ROLE.DisplayRole else None
        metric = METRICS[self._keys[section]]
        if role == ROLE.DisplayRole:
            return metric.symbol
        if role == ROLE.ToolTipRole:
            return metric.name
        if role == ROLE.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        if role == ROLE.ForegroundRole:
            return QBrush(QColor(self._theme.text))
        return None

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == ROLE.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == ROLE.DisplayRole:
            return self.text(index.row(), index.column())
        if role == ROLE.ToolTipRole and _HEADS[index.column()] == "Undefined":
            reasons = self._why.get(self._keys[index.row()], {})
            return "\n".join(f"{count:,}: {why}" for why, count in reasons.items()) or None
        return None

    def text(self, row: int, column: int) -> str:
        """Return what a cell shows."""
        summary = self._summaries[self._keys[row]]
        head = _HEADS[column]
        if head == "Undefined":
            return f"{summary.undefined:,}"
        if not summary.defined:
            return UNDEFINED
        if head in ("Zeros", "Ones"):
            share = summary.zeros if head == "Zeros" else summary.ones
            return f"{100 * share:.1f} %"
        values = (
            summary.mean,
            summary.standard_deviation,
            summary.low,
            *summary.quantiles.values(),
            summary.high,
            summary.dynamic_range,
            summary.mode,
        )
        return format_score(values[column], self._digits)

    def tab_separated(self) -> str:
        """Return all of it, for a spreadsheet."""
        lines = [["metric", *_HEADS]]
        for row, key in enumerate(self._keys):
            lines.append([key, *(self.text(row, column) for column in range(len(_HEADS)))])
        return "\n".join("\t".join(line) for line in lines)


class NumbersView(QWidget):
    """Mean, spread, quantiles and shares of each score."""

    title = "Numbers"

    def __init__(self, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self._run: Run | None = None
        self.model = NumbersModel()
        self.grid = QTableView()
        self.grid.setModel(self.model)
        self.grid.setObjectName("comparison")
        self.grid.setAccessibleName("Scores in numbers")
        self.grid.setFont(tabular(self.grid.font()))
        self.grid.setShowGrid(False)
        self.grid.setAlternatingRowColors(True)
        self.grid.setTabKeyNavigation(False)
        self.grid.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.grid.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + GRID)
        width = self.fontMetrics().horizontalAdvance("\N{MINUS SIGN}0.0000") + GRID * 2
        self.grid.horizontalHeader().setDefaultSectionSize(width)
        self.note = QLabel()
        self.note.setObjectName("muted")
        self.note.setWordWrap(True)
        copy = QAction("Copy", self)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        copy.triggered.connect(self._copy)
        self.addAction(copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self.grid, 1)
        layout.addWidget(self.note)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self.model.set_theme(theme)

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        self.model.set_digits(digits)

    def show_run(self, run: Run | None) -> None:
        """Summarise a simulation; one that is running, when it ends."""
        if self._job is not None:
            self._job.abandon()
            self._job = None
        self._run = run
        if run is None or run.running:
            self.model.show_summaries({}, {})
            self.note.setText("" if run is None else "The numbers follow when the run has ended.")
            return
        self.note.setText("")
        job = self._jobs.create(SummariseScores(run.result.keys, run.result.values), "Summarising")
        job.finished.connect(self._on_finished)
        self._job = job
        self._jobs.start(job)

    @Slot(object)
    def _on_finished(self, summaries: dict[str, Summary]) -> None:
        self._job = None
        if self._run is None:
            return
        result = self._run.result
        self.model.show_summaries(summaries, result.undefined)
        said = [
            f"{self._run.title}; {result.simulation.scenario.words}.",
            f"{result.done / max(result.seconds, 1e-9):,.0f} tables a second.",
        ]
        if not result.complete:
            said.insert(1, "Partial: it was cancelled.")
        self.note.setText(" ".join(said))

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.model.tab_separated())
