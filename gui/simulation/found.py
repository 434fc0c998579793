"""Single tables of a simulation: found by a score, looked at, opened."""

from __future__ import annotations

import html
import logging
from typing import Any, cast

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.formatting import format_score
from core.metrics.catalogue import METRICS
from core.named_table import NamedTable
from core.studies.simulated import How, MakeTables, Pick, Picked, PickTables
from core.table import ContingencyTable
from gui.jobs import Job, JobRunner
from gui.simulation.runs import Run
from gui.theme import GRID, LIGHT, Theme, tabular

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole

# Tables opened at once, and cells of a table that is shown beside the list.
_MOST_OPENED = 100
_MOST_SHOWN = (12, 12)

log = logging.getLogger(__name__)


class FoundModel(QAbstractTableModel):
    """Numbers of tables and their scores."""

    def __init__(self) -> None:
        super().__init__()
        self.run: Run | None = None
        self.numbers = np.zeros(0, np.int64)
        self.keys: tuple[str, ...] = ()
        self.digits = 4

    def show_tables(self, run: Run | None, numbers: Any, keys: tuple[str, ...]) -> None:
        """Show other tables."""
        self.beginResetModel()
        self.run, self.numbers, self.keys = run, numbers, keys
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.numbers)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1 + len(self.keys)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == ROLE.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if orientation == Qt.Orientation.Horizontal and role == ROLE.DisplayRole:
            return "Table" if section == 0 else METRICS[self.keys[section - 1]].symbol
        return None

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        if not index.isValid() or self.run is None:
            return None
        if role == ROLE.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        number = int(self.numbers[index.row()])
        if role == ROLE.DisplayRole:
            if index.column() == 0:
                return f"{number + 1:,}"
            score = self.run.result.of(self.keys[index.column() - 1])[number]
            return format_score(float(score), self.digits)
        return None


class _List(QTableView):
    """A list whose lines are opened by Enter."""

    opened = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if Qt.Key(event.key()) in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        else:
            super().keyPressEvent(event)


