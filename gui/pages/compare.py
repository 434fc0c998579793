"""The page that puts tables side by side."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Any, ClassVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QAction, QBrush, QColor, QFont, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.formatting import format_score
from core.metrics.catalogue import METRICS
from core.named_table import NamedTable
from core.studies.comparison import CompareTables, Comparison, compare
from core.studies.study import Step
from gui.jobs import Job, JobRunner
from gui.metric_text import COUNT_DIGITS
from gui.notice_bar import NoticeBar
from gui.pages.page import Page
from gui.scorer import Scorer
from gui.session import Session
from gui.table_editor.notice import Notice, Severity
from gui.theme import GRID, LIGHT, Theme, tabular

#: Tables that stand side by side; a list of more is better sorted than compared.
MOST = 50

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole


class Shown(StrEnum):
    """What a cell of the comparison shows."""

    SCORES = "Scores"
    RANKS = "Ranks, 1 is best"
    CHANGES = "Change against the baseline"


class CompareModel(QAbstractTableModel):
    """A line a metric, a column a table."""

    def __init__(self) -> None:
        super().__init__()
        self._comparison: Comparison = compare([], [])
        self._shown = Shown.SCORES
        self._baseline = 0
        self._digits = 4
        self._bold = QFont()
        self._bold.setBold(True)
        self._theme = LIGHT

    @property
    def comparison(self) -> Comparison:
        """What is shown."""
        return self._comparison

    def show_comparison(self, comparison: Comparison, baseline: int) -> None:
        """Show other scores; changes are against the table at a place counted from 0."""
        self.beginResetModel()
        self._comparison = comparison
        self._baseline = baseline if baseline < len(comparison.names) else 0
        self.endResetModel()

    def set_shown(self, shown: Shown) -> None:
        """Show scores, ranks or changes."""
        self._shown = shown
        self._changed()

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        self._digits = digits
        self._changed()

    def set_theme(self, theme: Theme) -> None:
        """Take over the families' colours."""
        self._theme = theme
        self._changed()

    def _changed(self) -> None:
        if self.rowCount() and self.columnCount():
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, self.rowCount() - 1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._comparison.keys)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._comparison.names)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal:
            name = self._comparison.names[section]
            if role == ROLE.DisplayRole:
                baseline = self._shown is Shown.CHANGES and section == self._baseline
                return f"\N{BLACK DIAMOND} {name}" if baseline else name
            if role == ROLE.TextAlignmentRole:
                return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            return name if role == ROLE.ToolTipRole else None
        metric = METRICS[self._comparison.keys[section]]
        if role == ROLE.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        if role == ROLE.DisplayRole:
            arrow = {True: " \N{UPWARDS ARROW}", False: " \N{DOWNWARDS ARROW}", None: ""}
            return metric.symbol + arrow[metric.larger_is_better]
        if role == ROLE.ToolTipRole:
            return metric.name
        if role == ROLE.ForegroundRole:
            return QBrush(QColor(self._theme.text))
        return None

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == ROLE.DisplayRole:
            return self.text(row, column, self._digits)
        if role == ROLE.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == ROLE.FontRole and self._comparison.is_best(row, column):
            return self._bold
        if role in (ROLE.ToolTipRole, ROLE.AccessibleDescriptionRole):
            return self._tip(row, column)
        return None

    def text(self, row: int, column: int, digits: int) -> str:
        """Return what a cell shows."""
        comparison = self._comparison
        if self._shown is Shown.RANKS:
            rank = float(comparison.ranks[row, column])
            return "" if math.isnan(rank) else f"{rank:g}"
        if self._shown is Shown.CHANGES:
            change = float(comparison.differences(self._baseline)[row, column])
            sign = "+" if change > 0 else ""
            return sign + format_score(change, digits)
        key = comparison.keys[row]
        value = comparison.scores[column][key]
        if METRICS[key].whole and isinstance(value, int):
            return format_score(value, digits, most=COUNT_DIGITS)
        return format_score(value, digits)

    def _tip(self, row: int, column: int) -> str:
        comparison = self._comparison
        key = comparison.keys[row]
        scores = comparison.scores[column]
        name = f"{METRICS[key].name}, {comparison.names[column]}"
        why = scores.why(key)
        if why is not None:
            return f"{name}: undefined, because {why}"
        best = "; the best of these" if comparison.is_best(row, column) else ""
        return f"{name}: {scores[key]!r}{best}"

    def tab_separated(self) -> str:
        """Return everything that is shown, for a spreadsheet, with all digits of scores."""
        comparison = self._comparison
        lines = [["", *comparison.names]]
        for row, key in enumerate(comparison.keys):
            cells = [
                repr(comparison.scores[column][key])
                if self._shown is Shown.SCORES and comparison.scores[column].why(key) is None
                else self.text(row, column, 17)
                for column in range(len(comparison.names))
            ]
            lines.append([key, *cells])
        return "\n".join("\t".join(cell.replace("\t", " ") for cell in line) for line in lines)


