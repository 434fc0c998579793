"""The scores of a simulation in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, eq=False)
class Line:
    """The numbers of one metric in one run.

    Attributes
    ----------
    key, run : str
    summary : Summary
    why : mapping of str to int
        Why some scores do not exist, and how many.
    over : bool
        Whether it is of the run that lies over the other.
    """

    key: str
    run: str
    summary: Summary
    why: Mapping[str, int]
    over: bool = False


class NumbersModel(QAbstractTableModel):
    """A line a metric, a column a statistic."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[Line] = []
        self._digits = 4
        self._theme = LIGHT

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show other numbers."""
        self.beginResetModel()
        self._lines = list(lines)
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
        return 0 if parent.isValid() else len(self._lines)

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
        line = self._lines[section]
        metric = METRICS[line.key]
        if role == ROLE.DisplayRole:
            return "over it" if line.over else metric.symbol
        if role == ROLE.ToolTipRole:
            return f"{metric.name}\n{line.run}"
        if role == ROLE.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        if role == ROLE.ForegroundRole:
            return QBrush(QColor(self._theme.muted if line.over else self._theme.text))
        return None

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == ROLE.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == ROLE.DisplayRole:
            return self.text(index.row(), index.column())
        if role == ROLE.ToolTipRole and _HEADS[index.column()] == "Undefined":
            reasons = self._lines[index.row()].why
            return "\n".join(f"{count:,}: {why}" for why, count in reasons.items()) or None
        return None

    def text(self, row: int, column: int) -> str:
        """Return what a cell shows."""
        summary = self._lines[row].summary
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
        lines = [["metric", "run", *_HEADS]]
        for row, line in enumerate(self._lines):
            cells = [self.text(row, column) for column in range(len(_HEADS))]
            lines.append([line.key, line.run, *cells])
        return "\n".join("\t".join(line) for line in lines)


class NumbersView(QWidget):
    """Mean, spread, quantiles and shares of each score."""

    title = "Numbers"

    def __init__(self, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._jobs_of: dict[Job, Run] = {}
        self._runs: list[Run] = []
        self._found: dict[int, dict[str, Summary]] = {}
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
        header = self.grid.horizontalHeader()
        header.setMinimumSectionSize(GRID * 3)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
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
        self.show_runs(run, None)

    def show_runs(self, run: Run | None, other: Run | None) -> None:
        """Summarise a simulation, and one that lies over it, line by line below it."""
        for job in self._jobs_of:
            job.abandon()
        self._jobs_of.clear()
        self._found.clear()
        self._runs = [each for each in (run, other) if each is not None and not each.running]
        if run is None or run.running:
            self._runs = []
            self.note.setText("" if run is None else "The numbers follow when the run has ended.")
        else:
            self.note.setText("")
        self.model.show_lines([])
        for each in self._runs:
            job = self._jobs.create(
                SummariseScores(each.result.keys, each.result.values), "Summarising"
            )
            job.finished.connect(self._on_finished)
            self._jobs_of[job] = each
            self._jobs.start(job)

    @Slot(object)
    def _on_finished(self, summaries: dict[str, Summary]) -> None:
        job = self.sender()
        run = self._jobs_of.pop(job, None) if isinstance(job, Job) else None
        if run is None:
            return
        self._found[id(run)] = summaries
        if len(self._found) < len(self._runs):
            return
        first = self._runs[0]
        lines = [
            Line(
                key,
                run.title,
                self._found[id(run)][key],
                run.result.undefined.get(key, {}),
                run is not first,
            )
            for key in first.result.keys
            for run in self._runs
            if key in self._found[id(run)]
        ]
        self.model.show_lines(lines)
        said = []
        for each in self._runs:
            result = each.result
            over = "" if each is first else "Over it: "
            partial = "" if result.complete else " Partial: it was cancelled."
            said.append(f"{over}{each.title}; {result.simulation.scenario.words}.{partial}")
        result = first.result
        said.append(f"{result.done / max(result.seconds, 1e-9):,.0f} tables a second.")
        self.note.setText(" ".join(said))

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.model.tab_separated())
