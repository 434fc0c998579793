"""The simulation page: thousands of random tables, and what the metrics say of them."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.simulation.scenario import SimulationError
from core.studies.simulated import Pick
from core.studies.simulation import Simulation
from gui.dialogs import Dialogs
from gui.jobs import JobRunner
from gui.notice_bar import NoticeBar
from gui.pages.page import Page
from gui.scorer import Scorer
from gui.session import Session
from gui.settings import Settings
from gui.side_panel import SidePanel
from gui.simulation.empty import EmptyState
from gui.simulation.form import ScenarioForm, shortened
from gui.simulation.found import FoundTables
from gui.simulation.metrics_choice import MetricsChoice
from gui.simulation.run_choice import RunChoice
from gui.simulation.runs import Run, SimulationRuns
from gui.simulation.settings_file import SettingsOpener
from gui.table_editor.notice import Notice, Severity
from gui.theme import GRID, LIGHT, Theme

_BUSY = "A simulation is running: cancel it, or wait for its end."
_NOTHING = "There is nothing to draw yet: run a simulation first."


class SimulationPage(Page):
    """A scenario on the left, what its tables score in the middle, single tables on the right.

    Parameters
    ----------
    session : Session
        Has the table under edit; gets the tables that are opened.
    scorer : Scorer
        Knows the options by which scores are computed.
    jobs : JobRunner
    settings : Settings
        Knows the folder of the last file.
    dialogs : Dialogs

    Signals
    -------
    table_opened()
        A table was added to the session and is under edit now.
    """

    title: ClassVar[str] = "Simulation"
    question: ClassVar[str] = (
        "How far do the metrics reach on thousands of random tables, and which of them agree?"
    )
    table_opened = Signal()

    def __init__(
        self,
        session: Session,
        scorer: Scorer,
        jobs: JobRunner,
        settings: Settings,
        dialogs: Dialogs,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._scorer = scorer
        self._jobs = jobs
        self._theme = LIGHT
        self._digits = 4
        self._made = False
        self.runs = SimulationRuns(jobs, self)
        self._settings = settings
        self._dialogs = dialogs
        self.form = ScenarioForm()
        self.notices: NoticeBar = NoticeBar()
        self.metrics = MetricsChoice()
        self.metrics.refused.connect(self._warn)
        self.export_button = QToolButton()
        self.export_button.setObjectName("button")
        self.export_button.setText("Export")
        self.export_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export_button.setToolTip("What is shown as a figure; tables, scores and settings")
        self.opener = SettingsOpener(self, jobs, settings, dialogs)
        self.settings_button = QPushButton("Run settings\N{HORIZONTAL ELLIPSIS}")
        self.settings_button.setToolTip("Open a settings file and run it to the same numbers")
        self.choice = RunChoice()
        self.side = SidePanel(
            (self.form, self.metrics),
            (self.choice, self.settings_button),
            "Stop; the tables scored so far stay",
        )
        self.run_button, self.cancel_button = self.side.run_button, self.side.cancel_button
        self.progress, self.status = self.side.progress, self.side.status
        self.found = FoundTables(jobs)
        self.tabs = QTabBar()
        self.tabs.setObjectName("explanations")
        self.tabs.setAccessibleName("Ways to look at the scores")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.stack = QStackedWidget()
        self._lay_out()
        self.settings_button.clicked.connect(self.opener.ask)
        self.opener.opened.connect(self._run_settings)
        self.opener.noticed.connect(self._tell)
        self.run_button.clicked.connect(self.start)
        self.form.entered.connect(self.start)
        self.cancel_button.clicked.connect(self.runs.cancel)
        self.runs.started.connect(self._on_started)
        self.runs.progressed.connect(self._on_progressed)
        self.runs.ended.connect(self._on_ended)
        self.runs.failed.connect(self._on_failed)
        self.choice.changed.connect(self._show_chosen)
        self.found.open_asked.connect(self._open)
        self.found.failed.connect(self._warn)
        session.title_changed.connect(self._on_table)
        session.shown.connect(self._on_table)
        self._on_table()

    def _lay_out(self) -> None:
        question = QLabel(self.question)
        question.setObjectName("question")
        self._body = QStackedWidget()
        empty = EmptyState()
        self.sample_button = empty.button
        self.sample_button.clicked.connect(self._run_sample)
        self._body.addWidget(empty)
        content = QWidget()
        middle = QVBoxLayout(content)
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(GRID)
        row = QHBoxLayout()
        row.addWidget(self.tabs, 1)
        row.addWidget(self.export_button)
        middle.addLayout(row)
        middle.addWidget(self.stack, 1)
        self._singles = right = QWidget()
        tables = QVBoxLayout(right)
        tables.setContentsMargins(GRID * 3 // 2, 0, 0, 0)
        tables.addWidget(self.found)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(content)
        self.splitter.addWidget(right)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setSizes([GRID * 80, GRID * 32])
        self._body.addWidget(self.splitter)
        across = QHBoxLayout()
        across.setSpacing(0)
        across.addWidget(self.side.scrolled())
        across.addWidget(self._body, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID * 3, GRID * 2, GRID * 2, GRID * 2)
        layout.setSpacing(GRID)
        layout.addWidget(question)
        layout.addWidget(self.notices)
        layout.addLayout(across, 1)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the plots when the page is seen for the first time: they load much."""
        self._make_views()
        super().showEvent(event)

    def _make_views(self) -> None:
        if self._made:
            return
        self._made = True
        # Here, so that the window opens without them.
        from gui.page_exports import PageExports
        from gui.simulation.correlations import CorrelationsView
        from gui.simulation.export_menu import ExportMenu
        from gui.simulation.histograms import HistogramsView
        from gui.simulation.numbers import NumbersView
        from gui.simulation.points import PointsView

        self.histograms = HistogramsView(self._jobs)
        self.correlations = CorrelationsView(self._jobs)
        self.points = PointsView()
        self.numbers = NumbersView(self._jobs)
        for view in self.views:
            self.tabs.addTab(view.title)
            self.stack.addWidget(view)
            view.set_theme(self._theme)
            view.set_digits(self._digits)
        self.tabs.currentChanged.connect(self._on_tab)
        self.histograms.picked.connect(self._on_picked)
        self.correlations.pair_asked.connect(self._on_pair)
        self.points.number_asked.connect(self.found.show_number)
        self.exports = PageExports(self, self._jobs, self._settings, self._dialogs, _NOTHING)
        self.exports.noticed.connect(self._tell)
        self.export_menu = ExportMenu(self.exports, self, self.export_button)
        self.export_button.setMenu(self.export_menu)

    @property
    def views(self) -> tuple[Any, ...]:
        """The tabs; none before the page was seen."""
        if not self._made:
            return ()
        return self.histograms, self.correlations, self.points, self.numbers

    # Page

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        for part in (self.form, self.found, *self.views):
            part.set_theme(theme)

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        self._digits = digits
        for part in (self.found, *self.views):
            part.set_digits(digits)

    def focus_first(self) -> None:
        """Give the keyboard to the choice of a scenario."""
        self.form.scenario.setFocus()

    @property
    def keys(self) -> tuple[str, ...]:
        """The metrics that the next run scores."""
        return self.metrics.keys

    # Running

    @Slot()
    def start(self) -> None:
        """Run what the form asks for; while a run is going on, nothing."""
        if self.runs.running is not None:
            self._tell(Notice(_BUSY))
            return
        self._make_views()
        self.notices.clear()
        try:
            simulation = self.form.simulation(
                self._session.document.snapshot, self.keys, self._scorer.options
            )
        except SimulationError as error:
            self.form.show_error(error)
            return
        self.runs.start(simulation, self.form.run_name)

    @Slot()
    def _run_sample(self) -> None:
        self.form.choose("low_4x4")
        self.start()

    @Slot(object, str)
    def _run_settings(self, simulation: Simulation, name: str) -> None:
        self._make_views()
        if self.runs.running is not None:
            self._tell(Notice(_BUSY))
            return
        self.form.take(simulation)
        self.metrics.set_keys(tuple(simulation.keys))
        # As it was written: the options of the file, and its own table.
        self.runs.start(simulation, shortened(name))

    @Slot(object)
    def _on_started(self, run: Run) -> None:
        self.run_button.setEnabled(False)
        self.cancel_button.setEnabled(True)
        self._body.setCurrentIndex(1)
        self.choice.show_runs(self.runs.runs, run)
        self._show_chosen()
        self._show_progress(run)

    @Slot(object)
    def _on_progressed(self, run: Run) -> None:
        self._show_progress(run)
        if self.run is run:
            self.histograms.follow(run)

    @Slot(object)
    def _on_ended(self, run: Run) -> None:
        self._settle(run)
        done = run.result.done
        if not run.result.complete:
            if done:
                said = "the first table is" if done == 1 else f"the first {done:,} tables are"
                text = f"Cancelled: {said} here, a partial result."
            else:
                text = "Cancelled before the first table was scored."
            self._tell(Notice(text, Severity.WARNING))

    @Slot(object, str)
    def _on_failed(self, run: Run, why: str) -> None:
        self._settle(run)
        self._tell(
            Notice(
                f"The simulation stopped after {run.result.done:,} tables: {why}.", Severity.ERROR
            )
        )

    def _settle(self, run: Run) -> None:
        self.run_button.setEnabled(True)
        self.cancel_button.setEnabled(False)
        self._show_progress(run)
        self.choice.show_runs(self.runs.runs, self.run or run)
        if self.run is run:
            self.histograms.follow(run)
            self.numbers.show_runs(run, self.choice.over)
            for view in (self.correlations, self.points):
                view.show_run(run)
            self.found.show_run(run)
            # What was asked for while it ran stays.
            if run.result.done and not self.found.model.rowCount():
                self.found.look_for(Pick(run.result.keys[0]))
        elif self.choice.over is run:
            # The outline is of all its tables now.
            self._show_chosen()

    def _show_progress(self, run: Run) -> None:
        self.progress.setValue(round(1000 * run.result.done / run.result.simulation.tables))
        self.status.setText(run.status)

    # Which runs are shown

    @property
    def run(self) -> Run | None:
        """The run that is shown."""
        return self.choice.run

    @Slot()
    def _show_chosen(self) -> None:
        run, other = self.run, self.choice.over
        if run is None:
            return
        for both in (self.histograms, self.numbers):
            both.show_runs(run, other)
        for view in (self.correlations, self.points):
            view.show_run(run)
        self.found.show_run(run)
        if not run.running and run.result.done and not self.found.model.rowCount():
            self.found.look_for(Pick(run.result.keys[0]))

    @Slot(int)
    def _on_tab(self, number: int) -> None:
        self.stack.setCurrentIndex(number)
        view, run = self.views[number], self.run
        # Numbers are of no single table, and need the room.
        self._singles.setVisible(view is not self.numbers)
        if run is not None and view is self.numbers:
            self.numbers.show_runs(run, self.choice.over)
        elif run is not None and number:
            view.show_run(run)

    def show_tab(self, title: str) -> None:
        """Show the tab of a title, such as ``Scatter``."""
        for number in range(self.tabs.count()):
            if self.tabs.tabText(number) == title:
                self.tabs.setCurrentIndex(number)

    # From one to another

    @Slot(object)
    def _on_picked(self, pick: Pick) -> None:
        self.found.look_for(pick)

    @Slot(str, str)
    def _on_pair(self, across: str, up: str) -> None:
        self.show_tab(self.points.title)
        self.points.show_pair(across, up)

    @Slot(object)
    def _open(self, tables: list[Any]) -> None:
        if self._session.add(tables):
            self.table_opened.emit()

    @Slot()
    def _on_table(self) -> None:
        self.form.set_table_name(self._session.current.name)

    # Telling

    @Slot(str)
    def _warn(self, text: str) -> None:
        self._tell(Notice(text, Severity.WARNING))

    def _tell(self, notice: Notice) -> None:
        self.notices.show_notice(notice)
