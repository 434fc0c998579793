"""The profile page: what each metric costs on this machine, and how that grows."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.files.errors import ReadError
from core.files.profile_file import ReadProfile
from core.simulation.scenario import SimulationError
from core.studies.profiling import ProfileResult
from gui.dialogs import ALL_FILES, Dialogs
from gui.jobs import JobRunner
from gui.notice_bar import NoticeBar
from gui.page_exports import PageExports
from gui.pages.page import Page
from gui.profile.kept import Kept, KeptProfiles
from gui.profile.side import ProfileSide
from gui.profile.wording import span_text
from gui.scorer import Scorer
from gui.settings import Settings
from gui.table_editor.notice import Notice, Severity
from gui.theme import GRID, LIGHT, Theme

_NOTHING = "There is nothing to draw yet: run a profile first."
_BUSY = "A measurement is running: cancel it, or wait for its end."

log = logging.getLogger(__name__)


class ProfilePage(Page):
    """Settings on the left, times on the right.

    Parameters
    ----------
    scorer : Scorer
        Knows the options by which scores are computed.
    jobs : JobRunner
    settings : Settings
        Knows the folder of the last file.
    dialogs : Dialogs
    """

    title: ClassVar[str] = "Profile"
    question: ClassVar[str] = "What does each metric cost on this machine, and how does that grow?"

    def __init__(
        self,
        scorer: Scorer,
        jobs: JobRunner,
        settings: Settings,
        dialogs: Dialogs,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._scorer, self._jobs = scorer, jobs
        self._settings, self._dialogs = settings, dialogs
        self._theme = LIGHT
        self._made = False
        self.profiles = KeptProfiles(jobs, self)
        self.notices: NoticeBar = NoticeBar()
        self.side = ProfileSide()
        self.form, self.metrics = self.side.form, self.side.metrics
        self.metrics.refused.connect(self._warn)
        self.export_button = QToolButton()
        self.export_button.setObjectName("button")
        self.export_button.setText("Export")
        self.export_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export_button.setToolTip("What is shown as a figure; times, costs, the whole profile")
        self.sample_button = QPushButton("Profile the paper's eight metrics, some seconds")
        self.tabs = QTabBar()
        self.tabs.setObjectName("explanations")
        self.tabs.setAccessibleName("Ways to look at the times")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.stack = QStackedWidget()
        self._body = QStackedWidget()
        self._lay_out()
        self.side.run_button.clicked.connect(self.start)
        self.sample_button.clicked.connect(self.start)
        self.form.entered.connect(self.start)
        self.side.cancel_button.clicked.connect(self.profiles.cancel)
        self.side.open_button.clicked.connect(self.ask_open)
        self.side.shown.activated.connect(self._show_chosen)
        self.profiles.started.connect(self._on_started)
        self.profiles.progressed.connect(self._on_progressed)
        self.profiles.ended.connect(self._on_ended)
        self.profiles.failed.connect(self._on_failed)
        self.profiles.costed.connect(self._on_costed)

    def _lay_out(self) -> None:
        question = QLabel(self.question)
        question.setObjectName("question")
        hint = QLabel(
            "Every metric is timed on the same tables by three routes: scikit-learn on labels, as "
            "the AP paper does, and this program, one table a call or all at once. It runs in a "
            "process of its own and takes some seconds; the order of the metrics turns from table "
            "to table, and what disturbs the clock is said."
        )
        hint.setWordWrap(True)
        empty = QWidget()
        column = QVBoxLayout(empty)
        column.setContentsMargins(GRID * 4, GRID * 4, GRID * 4, 0)
        column.setSpacing(GRID * 2)
        column.addWidget(hint)
        column.addWidget(self.sample_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        content = QWidget()
        middle = QVBoxLayout(content)
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(GRID)
        row = QHBoxLayout()
        row.addWidget(self.tabs, 1)
        row.addWidget(self.export_button)
        middle.addLayout(row)
        middle.addWidget(self.stack, 1)
        self._body.addWidget(empty)
        self._body.addWidget(content)
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
        from gui.profile.costs import CostsView
        from gui.profile.export_menu import ProfileExportMenu
        from gui.profile.grids import BudgetView, MachinesView
        from gui.profile.growth import GrowthView
        from gui.profile.traces import TracesView
        from gui.profile.why import WhyView

        self.traces, self.costs = TracesView(), CostsView()
        self.budget, self.why, self.machines = BudgetView(), WhyView(), MachinesView()
        self.growth = GrowthView(self._jobs, self._growth_keys, self._why_busy)
        for view in self.views:
            self.tabs.addTab(view.title)
            self.stack.addWidget(view)
            view.set_theme(self._theme)
        self.tabs.currentChanged.connect(self._on_tab)
        self.traces.window_chosen.connect(self._on_window)
        self.growth.refused.connect(self._warn)
        self.growth.busy_changed.connect(self._show_state)
        self.exports = PageExports(self, self._jobs, self._settings, self._dialogs, _NOTHING)
        self.exports.noticed.connect(self._tell)
        self.export_menu = ProfileExportMenu(self.exports, self, self.export_button)
        self.export_button.setMenu(self.export_menu)

    @property
    def views(self) -> tuple[Any, ...]:
        """The tabs; none before the page was seen."""
        if not self._made:
            return ()
        return self.traces, self.costs, self.growth, self.budget, self.why, self.machines

    # Page

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        for part in (self.form, *self.views):
            part.set_theme(theme)

    def focus_first(self) -> None:
        """Give the keyboard to the choice of tables."""
        self.form.scenario.setFocus()

    # Measuring

    @property
    def kept(self) -> Kept | None:
        """The profile that is shown."""
        kept: Kept | None = self.side.shown.currentData()
        return kept

    def _growth_keys(self) -> tuple[str, ...]:
        from core.simulation.presets import PAPER_METRICS

        return () if self.metrics.keys == PAPER_METRICS else self.metrics.keys

    def _why_busy(self) -> str:
        return _BUSY if self.profiles.running is not None or self.growth.busy else ""

    @Slot()
    def start(self) -> None:
        """Measure what the form asks for; while something is measured, nothing."""
        self._make_views()
        if self._why_busy():
            self._warn(_BUSY)
            return
        self.notices.clear()
        try:
            profile = self.form.profile(self.metrics.keys, self._scorer.options)
        except SimulationError as error:
            self.form.show_error(error)
            return
        self.profiles.start(profile, self.form.name)

    @Slot(object)
    def _on_started(self, kept: Kept) -> None:
        self._body.setCurrentIndex(1)
        self.side.progress.setValue(0)
        self.side.status.setText("Starting a process for the clock…")
        self._list(kept)
        self._show_state()

    @Slot(object)
    def _on_progressed(self, kept: Kept) -> None:
        result = kept.result
        assert result is not None
        asked = result.profile.instances
        self.side.progress.setValue(round(self.side.progress.maximum() * result.done / asked))
        spent = max(result.seconds - result.warm_up, 1e-3)
        said = f"{result.done:,} of {asked:,} instances"
        if 0 < result.done < asked:
            said += f", {span_text((asked - result.done) * spent / result.done)} left"
        elif result.done == asked:
            said += "; measuring memory"
        self.side.status.setText(said)
        if self.kept is kept and self.stack.currentWidget() is self.traces:
            self.traces.show_profile(kept)

    @Slot(object)
    def _on_ended(self, kept: Kept) -> None:
        self._settle(kept)
        result = kept.result
        if result is None or not result.done:
            self._warn("Cancelled before the first instance was timed.")
        elif not result.complete:
            self._warn(
                f"Cancelled: the first {result.done:,} instances are here, a partial result."
            )
        else:
            found = result.disturbances()
            if found:
                self._warn(found[0])

    @Slot(object, str)
    def _on_failed(self, kept: Kept, why: str) -> None:
        self._settle(kept)
        done = 0 if kept.result is None else kept.result.done
        text = f"The profile stopped after {done:,} instances: {why}."
        self._tell(Notice(text, Severity.ERROR))

    def _settle(self, kept: Kept) -> None:
        result = kept.result
        if result is None or not result.done:
            self.side.status.setText("")
            self.side.progress.setValue(0)
        else:
            said = f"{result.done:,} of {result.profile.instances:,} instances"
            self.side.status.setText(said + ("" if result.complete else ": partial"))
        self._list(self.kept)
        self._show_state()
        self._show_chosen()

    @Slot(object)
    def _on_costed(self, kept: Kept) -> None:
        if self.kept is kept:
            self._show_chosen()
        self.machines.show_profiles(self.profiles.profiles)

    @Slot(object)
    def _on_window(self, window: tuple[int, int] | None) -> None:
        if self.kept is not None:
            self.profiles.choose(self.kept, window)

    # Showing

    @Slot()
    def _show_state(self) -> None:
        busy = bool(self._why_busy())
        self.side.run_button.setEnabled(not busy)
        self.side.cancel_button.setEnabled(self.profiles.running is not None)
        self.growth.start_button.setEnabled(not busy)

    def _list(self, shown: Kept | None) -> None:
        self.side.shown.clear()
        for kept in reversed(self.profiles.profiles):
            self.side.shown.addItem(kept.title, kept)
        self.side.shown.setCurrentIndex(max(self.side.shown.findData(shown), 0))
        self.side.offer_choice(bool(self.profiles.profiles))
        if not self.profiles.profiles:
            self._body.setCurrentIndex(0)

    @Slot()
    def _show_chosen(self) -> None:
        for view in (self.traces, self.costs, self.budget, self.why):
            view.show_profile(self.kept)
        self.machines.show_profiles(self.profiles.profiles)

    @Slot(int)
    def _on_tab(self, number: int) -> None:
        self.stack.setCurrentIndex(number)

    def show_tab(self, title: str) -> None:
        """Show the tab of a title, such as ``Costs``."""
        for number in range(self.tabs.count()):
            if self.tabs.tabText(number) == title:
                self.tabs.setCurrentIndex(number)

    # Opening

    @Slot()
    def ask_open(self) -> None:
        """Ask for a profile, and show it beside the others."""
        folder = self._settings.folder or Path.home()
        filters = ("Profiles (*.json)", ALL_FILES)
        self._dialogs.ask_open(self, folder, self._open_files, "Open profiles", filters)

    def _open_files(self, paths: list[Path]) -> None:
        for path in paths:
            self.open_file(path)

    def open_file(self, path: Path) -> None:
        """Read a profile beside the window, and show it."""
        self._make_views()
        job = self._jobs.create(ReadProfile(path), f"Opening {path.name}")
        job.finished.connect(lambda result: self._on_opened(path, result))
        job.failed.connect(self._on_not_opened)
        self._jobs.start(job)

    def _on_opened(self, path: Path, result: ProfileResult) -> None:
        self._settings.folder = path.absolute().parent
        kept = self.profiles.add(path.stem, result)
        self._body.setCurrentIndex(1)
        self._list(kept)
        self._show_chosen()

    @Slot(object)
    def _on_not_opened(self, error: Exception) -> None:
        if not isinstance(error, ReadError):
            log.error("a profile was not opened", exc_info=error)
        self._tell(Notice(f"{error}", Severity.ERROR))

    # Telling

    @Slot(str)
    def _warn(self, text: str) -> None:
        self._tell(Notice(text, Severity.WARNING))

    def _tell(self, notice: Notice) -> None:
        self.notices.show_notice(notice)