class FoundTables(QWidget):
    """Tables of a simulation that were asked for, one of them in full.

    Parameters
    ----------
    jobs : JobRunner

    Signals
    -------
    open_asked(list)
        Tables, as `NamedTable`, that the user wants in the editor.
    failed(str)
        Why something could not be done, as a sentence.
    """

    open_asked = Signal(object)
    failed = Signal(str)

    def __init__(self, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._run: Run | None = None
        self._theme = LIGHT
        self._digits = 4
        self._looking: Job | None = None
        self._showing: Job | None = None
        self._opening: Job | None = None
        self._wanted: list[int] = []
        self.title = QLabel("Tables")
        self.title.setWordWrap(True)
        self.key = QComboBox()
        self.key.setAccessibleName("The score that the tables are found by")
        self.how = QComboBox()
        self.how.setAccessibleName("Which tables")
        for text, pick in (
            ("highest", "highest"),
            ("lowest", "lowest"),
            ("exactly 0", "equal"),
            ("undefined", "undefined"),
        ):
            self.how.addItem(text, pick)
        self.model = FoundModel()
        self.list = _List()
        self.list.setModel(self.model)
        self.list.setAccessibleName("Tables found")
        self.list.setObjectName("tables")
        self.list.setFont(tabular(self.list.font()))
        self.list.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setTabKeyNavigation(False)
        self.list.setShowGrid(False)
        self.list.setWordWrap(False)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.verticalHeader().hide()
        self.list.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.list.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + GRID)
        self.list.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.list.horizontalHeader().setHighlightSections(False)
        self.preview = QLabel()
        self.preview.setTextFormat(Qt.TextFormat.RichText)
        self.preview.setFont(tabular(self.preview.font()))
        self.preview.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.open_button = QPushButton("Open in the editor")
        self.open_button.setToolTip("Add the selected tables to the session (Enter)")
        self.open_button.setEnabled(False)
        self._lay_out()
        self.key.activated.connect(self._on_choice)
        self.how.activated.connect(self._on_choice)
        self.list.selectionModel().selectionChanged.connect(self._on_selected)
        self.list.doubleClicked.connect(self.open_selected)
        self.list.opened.connect(self.open_selected)
        self.open_button.clicked.connect(self.open_selected)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(GRID // 2)
        row.addWidget(self.key, 1)
        row.addWidget(self.how, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(row)
        layout.addWidget(self.title)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.preview)
        layout.addWidget(self.open_button)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self._on_selected()

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        self._digits = self.model.digits = digits
        self.list.viewport().update()

    # What is looked for

    def show_run(self, run: Run | None) -> None:
        """Look in another simulation: for its best tables by its first score."""
        if run is self._run:
            return
        self._run = run
        before = self.key.currentData()
        self.key.clear()
        for key in () if run is None else run.result.keys:
            self.key.addItem(METRICS[key].symbol, key)
        self.key.setCurrentIndex(max(self.key.findData(before), 0))
        self.clear()

    def clear(self) -> None:
        """Show no tables."""
        for job in (self._looking, self._showing):
            if job is not None:
                job.abandon()
        self._looking = self._showing = None
        self.model.show_tables(None, np.zeros(0, np.int64), ())
        self.title.setText("")
        self.preview.clear()
        self.open_button.setEnabled(False)

    def look_for(self, pick: Pick) -> None:
        """Look for tables."""
        if self._run is None or not self._run.result.done:
            return
        if self._looking is not None:
            self._looking.abandon()
        self.key.setCurrentIndex(self.key.findData(pick.key))
        self.how.setCurrentIndex(self.how.findData(pick.how))
        job = self._jobs.create(PickTables(self._run.result.of(pick.key), pick), "Finding tables")
        job.finished.connect(self._on_found)
        job.failed.connect(self._on_failed)
        self._looking = job
        self._jobs.start(job)

    def show_number(self, number: int) -> None:
        """Show one table by its number from 0."""
        run = self._run
        if run is None or not 0 <= number < run.result.done:
            return
        if self._looking is not None:
            self._looking.abandon()
            self._looking = None
        self._show(np.array([number]), self.key.currentData(), f"Table {number + 1:,}")

    @Slot()
    def _on_choice(self) -> None:
        if self.key.currentIndex() < 0:
            return
        how = self.how.currentData() or "highest"
        self.how.setCurrentIndex(self.how.findData(how))
        self.look_for(Pick(self.key.currentData(), cast(How, how)))

    @Slot(object)
    def _on_found(self, picked: Picked) -> None:
        self._looking = None
        total, listed = picked.total, len(picked.numbers)
        words = picked.pick.words(self._digits)
        said = f"{words}: {total:,} table{'' if total == 1 else 's'}"
        if picked.pick.how in ("highest", "lowest"):
            said = f"The {listed:,} tables of {words}"
        elif listed < total:
            said += f", of which {listed:,} are listed"
        self._show(picked.numbers, picked.pick.key, said)

    def _show(self, numbers: Any, key: str, said: str) -> None:
        run = self._run
        if run is None:
            return
        keys = tuple(dict.fromkeys((key, *run.result.keys)))[:3]
        self.model.show_tables(run, numbers, keys)
        self.title.setText(said)
        self.preview.clear()
        self.open_button.setEnabled(False)
        if len(numbers):
            self.list.selectRow(0)

    @property
    def selected(self) -> list[int]:
        """Numbers of the selected tables, from 0."""
        rows = sorted(index.row() for index in self.list.selectionModel().selectedRows())
        return [int(self.model.numbers[row]) for row in rows]

    # One of them

    @Slot()
    def _on_selected(self) -> None:
        numbers = self.selected
        self.open_button.setEnabled(bool(numbers))
        if self._showing is not None:
            self._showing.abandon()
            self._showing = None
        if self._run is None or not numbers:
            self.preview.clear()
            return
        r, c = self._run.result.simulation.scenario.shape
        if r > _MOST_SHOWN[0] or c > _MOST_SHOWN[1]:
            self.preview.setText(f"{r:,} × {c:,}: open it to see its counts.")
            return
        job = self._jobs.create(MakeTables(self._run.result.simulation, numbers[:1]), "Showing")
        job.finished.connect(self._on_made)
        job.failed.connect(self._on_failed)
        self._showing = job
        self._jobs.start(job)

    @Slot(object)
    def _on_made(self, tables: list[ContingencyTable]) -> None:
        self._showing = None
        self.preview.setText(_as_html(tables[0], self._theme))

    # Into the editor

    @Slot()
    def open_selected(self) -> None:
        """Ask for the selected tables in the editor."""
        if self._run is None or self._opening is not None:
            return
        numbers = self.selected
        if not numbers:
            return
        if len(numbers) > _MOST_OPENED:
            self.failed.emit(
                f"{len(numbers):,} tables are selected: select at most {_MOST_OPENED} to open "
                "them, or export all tables."
            )
            return
        self._wanted = numbers
        self._from = self._run
        job = self._jobs.create(MakeTables(self._run.result.simulation, numbers), "Opening tables")
        job.finished.connect(self._on_opened)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_open_cancelled)
        self._opening = job
        self._jobs.start(job)

    @Slot(object)
    def _on_opened(self, tables: list[ContingencyTable]) -> None:
        self._opening = None
        run = self._from
        simulation = run.result.simulation
        self.open_asked.emit(
            [
                NamedTable(
                    f"{run.name} no. {number + 1:,}",
                    table,
                    notes=(
                        f"simulated: {simulation.scenario.words}, seed {simulation.seed}, "
                        f"table {number + 1:,}",
                    ),
                )
                for number, table in zip(self._wanted, tables, strict=True)
            ]
        )

    @Slot()
    def _on_open_cancelled(self) -> None:
        self._opening = None

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        log.error("tables of a simulation could not be shown", exc_info=error)
        self._opening = self._looking = self._showing = None
        self.failed.emit(f"This could not be done: {error}.")


def _as_html(table: ContingencyTable, theme: Theme) -> str:
    """Return a small table with its margins; the largest counts of each class are bold."""
    muted = theme.muted

    def cell(text: str, *, colour: str = theme.text, bold: bool = False) -> str:
        inner = f"<b>{text}</b>" if bold else text
        return f"<td align='right' style='padding: 1px 5px; color: {colour}'>{inner}</td>"

    head = "".join(cell(html.escape(name), colour=muted) for name in (*table.clusters, "sum"))
    rows = [f"<tr><td></td>{head}</tr>"]
    for name, counts, total in zip(
        table.truth, table.counts.tolist(), table.row_sums.tolist(), strict=True
    ):
        cells = "".join(cell(f"{n:,}", bold=n == max(counts) > 0) for n in counts)
        first = f"<td style='padding: 1px 5px; color: {muted}'>{html.escape(name)}</td>"
        rows.append(f"<tr>{first}{cells}{cell(f'{total:,}', colour=muted)}</tr>")
    sums = [*table.column_sums.tolist(), table.total]
    last = "".join(cell(f"{n:,}", colour=muted) for n in sums)
    rows.append(f"<tr><td style='padding: 1px 5px; color: {muted}'>sum</td>{last}</tr>")
    return f"<table cellspacing='0'>{''.join(rows)}</table>"