class ComparePage(Page):
    """The selected tables of the session, or all of them, with the best by each metric.

    Parameters
    ----------
    session : Session
    scorer : Scorer
    jobs : JobRunner

    Signals
    -------
    tables_wanted()
        There is nothing to compare yet: the user wants to open tables.
    """

    title: ClassVar[str] = "Compare"
    question: ClassVar[str] = "Which of these tables is the best, and by which metric?"
    tables_wanted = Signal()

    def __init__(
        self, session: Session, scorer: Scorer, jobs: JobRunner, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._scorer = scorer
        self._jobs = jobs
        self._job: Job | None = None
        self._asked: tuple[object, ...] = ()
        self._scope = ""
        self.model = CompareModel()
        self.grid = QTableView()
        self.grid.setModel(self.model)
        self.grid.setAccessibleName("Scores of the compared tables")
        self.grid.setObjectName("comparison")
        self.grid.setFont(tabular(self.grid.font()))
        self.grid.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.grid.setTabKeyNavigation(False)
        self.grid.setShowGrid(False)
        self.grid.setAlternatingRowColors(True)
        self.grid.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.grid.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + GRID)
        self.grid.horizontalHeader().setDefaultSectionSize(GRID * 14)
        self.shown = QComboBox()
        self.shown.addItems([str(s) for s in Shown])
        self.shown.setAccessibleName("What the cells show")
        self.shown.currentTextChanged.connect(self._on_shown)
        self.copy_button = QToolButton()
        self.copy_button.setObjectName("button")
        copy = QAction("&Copy", self)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        copy.triggered.connect(self._copy)
        self.addAction(copy)
        self.copy_button.setDefaultAction(copy)
        self.notices: NoticeBar = NoticeBar()
        self._summary = QLabel()
        self._summary.setObjectName("muted")
        self._summary.setWordWrap(True)
        self._empty = QWidget()
        self._lay_out()
        session.entries_changed.connect(self._on_changed)
        session.document.changed.connect(self._on_changed)

    def _lay_out(self) -> None:
        question = QLabel(self.question)
        question.setObjectName("question")
        top = QHBoxLayout()
        top.addWidget(question, 1)
        top.addWidget(self.shown)
        top.addWidget(self.copy_button)
        hint = QLabel(
            "A comparison needs two tables. Open more, then select them in the list of the "
            "page Table; with fewer than two selected all are compared."
        )
        hint.setWordWrap(True)
        button = QPushButton("Open tables…")
        button.setObjectName("primary")
        button.clicked.connect(self.tables_wanted)
        empty = QVBoxLayout(self._empty)
        empty.setContentsMargins(0, GRID * 4, 0, 0)
        empty.addWidget(hint)
        empty.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        empty.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID * 3, GRID * 2, GRID * 3, GRID * 2)
        layout.setSpacing(GRID)
        layout.addLayout(top)
        layout.addWidget(self.notices)
        layout.addWidget(self._empty, 1)
        layout.addWidget(self._summary)
        layout.addWidget(self.grid, 1)

    # Page

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self.model.set_theme(theme)

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        self.model.set_digits(digits)

    def focus_first(self) -> None:
        """Give the keyboard to the grid, and compare what is selected now."""
        self.grid.setFocus()

    # Comparing

    def compare(self, keys: list[int]) -> None:
        """Compare tables of the session; all of them where fewer than two are named."""
        entries = self._session.sync()
        chosen = [entries[key] for key in keys if key in entries]
        self._scope = ""
        if len(chosen) < 2:
            chosen = list(entries)
            if 2 < len(chosen) <= MOST:
                self._scope = (
                    f"All {len(chosen):,} tables are compared, as fewer than two are selected "
                    "in the list."
                )
        more = len(chosen) - MOST
        chosen = chosen[:MOST]
        several = len(chosen) > 1
        self._empty.setVisible(not several)
        for widget in (self.grid, self._summary, self.shown, self.copy_button):
            widget.setVisible(several)
        self.notices.clear()
        if more > 0:
            self.notices.show_notice(
                Notice(f"The first {MOST} tables are compared; {more:,} more are not shown.")
            )
        options = self._scorer.options
        asked = (options, entries.baseline, self._scope, *(entry.table for entry in chosen))
        if not several or asked == self._asked:
            return
        self._asked = asked
        if self._job is not None:
            self._job.abandon()
        self._places = [entry.key for entry in chosen]
        named = [NamedTable(entry.name, entry.table) for entry in chosen]
        known = () if self._scorer.scores is None else (self._scorer.scores,)
        job = self._jobs.create(
            CompareTables(named, options, (*self.model.comparison.scores, *known)),
            "Comparing tables",
        )
        job.progressed.connect(self._on_progressed)
        job.finished.connect(self._show)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        self._job = job
        self._jobs.start(job)

    @Slot()
    def _on_changed(self) -> None:
        # It is compared anew when the page is opened, not while someone types.
        self._asked = ()

    @Slot(object)
    def _on_progressed(self, step: Step[Comparison]) -> None:
        if step.result is None and step.partial is not None:
            self._take(step.partial)

    @Slot(object)
    def _show(self, comparison: Comparison) -> None:
        self._job = None
        self._take(comparison)

    def _take(self, comparison: Comparison) -> None:
        baseline = self._session.entries.baseline
        place = self._places.index(baseline) if baseline in self._places else 0
        names = self.model.comparison.names
        self.model.show_comparison(comparison, place)
        if comparison.names != names:
            self._fit()
        told = [
            *([self._scope] if self._scope else []),
            *comparison.cautions,
            comparison.summary(),
            "Metrics of a family repeat one another: choose yours before you count.",
        ]
        self._summary.setText(" ".join(told))

    def _fit(self) -> None:
        """Give each column the room of its name: Qt would measure every cell."""
        metrics, header = self.grid.fontMetrics(), self.grid.horizontalHeader()
        least = metrics.horizontalAdvance("\N{MINUS SIGN}0.000000e\N{MINUS SIGN}00")
        for column, name in enumerate(self.model.comparison.names):
            width = max(least, metrics.horizontalAdvance(f"\N{BLACK DIAMOND} {name}"))
            header.resizeSection(column, min(width + GRID * 2, GRID * 30))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._job = None
        self.notices.show_notice(
            Notice(f"The tables could not be compared: {error}.", Severity.ERROR)
        )

    @Slot()
    def _on_cancelled(self) -> None:
        self._job = None
        self._asked = ()
        done = len(self.model.comparison.names)
        self.notices.show_notice(
            Notice(f"Cancelled: these are the {done} tables scored so far.", Severity.WARNING)
        )

    @Slot(str)
    def _on_shown(self, text: str) -> None:
        self.model.set_shown(Shown(text))

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.model.tab_separated())
        self.notices.show_notice(Notice("The comparison is on the clipboard."))
